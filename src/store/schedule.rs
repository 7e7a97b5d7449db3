//! Dates of issues and precedence between them. Each query takes many issues at once.

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use jiff::Timestamp;
use jiff::civil::Date;

/// The dates of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueDates {
    /// The issue.
    pub id: IssueId,
    /// Its parent.
    pub parent: Option<IssueId>,
    /// Its start date.
    pub start: Option<Date>,
    /// Its due date.
    pub due: Option<Date>,
}

/// A relation of type `precedes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precedence {
    /// The predecessor.
    pub before: IssueId,
    /// The successor.
    pub after: IssueId,
    /// Working days between them.
    pub delay: i64,
}

fn issue_dates(row: &Row<'_>) -> Result<IssueDates, StatementError> {
    Ok(IssueDates {
        id: row.next()?,
        parent: row.next()?,
        start: row.next()?,
        due: row.next()?,
    })
}

fn precedence(row: &Row<'_>) -> Result<Precedence, StatementError> {
    Ok(Precedence {
        before: row.next()?,
        after: row.next()?,
        delay: row.next::<Option<i64>>()?.unwrap_or(0),
    })
}

fn ids(issues: &[IssueId]) -> Value {
    Value::Ids(issues.iter().map(|issue| issue.0).collect())
}

/// Returns the dates of these issues.
pub fn list(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<IssueDates>, StoreError> {
    db.rows(
        "SELECT id, parent_id, start_date, due_date FROM issues WHERE id IN ids(?1)",
        &[ids(issues)],
        issue_dates,
    )
}

/// Returns the dates of the children of these issues.
pub fn children(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<IssueDates>, StoreError> {
    db.rows(
        "SELECT id, parent_id, start_date, due_date FROM issues WHERE parent_id IN ids(?1)",
        &[ids(issues)],
        issue_dates,
    )
}

/// Returns the relations to successors of these issues.
pub fn successors(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Precedence>, StoreError> {
    let sql = "SELECT issue_from_id, issue_to_id, delay FROM issue_relations WHERE issue_from_id IN ids(?1) AND relation_type = 'precedes'";
    db.rows(sql, &[ids(issues)], precedence)
}

/// Returns the relations to predecessors of these issues.
pub fn predecessors(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Precedence>, StoreError> {
    let sql = "SELECT issue_from_id, issue_to_id, delay FROM issue_relations WHERE issue_to_id IN ids(?1) AND relation_type = 'precedes'";
    db.rows(sql, &[ids(issues)], precedence)
}

/// Updates the dates of an issue.
pub fn update(db: &mut Write<'_>, dates: &IssueDates, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE issues SET start_date = ?2, due_date = ?3, updated_on = ?4 WHERE id = ?1",
        &[
            dates.id.into(),
            dates.start.into(),
            dates.due.into(),
            now.into(),
        ],
    )?;
    changes::record(db, Kind::Issue, dates.id)?;
    Ok(())
}
