//! The analyzer as tantivy wants it.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{AS_WRITTEN, Pieces};

/// Gives tantivy the terms of a text: each piece, and beside it the word as written when its stem differs.
#[derive(Clone, Debug, Default)]
pub struct WordTokenizer;

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream { pieces: Pieces::of(text), token: Token::default(), written: String::new() }
    }
}

/// The terms of one text.
pub struct WordStream<'a> {
    pieces: Pieces<'a>,
    token: Token,
    written: String,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        if !self.written.is_empty() {
            std::mem::swap(&mut self.token.text, &mut self.written);
            self.written.clear();
            return true;
        }
        let Some(piece) = self.pieces.advance() else { return false };
        if piece.term != piece.plain {
            self.written.push(AS_WRITTEN);
            self.written.push_str(&piece.plain);
        }
        std::mem::swap(&mut self.token.text, &mut piece.term);
        self.token.position = piece.position;
        (self.token.offset_from, self.token.offset_to) = (piece.from, piece.to);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
