//! The resource `/workflows`, for administrators (compatibility 14).

use crate::prelude::*;
use quarry_actions::administration::workflows;
use quarry_domain::access::role::Role;
use quarry_domain::administration::tracker::Tracker;
use quarry_domain::ids::{RoleId, TrackerId};
use std::sync::Arc;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route(
        "/workflows",
        get(read_handler(show).for_administrators())
            .put(write_handler(update).for_administrators())
            .patch(write_handler(update).for_administrators()),
    )
}

/// `GET /workflows?role_id=&tracker_id=`, for administrators (compatibility 14).
///
/// Returns the workflow of a tracker and a role.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    workflow_reply(db, tracker_and_role(request)?)
}

/// Returns the workflow as it is now.
fn workflow_reply(db: &Read<'_>, (tracker, role): (TrackerId, RoleId)) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let tracker = catalogue.tracker(tracker).ok_or(Error::NotFound)?.clone();
    let role = catalogue.role(role).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("workflow", move |w| {
        write_workflow(w, &tracker, &role, &catalogue)
    }))
}

/// `PUT /workflows?role_id=&tracker_id=`, for administrators (compatibility 14).
///
/// Replaces transitions, field permissions, or both: 200 with the workflow.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let tracker_and_role = tracker_and_role(request)?;
    let change = fields::workflow::parse(&request.body)?;
    request.write(move |db, viewer| workflows::update(db, viewer, tracker_and_role, &change))?;
    request.app.read(|db| workflow_reply(db, tracker_and_role))
}

/// Returns the ids in the parameters `tracker_id` and `role_id`.
///
/// # Errors
/// 422 if one of them is missing; 404 if one is not a number.
pub fn tracker_and_role(request: &RequestContext) -> Result<(TrackerId, RoleId), Error> {
    Ok((
        TrackerId(parse_id(request, "tracker_id")?),
        RoleId(parse_id(request, "role_id")?),
    ))
}

/// Parses a parameter that is required.
fn parse_id(request: &RequestContext, name: &str) -> Result<i64, Error> {
    let text = request
        .query_param(name)
        .filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| Error::invalid(format!("{name} cannot be blank")))?;
    text.trim().parse::<i64>().map_err(|_| Error::NotFound)
}

/// Writes the transitions and the field permissions.
pub fn write_workflow(w: &mut Fields, tracker: &Tracker, role: &Role, catalogue: &Catalogue) {
    w.reference("role", role.id.0, &role.name);
    w.reference("tracker", tracker.id.0, &tracker.name);
    w.items(
        "transitions",
        "transition",
        catalogue.workflow.transitions(tracker.id, role.id),
        |w, (from, transition)| {
            w.field("old_status_id", from.map(|from| from.0));
            w.field("new_status_id", transition.to.0);
            w.field("author", transition.author);
            w.field("assignee", transition.assignee);
        },
    );
    let rules = catalogue.field_rules.rules(tracker.id, role.id);
    w.items(
        "field_permissions",
        "field_permission",
        rules,
        |w, (status, field, rule)| {
            w.field("status_id", status.0);
            w.field("field_name", field);
            w.field("rule", rule.name());
        },
    );
}
