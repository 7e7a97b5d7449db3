//! Parses the body of a request about a custom field.

use crate::actions::custom_fields::{EnumerationItem, FieldChange};
use crate::domain::patch::Patch;
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

/// Maximum number of values of an enumeration.
const MAX_ITEMS: usize = 1000;

/// Parses the object `custom_field`, for administrators.
pub fn parse(request: &RequestContext) -> Result<FieldChange, Error> {
    request.require_admin()?;
    let mut body = BodyFields::from_body(request, "custom_field")?;
    let possible_values = match body.raw("possible_values").and_then(Input::as_list) {
        // Responses have objects with value and label.
        Some(items) if items.iter().any(Input::is_map) => values(items)?,
        _ => body.texts("possible_values", "Possible values"),
    };
    let change = FieldChange {
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
    };
    body.check()?;
    Ok(change)
}

/// Returns the values of a list of objects with `value`.
fn values(items: &[Input]) -> Result<Patch<Vec<String>>, Error> {
    let error = || {
        Error::invalid(format!(
            "Possible values is invalid (a list of at most {MAX_ITEMS} values is expected)"
        ))
    };
    if items.len() > MAX_ITEMS {
        return Err(error());
    }
    let text = |item: &Input| {
        item.get("value")
            .unwrap_or(item)
            .as_text()
            .map(|text| text.into_owned())
    };
    items
        .iter()
        .map(text)
        .collect::<Option<_>>()
        .map(Patch::Set)
        .ok_or_else(error)
}

/// Parses the values of an enumeration: names, or objects with `id`, `name` and `active`.
fn enumeration(value: &Input) -> Result<Vec<EnumerationItem>, Error> {
    let error = || {
        Error::invalid(format!(
            "Enumerations is invalid (a list of at most {MAX_ITEMS} names or objects is expected)"
        ))
    };
    let items = match value {
        Input::List(items) if items.len() <= MAX_ITEMS => items.as_slice(),
        value if value.is_blank() => &[],
        _ => return Err(error()),
    };
    let mut parsed = Vec::with_capacity(items.len());
    for item in items {
        if let Some(mut fields) = BodyFields::from_object(item) {
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
            parsed.push(EnumerationItem { id, name, active });
        } else {
            let name = item.as_text().ok_or_else(error)?.into_owned();
            parsed.push(EnumerationItem {
                id: None,
                name,
                active: true,
            });
        }
    }
    Ok(parsed)
}
