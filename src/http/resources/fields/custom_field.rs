//! The fields of a custom field in a request (compatibility 14).

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::administration::custom_fields::{
    FieldChange, PossibleValue, PossibleValueChange,
};
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Maximum number of possible values of an enumeration.
const MAX_ENUMERATION: usize = 1000;

/// Maximum number of possible values of a list.
const MAX_LIST: usize = 10_000;

impl FromBody for FieldChange {
    const OBJECT: &'static str = "custom_field";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        let possible_values = match body.raw("possible_values").and_then(Input::as_list) {
            Some(values) => possible_values(values)?,
            _ => body.texts("possible_values", "Possible values"),
        };
        Ok(FieldChange {
            customized: body.text("customized_type", "Customized type"),
            format: body.text("field_format", "Field format"),
            name: body.text("name", "Name"),
            description: body.text("description", "Description"),
            position: body.integer("position", "Position"),
            regexp: body.text("regexp", "Regular expression"),
            min_length: body.integer("min_length", "Minimum length"),
            max_length: body.integer("max_length", "Maximum length"),
            default: body.text("default_value", "Default value"),
            required: body.boolean("is_required", "Is required"),
            is_for_all: body.boolean("is_for_all", "Is for all"),
            is_filter: body.boolean("is_filter", "Is filter"),
            searchable: body.boolean("searchable", "Searchable"),
            editable: body.boolean("editable", "Editable"),
            visible: body.boolean("visible", "Visible"),
            multiple: body.boolean("multiple", "Multiple"),
            possible_values,
            enumeration: body.raw("enumerations").map(enumeration).transpose()?,
            trackers: body.ids("tracker_ids", "Trackers"),
            projects: body.ids("project_ids", "Projects"),
            roles: body.ids("role_ids", "Roles"),
        })
    }
}

impl FromBody for PossibleValueChange {
    const OBJECT: &'static str = "custom_field_enumeration";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(PossibleValueChange {
            name: body.text("name", "Name"),
            active: body.boolean("active", "Active"),
            position: body.integer("position", "Position"),
        })
    }
}

/// Returns the possible values in a list of texts, or of objects with `value` as in responses. Empty ones
/// are ignored.
fn possible_values(values: &[Input]) -> Result<Patch<Vec<String>>, Error> {
    if values.len() > MAX_LIST {
        return Err(invalid_values());
    }
    let texts: Option<Vec<String>> = values
        .iter()
        .filter(|value| !value.is_blank())
        .map(value_text)
        .collect();
    let texts = texts.ok_or_else(invalid_values)?.into_iter();
    Ok(Patch::Set(texts.filter(|text| !text.is_empty()).collect()))
}

/// Returns the text of a possible value: alone, or in an object.
fn value_text(value: &Input) -> Option<String> {
    value
        .get("value")
        .unwrap_or(value)
        .as_text()
        .map(|text| text.into_owned())
}

fn invalid_values() -> Error {
    Error::invalid_attribute(
        "possible_values",
        "Possible values",
        &format!("is invalid (a list of at most {MAX_LIST} values is expected)"),
    )
}

/// Parses the possible values of an enumeration: names, or objects with `id`, `name` and `active`.
fn enumeration(value: &Input) -> Result<Vec<PossibleValue>, Error> {
    let values = match value {
        Input::List(values) if values.len() <= MAX_ENUMERATION => values.as_slice(),
        value if value.is_blank() => &[],
        _ => return Err(invalid_enumeration()),
    };
    let mut parsed = Vec::with_capacity(values.len());
    for value in values {
        if let Some(mut fields) = BodyFields::from_object(value) {
            let id = fields
                .integer("id", "Id of an enumeration")
                .value()
                .copied();
            let name = fields
                .text("name", "Name of an enumeration")
                .value()
                .cloned()
                .unwrap_or_default();
            let active = fields
                .boolean("active", "Active")
                .value()
                .copied()
                .unwrap_or(true);
            fields.check()?;
            parsed.push(PossibleValue { id, name, active });
        } else {
            let name = value
                .as_text()
                .ok_or_else(invalid_enumeration)?
                .into_owned();
            parsed.push(PossibleValue {
                id: None,
                name,
                active: true,
            });
        }
    }
    Ok(parsed)
}

fn invalid_enumeration() -> Error {
    Error::invalid_attribute(
        "enumerations",
        "Enumerations",
        &format!("is invalid (a list of at most {MAX_ENUMERATION} names or objects is expected)"),
    )
}
