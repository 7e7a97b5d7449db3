//! Priorities of issues, activities of time entries and categories of documents (compatibility 14).
//!
//! Invariants: an enumeration has at most one default value, and no record refers to a deleted
//! value. Activities of a single project are part of the shared activity that they replace. May
//! import: `domain`, `store`.

use crate::administration::custom_values;
use crate::administration::{apply_name, invalid, require_admin, validate_name, validate_position};
use crate::issues::parents;
use crate::prelude::*;
use quarry_domain::administration::audit::AuditEvent;
use quarry_domain::administration::custom_field::{
    CustomField, Customized, RequestedValues, Values,
};
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::EnumerationId;
use quarry_domain::values::position::move_to;
use quarry_store::administration::{custom_fields, enumerations, settings};
use quarry_store::issues::subtasks;
use quarry_store::lists::{positions, queries};
use std::sync::Arc;

/// Returns a value of an enumeration that all projects share.
///
/// # Errors
/// `NotFound` if there is none, also for an activity that one project has in its place.
pub fn find(
    catalogue: &Catalogue,
    kind: EnumerationKind,
    id: EnumerationId,
) -> Result<&Enumeration, ActionError> {
    catalogue
        .enumerations_of(kind)
        .find(|value| value.id == id)
        .ok_or(ActionError::NotFound)
}

/// Returns a value that all projects share, of any enumeration.
fn find_shared(catalogue: &Catalogue, id: EnumerationId) -> Result<&Enumeration, ActionError> {
    let value = catalogue
        .enumeration(id)
        .filter(|value| value.project.is_none());
    value.ok_or(ActionError::NotFound)
}

impl Resource for Enumeration {
    type Id = EnumerationId;
    type Parent = EnumerationKind;
    type Change = EnumerationChange;

    /// Creates a value, at the end of the list unless a position is given. Returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        kind: EnumerationKind,
        change: &EnumerationChange,
    ) -> Result<EnumerationId, ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let position = catalogue
            .enumerations_of(kind)
            .map(|value| value.position)
            .max()
            .unwrap_or(0)
            + 1;
        let blank = Enumeration {
            kind,
            position,
            active: true,
            ..Enumeration::default()
        };
        let draft = change.apply_to(&blank);
        let defaults = Values::defaults(catalogue.custom_fields_of(customized(kind)));
        let values = change.validate(&catalogue, &draft, &defaults, true)?;
        if draft.is_default {
            enumerations::clear_default(db, kind)?;
        }
        let id = enumerations::insert(db, &draft)?;
        db.audit(AuditEvent::new(kind.into(), id, "created").with_name(&draft.name));
        custom_fields::update(db, customized(kind), id.0, &values)?;
        change.save_position(db, &catalogue, kind, id)?;
        Ok(id)
    }

    /// Updates a value. A new default takes the place of the one before.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: EnumerationId,
        change: &EnumerationChange,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let stored = find_shared(&catalogue, id)?;
        let kind = stored.kind;
        let after = change.apply_to(stored);
        let before = custom_fields::find_values(db, customized(kind), id.0)?;
        let values = change.validate(&catalogue, &after, &before, false)?;
        if after != *stored || change.position.is_present() {
            if after.is_default {
                enumerations::clear_default(db, kind)?;
            }
            enumerations::update(db, &after)?;
            db.audit(AuditEvent::new(kind.into(), id, "updated").with_name(&after.name));
        }
        custom_fields::update(db, customized(kind), id.0, &values)?;
        Ok(change.save_position(db, &catalogue, kind, id)?)
    }

    /// Deletes a value, with what projects have in its place. Their records get the value
    /// `replacement`, and so do filters of saved queries and the setting for hours in commit messages.
    ///
    /// # Errors
    /// `Invalid` if `replacement` is not another value of the same enumeration, and without it
    /// while records have the value.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: EnumerationId,
        replacement: Option<EnumerationId>,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let value = find_shared(&catalogue, id)?;
        let kind = value.kind;
        let mut event = AuditEvent::new(kind.into(), id, "deleted").with_name(&value.name);
        let values: Vec<EnumerationId> = catalogue.replacements(id).collect();
        match replacement {
            Some(target) => match find(&catalogue, kind, target) {
                Ok(replacement) if target != id => {
                    replace(db, kind, &values, target)?;
                    event = event.with_details(format!("replaced by {}", replacement.name));
                }
                _ => return invalid("Reassign to is invalid"),
            },
            None if enumerations::is_used(db, kind, &values)? => {
                return invalid(
                    "The value is in use and cannot be deleted; name the one that its records get in reassign_to_id",
                );
            }
            None => {}
        }
        replace_in_lists_and_settings(db, kind, id, replacement)?;
        enumerations::delete(db, &values)?;
        db.audit(event);
        Ok(())
    }
}

/// Maximum number of characters of a name.
const MAX_NAME: usize = 30;

/// The requested attributes of a value. Unset ones stay as they are, or have the default of a new
/// value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumerationChange {
    pub name: Patch<String>,
    /// Whether it is the default. Only one value of an enumeration is.
    pub is_default: Patch<bool>,
    /// Whether it can be selected.
    pub active: Patch<bool>,
    /// The position in the list, from 1.
    pub position: Patch<i64>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

/// Returns the type of the custom fields of an enumeration.
pub fn customized(kind: EnumerationKind) -> Customized {
    match kind {
        EnumerationKind::IssuePriority => Customized::IssuePriority,
        EnumerationKind::TimeEntryActivity => Customized::TimeEntryActivity,
        EnumerationKind::DocumentCategory => Customized::DocumentCategory,
    }
}

impl EnumerationChange {
    /// Returns the value after the change, except for its position.
    fn apply_to(&self, before: &Enumeration) -> Enumeration {
        Enumeration {
            name: apply_name(&self.name, &before.name),
            is_default: self
                .is_default
                .apply_to(Some(before.is_default))
                .unwrap_or(false),
            active: self.active.apply_to(Some(before.active)).unwrap_or(false),
            ..before.clone()
        }
    }

    /// Validates the value after the change, which had these values of custom fields before.
    /// Returns those that it has after it. `is_new` tells that the required fields must have
    /// values.
    fn validate(
        &self,
        catalogue: &Catalogue,
        value: &Enumeration,
        before: &Values,
        is_new: bool,
    ) -> Result<Values, ActionError> {
        let mut errors = ValidationErrors::new();
        let siblings = catalogue
            .enumerations_of(value.kind)
            .filter(|sibling| sibling.id != value.id);
        validate_name(
            &mut errors,
            &value.name,
            MAX_NAME,
            siblings.map(|sibling| sibling.name.as_str()),
        );
        validate_position(&mut errors, &self.position);
        let fields: Vec<&CustomField> =
            catalogue.custom_fields_of(customized(value.kind)).collect();
        let values = custom_values::apply_without_project(
            catalogue,
            &mut errors,
            &fields,
            before,
            &self.custom,
            is_new,
        );
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(values)
    }

    /// Stores the value with its values of custom fields, and its position.
    fn save_position(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        kind: EnumerationKind,
        id: EnumerationId,
    ) -> Result<(), StoreError> {
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .enumerations_of(kind)
                .map(|value| value.id.0)
                .collect();
            move_to(&mut order, id.0, *position);
            positions::update(db, "enumerations", &order)?;
        }
        Ok(())
    }
}

/// Gives filters of saved queries, and the activity of hours in commit messages, another value;
/// without a replacement none.
fn replace_in_lists_and_settings(
    db: &mut Write<'_>,
    kind: EnumerationKind,
    id: EnumerationId,
    replacement: Option<EnumerationId>,
) -> Result<(), StoreError> {
    let filter = match kind {
        EnumerationKind::IssuePriority => "priority_id",
        EnumerationKind::TimeEntryActivity => "activity_id",
        EnumerationKind::DocumentCategory => return Ok(()),
    };
    let value = id.to_string();
    let target = replacement.map(|target| target.to_string());
    queries::replace_filter_value(db, filter, &value, target.as_deref())?;
    let setting = Setting::CommitLogtimeActivityId;
    if kind == EnumerationKind::TimeEntryActivity && db.catalogue().setting(setting) == value {
        settings::set(
            db,
            setting,
            target.as_deref().unwrap_or(setting.default_value()),
        )?;
    }
    Ok(())
}

/// Gives all records with one of these values another one. Priorities that parents derive from
/// their subtasks follow.
fn replace(
    db: &mut Write<'_>,
    kind: EnumerationKind,
    values: &[EnumerationId],
    target: EnumerationId,
) -> Result<(), ActionError> {
    let records = enumerations::reassign(db, kind, values, target)?;
    if kind == EnumerationKind::IssuePriority {
        let issues: Vec<IssueId> = records.into_iter().map(IssueId).collect();
        for parent in subtasks::parents(db, &issues)? {
            parents::derive_upward(db, Some(parent), parents::Extent::UntilUnchanged)?;
        }
        // Parents without open subtasks get the default, which may be the deleted one.
        enumerations::reassign(db, kind, values, target)?;
    }
    Ok(())
}
