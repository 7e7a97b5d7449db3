//! Rules for all records that administrators manage (compatibility 14).

pub mod backups;
pub mod custom_fields;
pub mod custom_values;
pub mod enumerations;
pub mod install;
pub mod issue_statuses;
pub mod role_permissions;
pub mod roles;
pub mod settings;
pub mod setup;
pub mod trackers;
pub mod workflow_edits;
pub mod workflows;

use super::ActionError;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::projects::update_rules::{self, UpdateRule};
use quarry_store::administration::settings as store;

/// Fails unless the viewer is an administrator.
pub(super) fn require_admin(viewer: &Viewer) -> Result<(), ActionError> {
    if viewer.admin {
        Ok(())
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Stores what keywords in commit messages change in issues, if it is something else.
pub(super) fn set_update_rules(db: &mut Write<'_>, rules: &[UpdateRule]) -> Result<(), StoreError> {
    if db.catalogue().update_rules() == rules {
        return Ok(());
    }
    let text = update_rules::to_text(rules);
    store::set(db, Setting::CommitUpdateKeywords, &text)
}

/// Returns the name after a change, without white space around it.
pub(super) fn apply_name(change: &Patch<String>, before: &str) -> String {
    change
        .apply_to(Some(before.to_owned()))
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// Checks the name of a record: not blank, at most `max` characters in one line, and not that of a
/// sibling, ignoring case.
pub(super) fn validate_name<'n>(
    errors: &mut ValidationErrors,
    name: &str,
    max: usize,
    mut siblings: impl Iterator<Item = &'n str>,
) {
    errors.require_text("name", "Name", name, max);
    if name.chars().any(char::is_control) {
        errors.add("name", "Name", "is invalid");
    }
    let folded = name.to_lowercase();
    if siblings.any(|sibling| sibling.to_lowercase() == folded) {
        errors.add("name", "Name", "has already been taken");
    }
}

/// Checks a position in a list.
pub(super) fn validate_position(errors: &mut ValidationErrors, position: &Patch<i64>) {
    if position.value().is_some_and(|position| *position < 1) {
        errors.add("position", "Position", "must be 1 or more");
    }
}

/// Fails with `Invalid` and this message.
pub(super) fn invalid<T>(message: impl Into<String>) -> Result<T, ActionError> {
    Err(ActionError::invalid(message))
}
