//! The transitions and field permissions of a workflow in a request (compatibility 14).

use crate::{BodyFields, Error};
use quarry_actions::administration::workflows::WorkflowChange;
use quarry_domain::administration::workflow::Transition;
use quarry_domain::ids::StatusId;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Maximum number of transitions, and of field permissions, in a body.
const MAX_ENTRIES: usize = 10_000;

/// Parses the object `workflow`.
///
/// # Errors
/// 422 for the first entry of a wrong type.
pub fn parse(input: &Input) -> Result<WorkflowChange, Error> {
    let body = BodyFields::from_input(input, "workflow")?;
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
