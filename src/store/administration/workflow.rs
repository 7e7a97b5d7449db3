//! Workflow: permitted transitions between statuses, and rules about fields.

use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::administration::workflow::{FieldRules, Rule, Transition, Workflow};
use quarry_domain::ids::{RoleId, StatusId, TrackerId};

/// Returns all permitted transitions.
pub fn load(db: &Read<'_>) -> Result<Workflow, StoreError> {
    let mut workflow = Workflow::default();
    let sql = "SELECT tracker_id, role_id, old_status_id, new_status_id, author, assignee FROM workflow_transitions";
    let rows = db.rows(sql, &[], |row| {
        let key = (row.next()?, row.next()?, row.next::<i64>()?);
        let transition = Transition {
            to: row.next()?,
            author: row.next()?,
            assignee: row.next()?,
        };
        Ok((key, transition))
    })?;
    for ((tracker, role, from), transition) in rows {
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
        if let Ok(rule) = rule.parse() {
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
    let columns = ColumnValues::new()
        .set("tracker_id", tracker)
        .set("role_id", role)
        .set("old_status_id", from.unwrap_or_default())
        .set("new_status_id", transition.to)
        .set("author", transition.author)
        .set("assignee", transition.assignee);
    let mut sql = columns.insert_into("workflow_transitions");
    sql.push(" ON CONFLICT DO NOTHING");
    db.execute(sql.text(), sql.values()).map(drop)
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
        let columns = ColumnValues::new()
            .set("tracker_id", tracker)
            .set("role_id", role)
            .set("old_status_id", *status)
            .set("field_name", field)
            .set("rule", rule.name());
        let mut sql = columns.insert_into("workflow_permissions");
        sql.push(
            " ON CONFLICT (tracker_id, role_id, old_status_id, field_name) DO UPDATE SET rule = excluded.rule",
        );
        db.execute(sql.text(), sql.values())?;
    }
    db.catalogue_changed()
}

/// Replaces the workflow of a tracker by that of another one.
pub fn copy_tracker(
    db: &mut Write<'_>,
    source: TrackerId,
    target: TrackerId,
) -> Result<(), StoreError> {
    for (table, columns) in [
        (
            "workflow_transitions",
            "role_id, old_status_id, new_status_id, author, assignee",
        ),
        (
            "workflow_permissions",
            "role_id, old_status_id, field_name, rule",
        ),
    ] {
        db.execute(
            &format!("DELETE FROM {table} WHERE tracker_id = ?1"),
            &[target.into()],
        )?;
        db.execute(
            &format!(
                "INSERT INTO {table} (tracker_id, {columns}) SELECT ?2, {columns} FROM {table} WHERE tracker_id = ?1"
            ),
            &[source.into(), target.into()],
        )?;
    }
    db.catalogue_changed()
}
