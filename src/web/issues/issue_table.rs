//! A short table of issues, for pages with several of them: priority, number, subject, project, due
//! date and last update.

use crate::components::badge::Stage;
use crate::components::time::Moment;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::values::text::date;

/// A row.
pub struct IssueRow {
    pub id: i64,
    pub subject: String,
    pub is_private: bool,
    pub project: String,
    pub stage: Stage,
    pub priority: String,
    /// Whether the priority is above the default.
    pub is_high: bool,
    pub due: Option<String>,
    /// Whether it is open and should be done by now.
    pub is_overdue: bool,
    pub updated: Moment,
}

impl IssueRow {
    /// Returns the row of an issue. `today` is the day of the viewer.
    pub fn new(catalogue: &Catalogue, issue: &Issue, today: Date) -> IssueRow {
        let usual = catalogue.default_enumeration(EnumerationKind::IssuePriority);
        let priority = catalogue.enumeration(issue.priority);
        let is_high = usual
            .zip(priority)
            .is_some_and(|(usual, priority)| priority.position > usual.position);
        IssueRow {
            id: issue.id.0,
            subject: issue.subject.clone(),
            is_private: issue.private,
            project: catalogue.project_name(issue.project).to_owned(),
            stage: Stage::of(catalogue, issue.status),
            priority: priority.map_or(String::new(), |priority| priority.name.clone()),
            is_high,
            due: issue.due_date.map(date),
            is_overdue: issue.closed_on.is_none() && issue.due_date.is_some_and(|due| due < today),
            updated: Moment::new(issue.updated_on),
        }
    }
}
