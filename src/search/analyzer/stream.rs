//! The analyzer as a tokenizer of tantivy.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::tokens::{EXACT_MARKER, Tokens};

/// Passes the tokens of a text to tantivy, and the unstemmed word in addition when its stem
/// differs.
#[derive(Clone, Debug, Default)]
pub struct WordTokenizer;

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream {
            tokens: Tokens::new(text),
            token: Token::default(),
            written: String::new(),
        }
    }
}

/// The terms of one text.
pub struct WordStream<'a> {
    tokens: Tokens<'a>,
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
        let Some(token) = self.tokens.advance() else {
            return false;
        };
        if token.term != token.unstemmed {
            self.written.push(EXACT_MARKER);
            self.written.push_str(&token.unstemmed);
        }
        std::mem::swap(&mut self.token.text, &mut token.term);
        self.token.position = token.position;
        (self.token.offset_from, self.token.offset_to) = (token.from, token.to);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
