//! Trackers: the types of issues.

use crate::ids::{StatusId, TrackerId};

/// A tracker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracker {
    pub id: TrackerId,
    pub name: String,
    /// The description; `None` if it was never set.
    pub description: Option<String>,
    /// Position in lists.
    pub position: i64,
    /// The status of a new issue.
    pub default_status: StatusId,
    /// The core fields that its issues do not have: one bit per field, in the order of
    /// [`CORE_FIELDS`].
    pub disabled: i64,
}

/// The fields that a tracker can disable (compatibility 11.3), in the order of their bits.
pub const CORE_FIELDS: [&str; 10] = [
    "assigned_to_id",
    "category_id",
    "fixed_version_id",
    "parent_issue_id",
    "start_date",
    "due_date",
    "estimated_hours",
    "done_ratio",
    "description",
    "priority_id",
];

impl Tracker {
    /// Whether its issues have this field. Only core fields can be disabled.
    pub fn has(&self, field: &str) -> bool {
        CORE_FIELDS
            .iter()
            .position(|core| *core == field)
            .is_none_or(|bit| self.disabled & (1 << bit) == 0)
    }
}
