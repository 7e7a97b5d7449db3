//! The rows of the own week: an issue or a project, with one activity.

use jiff::civil::Date;
use quarry_actions::issues::time_entries::LogTarget;
use quarry_domain::ids::{EnumerationId, IssueId, ProjectId};
use quarry_domain::issues::time_entry::TimeEntry;
use std::collections::BTreeMap;

/// Number of days of a week.
pub const DAYS: usize = 7;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    pub project: ProjectId,
    pub issue: Option<IssueId>,
    pub activity: EnumerationId,
}

impl RowKey {
    fn from_entry(entry: &TimeEntry, sees_issue: &impl Fn(IssueId) -> bool) -> RowKey {
        RowKey {
            project: entry.project,
            issue: entry.issue.filter(|issue| sees_issue(*issue)),
            activity: entry.activity,
        }
    }

    /// Returns it as text for names of fields, such as `1-12-9`; without an issue `1-0-9`.
    pub fn to_text(self) -> String {
        let issue = self.issue.map_or(0, |issue| issue.0);
        format!("{}-{issue}-{}", self.project, self.activity)
    }

    /// Parses the text of a key.
    pub fn parse(text: &str) -> Option<RowKey> {
        let mut numbers = text.split('-').map(|part| part.parse::<i64>().ok());
        let mut next = || numbers.next().flatten();
        let project = next()?;
        let issue = next()?;
        let activity = next()?;
        if text.split('-').count() != 3 {
            return None;
        }
        Some(RowKey {
            project: ProjectId(project),
            issue: (issue != 0).then_some(IssueId(issue)),
            activity: EnumerationId(activity),
        })
    }

    /// Returns where its time is logged.
    pub fn target(self) -> LogTarget {
        match self.issue {
            Some(issue) => LogTarget::Issue(issue),
            None => LogTarget::Project(self.project),
        }
    }
}

/// Groups time entries by row and day. Time on a hidden issue is in the row of its project. Rows that have entries before the first day only are empty.
pub fn rows(
    entries: Vec<TimeEntry>,
    first: Date,
    sees_issue: impl Fn(IssueId) -> bool,
) -> BTreeMap<RowKey, [Vec<TimeEntry>; DAYS]> {
    let mut rows: BTreeMap<RowKey, [Vec<TimeEntry>; DAYS]> = BTreeMap::new();
    for entry in entries {
        let row = rows
            .entry(RowKey::from_entry(&entry, &sees_issue))
            .or_default();
        let days = entry
            .spent_on
            .since(first)
            .map_or(-1, |span| span.get_days());
        if let Some(cell) = usize::try_from(days).ok().and_then(|day| row.get_mut(day)) {
            cell.push(entry);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_survives_its_text() {
        for issue in [None, Some(IssueId(12))] {
            let key = RowKey {
                project: ProjectId(3),
                issue,
                activity: EnumerationId(9),
            };
            assert_eq!(RowKey::parse(&key.to_text()), Some(key));
        }
        assert_eq!(RowKey::parse("1-x-2"), None);
        assert_eq!(RowKey::parse("1-2"), None);
        assert_eq!(RowKey::parse("1-2-3-4"), None);
    }
}
