//! Workflow: permitted transitions between statuses, and rules about fields.

use super::{Read, StoreError, Write};
use crate::domain::ids::{RoleId, StatusId, TrackerId};
use crate::domain::workflow::{FieldRules, Rule, Transition, Workflow};

/// Returns all permitted transitions.
pub fn load(db: &Read<'_>) -> Result<Workflow, StoreError> {
    let mut workflow = Workflow::default();
    let sql = "SELECT tracker_id, role_id, old_status_id, new_status_id, author, assignee FROM workflow_transitions";
    let rows = db.rows(sql, &[], |row| {
        let transition = Transition {
            to: row.get(3)?,
            author: row.get(4)?,
            assignee: row.get(5)?,
        };
        Ok((row.next()?, row.next()?, row.next::<i64>()?, transition))
    })?;
    for (tracker, role, from, transition) in rows {
        workflow.add(
            tracker,
            role,
            (from != 0).then_some(StatusId(from)),
            transition,
        );
    }
    Ok(workflow)
}

/// Returns all rules about fields, without unknown ones.
pub fn field_rules(db: &Read<'_>) -> Result<FieldRules, StoreError> {
    let mut rules = FieldRules::default();
    let sql =
        "SELECT tracker_id, role_id, old_status_id, field_name, rule FROM workflow_permissions";
    let rows = db.rows(sql, &[], |row| {
        Ok((
            row.next()?,
            row.next()?,
            row.next()?,
            row.next::<String>()?,
            row.next::<String>()?,
        ))
    })?;
    for (tracker, role, status, field, rule) in rows {
        if let Some(rule) = Rule::parse(&rule) {
            rules.add(tracker, role, status, field, rule);
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
    insert_transition_row(db, tracker, role, from, transition)?;
    db.catalogue_changed()
}

fn insert_transition_row(
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
    )
    .map(drop)
}

/// Replaces the transitions of a tracker and a role.
pub fn set_transitions(
    db: &mut Write<'_>,
    (tracker, role): (TrackerId, RoleId),
    transitions: &[(Option<StatusId>, Transition)],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM workflow_transitions WHERE tracker_id = ?1 AND role_id = ?2",
        &[tracker.into(), role.into()],
    )?;
    for (from, transition) in transitions {
        insert_transition_row(db, tracker, role, *from, *transition)?;
    }
    db.catalogue_changed()
}

/// Replaces the rules about fields of a tracker and a role.
pub fn set_field_rules(
    db: &mut Write<'_>,
    (tracker, role): (TrackerId, RoleId),
    rules: &[(StatusId, String, Rule)],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM workflow_permissions WHERE tracker_id = ?1 AND role_id = ?2",
        &[tracker.into(), role.into()],
    )?;
    for (status, field, rule) in rules {
        db.execute(
            "INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT (tracker_id, role_id, old_status_id, field_name) DO UPDATE SET rule = excluded.rule",
            &[tracker.into(), role.into(), (*status).into(), field.as_str().into(), rule.name().into()],
        )?;
    }
    db.catalogue_changed()
}
