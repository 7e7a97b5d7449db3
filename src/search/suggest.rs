//! Titles that begin as somebody types.

use jiff::Timestamp;

use super::error::SearchError;
use super::facade::Search;
use super::index::{Hit, Index, Question};
use super::mapping::Bounds;
use super::order::Order;
use super::query::{BadQuery, Query, Word};
use super::visibility::Visibility;
use crate::domain::id_set::IdSet;
use crate::domain::kind::Kind;

/// What is typed, and who types it.
#[derive(Clone, Copy, Debug)]
pub struct Suggest<'q> {
    /// Complete words and the beginning of one; see [`Query::typed`].
    pub words: &'q Query,
    /// Who asks.
    pub visibility: &'q Visibility,
    /// The content types.
    pub kinds: &'q [Kind],
    /// The projects; `None` for all.
    pub projects: Option<&'q IdSet>,
    /// The closed statuses, when only open issues are asked for.
    pub closed: Option<&'q IdSet>,
    /// How many to return at most.
    pub limit: usize,
    /// The present moment.
    pub now: Timestamp,
}

impl Query {
    /// The words of a text that is being typed; its last word only begins one. Nothing in it has a meaning of its own: quotes are not
    /// closed yet, and a qualifier is not complete.
    ///
    /// # Errors
    /// When it is too long or has too many words.
    pub fn typed(text: &str, bounds: &Bounds) -> Result<Query, BadQuery> {
        if text.chars().nth(bounds.query_characters).is_some() {
            return Err(BadQuery::TooLong { limit: bounds.query_characters });
        }
        let mut query = Query::default();
        let mut is_begun = false;
        for word in text.split_inclusive(char::is_whitespace) {
            is_begun = !word.ends_with(char::is_whitespace);
            match Word::read(word.trim_end(), false, bounds) {
                Some(word) if !query.words.contains(&word) => query.words.push(word),
                // A word that stands there as a whole needs not be begun as well.
                _ => is_begun = false,
            }
            if query.words.len() > bounds.query_words {
                return Err(BadQuery::TooManyWords { limit: bounds.query_words });
            }
        }
        Ok(if is_begun { query.typing(bounds) } else { query })
    }
}

impl Search {
    /// Reads what is being typed; see [`Query::typed`].
    pub fn typed(&self, text: &str) -> Result<Query, BadQuery> {
        Query::typed(text, self.bounds())
    }

    /// The records whose titles have the words, best first.
    pub fn suggest(&self, asked: &Suggest<'_>) -> Result<Vec<Hit>, SearchError> {
        self.reading(|index| index.suggest(asked))
    }
}

impl Index {
    /// The records whose titles have the words, best first.
    pub fn suggest(&self, asked: &Suggest<'_>) -> Result<Vec<Hit>, SearchError> {
        let question = Question {
            kinds: asked.kinds,
            projects: asked.projects,
            closed: asked.closed,
            titles_only: true,
            order: Order::Relevance,
            ..Question::plain(asked.words, asked.visibility, asked.now, asked.limit)
        };
        Ok(self.ask(&question)?.page)
    }
}
