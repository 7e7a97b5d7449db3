//! Custom fields of issues, each by its format.

use super::context::{FormContext, choice, with_current};
use crate::domain::custom_field::{CustomField, Format};
use crate::web::components::form_field::{Choice, FieldKind, FormField, typed};
use crate::web::custom_values;

/// Returns the custom fields that the viewer may set.
pub fn custom_fields(context: &FormContext<'_>) -> Vec<FormField> {
    context.editable.custom_fields().map(|custom| field(context, custom)).collect()
}

fn field(context: &FormContext<'_>, custom: &CustomField) -> FormField {
    let has_choices = matches!(custom.format, Format::List | Format::Enumeration | Format::User | Format::Version);
    let kind = match custom.format {
        _ if has_choices && custom.multiple => FieldKind::Checkboxes,
        _ if has_choices => FieldKind::Select,
        Format::Bool => FieldKind::Select,
        Format::Text => FieldKind::LongText,
        Format::Date => FieldKind::Date,
        Format::Link => FieldKind::Url,
        Format::Integer => FieldKind::Integer,
        _ => FieldKind::Line,
    };
    let several = if kind == FieldKind::Checkboxes { "[]" } else { "" };
    let name = format!("issue[custom_field_values][{}]{several}", custom.id);
    let current: Vec<&str> = context.editable.values.get(custom.id).unwrap_or_default().iter().map(String::as_str).collect();
    let value = typed(context.form, &name).unwrap_or_else(|| current.join("\n"));
    let mut field = FormField::new(kind, name, &custom.name, value);
    field.is_required = custom.required || context.editable.requires(&custom.id.to_string());
    if matches!(kind, FieldKind::Select | FieldKind::Checkboxes) {
        field.choices = choices(context, custom, kind, &current);
    }
    field.hint = match (custom.min_length.filter(|min| *min > 0), custom.max_length.filter(|max| *max > 0)) {
        (Some(min), Some(max)) => format!("{min} to {max} characters."),
        (Some(min), None) => format!("At least {min} characters."),
        (None, Some(max)) => format!("At most {max} characters."),
        (None, None) => String::new(),
    };
    field
}

fn choices(context: &FormContext<'_>, custom: &CustomField, kind: FieldKind, current: &[&str]) -> Vec<Choice> {
    let (catalogue, editable) = (context.catalogue, context.editable);
    let mut choices: Vec<Choice> = match custom.format {
        Format::List => custom.possible_values.iter().map(|value| choice(value, value)).collect(),
        Format::Enumeration => custom.enumeration.iter().filter(|value| value.2).map(|(id, name, _)| choice(id, name)).collect(),
        Format::User => {
            let name = |id| catalogue.principal_name(id).unwrap_or_default().to_owned();
            editable.members().into_iter().map(|id| choice(id, name(id))).collect()
        }
        Format::Version => editable.versions(false).into_iter().map(|(id, name)| choice(id, name)).collect(),
        Format::Bool => vec![choice("1", "yes"), choice("0", "no")],
        _ => Vec::new(),
    };
    if kind == FieldKind::Select {
        choices.insert(0, choice("", ""));
    }
    with_current(&mut choices, None);
    for value in current.iter().filter(|value| !value.is_empty()) {
        with_current(&mut choices, Some(((*value).to_owned(), custom_values::text_of(catalogue, custom, value))));
    }
    choices
}
