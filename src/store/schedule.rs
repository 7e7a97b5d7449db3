//! When issues begin and end, and which wait for which. Each question is asked for many issues at once.

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use jiff::Timestamp;
use jiff::civil::Date;

/// When an issue begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Which issue.
    pub id: IssueId,
    /// The issue of which it is a part.
    pub parent: Option<IssueId>,
    /// When it begins.
    pub start: Option<Date>,
    /// When it is to be done.
    pub due: Option<Date>,
}

/// One issue waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What comes first.
    pub before: IssueId,
    /// What waits for it.
    pub after: IssueId,
    /// Working days between them.
    pub delay: i64,
}

fn planned(row: &Row<'_>) -> Result<Planned, StatementError> {
    Ok(Planned { id: row.read(0)?, parent: row.read(1)?, start: row.read(2)?, due: row.read(3)? })
}

fn wait(row: &Row<'_>) -> Result<Wait, StatementError> {
    Ok(Wait { before: row.read(0)?, after: row.read(1)?, delay: row.read::<Option<i64>>(2)?.unwrap_or(0) })
}

fn ids(issues: &[IssueId]) -> Value {
    Value::Ids(issues.iter().map(|issue| issue.0).collect())
}

/// The dates of these issues.
pub fn list(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Planned>, StoreError> {
    db.rows("SELECT id, parent_id, start_date, due_date FROM issues WHERE id IN ids(?1)", &[ids(issues)], planned)
}

/// The dates of the issues right below these.
pub fn below(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Planned>, StoreError> {
    db.rows("SELECT id, parent_id, start_date, due_date FROM issues WHERE parent_id IN ids(?1)", &[ids(issues)], planned)
}

/// What waits for these issues.
pub fn successors(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Wait>, StoreError> {
    let sql = "SELECT issue_from_id, issue_to_id, delay FROM issue_relations WHERE issue_from_id IN ids(?1) AND relation_type = 'precedes'";
    db.rows(sql, &[ids(issues)], wait)
}

/// What these issues wait for.
pub fn predecessors(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Wait>, StoreError> {
    let sql = "SELECT issue_from_id, issue_to_id, delay FROM issue_relations WHERE issue_to_id IN ids(?1) AND relation_type = 'precedes'";
    db.rows(sql, &[ids(issues)], wait)
}

/// Moves an issue.
pub fn change(db: &mut Write<'_>, planned: &Planned, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE issues SET start_date = ?2, due_date = ?3, updated_on = ?4 WHERE id = ?1",
        &[planned.id.into(), planned.start.into(), planned.due.into(), now.into()],
    )?;
    changes::record(db, Kind::Issue, planned.id)?;
    Ok(())
}
