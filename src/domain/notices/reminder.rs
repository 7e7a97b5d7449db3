//! Reminders: mails about open issues that are due.

use crate::administration::mail::MailData;
use crate::ids::{PrincipalId, ProjectId, TrackerId};

/// Maximum number of days that reminders look ahead.
pub const MAX_DAYS: i64 = 3_650;

const DAYS: &str = "days";
const PROJECT: &str = "project";
const TRACKERS: &str = "trackers";
const ASSIGNEES: &str = "assignees";
const VERSION: &str = "version";

/// Which issues reminders include.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReminderFilter {
    /// Number of days ahead in which issues are due; overdue ones are always included.
    pub days: i64,
    /// Issues of this project, without its subprojects; of all projects if `None`.
    pub project: Option<ProjectId>,
    /// Issues of these trackers; of all trackers if empty.
    pub trackers: Vec<TrackerId>,
    /// Issues that are assigned to one of these users or groups; to anybody if empty.
    pub assignees: Vec<PrincipalId>,
    /// Issues whose target version has this name; all issues if `None`.
    pub version: Option<String>,
}

impl ReminderFilter {
    /// Returns the filter as parameters of a mail.
    pub fn to_data(&self) -> MailData {
        let mut data = MailData::from([(DAYS.to_owned(), self.days.to_string())]);
        let mut set = |name: &str, value: String| {
            if !value.is_empty() {
                data.insert(name.to_owned(), value);
            }
        };
        let project = self.project.map(|project| project.to_string());
        set(PROJECT, project.unwrap_or_default());
        set(TRACKERS, join(self.trackers.iter().map(|id| id.0)));
        set(ASSIGNEES, join(self.assignees.iter().map(|id| id.0)));
        set(VERSION, self.version.clone().unwrap_or_default());
        data
    }

    /// Returns the filter from the parameters of a mail.
    pub fn from_data(parameter: impl Fn(&str) -> String) -> ReminderFilter {
        let version = parameter(VERSION);
        ReminderFilter {
            days: parameter(DAYS).parse().unwrap_or(0),
            project: parameter(PROJECT).parse().ok().map(ProjectId),
            trackers: split(&parameter(TRACKERS)).map(TrackerId).collect(),
            assignees: split(&parameter(ASSIGNEES)).map(PrincipalId).collect(),
            version: (!version.is_empty()).then_some(version),
        }
    }
}

fn join(ids: impl Iterator<Item = i64>) -> String {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    ids.join(",")
}

fn split(text: &str) -> impl Iterator<Item = i64> {
    text.split(',').filter_map(|id| id.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_is_kept_in_the_parameters_of_a_mail() {
        let all = ReminderFilter {
            days: 7,
            ..ReminderFilter::default()
        };
        let some = ReminderFilter {
            days: 0,
            project: Some(ProjectId(3)),
            trackers: vec![TrackerId(1), TrackerId(2)],
            assignees: vec![PrincipalId(5)],
            version: Some("1.0, beta".to_owned()),
        };
        for filter in [all, some] {
            let data = filter.to_data();
            let parameter = |name: &str| data.get(name).cloned().unwrap_or_default();
            assert_eq!(ReminderFilter::from_data(parameter), filter);
        }
    }
}
