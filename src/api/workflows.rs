//! The resource `/workflows`, for administrators (compatibility 14).

use quarry_actions::workflows;
use quarry_actions::workflows::WorkflowChange;
use quarry_domain::access::role::Role;
use quarry_domain::administration::tracker::Tracker;
use quarry_domain::administration::workflow::Transition;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{RoleId, StatusId, TrackerId};
use quarry_domain::values::patch::Patch;
use quarry_http::{BodyFields, Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire::{Fields, Input};
use std::sync::Arc;

/// `GET /workflows?role_id=&tracker_id=`, for administrators (compatibility 14).
///
/// Returns the workflow of a tracker and a role.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let tracker_and_role = tracker_and_role(request)?;
    let change = parse(request)?;
    request.write(move |db, viewer| workflows::update(db, viewer, tracker_and_role, &change))?;
    request.app.read(|db| workflow_reply(db, tracker_and_role))
}

/// Maximum number of transitions, and of field permissions, in a body.
const MAX_ENTRIES: usize = 10_000;

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

/// Parses the object `workflow`.
///
/// # Errors
/// 422 for the first entry of a wrong type.
pub fn parse(request: &RequestContext) -> Result<WorkflowChange, Error> {
    let body = BodyFields::from_body(request, "workflow")?;
    Ok(WorkflowChange {
        transitions: entries(&body, "transitions", "Transitions", |fields| {
            // As in Redmine, 0 stands for a new issue, too.
            let from = fields
                .id("old_status_id", "Old status")
                .value()
                .copied()
                .filter(|status| *status != StatusId(0));
            let to = fields
                .id("new_status_id", "New status")
                .value()
                .copied()
                .unwrap_or(StatusId(0));
            let author = is_on(fields.boolean("author", "Author"));
            let assignee = is_on(fields.boolean("assignee", "Assignee"));
            (
                from,
                Transition {
                    to,
                    author,
                    assignee,
                },
            )
        })?,
        field_rules: entries(&body, "field_permissions", "Field permissions", |fields| {
            let status = fields
                .id("status_id", "Status")
                .value()
                .copied()
                .unwrap_or(StatusId(0));
            let mut text = |name, label| {
                fields
                    .text(name, label)
                    .value()
                    .cloned()
                    .unwrap_or_default()
            };
            (
                status,
                text("field_name", "Field name"),
                text("rule", "Rule"),
            )
        })?,
    })
}

fn is_on(patch: Patch<bool>) -> bool {
    patch.value() == Some(&true)
}

/// Parses a list of objects; `None` if there is none.
fn entries<T>(
    body: &BodyFields<'_>,
    name: &str,
    label: &str,
    parse: impl Fn(&mut BodyFields<'_>) -> T,
) -> Result<Option<Vec<T>>, Error> {
    let items = match body.raw(name) {
        None => return Ok(None),
        Some(Input::List(items)) if items.len() <= MAX_ENTRIES => items.as_slice(),
        Some(value) if value.is_blank() => &[],
        Some(_) => {
            return Err(Error::invalid_attribute(
                name,
                label,
                &format!("is invalid (a list of at most {MAX_ENTRIES} objects is expected)"),
            ));
        }
    };
    let mut parsed = Vec::with_capacity(items.len());
    for item in items {
        let Some(mut fields) = BodyFields::from_object(item) else {
            return Err(Error::invalid_attribute(
                name,
                label,
                &format!("is invalid (each must be an object, not {})", item.kind()),
            ));
        };
        parsed.push(parse(&mut fields));
        fields.check()?;
    }
    Ok(Some(parsed))
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
