//! The analyzer as a tokenizer of tantivy.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::sections::{self, Section};
use super::tokens::{EXACT_MARKER, SEPARATOR_GAP, Tokens};

/// Passes the tokens of a text to tantivy, the unstemmed word in addition when its stem differs,
/// and a term where a section begins.
#[derive(Clone, Debug, Default)]
pub struct WordTokenizer;

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        let (first, next) = sections::split(text);
        WordStream {
            tokens: Tokens::new(first),
            next,
            first_position: 0,
            token: Token::default(),
            written: String::new(),
        }
    }
}

/// The terms of one text.
pub struct WordStream<'a> {
    /// The tokens of the current section.
    tokens: Tokens<'a>,
    /// The next section, and the text from there on.
    next: Option<(Section, &'a str)>,
    /// The position of the first word of the current section.
    first_position: usize,
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
            return self.begin_section();
        };
        if token.term != token.unstemmed {
            self.written.push(EXACT_MARKER);
            self.written.push_str(&token.unstemmed);
        }
        std::mem::swap(&mut self.token.text, &mut token.term);
        self.token.position = self.first_position + token.position;
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

impl WordStream<'_> {
    /// Begins the next section with its term, if there is one.
    fn begin_section(&mut self) -> bool {
        let Some((section, text)) = self.next.take() else {
            return false;
        };
        self.first_position += self.tokens.position() + SEPARATOR_GAP;
        let (own, next) = sections::split(text);
        self.tokens = Tokens::new(own);
        self.next = next;
        self.token.text.clear();
        self.token.text.push_str(section.term().unwrap_or_default());
        self.token.position = self.first_position;
        true
    }
}
