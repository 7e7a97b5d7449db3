//! JSON and XML of the values of custom fields (compatibility 3.2).

use crate::domain::custom_field::{CustomField, Values};
use crate::wire::Fields;

/// Writes the values of the fields under `custom_fields`; nothing when there are no fields.
pub fn custom_fields<'f>(
    w: &mut Fields,
    fields: impl Iterator<Item = &'f CustomField>,
    values: Option<&Values>,
) {
    let mut fields = fields.peekable();
    if fields.peek().is_none() {
        return;
    }
    w.items("custom_fields", "custom_field", fields, |w, field| {
        w.attribute("id", field.id.0);
        w.attribute("name", &field.name);
        let field_values = values.and_then(|values| values.get(field.id));
        if field.multiple {
            w.attribute("multiple", true);
            w.texts(
                "value",
                "value",
                field_values
                    .unwrap_or_default()
                    .iter()
                    .filter(|value| !value.is_empty()),
            );
        } else {
            w.field("value", field_values.and_then(|values| values.first()));
        }
    });
}
