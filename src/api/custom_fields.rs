//! The resource `/custom_fields`, for administrators (compatibility 11.3 and 14).

use crate::admin_routes::{AdminResource, admin_routes, show};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry_domain::ids::CustomFieldId;
use quarry_domain::values::position::position_in;
use quarry_domain::values::stable_sort::StableSort;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    admin_routes::<CustomField>(
        read_handler(list).for_administrators(),
        read_handler(show::<CustomField>).for_administrators(),
    )
}

/// `GET /custom_fields`, for administrators (compatibility 11.3).
///
/// Returns the definitions of all custom fields, by id.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let mut fields: Vec<CustomField> = catalogue.custom_fields.clone();
    fields.stable_sort_by_key(|field| field.id);
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

impl AdminResource for CustomField {
    const PATH: &'static str = "/custom_fields";

    fn reply(db: &Read<'_>, id: CustomFieldId) -> Result<Reply, Error> {
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
