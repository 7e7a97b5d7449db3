//! The inputs of custom fields of users.

use crate::choices::Choice;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::custom_field::{CustomField, Format, Values};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::validation::ValidationError;

/// Maximum number of users that a field offers.
const MAX_USERS: usize = 500;

/// An input.
pub struct FieldInput {
    /// The name in the form.
    pub name: String,
    /// The id in the page.
    pub id: String,
    /// The name of the field, and whether there must be a value.
    pub label: String,
    pub control: Control,
    /// The message when the value is not valid.
    pub error: Option<String>,
}

/// The control of an input.
pub enum Control {
    /// One line: the type of the input and the value.
    Line(&'static str, String),
    /// Several lines.
    Text(String),
    /// One of several choices.
    Select(Vec<Choice>),
    /// Any of several choices.
    Checks(Vec<Choice>),
}

/// Returns the input of a field with these values.
pub fn input(
    catalogue: &Catalogue,
    field: &CustomField,
    values: &Values,
    errors: &[ValidationError],
) -> FieldInput {
    let values = values.get(field.id).unwrap_or_default();
    let value = values.first().cloned().unwrap_or_default();
    let control = match field.format {
        Format::Text => Control::Text(value),
        Format::Date => Control::Line("date", value),
        // There is nothing to choose from: the values can be kept or removed.
        Format::Version if field.multiple => Control::Checks(select(Vec::new(), values)),
        Format::Integer
        | Format::Float
        | Format::Line
        | Format::Link
        | Format::Version
        | Format::Other => Control::Line("text", value),
        Format::Bool | Format::List | Format::Enumeration | Format::User => {
            match choices(catalogue, field) {
                Some(choices) if field.multiple => Control::Checks(select(choices, values)),
                Some(choices) => {
                    let mut choices = select(choices, values);
                    choices.insert(0, Choice::new("", "", &value));
                    Control::Select(choices)
                }
                None if field.multiple => Control::Checks(select(Vec::new(), values)),
                None => Control::Line("text", value),
            }
        }
    };
    FieldInput {
        name: format!("user[custom_field_values][{}]", field.id),
        id: format!("custom_field_{}", field.id),
        label: if field.required {
            format!("{} (required)", field.name)
        } else {
            field.name.clone()
        },
        control,
        error: errors
            .iter()
            .find(|error| error.custom_field() == Some(field.id))
            .map(ToString::to_string),
    }
}

/// Returns values and labels; `None` when there are too many.
fn choices(catalogue: &Catalogue, field: &CustomField) -> Option<Vec<(String, String)>> {
    Some(match field.format {
        Format::Bool => vec![
            ("1".to_owned(), "Yes".to_owned()),
            ("0".to_owned(), "No".to_owned()),
        ],
        Format::Enumeration => field
            .enumeration
            .iter()
            .filter(|(_, _, active)| *active)
            .map(|(id, name, _)| (id.to_string(), name.clone()))
            .collect(),
        Format::User => {
            let mut users: Vec<&User> = catalogue
                .users
                .values()
                .filter(|user| user.status == UserStatus::Active)
                .collect();
            if users.len() > MAX_USERS {
                return None;
            }
            users.sort_by_key(|user| user.name.to_lowercase());
            users
                .into_iter()
                .map(|user| (user.id.to_string(), user.name.clone()))
                .collect()
        }
        _ => field
            .possible_values
            .iter()
            .map(|value| (value.clone(), value.clone()))
            .collect(),
    })
}

/// Marks the chosen ones. A value that is not offered any more stays among the choices.
fn select(choices: Vec<(String, String)>, values: &[String]) -> Vec<Choice> {
    let gone: Vec<&String> = values
        .iter()
        .filter(|value| !value.is_empty() && choices.iter().all(|(known, _)| known != *value))
        .collect();
    let gone = gone
        .into_iter()
        .map(|value| (value.clone(), value.clone()))
        .collect::<Vec<_>>();
    choices
        .into_iter()
        .chain(gone)
        .map(|(value, label)| Choice {
            is_selected: values.contains(&value),
            value,
            label,
        })
        .collect()
}
