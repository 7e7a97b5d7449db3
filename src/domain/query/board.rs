//! The columns and lanes of a board: the values of one field of issues each.

use super::filter::Predicate;
use super::issues::{Condition, Field};
use crate::ids::{CategoryId, EnumerationId, PrincipalId, StatusId, TrackerId, VersionId};
use crate::issues::issue::{Issue, IssueChange};
use crate::values::patch::Patch;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A field whose values are the columns, or the lanes, of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum BoardField {
    Status,
    #[strum(serialize = "assigned_to")]
    Assignee,
    #[strum(serialize = "fixed_version")]
    Version,
    Category,
    Tracker,
    Priority,
}

impl BoardField {
    /// All fields, the default first.
    pub const ALL: &[BoardField] = Self::VARIANTS;

    /// Returns its name in addresses.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns what people call it.
    pub fn label(self) -> &'static str {
        match self {
            BoardField::Status => "Status",
            BoardField::Assignee => "Assignee",
            BoardField::Version => "Target version",
            BoardField::Category => "Category",
            BoardField::Tracker => "Tracker",
            BoardField::Priority => "Priority",
        }
    }

    /// Whether every issue has a value.
    pub fn is_required(self) -> bool {
        matches!(
            self,
            BoardField::Status | BoardField::Tracker | BoardField::Priority
        )
    }

    /// Returns the value that an issue has.
    pub fn value(self, issue: &Issue) -> Option<i64> {
        match self {
            BoardField::Status => Some(issue.status.0),
            BoardField::Assignee => issue.assignee.map(|id| id.0),
            BoardField::Version => issue.version.map(|id| id.0),
            BoardField::Category => issue.category.map(|id| id.0),
            BoardField::Tracker => Some(issue.tracker.0),
            BoardField::Priority => Some(issue.priority.0),
        }
    }

    /// Returns the condition that an issue has this value.
    pub fn condition(self, value: Option<i64>) -> Condition {
        Condition {
            field: match self {
                BoardField::Status => Field::Status,
                BoardField::Assignee => Field::Assignee,
                BoardField::Version => Field::Version,
                BoardField::Category => Field::Category,
                BoardField::Tracker => Field::Tracker,
                BoardField::Priority => Field::Priority,
            },
            predicate: match value {
                Some(id) => Predicate::OneOf(vec![id]),
                None => Predicate::Empty,
            },
        }
    }

    /// Requests this value in a change of an issue.
    pub fn set(self, change: &mut IssueChange, value: Option<i64>) {
        fn patch<Id>(value: Option<i64>, id: fn(i64) -> Id) -> Patch<Id> {
            value.map_or(Patch::Clear, |value| Patch::Set(id(value)))
        }
        match self {
            BoardField::Status => change.status = patch(value, StatusId),
            BoardField::Assignee => change.assignee = patch(value, PrincipalId),
            BoardField::Version => change.version = patch(value, VersionId),
            BoardField::Category => change.category = patch(value, CategoryId),
            BoardField::Tracker => change.tracker = patch(value, TrackerId),
            BoardField::Priority => change.priority = patch(value, EnumerationId),
        }
    }
}
