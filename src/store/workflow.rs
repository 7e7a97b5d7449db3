//! Workflow: permitted transitions between statuses, and rules about fields.

use super::{Read, StoreError, Write};
use crate::domain::ids::{RoleId, StatusId, TrackerId};
use crate::domain::workflow::{FieldRules, Rule, Transition, Workflow};

/// Returns all permitted transitions.
pub fn load(db: &Read<'_>) -> Result<Workflow, StoreError> {
    let mut workflow = Workflow::default();
    let sql = "SELECT tracker_id, role_id, old_status_id, new_status_id, author, assignee FROM workflow_transitions";
    let steps = db.rows(sql, &[], |row| {
        let transition = Transition { to: row.get(3)?, author: row.get(4)?, assignee: row.get(5)? };
        Ok((row.get(0)?, row.get(1)?, row.get::<i64>(2)?, transition))
    })?;
    for (tracker, role, from, transition) in steps {
        workflow.add(tracker, role, (from != 0).then_some(StatusId(from)), transition);
    }
    Ok(workflow)
}

/// Returns all rules about fields, without unknown ones.
pub fn field_rules(db: &Read<'_>) -> Result<FieldRules, StoreError> {
    let mut rules = FieldRules::default();
    let sql = "SELECT tracker_id, role_id, old_status_id, field_name, rule FROM workflow_permissions";
    let rows = db.rows(sql, &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<String>(3)?, row.get::<String>(4)?)))?;
    for (tracker, role, status, field, rule) in rows {
        match rule.as_str() {
            "readonly" => rules.add(tracker, role, status, field, Rule::ReadOnly),
            "required" => rules.add(tracker, role, status, field, Rule::Required),
            _ => {}
        }
    }
    Ok(rules)
}

/// Inserts a permitted transition. `from` is `None` for a new issue.
pub fn insert_transition(
    db: &mut Write<'_>,
    tracker: TrackerId,
    role: RoleId,
    from: Option<StatusId>,
    transition: Transition,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        &[
            tracker.into(),
            role.into(),
            from.map_or(0, |from| from.0).into(),
            transition.to.into(),
            transition.author.into(),
            transition.assignee.into(),
        ],
    )?;
    db.catalogue_changed()
}
