//! Custom fields of issues.

use super::context::FormContext;
use crate::domain::custom_field::{CustomField, Format};
use crate::web::components::form_field::{Choice, FormField, choice};
use crate::web::custom_fields::CustomFieldRow;

/// Returns the custom fields that the viewer may set.
pub fn custom_fields(context: &FormContext<'_>) -> Vec<FormField> {
    context
        .editable
        .custom_fields()
        .map(|custom| field(context, custom))
        .collect()
}

fn field(context: &FormContext<'_>, custom: &CustomField) -> FormField {
    let catalogue = context.catalogue;
    let editable = context.editable;
    let records = |format: Format| -> Vec<Choice> {
        let name = |id| catalogue.principal_name(id).unwrap_or_default().to_owned();
        match format {
            Format::User => editable
                .members()
                .into_iter()
                .map(|id| choice(id, name(id)))
                .collect(),
            _ => editable
                .versions(false)
                .into_iter()
                .map(|(id, name)| choice(id, name))
                .collect(),
        }
    };
    let row = CustomFieldRow {
        catalogue,
        object: "issue",
        custom,
        values: &editable.values,
        form: context.form,
    };
    let mut field = row.to_field(records);
    field.is_required |= editable.requires(&custom.id.to_string());
    field
}
