//! Time entries, as far as issues sum them up.

use super::{Read, StoreError, Write};
use crate::domain::ids::{EnumerationId, IssueId, ProjectId, UserId};
use jiff::Timestamp;
use jiff::civil::Date;
use std::collections::HashMap;

/// A time entry to be added.
pub struct NewTimeEntry {
    /// Where it belongs.
    pub project: ProjectId,
    /// On which issue the time was spent.
    pub issue: Option<IssueId>,
    /// Who spent it.
    pub user: UserId,
    /// On what.
    pub activity: EnumerationId,
    /// How long, in hours.
    pub hours: f64,
    /// On which day.
    pub spent_on: Date,
    /// When it was entered.
    pub created_on: Timestamp,
}

/// Adds a time entry.
pub fn insert(db: &mut Write<'_>, entry: &NewTimeEntry) -> Result<i64, StoreError> {
    db.insert(
        "INSERT INTO time_entries (project_id, issue_id, user_id, activity_id, hours, spent_on, created_on, updated_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) RETURNING id",
        &[
            entry.project.into(),
            entry.issue.into(),
            entry.user.into(),
            entry.activity.into(),
            entry.hours.into(),
            entry.spent_on.into(),
            entry.created_on.into(),
        ],
    )
}

/// The hours spent on these issues; an issue without any is not in it.
pub fn spent(db: &Read<'_>, issues: &[i64]) -> Result<HashMap<IssueId, f64>, StoreError> {
    let sql = "SELECT issue_id, SUM(hours) FROM time_entries WHERE issue_id IN ids(?1) GROUP BY issue_id";
    let rows = db.rows(sql, &[super::engine::Value::Ids(issues.to_vec())], |row| Ok((row.read(0)?, row.read(1)?)))?;
    Ok(rows.into_iter().collect())
}

/// Removes the time entries of an issue.
pub fn remove_of_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute("DELETE FROM time_entries WHERE issue_id = ?1", &[issue.into()])?;
    Ok(())
}
