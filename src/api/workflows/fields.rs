//! Parses the query string and the body of a request about a workflow.

use crate::actions::workflows::WorkflowChange;
use crate::domain::ids::{RoleId, StatusId, TrackerId};
use crate::domain::patch::Patch;
use crate::domain::workflow::Transition;
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

/// Maximum number of transitions, and of field permissions, in a body.
const MAX_ENTRIES: usize = 10_000;

/// Returns the ids in the parameters `tracker_id` and `role_id`.
///
/// # Errors
/// 422 if one of them is missing; 404 if one is not a number.
pub fn tracker_and_role(request: &RequestContext) -> Result<(TrackerId, RoleId), Error> {
    let id = |name: &str| {
        let text = request
            .query_param(name)
            .filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| Error::invalid(format!("{name} cannot be blank")))?;
        text.trim().parse::<i64>().map_err(|_| Error::NotFound)
    };
    Ok((TrackerId(id("tracker_id")?), RoleId(id("role_id")?)))
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
            let is_on = |patch: Patch<bool>| patch.value() == Some(&true);
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
            return Err(Error::invalid(format!(
                "{label} is invalid (a list of at most {MAX_ENTRIES} objects is expected)"
            )));
        }
    };
    let mut parsed = Vec::with_capacity(items.len());
    for item in items {
        let Some(mut fields) = BodyFields::from_object(item) else {
            return Err(Error::invalid(format!(
                "{label} is invalid (each must be an object, not {})",
                item.kind()
            )));
        };
        parsed.push(parse(&mut fields));
        fields.check()?;
    }
    Ok(Some(parsed))
}
