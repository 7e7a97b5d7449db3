//! Plans for words that must be in one place (`in:`).

use super::Planner;
use crate::query::clause::Place;
use crate::request::Attachments;

impl<'q> Planner<'q> {
    /// Returns the planner for words in this place alone.
    pub(super) fn at(&self, place: Place) -> Planner<'q> {
        match place {
            Place::Title => Planner {
                titles_only: true,
                ..*self
            },
            Place::Files => Planner {
                titles_only: false,
                attachments: Attachments::Only,
                ..*self
            },
        }
    }
}
