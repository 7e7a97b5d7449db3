//! Time entries: who has spent how much time on what, and when (compatibility 9).

use super::custom_field::RequestedValues;
use super::ids::{EnumerationId, IssueId, ProjectId, TimeEntryId, UserId};
use super::patch::Patch;
use super::visible::AccessAttributes;
use jiff::Timestamp;
use jiff::civil::Date;

/// The longest comments, in characters (compatibility 3.6).
pub const MAX_COMMENTS_LENGTH: usize = 1024;

/// A time entry as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeEntry {
    /// The id.
    pub id: TimeEntryId,
    /// Where it belongs; with an issue, where that belongs.
    pub project: ProjectId,
    /// On which issue the time was spent, if on one.
    pub issue: Option<IssueId>,
    /// Who has spent it.
    pub user: UserId,
    /// Who has entered it.
    pub author: UserId,
    /// On what kind of work.
    pub activity: EnumerationId,
    /// How long, in hours, as exactly as it was said.
    pub hours: f64,
    /// What was done; `None` when nobody has said.
    pub comments: Option<String>,
    /// On which day.
    pub spent_on: Date,
    /// When it was entered.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
}

impl TimeEntry {
    /// Returns the attributes that decide who may see it.
    pub fn access_attributes(&self) -> AccessAttributes {
        AccessAttributes { project: self.project, private: false, author: Some(self.user), assignee: None, tracker: None }
    }
}

/// What a request wants of a time entry. Numbers that are not numbers arrive as `-1`, which no record has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeEntryChange {
    /// The project, by number or identifier.
    pub project: Patch<String>,
    /// The issue.
    pub issue: Patch<IssueId>,
    /// Who has spent the time; `me` is resolved before.
    pub user: Patch<UserId>,
    /// The activity.
    pub activity: Patch<EnumerationId>,
    /// How long, in any notation of compatibility 6.4.
    pub hours: Patch<String>,
    /// What was done.
    pub comments: Patch<String>,
    /// On which day.
    pub spent_on: Patch<String>,
    /// The values of custom fields.
    pub custom: RequestedValues,
}

/// Hours as they are shown: to two decimals (compatibility 9).
pub fn round(hours: f64) -> f64 {
    (hours * 100.0).round() / 100.0
}

/// Hours and minutes, such as `3:30`.
pub fn as_clock(hours: f64) -> String {
    let minutes = (hours * 60.0).round();
    format!("{}:{:02}", (minutes / 60.0).floor(), minutes % 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_shown_to_two_decimals() {
        let cases = [(1.3333, 1.33), (0.001, 0.0), (0.005, 0.01), (24.1, 24.1), (1.0 / 3.0, 0.33), (2.675, 2.68)];
        for (hours, wanted) in cases {
            assert_eq!(round(hours), wanted, "{hours}");
        }
    }

    #[test]
    fn hours_and_minutes_never_show_sixty_minutes() {
        let cases = [(3.5, "3:30"), (999.0, "999:00"), (33.106, "33:06"), (0.0, "0:00"), (1.9999, "2:00"), (0.05, "0:03")];
        for (hours, wanted) in cases {
            assert_eq!(as_clock(hours), wanted, "{hours}");
        }
    }
}
