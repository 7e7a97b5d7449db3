//! An issue on its way: what was asked of it is taken over attribute by attribute, as far as the viewer may set it (contract 4.4).

use super::parents::Derived;
use super::rights::Rights;
use super::{allowed, parents};
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Values};
use crate::domain::given::Given;
use crate::domain::hours;
use crate::domain::ids::{IssueId, StatusId};
use crate::domain::issue::{Issue, IssueChange};
use crate::domain::text::with_crlf;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, StoreError, issues};
use jiff::civil::Date;

/// The issue as it would be, and what was asked for and cannot be.
pub struct Draft {
    /// The issue.
    pub issue: Issue,
    /// Its values in custom fields.
    pub values: Values,
    /// What could not be understood.
    pub wrong: Wrong,
}

/// Values that could not be understood, to be named in their place among the complaints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// The start date is none.
    pub start_date: bool,
    /// The due date is none.
    pub due_date: bool,
    /// The estimated time is none.
    pub estimated_hours: bool,
    /// The done ratio does not fit a number of per cent.
    pub done_ratio: bool,
    /// The parent cannot be.
    pub parent: bool,
}

impl Draft {
    /// The custom fields that the issue has and that the viewer may see, in their order.
    pub fn fields<'c>(&self, catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<&'c CustomField> {
        let (project, tracker) = (self.issue.project, self.issue.tracker);
        let fields = catalogue.custom_fields_of(Customized::Issue).filter(|field| field.is_in(project, tracker));
        fields.filter(|field| field.is_visible_to(viewer, project)).collect()
    }

    /// Gives the issue another tracker, when its project has it; a status that the tracker does not know becomes its first.
    pub fn take_tracker(&mut self, catalogue: &Catalogue, asked: &IssueChange, rights: &Rights<'_>) {
        let project = catalogue.projects.get(&self.issue.project);
        let Some(tracker) = asked.tracker.value().filter(|_| rights.may_set("tracker_id")) else { return };
        if *tracker == self.issue.tracker || !project.is_some_and(|project| project.trackers.contains(tracker)) {
            return;
        }
        self.issue.tracker = *tracker;
        if !catalogue.workflow.statuses(*tracker).contains(&self.issue.status) {
            let first = catalogue.tracker(*tracker).map(|tracker| tracker.default_status);
            self.issue.status = first.unwrap_or(self.issue.status);
        }
    }

    /// Gives the issue another status, when the workflow permits it; otherwise it stays silently (contract 4.5).
    pub fn take_status(&mut self, db: &Read<'_>, viewer: &Viewer, asked: &Given<StatusId>) -> Result<(), StoreError> {
        if let Some(status) = asked.value()
            && *status != self.issue.status
            && allowed(db, viewer, &self.issue)?.contains(status)
        {
            self.issue.status = *status;
        }
        Ok(())
    }

    /// Takes over everything but project, tracker and status.
    pub fn take(
        &mut self,
        db: &Read<'_>,
        viewer: &Viewer,
        asked: &IssueChange,
        rights: &Rights<'_>,
        derived: Derived,
    ) -> Result<(), StoreError> {
        let may = |field: &str| rights.may_set(field);
        if let Some(status) = db.catalogue().status(self.issue.status).and_then(|status| status.default_done_ratio)
            && rights.done_ratio_by_status
        {
            self.issue.done_ratio = status;
        }
        self.take_texts(asked, rights);
        if asked.priority.is_mentioned() && may("priority_id") && !derived.priority {
            self.issue.priority = asked.priority.value().copied().unwrap_or(0.into());
        }
        if may("assigned_to_id") {
            self.issue.assignee = asked.assignee.over(self.issue.assignee);
        }
        if may("category_id") {
            self.issue.category = asked.category.over(self.issue.category);
        }
        if may("fixed_version_id") {
            self.issue.version = asked.version.over(self.issue.version);
        }
        if let Some(private) = asked.private.value().filter(|_| rights.set_private && may("is_private")) {
            self.issue.private = *private;
        }
        if !derived.dates {
            if may("start_date") {
                self.wrong.start_date = take_date(&asked.start_date, &mut self.issue.start_date);
            }
            if may("due_date") {
                self.wrong.due_date = take_date(&asked.due_date, &mut self.issue.due_date);
            }
        }
        let by_status = rights.done_ratio_by_status
            && db.catalogue().status(self.issue.status).is_some_and(|status| status.default_done_ratio.is_some());
        if asked.done_ratio.is_mentioned() && may("done_ratio") && !derived.done_ratio && !by_status {
            self.issue.done_ratio = asked.done_ratio.value().map_or(0, |text| leading_number(text));
            self.wrong.done_ratio = !(0..=100).contains(&self.issue.done_ratio);
        }
        if rights.subtasks && may("parent_issue_id") {
            self.take_parent(db, viewer, &asked.parent)?;
        }
        let fields = self.fields(db.catalogue(), viewer);
        let settable: Vec<&CustomField> =
            fields.into_iter().filter(|field| (field.editable || viewer.admin) && may(&field.id.to_string())).collect();
        self.values.take(&settable, &asked.custom);
        Ok(())
    }

    fn take_texts(&mut self, asked: &IssueChange, rights: &Rights<'_>) {
        if asked.subject.is_mentioned() && rights.may_set("subject") {
            self.issue.subject = asked.subject.value().cloned().unwrap_or_default();
        }
        if asked.description.is_mentioned() && rights.may_set("description") {
            self.issue.description = asked.description.value().map(|text| with_crlf(text));
        }
        if rights.may_set("estimated_hours") {
            match &asked.estimated_hours {
                Given::Absent => {}
                Given::Empty => self.issue.estimated_hours = None,
                Given::Value(text) => match hours::parse(text) {
                    Some(hours) => self.issue.estimated_hours = Some(hours),
                    None => self.wrong.estimated_hours = true,
                },
            }
        }
    }

    fn take_parent(&mut self, db: &Read<'_>, viewer: &Viewer, asked: &Given<String>) -> Result<(), StoreError> {
        // A parent that the viewer cannot see is not there for the viewer: it is neither taken away nor guessed.
        let hidden = |id: IssueId| issues::find(db, visibility::issues(viewer), id).map(|found| found.is_none());
        match (asked, self.issue.parent) {
            (Given::Absent, _) => {}
            (Given::Empty, Some(parent)) if hidden(parent)? => {}
            (Given::Empty, _) => self.issue.parent = None,
            (Given::Value(text), parent) => {
                let number = text.trim().trim_start_matches('#').parse().map(IssueId).ok();
                match number {
                    Some(number) if parent == Some(number) => self.wrong.parent = hidden(number)?,
                    Some(number) if parents::can_be_above(db, viewer, number, &self.issue)? => self.issue.parent = Some(number),
                    _ => self.wrong.parent = true,
                }
            }
        }
        Ok(())
    }
}

/// Takes a day over; whether it is none.
fn take_date(asked: &Given<String>, day: &mut Option<Date>) -> bool {
    match asked {
        Given::Absent => false,
        Given::Empty => {
            *day = None;
            false
        }
        Given::Value(text) => match text.parse::<Date>().ok().filter(|_| text.len() == 10) {
            Some(date) => {
                *day = Some(date);
                false
            }
            None => true,
        },
    }
}

/// The whole number with which a text begins; 0 when it begins otherwise (contract 4.4). What is beyond all bounds stays beyond
/// them.
fn leading_number(text: &str) -> i64 {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let size = if end == 0 { 0 } else { digits[..end].parse().unwrap_or(i64::MAX) };
    if text.starts_with('-') { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_done_ratio_is_the_number_in_front() {
        let cases = [("33", 33), ("5.5", 5), ("abc", 0), ("", 0), ("-1", -1), ("101x", 101), ("99999999999999999999", i64::MAX)];
        for (text, number) in cases {
            assert_eq!(leading_number(text), number, "{text}");
        }
    }
}
