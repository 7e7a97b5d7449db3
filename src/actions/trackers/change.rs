//! Changes of a tracker, and which of them are valid (compatibility 14).

use crate::actions::ActionError;
use crate::actions::administration::{apply_name, validate_name, validate_position};
use crate::domain::catalogue::{CORE_FIELDS, Catalogue, Tracker};
use crate::domain::custom_field::Customized;
use crate::domain::ids::{CustomFieldId, ProjectId, StatusId};
use crate::domain::patch::Patch;
use crate::domain::position::move_to;
use crate::domain::validation::ValidationErrors;
use crate::store::{StoreError, Write, positions, trackers};

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
    /// The name.
    pub name: Patch<String>,
    /// The status of a new issue.
    pub default_status: Patch<StatusId>,
    /// The description.
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
    pub(super) fn apply_to(&self, before: &Tracker) -> Tracker {
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
        let is_disabled = |field: &str| match (&self.disabled_fields, &self.enabled_fields) {
            (Patch::Set(disabled), _) => disabled.iter().any(|name| name == field),
            (Patch::Clear, _) => false,
            (Patch::Unset, Patch::Unset) => !before.has(field),
            (Patch::Unset, enabled) => {
                let is_listed = enabled
                    .value()
                    .is_some_and(|enabled| enabled.iter().any(|name| name == field));
                !is_listed && (field != UNLISTED_FIELD || !before.has(field))
            }
        };
        (0..)
            .zip(CORE_FIELDS)
            .filter(|(_, field)| is_disabled(field))
            .map(|(bit, _)| 1 << bit)
            .sum()
    }

    /// Validates the tracker after the change.
    pub(super) fn validate(
        &self,
        catalogue: &Catalogue,
        tracker: &Tracker,
    ) -> Result<(), ActionError> {
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
                errors.add("Default status", "cannot be blank")
            }
            status if catalogue.status(status).is_none() => {
                errors.add("Default status", "is invalid")
            }
            _ => {}
        }
        errors.limit_text(
            "Description",
            tracker.description.as_deref().unwrap_or_default(),
            MAX_DESCRIPTION,
        );
        validate_position(&mut errors, &self.position);
        for (label, names) in [
            ("Enabled standard fields", &self.enabled_fields),
            ("Disabled core fields", &self.disabled_fields),
        ] {
            let mut names = names.value().into_iter().flatten();
            if let Some(unknown) = names.find(|name| !CORE_FIELDS.contains(&name.as_str())) {
                errors.add(label, &format!("is invalid (unknown field {unknown})"));
            }
        }
        let has_field = |id: &CustomFieldId| {
            catalogue
                .custom_fields_of(Customized::Issue)
                .any(|field| field.id == *id)
        };
        if !self
            .custom_fields
            .value()
            .into_iter()
            .flatten()
            .all(has_field)
        {
            errors.add("Custom fields", "is invalid");
        }
        if !self
            .projects
            .value()
            .into_iter()
            .flatten()
            .all(|id| catalogue.projects.contains_key(id))
        {
            errors.add("Projects", "is invalid");
        }
        errors.into_result().map_err(ActionError::Invalid)
    }

    /// Stores the tracker with its position, fields and projects.
    pub(super) fn save(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        tracker: &Tracker,
    ) -> Result<(), StoreError> {
        trackers::update(db, tracker)?;
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .trackers
                .iter()
                .map(|tracker| tracker.id.0)
                .collect();
            move_to(&mut order, tracker.id.0, *position);
            positions::update(db, "trackers", &order)?;
        }
        if self.custom_fields.is_present() {
            trackers::set_custom_fields(
                db,
                tracker.id,
                self.custom_fields.value().map_or(&[], Vec::as_slice),
            )?;
        }
        if self.projects.is_present() {
            trackers::set_projects(
                db,
                tracker.id,
                self.projects.value().map_or(&[], Vec::as_slice),
            )?;
        }
        Ok(())
    }
}
