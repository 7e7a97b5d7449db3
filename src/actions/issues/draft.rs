//! A draft of an issue: applies the requested attributes one by one, as far as the viewer may set
//! them (compatibility 6.4).

use super::parents::Derived;
use super::rights::Rights;
use super::{allowed_statuses, parents};
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::issues::hours;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::values::text::with_lf;
use quarry_store::issues;

/// The issue after the change, and the fields with invalid values.
pub struct Draft {
    pub issue: Issue,
    /// Its values of custom fields.
    pub values: Values,
    /// The fields with invalid values.
    pub invalid: InvalidFields,
}

/// The fields whose requested values are invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvalidFields {
    /// The start date is not a date.
    pub start_date: bool,
    /// The due date is not a date.
    pub due_date: bool,
    /// The estimated time cannot be parsed.
    pub estimated_hours: bool,
    /// The done ratio is not from 0 to 100.
    pub done_ratio: bool,
    /// The parent is not possible.
    pub parent: bool,
}

impl Draft {
    /// Returns the custom fields of the issue that the viewer may see, by position.
    pub fn fields<'c>(&self, catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<&'c CustomField> {
        let project = self.issue.project;
        let tracker = self.issue.tracker;
        let fields = catalogue
            .custom_fields_of(Customized::Issue)
            .filter(|field| field.is_in(project, tracker));
        fields
            .filter(|field| field.is_visible_to(viewer, project))
            .collect()
    }

    /// Sets the requested tracker if the project has it. A status that is not in the workflow of
    /// the tracker becomes its default status.
    pub fn apply_tracker(
        &mut self,
        catalogue: &Catalogue,
        change: &IssueChange,
        rights: &Rights<'_>,
    ) {
        let project = catalogue.projects.get(&self.issue.project);
        let Some(tracker) = change
            .tracker
            .value()
            .filter(|_| rights.may_set("tracker_id"))
        else {
            return;
        };
        if *tracker == self.issue.tracker
            || !project.is_some_and(|project| project.trackers.contains(tracker))
        {
            return;
        }
        self.issue.tracker = *tracker;
        if !catalogue
            .workflow
            .statuses(*tracker)
            .contains(&self.issue.status)
        {
            let default_status = catalogue
                .tracker(*tracker)
                .map(|tracker| tracker.default_status);
            self.issue.status = default_status.unwrap_or(self.issue.status);
        }
    }

    /// Clears the values of the fields that the tracker has disabled, except the priority, which
    /// every issue has, and the parent (compatibility 6.5).
    pub fn clear_disabled_fields(&mut self, catalogue: &Catalogue) {
        let Some(tracker) = catalogue.tracker(self.issue.tracker) else {
            return;
        };
        let issue = &mut self.issue;
        issue.assignee = issue.assignee.filter(|_| tracker.has("assigned_to_id"));
        issue.category = issue.category.filter(|_| tracker.has("category_id"));
        issue.version = issue.version.filter(|_| tracker.has("fixed_version_id"));
        issue.start_date = issue.start_date.filter(|_| tracker.has("start_date"));
        issue.due_date = issue.due_date.filter(|_| tracker.has("due_date"));
        issue.estimated_hours = issue
            .estimated_hours
            .filter(|_| tracker.has("estimated_hours"));
        issue.description = issue
            .description
            .take()
            .filter(|_| tracker.has("description"));
        issue.done_ratio = if tracker.has("done_ratio") {
            issue.done_ratio
        } else {
            0
        };
    }

    /// Sets the requested status if the workflow permits it or the issue had it before; otherwise keeps
    /// it, without an error (compatibility 6.5).
    pub fn apply_status(
        &mut self,
        db: &Read<'_>,
        viewer: &Viewer,
        change: &IssueChange,
    ) -> Result<(), StoreError> {
        if let Some(status) = change.status.value()
            && *status != self.issue.status
            && (change.restores || allowed_statuses(db, viewer, &self.issue)?.contains(status))
        {
            self.issue.status = *status;
        }
        Ok(())
    }

    /// Sets the requested attributes other than project, tracker and status.
    pub fn apply(
        &mut self,
        db: &Read<'_>,
        viewer: &Viewer,
        change: &IssueChange,
        rights: &Rights<'_>,
        derived: Derived,
    ) -> Result<(), StoreError> {
        if let Some(done_ratio) = db
            .catalogue()
            .status(self.issue.status)
            .and_then(|status| status.default_done_ratio)
            && rights.done_ratio_by_status
        {
            self.issue.done_ratio = done_ratio;
        }
        self.apply_texts(change, rights);
        if change.priority.is_present() && rights.may_set("priority_id") && !derived.priority {
            self.issue.priority = change.priority.value().copied().unwrap_or(0.into());
        }
        if rights.may_set("assigned_to_id") {
            self.issue.assignee = change.assignee.apply_to(self.issue.assignee);
        }
        if rights.may_set("category_id") {
            self.issue.category = change.category.apply_to(self.issue.category);
        }
        if rights.may_set("fixed_version_id") {
            self.issue.version = change.version.apply_to(self.issue.version);
        }
        if let Some(private) = change
            .private
            .value()
            .filter(|_| rights.set_private && rights.may_set("is_private"))
        {
            self.issue.private = *private;
        }
        if !derived.dates {
            if rights.may_set("start_date") {
                self.invalid.start_date =
                    apply_date(&change.start_date, &mut self.issue.start_date);
            }
            if rights.may_set("due_date") {
                self.invalid.due_date = apply_date(&change.due_date, &mut self.issue.due_date);
            }
        }
        let by_status = rights.done_ratio_by_status
            && db
                .catalogue()
                .status(self.issue.status)
                .is_some_and(|status| status.default_done_ratio.is_some());
        if change.done_ratio.is_present()
            && rights.may_set("done_ratio")
            && !derived.done_ratio
            && !by_status
        {
            self.issue.done_ratio = change
                .done_ratio
                .value()
                .map_or(0, |text| leading_integer(text));
            self.invalid.done_ratio = !(0..=100).contains(&self.issue.done_ratio);
        }
        if rights.subtasks && rights.may_set("parent_issue_id") {
            self.apply_parent(db, viewer, &change.parent)?;
        }
        let fields = self.fields(db.catalogue(), viewer);
        let settable: Vec<&CustomField> = fields
            .into_iter()
            .filter(|field| {
                (field.editable || viewer.admin) && rights.may_set(&field.id.to_string())
            })
            .collect();
        self.values.apply(&settable, &change.custom);
        Ok(())
    }

    fn apply_texts(&mut self, change: &IssueChange, rights: &Rights<'_>) {
        if change.subject.is_present() && rights.may_set("subject") {
            self.issue.subject = change.subject.value().cloned().unwrap_or_default();
        }
        if change.description.is_present() && rights.may_set("description") {
            let description = change.description.value().map(|text| with_lf(text));
            // Neither other line endings nor null in place of an empty text are a change.
            let before = with_lf(self.issue.description.as_deref().unwrap_or_default());
            if is_new(&self.issue) || before != description.as_deref().unwrap_or_default() {
                self.issue.description = description;
            }
        }
        if rights.may_set("estimated_hours") {
            match &change.estimated_hours {
                Patch::Unset => {}
                Patch::Clear => self.issue.estimated_hours = None,
                Patch::Set(text) => match hours::parse(text) {
                    Some(hours) => self.issue.estimated_hours = Some(hours),
                    None => self.invalid.estimated_hours = true,
                },
            }
        }
    }

    /// Removes the issue from a visible parent if its tracker has disabled parents.
    pub fn clear_disabled_parent(
        &mut self,
        db: &Read<'_>,
        viewer: &Viewer,
    ) -> Result<(), StoreError> {
        let is_disabled = db
            .catalogue()
            .tracker(self.issue.tracker)
            .is_some_and(|tracker| !tracker.has("parent_issue_id"));
        if let Some(parent) = self.issue.parent.filter(|_| is_disabled)
            && !is_hidden(db, viewer, parent)?
        {
            self.issue.parent = None;
        }
        Ok(())
    }

    fn apply_parent(
        &mut self,
        db: &Read<'_>,
        viewer: &Viewer,
        change: &Patch<String>,
    ) -> Result<(), StoreError> {
        // The viewer can neither remove a hidden parent nor find out its id.
        match (change, self.issue.parent) {
            (Patch::Unset, _) => {}
            (Patch::Clear, Some(parent)) if is_hidden(db, viewer, parent)? => {}
            (Patch::Clear, _) => self.issue.parent = None,
            (Patch::Set(text), parent) => {
                let id = text
                    .trim()
                    .trim_start_matches('#')
                    .parse()
                    .map(IssueId)
                    .ok();
                match id {
                    Some(id) if parent == Some(id) => {
                        self.invalid.parent = is_hidden(db, viewer, id)?
                    }
                    Some(id) if parents::can_be_parent(db, viewer, id, &self.issue)? => {
                        self.issue.parent = Some(id)
                    }
                    _ => self.invalid.parent = true,
                }
            }
        }
        Ok(())
    }
}

/// Whether the issue has not been stored yet.
fn is_new(issue: &Issue) -> bool {
    issue.id == IssueId(0)
}

fn is_hidden(db: &Read<'_>, viewer: &Viewer, issue: IssueId) -> Result<bool, StoreError> {
    Ok(issues::find(db, visibility::issues(viewer), issue)?.is_none())
}

/// Sets the requested date. Returns whether it is invalid.
fn apply_date(change: &Patch<String>, value: &mut Option<Date>) -> bool {
    match change {
        Patch::Unset => false,
        Patch::Clear => {
            *value = None;
            false
        }
        Patch::Set(text) => match text.parse::<Date>().ok().filter(|_| text.len() == 10) {
            Some(date) => {
                *value = Some(date);
                false
            }
            None => true,
        },
    }
}

/// Returns the integer that a text starts with, or 0 (compatibility 6.4). Saturates at the bounds
/// of `i64`.
fn leading_integer(text: &str) -> i64 {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let size = if end == 0 {
        0
    } else {
        digits[..end].parse().unwrap_or(i64::MAX)
    };
    if text.starts_with('-') { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn done_ratio_is_the_leading_integer() {
        let cases = [
            ("33", 33),
            ("5.5", 5),
            ("abc", 0),
            ("", 0),
            ("-1", -1),
            ("101x", 101),
            ("99999999999999999999", i64::MAX),
        ];
        for (text, number) in cases {
            assert_eq!(leading_integer(text), number, "{text}");
        }
    }
}
