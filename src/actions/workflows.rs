//! Updates the workflow of a tracker and a role (compatibility 14).

use super::ActionError;
use super::administration::require_admin;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::audit::AuditEvent;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::tracker::CORE_FIELDS;
use quarry_domain::administration::workflow::{READ_ONLY_FIELDS, Rule, Transition};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{RoleId, StatusId, TrackerId};
use quarry_domain::validation::ValidationErrors;
use quarry_store::Write;
use quarry_store::administration::workflow;
use std::sync::Arc;

/// The requested parts of a workflow. `None` leaves a part as it is; anything else replaces it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkflowChange {
    /// The permitted transitions, each with the status that it starts from; `None` for a new issue.
    pub transitions: Option<Vec<(Option<StatusId>, Transition)>>,
    /// The rules about fields: status, field name, and the name of the rule.
    pub field_rules: Option<Vec<(StatusId, String, String)>>,
}

/// Updates the workflow of a tracker and a role.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound` without such a tracker or role;
/// `Invalid` for unknown statuses, fields and rules.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    (tracker, role): (TrackerId, RoleId),
    change: &WorkflowChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let (Some(tracker_name), Some(role_name)) = (
        catalogue
            .tracker(tracker)
            .map(|tracker| tracker.name.as_str()),
        catalogue.role(role).map(|role| role.name.as_str()),
    ) else {
        return Err(ActionError::NotFound);
    };
    let mut errors = ValidationErrors::new();
    let statuses = change
        .transitions
        .iter()
        .flatten()
        .flat_map(|(from, transition)| from.iter().copied().chain([transition.to]));
    if let Some(unknown) = statuses
        .into_iter()
        .find(|status| catalogue.status(*status).is_none())
    {
        errors.add(
            "transitions",
            "Transitions",
            &format!("is invalid (unknown status {unknown})"),
        );
    }
    let mut rules = Vec::new();
    for (status, field, name) in change.field_rules.iter().flatten() {
        match validate_rule(&catalogue, *status, field, name) {
            Ok(rule) => rules.push((*status, field.clone(), rule)),
            Err(reason) => {
                errors.add(
                    "field_permissions",
                    "Field permissions",
                    &format!("is invalid ({reason})"),
                );
                break;
            }
        }
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    if let Some(transitions) = &change.transitions {
        workflow::set_transitions(db, (tracker, role), transitions)?;
    }
    if change.field_rules.is_some() {
        workflow::set_field_rules(db, (tracker, role), &rules)?;
    }
    if change.transitions.is_some() || change.field_rules.is_some() {
        db.audit(
            AuditEvent::new("workflow", tracker, "updated")
                .with_name(tracker_name)
                .with_details(role_name),
        );
    }
    Ok(())
}

/// Returns the rule with this name.
///
/// # Errors
/// Why the field cannot have it in the status.
fn validate_rule(
    catalogue: &Catalogue,
    status: StatusId,
    field: &str,
    name: &str,
) -> Result<Rule, String> {
    if catalogue.status(status).is_none() {
        return Err(format!("unknown status {status}"));
    }
    let is_always_set = READ_ONLY_FIELDS.contains(&field) || field == "priority_id";
    let mut custom_fields = catalogue.custom_fields_of(Customized::Issue);
    if !is_always_set
        && !CORE_FIELDS.contains(&field)
        && !custom_fields.any(|custom| custom.id.to_string() == field)
    {
        return Err(format!("unknown field {field}"));
    }
    match Rule::parse(name) {
        None => Err(format!("unknown rule {name}")),
        Some(Rule::Required) if is_always_set => {
            Err(format!("{field} always has a value and cannot be required"))
        }
        Some(rule) => Ok(rule),
    }
}
