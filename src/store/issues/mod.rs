//! Issues: single ones, sums over subtrees, and writes. Lists are in `list.rs`.
//!
//! Functions without a `Visible` or `Viewer` ignore visibility: they are for calculations, and for
//! issues that the caller has checked.

pub mod board;
pub mod board_limits;
mod columns;
mod counts;
mod date_range;
mod delete;
pub mod journals;
mod list;
mod matching_ids;
mod query;
pub mod relations;
pub mod saved_replies;
pub mod schedule;
pub mod sets;
pub mod subtasks;
pub mod templates;
pub mod time_entries;
pub mod time_reports;
pub mod timers;
mod weekly;

pub use columns::{last_updaters, sum};
pub use counts::{count_by_status, count_open_by_project};
pub use date_range::{DateRange, list_period};
pub use delete::delete;
pub use list::{count, list, list_and_count, plan};
pub use query::IssueQuery;
pub use weekly::{Week, last_activity, weekly};

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write};
use crate::lists::visibility;
use crate::lists::visibility::push_visible;
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility as visibility_rules;
use quarry_domain::access::visible::{AccessAttributes, Visible};
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::Issue;
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
    let issue = db.first(&find_statement(), &[id.into()], from_row)?;
    Ok(issue.filter(|issue| visible.matches(&issue.access_attributes())))
}

/// Prepares for [`find`] with several ids.
pub fn preload(db: &Read<'_>, ids: impl Iterator<Item = IssueId>) -> Result<(), StoreError> {
    db.preload(&find_statement(), ids.map(|id| vec![id.into()]))
}

fn find_statement() -> String {
    format!("SELECT {COLUMNS} FROM issues i WHERE i.id = ?1")
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

/// Returns the highest id of an issue; 0 without any.
pub fn max_id(db: &Read<'_>) -> Result<i64, StoreError> {
    db.query_i64("SELECT COALESCE(MAX(id), 0) FROM issues", &[])
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
    if issues.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = "SELECT i.id, i.project_id, i.is_private, i.author_id, i.assigned_to_id, i.tracker_id \
               FROM issues i WHERE i.id IN ids(?1)";
    let rows = db.rows(sql, &[Value::Ids(issues.to_vec())], |row| {
        let id = row.next()?;
        let attributes = AccessAttributes {
            project: row.next()?,
            private: row.next()?,
            author: row.next()?,
            assignee: row.next()?,
            tracker: row.next()?,
        };
        Ok((id, attributes))
    })?;
    let visible = visibility_rules::issues(viewer);
    Ok(rows
        .into_iter()
        .filter(|(_, attributes)| visible.matches(attributes))
        .map(|(id, _)| id)
        .collect())
}

/// Inserts an issue; the id 0 means the next free one.
pub fn insert(db: &mut Write<'_>, issue: &Issue) -> Result<IssueId, StoreError> {
    let columns = columns(issue)
        .set_id(issue.id)
        .set("author_id", issue.author)
        .set("created_on", issue.created_on);
    let id = db.insert_record("issues", columns)?;
    changes::record(db, Kind::Issue, id)?;
    Ok(id)
}

/// Updates the columns of an issue, except author and creation time.
pub fn update(db: &mut Write<'_>, issue: &Issue) -> Result<(), StoreError> {
    let mut sql = columns(issue).update("issues");
    sql.push(", lock_version = lock_version + 1 WHERE id = ")
        .bind(issue.id);
    db.execute(sql.text(), sql.values())?;
    changes::record(db, Kind::Issue, issue.id).map(drop)
}

/// The columns that an update writes.
fn columns(issue: &Issue) -> ColumnValues {
    ColumnValues::new()
        .set("project_id", issue.project)
        .set("tracker_id", issue.tracker)
        .set("status_id", issue.status)
        .set("priority_id", issue.priority)
        .set("assigned_to_id", issue.assignee)
        .set("category_id", issue.category)
        .set("fixed_version_id", issue.version)
        .set("parent_id", issue.parent)
        .set("subject", &issue.subject)
        .set("description", issue.description.as_ref())
        .set("is_private", issue.private)
        .set("start_date", issue.start_date)
        .set("due_date", issue.due_date)
        .set("done_ratio", issue.done_ratio)
        .set("estimated_hours", issue.estimated_hours)
        .set("updated_on", issue.updated_on)
        .set("closed_on", issue.closed_on)
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
