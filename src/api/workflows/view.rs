//! JSON and XML of the workflow of a tracker and a role (compatibility 14).

use crate::domain::catalogue::{Catalogue, Tracker};
use crate::domain::role::Role;
use crate::wire::Fields;

/// Writes the transitions and the field permissions.
pub fn workflow(w: &mut Fields, tracker: &Tracker, role: &Role, catalogue: &Catalogue) {
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
