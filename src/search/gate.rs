//! Text that not everyone may read is found only in the projects whose text of this kind the viewer may read.

use super::schema::Class;
use super::visibility::Visibility;
use crate::domain::visibility::Facts;

/// Which text a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// Everybody's private notes.
    AnyNotes,
    /// The viewer's own private notes.
    OwnNotes,
    /// Names and descriptions of the files of projects.
    ProjectFiles,
    /// The values of a custom field, by its place in [`Visibility::fields`].
    Field(usize),
}

/// Says whether the viewer may read the text of this kind.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub text: Text,
    pub visibility: Visibility,
}

impl Gate {
    /// Whether the text may be read of records of this class.
    pub fn is_open(&self, class: Class) -> bool {
        let project = class.project();
        match self.text {
            Text::AnyNotes => self.visibility.notes(project).0,
            Text::OwnNotes => self.visibility.notes(project).1,
            Text::ProjectFiles => self.visibility.project_files(project),
            Text::Field(place) => {
                let facts = Facts { project, private: false, author: None, assignee: None, tracker: None };
                self.visibility.fields().get(place).is_some_and(|(_, visible)| visible.admits(&facts))
            }
        }
    }
}
