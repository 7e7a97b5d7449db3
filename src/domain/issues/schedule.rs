//! Dates of issues and precedence between them.

use crate::ids::IssueId;
use jiff::civil::Date;

/// The dates of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueDates {
    pub id: IssueId,
    pub parent: Option<IssueId>,
    pub start: Option<Date>,
    pub due: Option<Date>,
}

/// A relation of type `precedes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precedence {
    /// The predecessor.
    pub before: IssueId,
    /// The successor.
    pub after: IssueId,
    /// Working days between them.
    pub delay: i64,
}
