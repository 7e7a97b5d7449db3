//! Statuses of issues.

use crate::ids::StatusId;

/// An issue status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssueStatus {
    pub id: StatusId,
    pub name: String,
    /// Position in lists.
    pub position: i64,
    /// Whether issues in this status are closed.
    pub is_closed: bool,
    /// The done ratio in per cent, used if the setting derives it from the status.
    pub default_done_ratio: Option<i64>,
    pub description: Option<String>,
}
