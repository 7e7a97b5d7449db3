//! Creates custom fields.

use super::FieldChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::custom_field::{CustomField, Customized, Format};
use crate::domain::ids::CustomFieldId;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields};
use std::sync::Arc;

/// Creates a field, at the end of those of its type unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` for others than administrators; `Invalid` if a value is.
pub fn create(db: &mut Write<'_>, viewer: &Viewer, change: &FieldChange) -> Result<CustomFieldId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let mut errors = ValidationErrors::new();
    let customized = change.customized.value().and_then(|name| Customized::from_name(name));
    let format = change.format.value().map(|name| Format::parse(name)).filter(|format| *format != Format::Other);
    let not_in_list = |is_given: bool| if is_given { "is not included in the list" } else { "cannot be blank" };
    if customized.is_none() {
        errors.add("Customized type", not_in_list(change.customized.value().is_some()));
    }
    if format.is_none() {
        errors.add("Field format", not_in_list(change.format.value().is_some()));
    }
    let (Some(customized), Some(format)) = (customized, format) else {
        return Err(ActionError::Invalid(errors.messages().to_vec()));
    };
    if !customized.allows(format) {
        errors.add("Field format", "is not possible for this type of record");
    }
    let blank = CustomField { is_for_all: false, is_filter: false, searchable: false, ..CustomField::new(customized, "", format) };
    let draft = change.apply_to(&catalogue, &blank, errors)?;
    let id = custom_fields::insert(db, &draft, format.name())?;
    change.save_rest(db, &catalogue, &CustomField { id, ..draft })?;
    Ok(id)
}
