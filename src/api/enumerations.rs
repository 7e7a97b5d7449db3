//! The resource `/enumerations`: issue priorities, time entry activities and document categories
//! (compatibility 11.3 and 14).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use quarry_actions::administration::enumerations::{EnumerationChange, customized, find};
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::ids::EnumerationId;
use quarry_domain::values::position::position_in;
use quarry_store::administration::custom_fields as store_fields;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/enumerations/{id}",
            get(read_handler(list)).post(write_handler(create).for_administrators()),
        )
        .route(
            "/enumerations/{id}/{value_id}",
            get(read_handler(show).for_administrators())
                .put(write_handler(update).for_administrators())
                .patch(write_handler(update).for_administrators())
                .delete(write_handler(delete).for_administrators()),
        )
}

/// `GET /enumerations/:name` (compatibility 11.3).
///
/// Returns the values of one enumeration, by position.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let names = from_path(request)?;
    let administration = request.includes_administration()?;
    let context = ViewContext::load(request, db, names)?;
    let values = db
        .catalogue()
        .enumerations_of(names.kind)
        .cloned()
        .collect();
    Ok(Reply::list(
        names.list,
        names.item,
        values,
        move |w: &mut Fields, value: Enumeration| {
            write_enumeration(w, &value, &context);
            if administration {
                write_administration(w, &value, &context);
            }
        },
        Vec::new(),
    ))
}

/// `GET /enumerations/:name/:id`, for administrators (compatibility 14).
///
/// Returns a value of an enumeration.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    enumeration_reply(
        request,
        db,
        from_path(request)?,
        request.id_param("value_id")?,
    )
}

/// Returns a value with all fields.
fn enumeration_reply(
    request: &RequestContext,
    db: &Read<'_>,
    names: Names,
    id: EnumerationId,
) -> Result<Reply, Error> {
    let value = find(db.catalogue(), names.kind, id)?.clone();
    let context = ViewContext::load(request, db, names)?;
    Ok(Reply::object(names.item, move |w| {
        write_enumeration(w, &value, &context);
        write_administration(w, &value, &context);
    }))
}

/// `POST /enumerations/:name`, for administrators (compatibility 14).
///
/// Creates a value of an enumeration: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let names = from_path(request)?;
    let change = EnumerationChange::from_object(&request.body, names.item)?;
    let id =
        request.write(move |db, viewer| Enumeration::create(db, viewer, names.kind, &change))?;
    let reply = request
        .app
        .read(|db| enumeration_reply(request, db, names, id))?;
    Ok(reply.created(format!(
        "{}/enumerations/{}/{id}",
        request.base_url(),
        names.list
    )))
}

/// `PUT /enumerations/:name/:id`, for administrators (compatibility 14).
///
/// Updates a value of an enumeration: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let names = from_path(request)?;
    let change = EnumerationChange::from_object(&request.body, names.item)?;
    let id: EnumerationId = request.id_param("value_id")?;
    request.write(move |db, viewer| {
        find(db.catalogue(), names.kind, id)?;
        Enumeration::update(db, viewer, id, &change)
    })?;
    request
        .app
        .read(|db| enumeration_reply(request, db, names, id))
}

/// `DELETE /enumerations/:name/:id`, for administrators (compatibility 14).
///
/// Deletes a value of an enumeration: 204. `reassign_to_id` is the value that its records get;
/// without it, a value in use is 422.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let names = from_path(request)?;
    let id: EnumerationId = request.id_param("value_id")?;
    let reassign_to = request
        .query_param("reassign_to_id")
        .filter(|text| !text.trim().is_empty());
    let reassign_to = reassign_to.map(|text| EnumerationId(text.trim().parse().unwrap_or(0)));
    request.write(move |db, viewer| {
        find(db.catalogue(), names.kind, id)?;
        Enumeration::delete(db, viewer, id, reassign_to)
    })?;
    Ok(Reply::no_content())
}

/// An enumeration with its names.
#[derive(Clone, Copy)]
pub struct Names {
    pub kind: EnumerationKind,
    pub list: &'static str,
    /// The name of one of its values.
    pub item: &'static str,
}

const ALL: [Names; 3] = [
    Names {
        kind: EnumerationKind::IssuePriority,
        list: "issue_priorities",
        item: "issue_priority",
    },
    Names {
        kind: EnumerationKind::TimeEntryActivity,
        list: "time_entry_activities",
        item: "time_entry_activity",
    },
    Names {
        kind: EnumerationKind::DocumentCategory,
        list: "document_categories",
        item: "document_category",
    },
];

/// Returns the enumeration in the path; 404 for an unknown one.
pub fn from_path(request: &RequestContext) -> Result<Names, Error> {
    ALL.into_iter()
        .find(|names| names.list == request.path_param("id"))
        .ok_or(Error::NotFound)
}

/// What the output of values of an enumeration needs besides them.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    customized: Customized,
    custom_values: HashMap<i64, Values>,
    is_admin: bool,
}

impl ViewContext {
    /// Loads the values of the custom fields of an enumeration.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        names: Names,
    ) -> Result<ViewContext, Error> {
        let catalogue = Arc::clone(db.catalogue());
        let has_fields = catalogue
            .custom_fields_of(customized(names.kind))
            .next()
            .is_some();
        let ids: Vec<i64> = catalogue
            .enumerations_of(names.kind)
            .filter(|_| has_fields)
            .map(|value| value.id.0)
            .collect();
        let custom_values = store_fields::list_values(db, customized(names.kind), &ids)?;
        Ok(ViewContext {
            catalogue,
            customized: customized(names.kind),
            custom_values,
            is_admin: request.viewer().admin,
        })
    }
}

/// Writes the fields of a value that everybody sees. Custom fields that are not visible are for
/// administrators.
pub fn write_enumeration(w: &mut Fields, value: &Enumeration, context: &ViewContext) {
    w.field("id", value.id.0);
    w.field("name", &value.name);
    w.field("is_default", value.is_default);
    w.field("active", value.active);
    let fields = context
        .catalogue
        .custom_fields_of(context.customized)
        .filter(|field| field.visible || context.is_admin);
    write_custom_fields(w, fields, context.custom_values.get(&value.id.0));
}

/// Writes the further fields that administrators see.
pub fn write_administration(w: &mut Fields, value: &Enumeration, context: &ViewContext) {
    w.field(
        "position",
        position_in(
            context
                .catalogue
                .enumerations_of(value.kind)
                .map(|sibling| sibling.id),
            value.id,
        ),
    );
}
