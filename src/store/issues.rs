//! Issues: single ones, sums over subtrees, and writes. Lists are in `list.rs`.
//!
//! Functions without a `Visible` or `Viewer` ignore visibility: they are for calculations, and for
//! issues that the caller has checked.

pub(super) mod cache;
mod columns;
mod delete;
mod list;
mod matching_ids;
mod query;
mod weekly;

pub use columns::{last_updaters, sum};
pub use delete::delete;
pub use list::{count, list, list_and_count, plan};
pub use query::IssueQuery;
pub use weekly::{Week, last_activity, weekly};

use super::engine::{Row, StatementError, Value};
use super::sql::Sql;
use super::visibility::{self, push_visible};
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::IssueId;
use crate::domain::issue::Issue;
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility as visibility_rules;
use crate::domain::visible::Visible;
use std::collections::{HashMap, HashSet};

const COLUMNS: &str = "i.id, i.project_id, i.tracker_id, i.status_id, i.priority_id, i.author_id, i.assigned_to_id, i.category_id, i.fixed_version_id, \
                       i.parent_id, i.subject, i.description, i.is_private, i.start_date, i.due_date, i.done_ratio, i.estimated_hours, i.created_on, \
                       i.updated_on, i.closed_on";

fn from_row(row: &Row<'_>) -> Result<Issue, StatementError> {
    Ok(Issue {
        id: row.next()?,
        project: row.next()?,
        tracker: row.next()?,
        status: row.next()?,
        priority: row.next()?,
        author: row.next()?,
        assignee: row.next()?,
        category: row.next()?,
        version: row.next()?,
        parent: row.next()?,
        subject: row.next()?,
        description: row.next()?,
        private: row.next()?,
        start_date: row.next()?,
        due_date: row.next()?,
        done_ratio: row.next()?,
        estimated_hours: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
        closed_on: row.next()?,
    })
}

/// Returns the issue, if the viewer may see it.
pub fn find(db: &Read<'_>, visible: &Visible, id: IssueId) -> Result<Option<Issue>, StoreError> {
    let issue = db.first(
        &format!("SELECT {COLUMNS} FROM issues i WHERE i.id = ?1"),
        &[id.into()],
        from_row,
    )?;
    Ok(issue.filter(|issue| visible.matches(&issue.access_attributes())))
}

/// Returns those of these issues that have children.
pub fn with_children(db: &Read<'_>, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
    db.column(
        "SELECT DISTINCT parent_id FROM issues WHERE parent_id IN ids(?1)",
        &[Value::Ids(issues.to_vec())],
    )
}

/// Returns the issue, visible or not: for calculations, never for a response.
pub fn find_any(db: &Read<'_>, id: IssueId) -> Result<Option<Issue>, StoreError> {
    find(db, &Visible::Everything, id)
}

/// Returns the lock version: how often the issue has been updated.
pub fn lock_version(db: &Read<'_>, id: IssueId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT lock_version FROM issues WHERE id = ?1",
        &[id.into()],
    )
}

/// Whether the issue exists, visible or not.
pub fn exists(db: &Read<'_>, id: IssueId) -> Result<bool, StoreError> {
    Ok(db.query_i64("SELECT COUNT(*) FROM issues WHERE id = ?1", &[id.into()])? > 0)
}

/// Returns the estimated hours of these visible issues and their descendants that the viewer may
/// see: 0 without estimates. Issues without visible descendants and estimate are omitted.
pub fn total_estimated(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &[i64],
) -> Result<HashMap<IssueId, f64>, StoreError> {
    let mut sql = Sql::new("");
    push_descendants(&mut sql, issues);
    // An issue is a row of its own tree.
    let sum = "COALESCE(SUM(i.estimated_hours), CASE WHEN COUNT(*) > 1 THEN 0.0 END)";
    sql.push("SELECT b.top, ")
        .push(sum)
        .push(" FROM below b JOIN issues i ON i.id = b.id WHERE ");
    push_visible(
        &mut sql,
        visibility_rules::issues(viewer),
        visibility::ISSUE_UNINDEXED,
    );
    sums_by_issue(db, &mut sql)
}

/// Returns the hours on these issues and their descendants that the viewer may see, including hours
/// on hidden issues. Issues without hours are omitted.
pub fn total_spent(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &[i64],
) -> Result<HashMap<IssueId, f64>, StoreError> {
    let mut sql = Sql::new("");
    push_descendants(&mut sql, issues);
    sql.push(
        "SELECT b.top, SUM(t.hours) FROM below b JOIN time_entries t ON t.issue_id = b.id WHERE ",
    );
    push_visible(
        &mut sql,
        visibility_rules::time_entries(viewer),
        visibility::TIME_ENTRY_UNINDEXED,
    );
    sums_by_issue(db, &mut sql)
}

/// Adds a table of pairs: each of these issues, with itself and with each descendant. `UNION` ends
/// a cycle.
fn push_descendants(sql: &mut Sql, issues: &[i64]) {
    sql.push("WITH RECURSIVE below (top, id) AS (SELECT id, id FROM issues WHERE id IN")
        .bind_ids(issues);
    sql.push(" UNION SELECT b.top, c.id FROM below b JOIN issues c ON c.parent_id = b.id) ");
}

fn sums_by_issue(db: &Read<'_>, sql: &mut Sql) -> Result<HashMap<IssueId, f64>, StoreError> {
    sql.push(" GROUP BY b.top");
    let sums = db.rows(sql.text(), sql.values(), |row| {
        Ok((row.next()?, row.next::<Option<f64>>()?))
    })?;
    Ok(sums
        .into_iter()
        .filter_map(|(issue, sum)| Some((issue, sum?)))
        .collect())
}

/// Returns those of these issues that the viewer may see.
pub fn visible_ids(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &[i64],
) -> Result<HashSet<IssueId>, StoreError> {
    let mut sql = Sql::new("SELECT i.id FROM issues i WHERE i.id IN");
    sql.bind_ids(issues).push(" AND ");
    push_visible(
        &mut sql,
        visibility_rules::issues(viewer),
        visibility::ISSUE_UNINDEXED,
    );
    Ok(db.column(sql.text(), sql.values())?.into_iter().collect())
}

/// Inserts an issue; the id 0 means the next free one.
pub fn insert(db: &mut Write<'_>, issue: &Issue) -> Result<IssueId, StoreError> {
    let id = (issue.id.0 != 0).then_some(issue.id);
    let mut values: Vec<Value> = vec![id.into()];
    values.extend(column_values(issue));
    values.extend([issue.author.into(), issue.created_on.into()]);
    let id: IssueId = db.insert(
        "INSERT INTO issues (id, project_id, tracker_id, status_id, priority_id, assigned_to_id, category_id, fixed_version_id, parent_id, is_private, \
         done_ratio, estimated_hours, start_date, due_date, updated_on, closed_on, subject, description, author_id, created_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20) RETURNING id",
        &values,
    )?;
    changes::record(db, Kind::Issue, id)?;
    Ok(id)
}

/// Updates the columns of an issue, except author and creation time.
pub fn update(db: &mut Write<'_>, issue: &Issue) -> Result<(), StoreError> {
    let mut values: Vec<Value> = vec![issue.id.into()];
    values.extend(column_values(issue));
    db.execute(
        "UPDATE issues SET project_id = ?2, tracker_id = ?3, status_id = ?4, priority_id = ?5, assigned_to_id = ?6, category_id = ?7, \
         fixed_version_id = ?8, parent_id = ?9, is_private = ?10, done_ratio = ?11, estimated_hours = ?12, start_date = ?13, due_date = ?14, \
         updated_on = ?15, closed_on = ?16, subject = ?17, description = ?18, lock_version = lock_version + 1 WHERE id = ?1",
        &values,
    )?;
    changes::record(db, Kind::Issue, issue.id)?;
    Ok(())
}

fn column_values(issue: &Issue) -> [Value; 17] {
    [
        issue.project.into(),
        issue.tracker.into(),
        issue.status.into(),
        issue.priority.into(),
        issue.assignee.into(),
        issue.category.into(),
        issue.version.into(),
        issue.parent.into(),
        issue.private.into(),
        issue.done_ratio.into(),
        issue.estimated_hours.into(),
        issue.start_date.into(),
        issue.due_date.into(),
        issue.updated_on.into(),
        issue.closed_on.into(),
        (&issue.subject).into(),
        issue.description.as_ref().into(),
    ]
}

/// Returns these issues and their descendants.
pub fn subtrees(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<IssueId>, StoreError> {
    let sql = "WITH RECURSIVE below (id) AS (SELECT id FROM issues WHERE id IN ids(?1) \
               UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) SELECT id FROM below";
    db.column(
        sql,
        &[Value::Ids(issues.iter().map(|issue| issue.0).collect())],
    )
}
