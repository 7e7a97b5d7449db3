//! `GET /custom_fields`, for administrators (compatibility 11.3).

use super::administration;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Format};
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns all fields with their settings, by id.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    let with_administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let mut fields: Vec<CustomField> = catalogue.custom_fields.clone();
    fields.sort_by_key(|field| field.id);
    let describe = move |w: &mut Fields, field: CustomField| {
        describe(w, &field, &catalogue);
        if with_administration {
            administration::fields(w, &field, &catalogue);
        }
    };
    Ok(Reply::list("custom_fields", "custom_field", fields, describe, Vec::new()))
}

/// Writes a field with its settings, as in Redmine.
pub(super) fn describe(w: &mut Fields, field: &CustomField, catalogue: &Catalogue) {
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
    let possible = field.possible_values.iter().map(|value| (value.clone(), value.clone()));
    let enumerated = field.enumeration.iter().map(|(id, name, _)| (id.to_string(), name.clone()));
    let bool_values: &[(&str, &str)] = if field.format == Format::Bool { &[("1", "Yes"), ("0", "No")] } else { &[] };
    let bool_values = bool_values.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned()));
    let values: Vec<(String, String)> = bool_values.chain(possible).chain(enumerated).collect();
    if !values.is_empty() {
        w.items("possible_values", "possible_value", values, |w, (value, label)| {
            w.field("value", value);
            w.field("label", label);
        });
    }
    if field.customized == Customized::Issue {
        let trackers = catalogue.trackers.iter().filter(|tracker| field.trackers.contains(&tracker.id));
        w.items("trackers", "tracker", trackers, |w, tracker| {
            w.attribute("id", tracker.id.0);
            w.attribute("name", &tracker.name);
        });
        let roles = catalogue.roles.iter().filter(|role| field.roles.contains(&role.id));
        w.items("roles", "role", roles, |w, role| {
            w.attribute("id", role.id.0);
            w.attribute("name", &role.name);
        });
    }
}
