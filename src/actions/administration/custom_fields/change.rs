//! Creates, updates and deletes custom fields, and tells which changes are valid (compatibility
//! 14).

use super::attributes::{ids, length};
use super::{PossibleValue, enumeration};
use crate::administration::{apply_name, require_admin, validate_name, validate_position};
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::{CustomField, Customized, Format};
use quarry_domain::ids::{CustomFieldId, RoleId, TrackerId, VersionId};
use quarry_domain::values::position::move_to;
use quarry_store::administration::custom_fields;
use quarry_store::lists::positions;
use std::collections::HashSet;
use std::sync::Arc;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 30;

/// Maximum number of possible values that one change adds. An imported field may have more.
const MAX_ADDED_VALUES: usize = 1000;

/// The requested attributes of a field. Unset ones stay as they are, or have the default of a new
/// field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldChange {
    /// The type of record that has it, by name. Cannot be changed.
    pub customized: Patch<String>,
    /// The format of its values, by name. Cannot be changed.
    pub format: Patch<String>,
    pub name: Patch<String>,
    pub description: Patch<String>,
    /// The position among the fields of the same type of record, from 1.
    pub position: Patch<i64>,
    /// The regular expression that a text must match.
    pub regexp: Patch<String>,
    /// Minimum number of characters.
    pub min_length: Patch<i64>,
    /// Maximum number of characters.
    pub max_length: Patch<i64>,
    /// The value of a new record.
    pub default: Patch<String>,
    /// Whether a record must have a value.
    pub required: Patch<bool>,
    /// Whether every project has it.
    pub is_for_all: Patch<bool>,
    /// Whether lists can be filtered by it.
    pub is_filter: Patch<bool>,
    /// Whether the search finds its values.
    pub searchable: Patch<bool>,
    /// Whether users other than administrators may change it.
    pub editable: Patch<bool>,
    /// Whether everybody may see it.
    pub visible: Patch<bool>,
    /// Whether a record may have several values.
    pub multiple: Patch<bool>,
    /// The possible values of a field with the format `list`.
    pub possible_values: Patch<Vec<String>>,
    /// The possible values of a field with the format `enumeration`.
    pub enumeration: Option<Vec<PossibleValue>>,
    /// The trackers that have it.
    pub trackers: Patch<Vec<TrackerId>>,
    /// The projects that have it.
    pub projects: Patch<Vec<ProjectId>>,
    /// The roles that may see it.
    pub roles: Patch<Vec<RoleId>>,
}

impl FieldChange {
    /// Returns the field as it would be after the change, whether that is valid or not.
    pub fn draft(&self, catalogue: &Catalogue, before: &CustomField) -> CustomField {
        let mut draft = self.apply(catalogue, before, &mut ValidationErrors::new());
        if let Some(values) = &self.enumeration {
            draft.enumeration = (1..)
                .zip(values)
                .map(|(id, value)| (value.id.unwrap_or(-id), value.name.clone(), value.active))
                .collect();
        }
        draft
    }

    /// Returns the field after the change, without its enumeration.
    ///
    /// # Errors
    /// `Invalid` with `errors`, which were found before, and a message for each invalid attribute.
    pub(super) fn apply_to(
        &self,
        catalogue: &Catalogue,
        before: &CustomField,
        mut errors: ValidationErrors,
    ) -> Result<CustomField, ActionError> {
        let after = self.apply(catalogue, before, &mut errors);
        let siblings = catalogue
            .custom_fields_of(after.customized)
            .filter(|sibling| sibling.id != after.id);
        validate_name(
            &mut errors,
            &after.name,
            MAX_NAME,
            siblings.map(|sibling| sibling.name.as_str()),
        );
        errors.limit_text(
            "description",
            "Description",
            self.description.value().map_or("", String::as_str),
            catalogue.max_text_length(),
        );
        validate_position(&mut errors, &self.position);
        after.validate_definition(&mut errors, before, |id| match after.format {
            Format::User => catalogue.users.contains_key(&UserId(id)),
            _ => catalogue.versions.contains_key(&VersionId(id)),
        });
        enumeration::validate(
            &mut errors,
            before,
            self.enumeration.as_deref().unwrap_or_default(),
        );
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(after)
    }

    /// Applies the change. Adds the errors of values that cannot be applied.
    fn apply(
        &self,
        catalogue: &Catalogue,
        before: &CustomField,
        errors: &mut ValidationErrors,
    ) -> CustomField {
        let is_on =
            |change: &Patch<bool>, before: bool| change.apply_to(Some(before)).unwrap_or(false);
        let regexp = self.regexp.apply_to(before.regexp.clone());
        let visible = is_on(&self.visible, before.visible);
        CustomField {
            name: apply_name(&self.name, &before.name),
            description: self.description.apply_to(before.description.clone()),
            pattern: regexp
                .as_deref()
                .and_then(quarry_domain::administration::custom_field::compile),
            regexp,
            min_length: length(
                errors,
                ("min_length", "Minimum length"),
                &self.min_length,
                before.min_length,
            ),
            max_length: length(
                errors,
                ("max_length", "Maximum length"),
                &self.max_length,
                before.max_length,
            ),
            default: self.default.apply_to(before.default.clone()),
            required: is_on(&self.required, before.required),
            is_for_all: is_on(&self.is_for_all, before.is_for_all),
            is_filter: is_on(&self.is_filter, before.is_filter),
            searchable: is_on(&self.searchable, before.searchable),
            editable: is_on(&self.editable, before.editable),
            visible,
            multiple: is_on(&self.multiple, before.multiple),
            possible_values: self.possible_values(errors, before),
            trackers: ids(
                errors,
                ("tracker_ids", "Trackers"),
                &self.trackers,
                &before.trackers,
                |id| catalogue.tracker(id).is_some(),
            ),
            projects: ids(
                errors,
                ("project_ids", "Projects"),
                &self.projects,
                &before.projects,
                |id| catalogue.projects.contains_key(&id),
            ),
            roles: match visible {
                // A field that everybody sees needs no roles.
                true => HashSet::new(),
                false => ids(
                    errors,
                    ("role_ids", "Roles"),
                    &self.roles,
                    &before.roles,
                    |id| catalogue.role(id).is_some(),
                ),
            },
            ..before.clone()
        }
    }

    fn possible_values(&self, errors: &mut ValidationErrors, before: &CustomField) -> Vec<String> {
        match (before.format, &self.possible_values) {
            (_, Patch::Unset) => before.possible_values.clone(),
            (Format::List, values) => {
                let values = values.value().into_iter().flatten();
                let values = values.map(|value| value.trim());
                let mut known = HashSet::new();
                let distinct: Vec<String> = values
                    .filter(|value| !value.is_empty() && known.insert(*value))
                    .map(str::to_owned)
                    .collect();
                let before: HashSet<&String> = before.possible_values.iter().collect();
                let added = distinct.iter().filter(|value| !before.contains(value));
                if added.count() > MAX_ADDED_VALUES {
                    errors.add(
                        "possible_values",
                        "Possible values",
                        &format!(
                            "is invalid (at most {MAX_ADDED_VALUES} values can be added at once)"
                        ),
                    );
                }
                distinct
            }
            // A response has them, and may be sent back as it is.
            (Format::Bool | Format::Enumeration, _) => before.possible_values.clone(),
            (_, values) => {
                if values.value().is_some_and(|values| !values.is_empty()) {
                    errors.add(
                        "possible_values",
                        "Possible values",
                        "is invalid (only fields with the format list have them)",
                    );
                }
                before.possible_values.clone()
            }
        }
    }

    /// Whether the position or the possible values differ from those of the field.
    fn changes_position_or_possible_values(&self, field: &CustomField) -> bool {
        let stored = field.enumeration.iter();
        let stored = stored.map(|(id, name, active)| (Some(*id), name.as_str(), *active));
        let has_other_values = self.enumeration.as_ref().is_some_and(|values| {
            let sent = values.iter();
            !sent
                .map(|value| (value.id, value.name.trim(), value.active))
                .eq(stored)
        });
        self.position.is_present() || has_other_values
    }

    /// Stores the possible values of an enumeration and the position of a field. The store has the rest
    /// already.
    pub(super) fn save_enumeration_and_position(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        field: &CustomField,
    ) -> Result<(), ActionError> {
        if let Some(values) = &self.enumeration {
            enumeration::save(db, field, values)?;
        }
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .custom_fields_of(field.customized)
                .map(|field| field.id.0)
                .collect();
            move_to(&mut order, field.id.0, *position);
            positions::update(db, "custom_fields", &order)?;
        }
        Ok(())
    }
}

impl Resource for CustomField {
    type Id = CustomFieldId;
    type Parent = ();
    type Change = FieldChange;

    /// Creates a field, at the end of those of its type unless a position is given. Returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        (): (),
        change: &FieldChange,
    ) -> Result<CustomFieldId, ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let mut errors = ValidationErrors::new();
        let customized = change
            .customized
            .value()
            .and_then(|name| Customized::from_name(name));
        let format = change
            .format
            .value()
            .and_then(|name| name.parse().ok())
            .filter(|format| *format != Format::Other);
        if customized.is_none() {
            errors.add(
                "customized_type",
                "Customized type",
                missing_or_unknown(change.customized.value().is_some()),
            );
        }
        if format.is_none() {
            errors.add(
                "field_format",
                "Field format",
                missing_or_unknown(change.format.value().is_some()),
            );
        }
        let (Some(customized), Some(format)) = (customized, format) else {
            return Err(ActionError::Invalid(errors));
        };
        if !customized.allows(format) {
            errors.add(
                "field_format",
                "Field format",
                "is not possible for this type of record",
            );
        }
        let blank = CustomField {
            is_for_all: false,
            is_filter: false,
            searchable: false,
            ..CustomField::new(customized, "", format)
        };
        let draft = change.apply_to(&catalogue, &blank, errors)?;
        let id = custom_fields::insert(db, &draft)?;
        db.audit(AuditEvent::new(RecordType::CustomField, id, "created").with_name(&draft.name));
        change.save_enumeration_and_position(db, &catalogue, &CustomField { id, ..draft })?;
        Ok(id)
    }

    /// Updates a field. Values of records stay as they are; but a field that no longer has several
    /// values keeps the first one of each record.
    ///
    /// # Errors
    /// `Invalid` if a value is, and if the type or the format would change.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: CustomFieldId,
        change: &FieldChange,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let before = catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == id)
            .ok_or(ActionError::NotFound)?;
        let mut errors = ValidationErrors::new();
        let is_same_type = change
            .customized
            .value()
            .and_then(|name| Customized::from_name(name))
            == Some(before.customized);
        if change.customized.is_present() && !is_same_type {
            errors.add("customized_type", "Customized type", "cannot be changed");
        }
        let is_same_format = change
            .format
            .value()
            .map_or(Format::Other, |name| name.parse().unwrap_or(Format::Other))
            == before.format;
        if change.format.is_present() && !is_same_format {
            errors.add("field_format", "Field format", "cannot be changed");
        }
        let after = change.apply_to(&catalogue, before, errors)?;
        if after != *before || change.changes_position_or_possible_values(before) {
            custom_fields::update_definition(db, &after)?;
            db.audit(
                AuditEvent::new(RecordType::CustomField, id, "updated").with_name(&after.name),
            );
        }
        if before.multiple && !after.multiple {
            custom_fields::keep_first_values(db, &after)?;
        }
        change.save_enumeration_and_position(db, &catalogue, &after)
    }

    /// Deletes a field with all its values. The search no longer finds them.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: CustomFieldId,
        _replacement: Option<CustomFieldId>,
    ) -> Result<(), ActionError> {
        require_admin(viewer)?;
        let catalogue = Arc::clone(db.catalogue());
        let field = catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == id)
            .ok_or(ActionError::NotFound)?;
        db.audit(AuditEvent::new(RecordType::CustomField, id, "deleted").with_name(&field.name));
        Ok(custom_fields::delete(db, field)?)
    }
}

fn missing_or_unknown(is_present: bool) -> &'static str {
    if is_present {
        "is not included in the list"
    } else {
        "cannot be blank"
    }
}
