//! The issues of a list that have a start or due date in a period: for calendars.

use super::query::{IssueQuery, push_conditions};
use super::{COLUMNS, from_row};
use crate::lists::visibility;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use jiff::civil::Date;
use quarry_domain::issues::issue::Issue;

/// A period, and which issues are in it.
#[derive(Clone, Copy, Debug)]
pub struct DateRange {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Whether an issue that starts before and is due after it is in it. One with a date in the
    /// period always is.
    pub with_spanning: bool,
}

/// Returns how many of the matching issues are in the period, and the first of them by their dates,
/// at most as many as the limit of the query. Their descriptions are not loaded.
pub fn list_period(
    db: &Read<'_>,
    query: &IssueQuery<'_>,
    period: DateRange,
) -> Result<(i64, Vec<Issue>), StoreError> {
    let columns = COLUMNS.replace("i.description", "CAST(NULL AS TEXT)");
    let mut sql = statement(db, query, period, &columns);
    sql.push(" ORDER BY COALESCE(i.start_date, i.due_date), i.id LIMIT ")
        .bind(query.limit);
    let issues = db.rows(sql.text(), sql.values(), from_row)?;
    let count = i64::try_from(issues.len()).unwrap_or(i64::MAX);
    if count < query.limit {
        return Ok((count, issues));
    }
    let sql = statement(db, query, period, "COUNT(*)");
    Ok((db.query_i64(sql.text(), sql.values())?, issues))
}

/// Selects these columns of the issues in the period.
fn statement(db: &Read<'_>, query: &IssueQuery<'_>, period: DateRange, columns: &str) -> Sql {
    let DateRange { from, to, .. } = period;
    let mut sql = Sql::new(&format!("SELECT {columns} FROM issues i WHERE "));
    push_conditions(db, &mut sql, query, visibility::ISSUE_INDEXED);
    sql.push(" AND (i.start_date BETWEEN ").bind(from);
    sql.push(" AND ").bind(to);
    sql.push(" OR i.due_date BETWEEN ").bind(from);
    sql.push(" AND ").bind(to);
    if period.with_spanning {
        sql.push(" OR i.start_date < ").bind(from);
        sql.push(" AND i.due_date > ").bind(to);
    }
    sql.push(")");
    sql
}
