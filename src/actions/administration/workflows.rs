//! Updates the workflow of a tracker and a role (compatibility 14).

use super::require_admin;
use crate::ActionError;
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::tracker::{CORE_FIELDS, Tracker};
use quarry_domain::administration::workflow::{READ_ONLY_FIELDS, Rule, Transition};
use quarry_domain::administration::workflow_plan::RoleWorkflow;
use quarry_domain::ids::{RoleId, StatusId, TrackerId};
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
/// `NotFound` without such a tracker or role; `Invalid` for unknown statuses, fields and rules.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    (tracker_id, role_id): (TrackerId, RoleId),
    change: &WorkflowChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let (Some(tracker), Some(role)) = (catalogue.tracker(tracker_id), catalogue.role(role_id))
    else {
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
        workflow::set_transitions(db, (tracker_id, role_id), transitions)?;
    }
    if change.field_rules.is_some() {
        workflow::set_field_rules(db, (tracker_id, role_id), &rules)?;
    }
    if change.transitions.is_some() || change.field_rules.is_some() {
        db.audit(audit_event(tracker, &role.name));
    }
    Ok(())
}

/// Gives a role the workflow of another one, for all trackers. The role has none before.
///
/// # Errors
/// `Invalid` without such a source.
pub fn copy_to_role(
    db: &mut Write<'_>,
    viewer: &Viewer,
    source: RoleId,
    target: RoleId,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let Some(role) = catalogue.role(source) else {
        return Err(ActionError::invalid_attribute(
            "workflow_of",
            "Workflow",
            "is invalid",
        ));
    };
    for tracker in &catalogue.trackers {
        let copied = RoleWorkflow::stored(&catalogue, tracker.id, source);
        if copied != RoleWorkflow::default() {
            workflow::set_transitions(db, (tracker.id, target), &copied.transitions)?;
            workflow::set_field_rules(db, (tracker.id, target), &copied.rules)?;
            let details = format!("role {target}, copied from {}", role.name);
            db.audit(audit_event(tracker, &details));
        }
    }
    Ok(())
}

/// Returns the event of the audit log about a change of the workflow of a tracker.
pub(crate) fn audit_event(tracker: &Tracker, details: &str) -> AuditEvent {
    AuditEvent::new(RecordType::Workflow, tracker.id, "updated")
        .with_name(&tracker.name)
        .with_details(details)
}

/// Returns the rule with this name.
///
/// # Errors
/// Why the field cannot have it in the status.
pub(crate) fn validate_rule(
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
    match name.parse() {
        Err(_) => Err(format!("unknown rule {name}")),
        Ok(Rule::Required) if is_always_set => {
            Err(format!("{field} always has a value and cannot be required"))
        }
        Ok(rule) => Ok(rule),
    }
}
