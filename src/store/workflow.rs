//! The permitted steps between statuses.

use super::{Read, StoreError, Write};
use crate::domain::ids::{RoleId, StatusId, TrackerId};
use crate::domain::workflow::{FieldRules, Rule, Step, Workflow};

/// All permitted steps.
pub fn load(db: &Read<'_>) -> Result<Workflow, StoreError> {
    let mut workflow = Workflow::default();
    let sql = "SELECT tracker_id, role_id, old_status_id, new_status_id, author, assignee FROM workflow_transitions";
    let steps = db.rows(sql, &[], |row| {
        let step = Step { to: row.read(3)?, author: row.read(4)?, assignee: row.read(5)? };
        Ok((row.read(0)?, row.read(1)?, row.read::<i64>(2)?, step))
    })?;
    for (tracker, role, from, step) in steps {
        workflow.add(tracker, role, (from != 0).then_some(StatusId(from)), step);
    }
    Ok(workflow)
}

/// All rules about fields; those that are not known here are left out.
pub fn field_rules(db: &Read<'_>) -> Result<FieldRules, StoreError> {
    let mut rules = FieldRules::default();
    let sql = "SELECT tracker_id, role_id, old_status_id, field_name, rule FROM workflow_permissions";
    let rows = db.rows(sql, &[], |row| Ok((row.read(0)?, row.read(1)?, row.read(2)?, row.read::<String>(3)?, row.read::<String>(4)?)))?;
    for (tracker, role, status, field, rule) in rows {
        match rule.as_str() {
            "readonly" => rules.add(tracker, role, status, field, Rule::ReadOnly),
            "required" => rules.add(tracker, role, status, field, Rule::Required),
            _ => {}
        }
    }
    Ok(rules)
}

/// Adds a rule about a field.
pub fn rule(db: &mut Write<'_>, tracker: TrackerId, role: RoleId, status: StatusId, field: &str, rule: Rule) -> Result<(), StoreError> {
    let rule = match rule {
        Rule::ReadOnly => "readonly",
        Rule::Required => "required",
    };
    db.execute(
        "INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (tracker_id, role_id, old_status_id, field_name) DO UPDATE SET rule = excluded.rule",
        &[tracker.into(), role.into(), status.into(), field.into(), rule.into()],
    )?;
    db.catalogue_changed()
}

/// Permits a step. `from` is `None` for a new issue.
pub fn permit(db: &mut Write<'_>, tracker: TrackerId, role: RoleId, from: Option<StatusId>, step: Step) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        &[tracker.into(), role.into(), from.map_or(0, |from| from.0).into(), step.to.into(), step.author.into(), step.assignee.into()],
    )?;
    db.catalogue_changed()
}
