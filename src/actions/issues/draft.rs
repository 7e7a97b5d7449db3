//! A draft of an issue: applies the requested attributes one by one, as far as the viewer may set them (compatibility 6.4).

use super::parents::Derived;
use super::rights::Rights;
use super::{allowed_statuses, parents};
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Values};
use crate::domain::hours;
use crate::domain::ids::{IssueId, StatusId};
use crate::domain::issue::{Issue, IssueChange};
use crate::domain::patch::Patch;
use crate::domain::text::with_crlf;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, StoreError, issues};
use jiff::civil::Date;

/// The issue after the change, and the fields with invalid values.
pub struct Draft {
    /// The issue.
    pub issue: Issue,
    /// Its values in custom fields.
    pub values: Values,
    /// What could not be understood.
    pub wrong: InvalidFields,
}

/// Values that could not be understood, to be named in their move_project among the errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvalidFields {
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
    pub fn take_tracker(&mut self, catalogue: &Catalogue, change: &IssueChange, rights: &Rights<'_>) {
        let project = catalogue.projects.get(&self.issue.project);
        let Some(tracker) = change.tracker.value().filter(|_| rights.may_set("tracker_id")) else { return };
        if *tracker == self.issue.tracker || !project.is_some_and(|project| project.trackers.contains(tracker)) {
            return;
        }
        self.issue.tracker = *tracker;
        if !catalogue.workflow.statuses(*tracker).contains(&self.issue.status) {
            let first = catalogue.tracker(*tracker).map(|tracker| tracker.default_status);
            self.issue.status = first.unwrap_or(self.issue.status);
        }
    }

    /// Gives the issue another status, when the workflow permits it; otherwise it stays silently (compatibility 6.5).
    pub fn take_status(&mut self, db: &Read<'_>, viewer: &Viewer, change: &Patch<StatusId>) -> Result<(), StoreError> {
        if let Some(status) = change.value()
            && *status != self.issue.status
            && allowed_statuses(db, viewer, &self.issue)?.contains(status)
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
        change: &IssueChange,
        rights: &Rights<'_>,
        derived: Derived,
    ) -> Result<(), StoreError> {
        let may = |field: &str| rights.may_set(field);
        if let Some(status) = db.catalogue().status(self.issue.status).and_then(|status| status.default_done_ratio)
            && rights.done_ratio_by_status
        {
            self.issue.done_ratio = status;
        }
        self.take_texts(change, rights);
        if change.priority.is_present() && may("priority_id") && !derived.priority {
            self.issue.priority = change.priority.value().copied().unwrap_or(0.into());
        }
        if may("assigned_to_id") {
            self.issue.assignee = change.assignee.apply_to(self.issue.assignee);
        }
        if may("category_id") {
            self.issue.category = change.category.apply_to(self.issue.category);
        }
        if may("fixed_version_id") {
            self.issue.version = change.version.apply_to(self.issue.version);
        }
        if let Some(private) = change.private.value().filter(|_| rights.set_private && may("is_private")) {
            self.issue.private = *private;
        }
        if !derived.dates {
            if may("start_date") {
                self.wrong.start_date = take_date(&change.start_date, &mut self.issue.start_date);
            }
            if may("due_date") {
                self.wrong.due_date = take_date(&change.due_date, &mut self.issue.due_date);
            }
        }
        let by_status = rights.done_ratio_by_status
            && db.catalogue().status(self.issue.status).is_some_and(|status| status.default_done_ratio.is_some());
        if change.done_ratio.is_present() && may("done_ratio") && !derived.done_ratio && !by_status {
            self.issue.done_ratio = change.done_ratio.value().map_or(0, |text| leading_number(text));
            self.wrong.done_ratio = !(0..=100).contains(&self.issue.done_ratio);
        }
        if rights.subtasks && may("parent_issue_id") {
            self.take_parent(db, viewer, &change.parent)?;
        }
        let fields = self.fields(db.catalogue(), viewer);
        let settable: Vec<&CustomField> =
            fields.into_iter().filter(|field| (field.editable || viewer.admin) && may(&field.id.to_string())).collect();
        self.values.apply(&settable, &change.custom);
        Ok(())
    }

    fn take_texts(&mut self, change: &IssueChange, rights: &Rights<'_>) {
        if change.subject.is_present() && rights.may_set("subject") {
            self.issue.subject = change.subject.value().cloned().unwrap_or_default();
        }
        if change.description.is_present() && rights.may_set("description") {
            self.issue.description = change.description.value().map(|text| with_crlf(text));
        }
        if rights.may_set("estimated_hours") {
            match &change.estimated_hours {
                Patch::Unset => {}
                Patch::Clear => self.issue.estimated_hours = None,
                Patch::Set(text) => match hours::parse(text) {
                    Some(hours) => self.issue.estimated_hours = Some(hours),
                    None => self.wrong.estimated_hours = true,
                },
            }
        }
    }

    fn take_parent(&mut self, db: &Read<'_>, viewer: &Viewer, change: &Patch<String>) -> Result<(), StoreError> {
        // A parent that the viewer cannot see is not there for the viewer: it is neither taken away nor guessed.
        let hidden = |id: IssueId| issues::find(db, visibility::issues(viewer), id).map(|found| found.is_none());
        match (change, self.issue.parent) {
            (Patch::Unset, _) => {}
            (Patch::Clear, Some(parent)) if hidden(parent)? => {}
            (Patch::Clear, _) => self.issue.parent = None,
            (Patch::Set(text), parent) => {
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
fn take_date(change: &Patch<String>, day: &mut Option<Date>) -> bool {
    match change {
        Patch::Unset => false,
        Patch::Clear => {
            *day = None;
            false
        }
        Patch::Set(text) => match text.parse::<Date>().ok().filter(|_| text.len() == 10) {
            Some(date) => {
                *day = Some(date);
                false
            }
            None => true,
        },
    }
}

/// The whole number with which a text begins; 0 when it begins otherwise (compatibility 6.4). What is beyond all bounds stays beyond
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
