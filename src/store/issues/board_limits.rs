//! Limits of the columns of boards: how many cards a column of a project should have at most.

use crate::{Read, StoreError, Write};
use quarry_domain::ids::ProjectId;
use quarry_domain::query::board::BoardField;
use std::collections::HashMap;

/// The maximum number of cards of columns, by their value; `None` is the column without a value.
pub type BoardLimits = HashMap<Option<i64>, i64>;

/// Returns the limits of the columns of a project by a field.
pub fn find(
    db: &Read<'_>,
    project: ProjectId,
    field: BoardField,
) -> Result<BoardLimits, StoreError> {
    let sql =
        "SELECT value_id, maximum FROM issue_board_limits WHERE project_id = ?1 AND field = ?2";
    let limits = db.rows(sql, &[project.into(), field.name().into()], |row| {
        let value: i64 = row.next()?;
        Ok(((value != 0).then_some(value), row.next()?))
    })?;
    Ok(limits.into_iter().collect())
}

/// Replaces the limits of the columns of a project by a field.
pub fn replace(
    db: &mut Write<'_>,
    project: ProjectId,
    field: BoardField,
    limits: &BoardLimits,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM issue_board_limits WHERE project_id = ?1 AND field = ?2";
    db.execute(sql, &[project.into(), field.name().into()])?;
    for (value, maximum) in limits {
        let sql = "INSERT INTO issue_board_limits (project_id, field, value_id, maximum) VALUES (?1, ?2, ?3, ?4)";
        let value = value.unwrap_or(0);
        let values = [
            project.into(),
            field.name().into(),
            value.into(),
            (*maximum).into(),
        ];
        db.execute(sql, &values)?;
    }
    Ok(())
}
