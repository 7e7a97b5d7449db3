//! Changes of a value of an enumeration, and which of them are valid (compatibility 14).

use crate::actions::administration::{apply_name, validate_name, validate_position};
use crate::actions::{ActionError, custom_values};
use crate::domain::catalogue::{Catalogue, Enumeration, EnumerationKind};
use crate::domain::custom_field::{CustomField, Customized, RequestedValues, Values};
use crate::domain::patch::Patch;
use crate::domain::position::move_to;
use crate::domain::validation::ValidationErrors;
use crate::store::{StoreError, Write, custom_fields, enumerations, positions};

/// Maximum number of characters of a name.
const MAX_NAME: usize = 30;

/// The requested attributes of a value. Unset ones stay as they are, or have the default of a new
/// value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumerationChange {
    /// The name.
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
    pub(super) fn apply_to(&self, before: &Enumeration) -> Enumeration {
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
    pub(super) fn validate(
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
    pub(super) fn save(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        value: &Enumeration,
        custom: &Values,
    ) -> Result<(), StoreError> {
        if value.is_default {
            enumerations::clear_default(db, value.kind)?;
        }
        enumerations::update(db, value)?;
        custom_fields::update(db, customized(value.kind), value.id.0, custom)?;
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .enumerations_of(value.kind)
                .map(|value| value.id.0)
                .collect();
            move_to(&mut order, value.id.0, *position);
            positions::update(db, "enumerations", &order)?;
        }
        Ok(())
    }
}
