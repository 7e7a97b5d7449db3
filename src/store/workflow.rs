//! The permitted steps between statuses.

use super::{Read, StoreError, Write};
use crate::domain::ids::{RoleId, StatusId, TrackerId};
use crate::domain::workflow::{Step, Workflow};

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

/// Permits a step. `from` is `None` for a new issue.
pub fn permit(db: &mut Write<'_>, tracker: TrackerId, role: RoleId, from: Option<StatusId>, step: Step) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO workflow_transitions (tracker_id, role_id, old_status_id, new_status_id, author, assignee) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        &[tracker.into(), role.into(), from.map_or(0, |from| from.0).into(), step.to.into(), step.author.into(), step.assignee.into()],
    )?;
    db.catalogue_changed()
}
