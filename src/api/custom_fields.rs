//! The resource `/custom_fields`, for administrators (compatibility 11.3 and 14).

use quarry_actions::custom_fields;
use quarry_actions::custom_fields::{EnumerationItem, FieldChange};
use quarry_domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::position::position_in;
use quarry_http::{BodyFields, Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire::{Fields, Input};
use std::sync::Arc;

/// `GET /custom_fields`, for administrators (compatibility 11.3).
///
/// Returns the definitions of all custom fields, by id.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let mut fields: Vec<CustomField> = catalogue.custom_fields.clone();
    fields.sort_by_key(|field| field.id);
    Ok(Reply::list(
        "custom_fields",
        "custom_field",
        fields,
        move |w: &mut Fields, field: CustomField| {
            custom_field(w, &field, &catalogue);
            if administration {
                write_administration(w, &field, &catalogue);
            }
        },
        Vec::new(),
    ))
}

/// `GET /custom_fields/:id`, for administrators (compatibility 14).
///
/// Returns a custom field.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    field_reply(db, request.id_param("id")?)
}

/// Returns a custom field with all fields.
fn field_reply(db: &Read<'_>, id: CustomFieldId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let field = catalogue
        .custom_fields
        .iter()
        .find(|field| field.id == id)
        .ok_or(Error::NotFound)?
        .clone();
    Ok(Reply::object("custom_field", move |w| {
        custom_field(w, &field, &catalogue);
        write_administration(w, &field, &catalogue);
        projects(w, &field, &catalogue);
    }))
}

/// `POST /custom_fields`, for administrators (compatibility 14).
///
/// Creates a custom field: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = parse(request)?;
    let id = request.write(move |db, viewer| custom_fields::create(db, viewer, &change))?;
    let reply = request.app.read(|db| field_reply(db, id))?;
    Ok(reply.created(format!("{}/custom_fields/{id}", request.base_url())))
}

/// `PUT /custom_fields/:id`, for administrators (compatibility 14).
///
/// Updates a custom field: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = parse(request)?;
    let id: CustomFieldId = request.id_param("id")?;
    request.write(move |db, viewer| custom_fields::update(db, viewer, id, &change))?;
    request.app.read(|db| field_reply(db, id))
}

/// `DELETE /custom_fields/:id`, for administrators (compatibility 14).
///
/// Deletes a custom field with all its values: 204.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: CustomFieldId = request.id_param("id")?;
    request.write(move |db, viewer| custom_fields::delete(db, viewer, id))?;
    Ok(Reply::no_content())
}

/// Maximum number of values of an enumeration.
const MAX_ITEMS: usize = 1000;

/// Parses the object `custom_field`.
pub fn parse(request: &RequestContext) -> Result<FieldChange, Error> {
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
    if items.len() > MAX_ITEMS {
        return Err(invalid_values());
    }
    items
        .iter()
        .map(value_text)
        .collect::<Option<_>>()
        .map(Patch::Set)
        .ok_or_else(invalid_values)
}

/// Returns the text of a value: alone, or in an object.
fn value_text(item: &Input) -> Option<String> {
    item.get("value")
        .unwrap_or(item)
        .as_text()
        .map(|text| text.into_owned())
}

fn invalid_values() -> Error {
    Error::invalid_attribute(
        "possible_values",
        "Possible values",
        &format!("is invalid (a list of at most {MAX_ITEMS} values is expected)"),
    )
}

/// Parses the values of an enumeration: names, or objects with `id`, `name` and `active`.
fn enumeration(value: &Input) -> Result<Vec<EnumerationItem>, Error> {
    let items = match value {
        Input::List(items) if items.len() <= MAX_ITEMS => items.as_slice(),
        value if value.is_blank() => &[],
        _ => return Err(invalid_enumeration()),
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
            let name = item.as_text().ok_or_else(invalid_enumeration)?.into_owned();
            parsed.push(EnumerationItem {
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
        &format!("is invalid (a list of at most {MAX_ITEMS} names or objects is expected)"),
    )
}

/// Writes the fields of a custom field that Redmine lists (compatibility 11.3).
pub fn custom_field(w: &mut Fields, field: &CustomField, catalogue: &Catalogue) {
    w.field("id", field.id.0);
    w.field("name", &field.name);
    w.field("description", field.description.as_deref());
    w.field("customized_type", field.customized.name());
    w.field("field_format", field.format.name());
    w.field("regexp", field.regexp.as_deref().unwrap_or_default());
    w.field("min_length", field.min_length);
    w.field("max_length", field.max_length);
    w.field("is_required", field.required);
    w.field("is_for_all", field.is_for_all);
    w.field("is_filter", field.is_filter);
    w.field("searchable", field.searchable);
    w.field("multiple", field.multiple);
    w.field("default_value", field.default.as_deref());
    w.field("visible", field.visible);
    w.field("editable", field.editable);
    let possible = field
        .possible_values
        .iter()
        .map(|value| (value.clone(), value.clone()));
    let enumerated = field
        .enumeration
        .iter()
        .map(|(id, name, _)| (id.to_string(), name.clone()));
    let bool_values: &[(&str, &str)] = if field.format == Format::Bool {
        &[("1", "Yes"), ("0", "No")]
    } else {
        &[]
    };
    let bool_values = bool_values
        .iter()
        .map(|(value, label)| ((*value).to_owned(), (*label).to_owned()));
    let values: Vec<(String, String)> = bool_values.chain(possible).chain(enumerated).collect();
    if !values.is_empty() {
        w.items(
            "possible_values",
            "possible_value",
            values,
            |w, (value, label)| {
                w.field("value", value);
                w.field("label", label);
            },
        );
    }
    if field.customized == Customized::Issue {
        let trackers = catalogue
            .trackers
            .iter()
            .filter(|tracker| field.trackers.contains(&tracker.id));
        w.references(
            "trackers",
            "tracker",
            trackers.map(|tracker| (tracker.id.0, tracker.name.as_str())),
        );
        let roles = catalogue
            .roles
            .iter()
            .filter(|role| field.roles.contains(&role.id));
        w.references(
            "roles",
            "role",
            roles.map(|role| (role.id.0, role.name.as_str())),
        );
    }
}

/// Writes the further fields that `include=administration` adds (compatibility 14).
pub fn write_administration(w: &mut Fields, field: &CustomField, catalogue: &Catalogue) {
    let siblings = catalogue.custom_fields_of(field.customized);
    w.field(
        "position",
        position_in(siblings.map(|sibling| sibling.id), field.id),
    );
    if field.customized != Customized::Issue {
        let roles = catalogue
            .roles
            .iter()
            .filter(|role| field.roles.contains(&role.id));
        w.references(
            "roles",
            "role",
            roles.map(|role| (role.id.0, role.name.as_str())),
        );
    }
    if field.format == Format::Enumeration {
        w.items(
            "enumerations",
            "enumeration",
            &field.enumeration,
            |w, (id, name, active)| {
                w.field("id", *id);
                w.field("name", name);
                w.field("active", *active);
            },
        );
    }
}

/// Writes the projects that have a field of issues, in the order of the tree. Not for lists, which
/// they would make very long.
pub fn projects(w: &mut Fields, field: &CustomField, catalogue: &Catalogue) {
    if field.customized != Customized::Issue {
        return;
    }
    let projects = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id));
    w.references(
        "projects",
        "project",
        projects
            .filter(|project| field.projects.contains(&project.id))
            .map(|project| (project.id.0, project.name.as_str())),
    );
}

/// Writes the values of the fields under `custom_fields`; nothing when there are no fields.
pub fn write_custom_fields<'f>(
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
