//! Time entries (compatibility 9).

use crate::access::visible::AccessAttributes;
use crate::administration::custom_field::RequestedValues;
use crate::ids::{EnumerationId, IssueId, ProjectId, TimeEntryId, UserId};
use crate::values::patch::Patch;
use jiff::Timestamp;
use jiff::civil::Date;

/// Maximum length of a comment in characters (compatibility 3.6).
pub const MAX_COMMENTS_LENGTH: usize = 1024;

/// A time entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeEntry {
    pub id: TimeEntryId,
    /// The project; that of the issue, if there is one.
    pub project: ProjectId,
    /// The issue on which the time was spent.
    pub issue: Option<IssueId>,
    /// The user who spent the time.
    pub user: UserId,
    /// The user who logged it.
    pub author: UserId,
    pub activity: EnumerationId,
    /// The spent time in hours, not rounded.
    pub hours: f64,
    /// The comment; `None` if it was never set.
    pub comments: Option<String>,
    /// The day on which the time was spent.
    pub spent_on: Date,
    /// When it was logged.
    pub created_on: Timestamp,
    pub updated_on: Timestamp,
}

impl TimeEntry {
    /// Returns the attributes that decide who may see it.
    pub fn access_attributes(&self) -> AccessAttributes {
        AccessAttributes {
            project: self.project,
            author: Some(self.user),
            ..AccessAttributes::default()
        }
    }
}

/// The attributes of a time entry in a request. An id that is not a number becomes `-1`, which no
/// record has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeEntryChange {
    /// The project, by id or identifier.
    pub project: Patch<String>,
    pub issue: Patch<IssueId>,
    /// The user who spent the time; `me` is already resolved.
    pub user: Patch<UserId>,
    pub activity: Patch<EnumerationId>,
    /// The spent time in any notation of compatibility 6.4.
    pub hours: Patch<String>,
    pub comments: Patch<String>,
    /// The day on which the time was spent.
    pub spent_on: Patch<String>,
    /// The values of custom fields.
    pub custom: RequestedValues,
}

/// Rounds hours to two decimals, as they are shown (compatibility 9).
pub fn round(hours: f64) -> f64 {
    (hours * 100.0).round() / 100.0
}

/// Formats hours as hours and minutes, such as `3:30`.
pub fn as_clock(hours: f64) -> String {
    let minutes = (hours * 60.0).round();
    format!("{}:{:02}", (minutes / 60.0).floor(), minutes % 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_rounded_to_two_decimals() {
        let cases = [
            (1.3333, 1.33),
            (0.001, 0.0),
            (0.005, 0.01),
            (24.1, 24.1),
            (1.0 / 3.0, 0.33),
            (2.675, 2.68),
        ];
        for (hours, expected) in cases {
            assert_eq!(round(hours), expected, "{hours}");
        }
    }

    #[test]
    fn hours_and_minutes_never_show_sixty_minutes() {
        let cases = [
            (3.5, "3:30"),
            (999.0, "999:00"),
            (33.106, "33:06"),
            (0.0, "0:00"),
            (1.9999, "2:00"),
            (0.05, "0:03"),
        ];
        for (hours, expected) in cases {
            assert_eq!(as_clock(hours), expected, "{hours}");
        }
    }
}
