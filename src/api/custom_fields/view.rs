//! How the values of custom fields look outside (contract 1.2).

use crate::domain::custom_field::{CustomField, Values};
use crate::wire::Fields;

/// The values of these fields, under `custom_fields`; nothing when there is no field.
pub fn custom_fields<'f>(w: &mut Fields, fields: impl Iterator<Item = &'f CustomField>, values: Option<&Values>) {
    let mut fields = fields.peekable();
    if fields.peek().is_none() {
        return;
    }
    w.items("custom_fields", "custom_field", fields, |w, field| {
        w.attribute("id", field.id.0);
        w.attribute("name", &field.name);
        let found = values.and_then(|values| values.of(field.id));
        if field.multiple {
            w.attribute("multiple", true);
            w.texts("value", "value", found.unwrap_or_default().iter().filter(|value| !value.is_empty()));
        } else {
            w.field("value", found.and_then(|values| values.first()));
        }
    });
}
