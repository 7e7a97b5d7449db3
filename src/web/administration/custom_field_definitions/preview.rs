//! The control of a field as people will see it.

use crate::components::form_field::choice;
use crate::components::form_page::Section;
use crate::form::custom_fields::CustomFieldRow;
use quarry_domain::administration::custom_field::{CustomField, Format, Values};
use quarry_domain::catalogue::Catalogue;
use quarry_wire::Input;

/// Returns the control of a new record, under a heading.
pub fn section(catalogue: &Catalogue, field: &CustomField) -> Section {
    let named;
    let field = if field.name.is_empty() {
        named = CustomField {
            name: "Name of the field".to_owned(),
            ..field.clone()
        };
        &named
    } else {
        field
    };
    let row = CustomFieldRow {
        catalogue,
        object: "preview",
        custom: field,
        values: &Values::defaults(std::iter::once(field)),
        form: &Input::Null,
    };
    let control = row.to_field(|format| {
        let records = if format == Format::User {
            "Members of the project"
        } else {
            "Versions of the project"
        };
        vec![choice("preview", records)]
    });
    Section::new("Preview", vec![control])
        .with_hint("What people see in a new record. Nothing here is saved.")
}
