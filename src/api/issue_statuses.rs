//! The resource `/issue_statuses` (compatibility 11.3 and 14).

use crate::prelude::*;
use quarry_actions::issue_statuses;
use quarry_domain::administration::issue_status::IssueStatus;
use quarry_domain::ids::StatusId;
use quarry_domain::values::position::position_in;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issue_statuses",
            get(read_handler(list)).post(write_handler(create).for_administrators()),
        )
        .route(
            "/issue_statuses/{id}",
            get(read_handler(show).for_administrators())
                .put(write_handler(update).for_administrators())
                .patch(write_handler(update).for_administrators())
                .delete(write_handler(delete).for_administrators()),
        )
}

/// `GET /issue_statuses` (compatibility 11.3).
///
/// Returns all statuses, by position.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::list(
        "issue_statuses",
        "issue_status",
        db.catalogue().statuses.clone(),
        move |w: &mut Fields, status: IssueStatus| {
            write_status(w, &status);
            if administration {
                write_administration(w, &status, &catalogue);
            }
        },
        Vec::new(),
    ))
}

/// `GET /issue_statuses/:id`, for administrators (compatibility 14).
///
/// Returns a status.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    status_reply(db, request.id_param("id")?)
}

/// Returns a status with all fields.
fn status_reply(db: &Read<'_>, id: StatusId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let status = catalogue.status(id).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("issue_status", move |w| {
        write_status(w, &status);
        write_administration(w, &status, &catalogue);
    }))
}

/// `POST /issue_statuses`, for administrators (compatibility 14).
///
/// Creates a status: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::issue_status::parse(&request.body)?;
    let id = request.write(move |db, viewer| issue_statuses::create(db, viewer, &change))?;
    let reply = request.app.read(|db| status_reply(db, id))?;
    Ok(reply.created(format!("{}/issue_statuses/{id}", request.base_url())))
}

/// `PUT /issue_statuses/:id`, for administrators (compatibility 14).
///
/// Updates a status: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::issue_status::parse(&request.body)?;
    let id: StatusId = request.id_param("id")?;
    request.write(move |db, viewer| issue_statuses::update(db, viewer, id, &change))?;
    request.app.read(|db| status_reply(db, id))
}

/// `DELETE /issue_statuses/:id`, for administrators (compatibility 14).
///
/// Deletes a status: 204. A status in use is 422.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: StatusId = request.id_param("id")?;
    request.write(move |db, viewer| issue_statuses::delete(db, viewer, id, None))?;
    Ok(Reply::no_content())
}

/// Writes the fields of a status that everybody sees.
pub fn write_status(w: &mut Fields, status: &IssueStatus) {
    w.field("id", status.id.0);
    w.field("name", &status.name);
    w.field("is_closed", status.is_closed);
    w.field("description", status.description.as_deref());
}

/// Writes the further fields that administrators see.
pub fn write_administration(w: &mut Fields, status: &IssueStatus, catalogue: &Catalogue) {
    w.field("default_done_ratio", status.default_done_ratio);
    w.field(
        "position",
        position_in(
            catalogue.statuses.iter().map(|sibling| sibling.id),
            status.id,
        ),
    );
}
