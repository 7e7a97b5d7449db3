//! Plans for words that must be in one place (`in:`).

use super::Planner;
use crate::analyzer::Section;
use crate::query::clause::Place;
use crate::request::Attachments;

impl<'q> Planner<'q> {
    /// Returns the planner for words in this place alone.
    pub fn at(&self, place: Place) -> Planner<'q> {
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
            Place::Text => self.in_section(Section::Text),
            Place::Notes => self.in_section(Section::Notes),
        }
    }

    fn in_section(&self, section: Section) -> Planner<'q> {
        Planner {
            titles_only: false,
            attachments: Attachments::Without,
            section: Some(section),
            ..*self
        }
    }
}
