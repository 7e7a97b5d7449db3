//! Trackers (compatibility 14).
//!
//! Invariants: no issue, project, custom field, role, default or commit rule refers to a deleted tracker. The
//! default status exists. May import: `domain`, `store`.

use crate::administration::{
    apply_name, invalid, require_admin, set_update_rules, validate_name, validate_position,
};
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::tracker::{CORE_FIELDS, Tracker};
use quarry_domain::ids::{CustomFieldId, StatusId, TrackerId};
use quarry_domain::projects::update_rules;
use quarry_domain::values::position::move_to;
use quarry_store::administration::{roles, settings, trackers, workflow};
use quarry_store::lists::positions;
use quarry_store::lists::queries;
use std::sync::Arc;

impl Resource for Tracker {
    type Id = TrackerId;
    type Parent = ();
    type Change = TrackerChange;

    /// Creates a tracker, at the end of the list unless a position is given. Returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        (): (),
        change: &TrackerChange,
    ) -> Result<TrackerId, ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let position = catalogue
            .trackers
            .iter()
            .map(|tracker| tracker.position)
            .max()
            .unwrap_or(0)
            + 1;
        let blank = Tracker {
            position,
            ..Tracker::default()
        };
        let draft = change.apply_to(&blank);
        change.validate(&catalogue, &draft)?;
        let id = trackers::insert(db, &draft)?;
        db.audit(AuditEvent::new(RECORD, id, "created").with_name(&draft.name));
        change.save_position_and_links(db, &catalogue, id)?;
        Ok(id)
    }

    /// Updates a tracker. Issues keep it in projects that no longer use it.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: TrackerId,
        change: &TrackerChange,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let before = catalogue.tracker(id).ok_or(ActionError::NotFound)?;
        let after = change.apply_to(before);
        change.validate(&catalogue, &after)?;
        if after != *before || change.has_position_or_links() {
            trackers::update(db, &after)?;
            db.audit(AuditEvent::new(RECORD, id, "updated").with_name(&after.name));
        }
        Ok(change.save_position_and_links(db, &catalogue, id)?)
    }

    /// Deletes a tracker with its workflow, and takes it from projects, custom fields and roles. Its
    /// issues get the tracker `replacement`, and so do their projects, the default of new projects
    /// and the rules for commit messages; without it these rules are deleted. The issues keep the
    /// values that the other tracker does not show, and their history stays as it is. Its issue
    /// templates are deleted.
    ///
    /// # Errors
    /// `Invalid` if `replacement` is not another tracker, and without it while an issue has the
    /// tracker.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: TrackerId,
        replacement: Option<TrackerId>,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let tracker = catalogue.tracker(id).ok_or(ActionError::NotFound)?;
        let mut event = AuditEvent::new(RECORD, id, "deleted").with_name(&tracker.name);
        match replacement.map(|target| catalogue.tracker(target)) {
            None if trackers::count_issues(db, id)? > 0 => {
                return invalid(
                    "The tracker is in use and cannot be deleted: there are issues with it",
                );
            }
            None => {}
            Some(Some(target)) if target.id != id => {
                trackers::reassign(db, id, target.id)?;
                event = event.with_details(format!("replaced by {}", target.name));
            }
            Some(_) => {
                let mut errors = ValidationErrors::new();
                errors.add("reassign_to_id", "Reassign to", "is invalid");
                return Err(ActionError::Invalid(errors));
            }
        }
        replace_default(db, &catalogue, id, replacement)?;
        let rules = update_rules::replace_tracker(catalogue.update_rules(), id, replacement);
        set_update_rules(db, &rules)?;
        remove_from_roles(db, &catalogue, id)?;
        let replaced_by = replacement.map(|target| target.to_string());
        queries::replace_filter_value(db, "tracker_id", &id.to_string(), replaced_by.as_deref())?;
        db.audit(event);
        Ok(trackers::delete(db, id)?)
    }
}

/// The type of a tracker in the audit log.
const RECORD: RecordType = RecordType::Tracker;

/// Creates a tracker, as [`Resource::create`] does, with the workflow of another one.
///
/// # Errors
/// As [`Resource::create`], and `Invalid` if there is no tracker `source`.
pub fn create_with_workflow(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &TrackerChange,
    source: TrackerId,
) -> Result<TrackerId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let Some(source) = catalogue.tracker(source) else {
        let mut errors = ValidationErrors::new();
        errors.add("copy_workflow_from", "Copy workflow from", "is invalid");
        return Err(ActionError::Invalid(errors));
    };
    let id = Tracker::create(db, viewer, (), change)?;
    workflow::copy_tracker(db, source.id, id)?;
    db.audit(
        AuditEvent::new(RecordType::Workflow, id, "updated")
            .with_details(format!("copied from the tracker {}", source.name)),
    );
    Ok(id)
}

/// Maximum number of characters of a name.
const MAX_NAME: usize = 30;

/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 255;

/// The core field that a list of enabled fields need not name: Redmine 5 does not list it.
const UNLISTED_FIELD: &str = "priority_id";

/// The requested attributes of a tracker. Unset ones stay as they are, or have the default of a new
/// tracker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackerChange {
    pub name: Patch<String>,
    /// The status of a new issue.
    pub default_status: Patch<StatusId>,
    pub description: Patch<String>,
    /// The position in the list, from 1.
    pub position: Patch<i64>,
    /// The names of the core fields that its issues have.
    pub enabled_fields: Patch<Vec<String>>,
    /// The names of the core fields that its issues do not have. Takes precedence.
    pub disabled_fields: Patch<Vec<String>>,
    /// The custom fields of issues that it has.
    pub custom_fields: Patch<Vec<CustomFieldId>>,
    /// The projects that use it.
    pub projects: Patch<Vec<ProjectId>>,
}

impl TrackerChange {
    /// Returns the tracker after the change, except for its position.
    fn apply_to(&self, before: &Tracker) -> Tracker {
        let status = self.default_status.apply_to(Some(before.default_status));
        Tracker {
            name: apply_name(&self.name, &before.name),
            default_status: status.unwrap_or(StatusId(0)),
            description: self.description.apply_to(before.description.clone()),
            disabled: self.disabled_bits(before),
            ..before.clone()
        }
    }

    fn disabled_bits(&self, before: &Tracker) -> i64 {
        (0..)
            .zip(CORE_FIELDS)
            .filter(|(_, field)| self.is_disabled(field, before))
            .map(|(bit, _)| 1 << bit)
            .sum()
    }

    /// Whether the change leaves the field disabled.
    fn is_disabled(&self, field: &str, before: &Tracker) -> bool {
        match (&self.disabled_fields, &self.enabled_fields) {
            (Patch::Set(disabled), _) => disabled.iter().any(|name| name == field),
            (Patch::Clear, _) => false,
            (Patch::Unset, Patch::Unset) => !before.has(field),
            (Patch::Unset, enabled) => {
                let is_listed = enabled
                    .value()
                    .is_some_and(|enabled| enabled.iter().any(|name| name == field));
                !is_listed && (field != UNLISTED_FIELD || !before.has(field))
            }
        }
    }

    /// Validates the tracker after the change.
    fn validate(&self, catalogue: &Catalogue, tracker: &Tracker) -> Result<(), ActionError> {
        let mut errors = ValidationErrors::new();
        let siblings = catalogue
            .trackers
            .iter()
            .filter(|sibling| sibling.id != tracker.id);
        validate_name(
            &mut errors,
            &tracker.name,
            MAX_NAME,
            siblings.map(|sibling| sibling.name.as_str()),
        );
        match tracker.default_status {
            StatusId(0) if self.default_status.value().is_none() => {
                errors.add("default_status_id", "Default status", "cannot be blank")
            }
            status if catalogue.status(status).is_none() => {
                errors.add("default_status_id", "Default status", "is invalid")
            }
            _ => {}
        }
        errors.limit_text(
            "description",
            "Description",
            tracker.description.as_deref().unwrap_or_default(),
            MAX_DESCRIPTION,
        );
        validate_position(&mut errors, &self.position);
        for (attribute, label, names) in [
            (
                "enabled_standard_fields",
                "Enabled standard fields",
                &self.enabled_fields,
            ),
            (
                "disabled_core_fields",
                "Disabled core fields",
                &self.disabled_fields,
            ),
        ] {
            let mut names = names.value().into_iter().flatten();
            if let Some(unknown) = names.find(|name| !CORE_FIELDS.contains(&name.as_str())) {
                errors.add(
                    attribute,
                    label,
                    &format!("is invalid (unknown field {unknown})"),
                );
            }
        }
        if !self.custom_fields.value().into_iter().flatten().all(|id| {
            catalogue
                .custom_fields_of(Customized::Issue)
                .any(|field| field.id == *id)
        }) {
            errors.add("custom_field_ids", "Custom fields", "is invalid");
        }
        if !self
            .projects
            .value()
            .into_iter()
            .flatten()
            .all(|id| catalogue.projects.contains_key(id))
        {
            errors.add("project_ids", "Projects", "is invalid");
        }
        errors.into_result().map_err(ActionError::Invalid)
    }

    /// Whether anything is sent that [`TrackerChange::save_position_and_links`] stores.
    fn has_position_or_links(&self) -> bool {
        self.position.is_present() || self.custom_fields.is_present() || self.projects.is_present()
    }

    /// Stores the position, the custom fields and the projects of a tracker, as far as they are sent.
    fn save_position_and_links(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        id: TrackerId,
    ) -> Result<(), StoreError> {
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .trackers
                .iter()
                .map(|tracker| tracker.id.0)
                .collect();
            move_to(&mut order, id.0, *position);
            positions::update(db, "trackers", &order)?;
        }
        if self.custom_fields.is_present() {
            trackers::set_custom_fields(
                db,
                id,
                self.custom_fields.value().map_or(&[], Vec::as_slice),
            )?;
        }
        if self.projects.is_present() {
            trackers::set_projects(db, id, self.projects.value().map_or(&[], Vec::as_slice))?;
        }
        Ok(())
    }
}

/// Replaces the tracker among those of new projects, or removes it.
fn replace_default(
    db: &mut Write<'_>,
    catalogue: &Catalogue,
    id: TrackerId,
    replacement: Option<TrackerId>,
) -> Result<(), StoreError> {
    let setting = Setting::DefaultProjectsTrackerIds;
    let name = id.to_string();
    if !catalogue.list_setting(setting).any(|item| item == name) {
        return Ok(());
    }
    let others = catalogue.list_setting(setting).filter(|item| *item != name);
    let mut defaults: Vec<String> = others.map(str::to_owned).collect();
    if let Some(target) = replacement.map(|target| target.to_string())
        && !defaults.contains(&target)
    {
        defaults.push(target);
    }
    settings::set(db, setting, &defaults.join(","))
}

/// Removes the tracker from the limits of roles. A permission that was limited to it alone applies to
/// no issues then; a replacement is not added, because members would see more issues than before.
fn remove_from_roles(
    db: &mut Write<'_>,
    catalogue: &Catalogue,
    id: TrackerId,
) -> Result<(), StoreError> {
    for role in &catalogue.roles {
        if role.tracker_limits.values().any(|limit| limit.contains(id)) {
            let mut after = role.clone();
            for limit in after.tracker_limits.values_mut() {
                let others = limit.as_slice().iter().filter(|other| **other != id.0);
                *limit = Arc::new(others.copied().collect());
            }
            roles::update(db, &after)?;
        }
    }
    Ok(())
}

/// Returns the keywords in commit messages that change issues with this tracker only.
pub fn commit_keywords(catalogue: &Catalogue, tracker: TrackerId) -> Vec<String> {
    let rules = catalogue.update_rules().into_iter();
    rules
        .filter(|rule| rule.tracker == Some(tracker))
        .flat_map(|rule| rule.keywords)
        .collect()
}
