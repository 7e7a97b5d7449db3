//! Issue statuses (compatibility 14).
//!
//! Invariants: no issue and no tracker refers to a deleted status. Issues in a status that closes
//! them have a closing time. May import: `domain`, `store`.

use crate::administration::{
    apply_name, invalid, require_admin, set_update_rules, validate_name, validate_position,
};
use crate::issues::parents;
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::issue_status::IssueStatus;
use quarry_domain::ids::StatusId;
use quarry_domain::projects::update_rules;
use quarry_domain::values::position::move_to;
use quarry_store::administration::issue_statuses;
use quarry_store::issues::subtasks;
use quarry_store::lists::positions;
use quarry_store::lists::queries;
use std::sync::Arc;

impl Resource for IssueStatus {
    type Id = StatusId;
    type Parent = ();
    type Change = StatusChange;

    /// Creates a status, at the end of the list unless a position is given. Returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        (): (),
        change: &StatusChange,
    ) -> Result<StatusId, ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let position = catalogue
            .statuses
            .iter()
            .map(|status| status.position)
            .max()
            .unwrap_or(0)
            + 1;
        let blank = IssueStatus {
            position,
            ..IssueStatus::default()
        };
        let draft = change.apply_to(&blank);
        change.validate(&catalogue, &draft)?;
        let id = issue_statuses::insert(db, &draft)?;
        db.audit(AuditEvent::new(RECORD, id, "created").with_name(&draft.name));
        change.save_position(db, &catalogue, id)?;
        Ok(id)
    }

    /// Updates a status. If it begins to close issues, those in it get a closing time.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: StatusId,
        change: &StatusChange,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let before = catalogue.status(id).ok_or(ActionError::NotFound)?;
        let after = change.apply_to(before);
        change.validate(&catalogue, &after)?;
        if after != *before || change.position.is_present() {
            issue_statuses::update(db, &after)?;
            db.audit(AuditEvent::new(RECORD, id, "updated").with_name(&after.name));
        }
        change.save_position(db, &catalogue, id)?;
        if after.is_closed && !before.is_closed {
            issue_statuses::set_closed_on(db, id)?;
        }
        Ok(())
    }

    /// Deletes a status with its part of the workflow. Its issues get the status `replacement`, so
    /// do trackers whose default it is, keywords in commit messages that set it, and filters of
    /// saved queries. Without one, keywords and filters lose the status. The history of the issues
    /// stays as it is.
    ///
    /// # Errors
    /// `Invalid` if `replacement` is not another status, and without it while an issue has the
    /// status, or a tracker as its default.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: StatusId,
        replacement: Option<StatusId>,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let status = catalogue.status(id).ok_or(ActionError::NotFound)?;
        let mut event = AuditEvent::new(RECORD, id, "deleted").with_name(&status.name);
        match replacement.map(|target| catalogue.status(target)) {
            None => require_unused(db, &catalogue, id)?,
            Some(Some(target)) if target.id != id => {
                replace(db, status, target)?;
                event = event.with_details(format!("replaced by {}", target.name));
            }
            Some(_) => {
                let mut errors = ValidationErrors::new();
                errors.add("reassign_to_id", "Reassign to", "is invalid");
                return Err(ActionError::Invalid(errors));
            }
        }
        let target = replacement.map(|id| id.to_string());
        let rules = update_rules::replace_status(catalogue.update_rules(), id, replacement);
        set_update_rules(db, &rules)?;
        queries::replace_filter_value(db, "status_id", &id.to_string(), target.as_deref())?;
        issue_statuses::delete(db, id)?;
        db.audit(event);
        Ok(())
    }
}

/// The type of a status in the audit log.
const RECORD: RecordType = RecordType::IssueStatus;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 30;

/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 255;

/// The requested attributes of a status. Unset ones stay as they are, or have the default of a new
/// status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatusChange {
    pub name: Patch<String>,
    /// Whether issues in the status are closed.
    pub is_closed: Patch<bool>,
    /// The done ratio in per cent.
    pub default_done_ratio: Patch<i64>,
    pub description: Patch<String>,
    /// The position in the list, from 1.
    pub position: Patch<i64>,
}

impl StatusChange {
    /// Returns the status after the change, except for its position.
    fn apply_to(&self, before: &IssueStatus) -> IssueStatus {
        IssueStatus {
            name: apply_name(&self.name, &before.name),
            is_closed: self
                .is_closed
                .apply_to(Some(before.is_closed))
                .unwrap_or(false),
            default_done_ratio: self.default_done_ratio.apply_to(before.default_done_ratio),
            description: self.description.apply_to(before.description.clone()),
            ..before.clone()
        }
    }

    /// Validates the status after the change.
    fn validate(&self, catalogue: &Catalogue, status: &IssueStatus) -> Result<(), ActionError> {
        let mut errors = ValidationErrors::new();
        let siblings = catalogue
            .statuses
            .iter()
            .filter(|sibling| sibling.id != status.id);
        validate_name(
            &mut errors,
            &status.name,
            MAX_NAME,
            siblings.map(|sibling| sibling.name.as_str()),
        );
        if status
            .default_done_ratio
            .is_some_and(|ratio| !(0..=100).contains(&ratio))
        {
            errors.add(
                "default_done_ratio",
                "Default done ratio",
                "must be a whole number from 0 to 100",
            );
        }
        errors.limit_text(
            "description",
            "Description",
            status.description.as_deref().unwrap_or_default(),
            MAX_DESCRIPTION,
        );
        validate_position(&mut errors, &self.position);
        errors.into_result().map_err(ActionError::Invalid)
    }

    /// Stores the status and its position.
    fn save_position(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        id: StatusId,
    ) -> Result<(), StoreError> {
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .statuses
                .iter()
                .map(|status| status.id.0)
                .collect();
            move_to(&mut order, id.0, *position);
            positions::update(db, "issue_statuses", &order)?;
        }
        Ok(())
    }
}

/// Returns the keywords in commit messages that give issues the status.
pub fn commit_keywords(catalogue: &Catalogue, status: StatusId) -> Vec<String> {
    let rules = catalogue.update_rules().into_iter();
    rules
        .filter(|rule| rule.status == Some(status))
        .flat_map(|rule| rule.keywords)
        .collect()
}

/// Fails with `Invalid` while an issue has the status, or a tracker as its default.
fn require_unused(db: &Write<'_>, catalogue: &Catalogue, id: StatusId) -> Result<(), ActionError> {
    let mut trackers = catalogue.trackers.iter();
    if let Some(tracker) = trackers.find(|tracker| tracker.default_status == id) {
        return invalid(format!(
            "The status is in use and cannot be deleted: it is the default status of the tracker {}",
            tracker.name
        ));
    }
    if issue_statuses::count_issues(db, id)? > 0 {
        return invalid("The status is in use and cannot be deleted: there are issues in it");
    }
    Ok(())
}

/// Gives issues and trackers another status. Issues that it closes get a closing time, those that it opens lose theirs. What parents derive from their subtasks follows.
fn replace(
    db: &mut Write<'_>,
    status: &IssueStatus,
    target: &IssueStatus,
) -> Result<(), ActionError> {
    issue_statuses::replace_default(db, status.id, target.id)?;
    let issues = issue_statuses::reassign(db, status, target)?;
    if status.is_closed != target.is_closed {
        for parent in subtasks::parents(db, &issues)? {
            parents::derive_upward(db, Some(parent), parents::Extent::UntilUnchanged)?;
        }
    }
    Ok(())
}
