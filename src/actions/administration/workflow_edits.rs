//! Changes of the workflows of several trackers and roles: single cells, and copies.
//!
//! A change is planned on the current workflows first, so that its effects can be shown. Invariant:
//! cells that nobody chose to change stay as they are.

use super::require_admin;
use super::workflows::{audit_event, validate_rule};
use crate::ActionError;
use crate::prelude::*;
use quarry_domain::administration::workflow::Rule;
use quarry_domain::administration::workflow_plan::{
    PlannedWorkflow, RoleWorkflow, RuleCell, TransitionCell,
};
use quarry_domain::ids::{RoleId, TrackerId};
use quarry_store::administration::workflow;
use std::sync::Arc;

const UNKNOWN: &str = "is invalid (one of them does not exist any more)";

/// The requested changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkflowEdit {
    /// Cells, in the workflow of each of the trackers with each of the roles.
    Cells {
        trackers: Vec<TrackerId>,
        roles: Vec<RoleId>,
        transitions: Vec<(TransitionCell, bool)>,
        rules: Vec<(RuleCell, Option<Rule>)>,
    },
    /// Everything, from one workflow to those of each of the trackers with each of the roles.
    Copy {
        /// The tracker to copy from; `None` for the same tracker.
        tracker: Option<TrackerId>,
        /// The role to copy from; `None` for the same role.
        role: Option<RoleId>,
        trackers: Vec<TrackerId>,
        roles: Vec<RoleId>,
    },
}

/// Returns the workflows that change.
///
/// # Errors
/// `Invalid` for unknown trackers, roles, statuses, fields and rules.
pub fn plan(
    catalogue: &Catalogue,
    edit: &WorkflowEdit,
) -> Result<Vec<PlannedWorkflow>, ActionError> {
    match edit {
        WorkflowEdit::Cells {
            trackers,
            roles,
            transitions,
            rules,
        } => {
            let mut errors = ValidationErrors::new();
            validate_targets(&mut errors, catalogue, trackers, roles);
            let statuses = transitions
                .iter()
                .flat_map(|(cell, _)| cell.from.into_iter().chain([cell.to]));
            if statuses
                .into_iter()
                .any(|status| catalogue.status(status).is_none())
            {
                errors.add("transitions", "Statuses", UNKNOWN);
            }
            for (cell, rule) in rules {
                let name = rule.unwrap_or(Rule::ReadOnly).name();
                if let Err(reason) = validate_rule(catalogue, cell.status, &cell.field, name) {
                    let message = format!("is invalid ({reason})");
                    errors.add("field_permissions", "Field permissions", &message);
                    break;
                }
            }
            errors.into_result().map_err(ActionError::Invalid)?;
            Ok(planned(catalogue, trackers, roles, |_, _, before| {
                let mut after = before.clone();
                for (cell, is_permitted) in transitions {
                    after.set_transition(*cell, *is_permitted);
                }
                for (cell, rule) in rules {
                    after.set_rule(cell, *rule);
                }
                after
            }))
        }
        WorkflowEdit::Copy {
            tracker,
            role,
            trackers,
            roles,
        } => {
            let mut errors = ValidationErrors::new();
            validate_targets(&mut errors, catalogue, trackers, roles);
            if tracker.is_none() && role.is_none() {
                errors.add("source", "Source", "needs a tracker or a role");
            }
            if tracker.is_some_and(|id| catalogue.tracker(id).is_none())
                || role.is_some_and(|id| catalogue.role(id).is_none())
            {
                errors.add("source", "Source", UNKNOWN);
            }
            errors.into_result().map_err(ActionError::Invalid)?;
            Ok(planned(
                catalogue,
                trackers,
                roles,
                |to_tracker, to_role, _| {
                    RoleWorkflow::stored(
                        catalogue,
                        tracker.unwrap_or(to_tracker),
                        role.unwrap_or(to_role),
                    )
                },
            ))
        }
    }
}

fn validate_targets(
    errors: &mut ValidationErrors,
    catalogue: &Catalogue,
    trackers: &[TrackerId],
    roles: &[RoleId],
) {
    if trackers.is_empty() {
        errors.add("tracker_id", "Trackers", "cannot be empty");
    }
    if roles.is_empty() {
        errors.add("role_id", "Roles", "cannot be empty");
    }
    if trackers.iter().any(|id| catalogue.tracker(*id).is_none()) {
        errors.add("tracker_id", "Trackers", UNKNOWN);
    }
    if roles.iter().any(|id| catalogue.role(*id).is_none()) {
        errors.add("role_id", "Roles", UNKNOWN);
    }
}

/// Returns the workflows that differ from what `after` returns, in the order of lists.
fn planned(
    catalogue: &Catalogue,
    trackers: &[TrackerId],
    roles: &[RoleId],
    after: impl Fn(TrackerId, RoleId, &RoleWorkflow) -> RoleWorkflow,
) -> Vec<PlannedWorkflow> {
    let mut plans = Vec::new();
    for role in catalogue
        .roles
        .iter()
        .filter(|role| roles.contains(&role.id))
    {
        let trackers = catalogue
            .trackers
            .iter()
            .filter(|tracker| trackers.contains(&tracker.id));
        for tracker in trackers {
            let before = RoleWorkflow::stored(catalogue, tracker.id, role.id);
            plans.push(PlannedWorkflow {
                tracker: tracker.id,
                role: role.id,
                after: after(tracker.id, role.id, &before),
                before,
            });
        }
    }
    plans.retain(PlannedWorkflow::is_changed);
    plans
}

/// Applies the changes. Returns the workflows that changed.
pub fn apply(
    db: &mut Write<'_>,
    viewer: &Viewer,
    edit: &WorkflowEdit,
) -> Result<Vec<PlannedWorkflow>, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let plans = plan(&catalogue, edit)?;
    for plan in &plans {
        let key = (plan.tracker, plan.role);
        if plan.transitions_changed() {
            workflow::set_transitions(db, key, &plan.after.transitions)?;
        }
        if !plan.changed_rules().is_empty() {
            workflow::set_field_rules(db, key, &plan.after.rules)?;
        }
        if let (Some(tracker), Some(role)) =
            (catalogue.tracker(plan.tracker), catalogue.role(plan.role))
        {
            db.audit(audit_event(tracker, &role.name));
        }
    }
    Ok(plans)
}
