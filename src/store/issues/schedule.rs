//! Dates of issues and precedence between them. Each query takes many issues at once.

use crate::engine::{Row, StatementError, Value};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::schedule::{IssueDates, Precedence};

const DATES: &str = "id, parent_id, start_date, due_date";

fn issue_dates(row: &Row<'_>) -> Result<IssueDates, StatementError> {
    Ok(IssueDates {
        id: row.next()?,
        parent: row.next()?,
        start: row.next()?,
        due: row.next()?,
    })
}

const PRECEDENCE: &str = "issue_from_id, issue_to_id, delay";

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
        &format!("SELECT {DATES} FROM issues WHERE id IN ids(?1)"),
        &[ids(issues)],
        issue_dates,
    )
}

/// Returns the dates of the children of these issues.
pub fn children(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<IssueDates>, StoreError> {
    db.rows(
        &format!("SELECT {DATES} FROM issues WHERE parent_id IN ids(?1)"),
        &[ids(issues)],
        issue_dates,
    )
}

/// Returns the relations to successors of these issues.
pub fn successors(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Precedence>, StoreError> {
    let sql = format!(
        "SELECT {PRECEDENCE} FROM issue_relations WHERE issue_from_id IN ids(?1) AND relation_type = 'precedes'"
    );
    db.rows(&sql, &[ids(issues)], precedence)
}

/// Returns the relations to predecessors of these issues.
pub fn predecessors(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<Precedence>, StoreError> {
    let sql = format!(
        "SELECT {PRECEDENCE} FROM issue_relations WHERE issue_to_id IN ids(?1) AND relation_type = 'precedes'"
    );
    db.rows(&sql, &[ids(issues)], precedence)
}

/// Updates the dates of an issue.
pub fn update(db: &mut Write<'_>, dates: &IssueDates) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("start_date", dates.start)
        .set("due_date", dates.due)
        .set("updated_on", db.now());
    db.update_record("issues", dates.id, columns)?;
    changes::record(db, Kind::Issue, dates.id)?;
    Ok(())
}
