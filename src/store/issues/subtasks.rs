//! Ancestors and descendants of issues. `UNION` ends a cycle of parents, which no rule allows.

use crate::engine::Value;
use crate::lists::visibility;
use crate::lists::visibility::push_visible;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use jiff::civil::Date;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility as visibility_rules;
use quarry_domain::ids::{EnumerationId, IssueId, StatusId, TrackerId};

/// Maximum number of levels of listed subtasks.
const MAX_DEPTH: i64 = 100;
/// Maximum number of listed subtasks.
const MAX_SUBTASKS: i64 = 10_000;

/// A subtask in the list of an issue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtask {
    pub id: IssueId,
    pub parent: IssueId,
    pub tracker: TrackerId,
    pub subject: String,
}

/// Returns the descendants of the issue that the viewer may see, by id, without those below a
/// hidden one. At most 100 levels and 10,000 in all.
pub fn list(db: &Read<'_>, viewer: &Viewer, issue: IssueId) -> Result<Vec<Subtask>, StoreError> {
    if !has_children(db, issue)? {
        return Ok(Vec::new());
    }
    let mut sql =
        Sql::new("WITH RECURSIVE below (id, level) AS (SELECT id, 0 FROM issues WHERE id = ");
    sql.bind(issue).push(" UNION SELECT i.id, b.level + 1 FROM below b JOIN issues i ON i.parent_id = b.id WHERE b.level < ");
    sql.bind(MAX_DEPTH)
        .push(" AND i.id <> ")
        .bind(issue)
        .push(" AND ");
    push_visible(
        &mut sql,
        visibility_rules::issues(viewer),
        visibility::ISSUE_UNINDEXED,
    );
    sql.push(
        ") SELECT DISTINCT i.id, i.parent_id, i.tracker_id, i.subject FROM below b JOIN issues i ON i.id = b.id \
         WHERE b.level > 0 ORDER BY i.id LIMIT ",
    );
    sql.bind(MAX_SUBTASKS);
    db.rows(sql.text(), sql.values(), |row| {
        Ok(Subtask {
            id: row.next()?,
            parent: row.next()?,
            tracker: row.next()?,
            subject: row.next()?,
        })
    })
}

/// Returns the parents of these issues, each once.
pub fn parents(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<IssueId>, StoreError> {
    let ids = Value::Ids(issues.iter().map(|issue| issue.0).collect());
    let sql = "SELECT DISTINCT parent_id FROM issues WHERE id IN ids(?1) AND parent_id IS NOT NULL";
    db.column(sql, &[ids])
}

/// Whether a descendant is open.
pub fn has_open_descendant(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    if !has_children(db, issue)? {
        return Ok(false);
    }
    let sql = "WITH RECURSIVE below (id) AS (SELECT id FROM issues WHERE parent_id = ?1 \
               UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) \
               SELECT COUNT(*) FROM below b JOIN issues i ON i.id = b.id JOIN issue_statuses s ON s.id = i.status_id \
               WHERE i.id <> ?1 AND s.is_closed = 0";
    Ok(db.query_i64(sql, &[issue.into()])? > 0)
}

/// Whether an ancestor is closed.
pub fn has_closed_ancestor(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE above (id) AS (SELECT parent_id FROM issues WHERE id = ?1 \
               UNION SELECT p.parent_id FROM above a JOIN issues p ON p.id = a.id) \
               SELECT COUNT(*) FROM above a JOIN issues i ON i.id = a.id JOIN issue_statuses s ON s.id = i.status_id \
               WHERE i.id <> ?1 AND s.is_closed = 1";
    Ok(db.query_i64(sql, &[issue.into()])? > 0)
}

/// Whether `ancestor` is an ancestor of `descendant`.
pub fn is_ancestor(
    db: &Read<'_>,
    ancestor: IssueId,
    descendant: IssueId,
) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE above (id) AS (SELECT parent_id FROM issues WHERE id = ?1 \
               UNION SELECT p.parent_id FROM above a JOIN issues p ON p.id = a.id) SELECT COUNT(*) FROM above WHERE id = ?2";
    Ok(db.query_i64(sql, &[descendant.into(), ancestor.into()])? > 0)
}

/// The attributes of a child that the attributes of its parent may be calculated from.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildSummary {
    pub status: StatusId,
    pub priority: EnumerationId,
    pub start_date: Option<Date>,
    pub due_date: Option<Date>,
    /// Its done ratio in percent.
    pub done_ratio: i64,
    /// The sum of the estimated hours of it and its descendants.
    pub estimated: Option<f64>,
}

/// Whether the issue has children, visible or not.
pub fn has_children(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    Ok(db.query_i64(
        "SELECT COUNT(*) FROM (SELECT id FROM issues WHERE parent_id = ?1 LIMIT 1) found",
        &[issue.into()],
    )? > 0)
}

/// Returns the children of the issue, visible or not. `calculated` is a child whose estimate
/// including descendants is given, so that it is not calculated again.
pub fn child_summaries(
    db: &Read<'_>,
    issue: IssueId,
    calculated: Option<(IssueId, Option<f64>)>,
) -> Result<Vec<ChildSummary>, StoreError> {
    let sql = "WITH RECURSIVE below (top, id) AS (SELECT id, id FROM issues WHERE parent_id = ?1 AND id <> ?2 \
               UNION SELECT b.top, c.id FROM below b JOIN issues c ON c.parent_id = b.id), \
               sums (top, hours) AS (SELECT b.top, SUM(e.estimated_hours) FROM below b JOIN issues e ON e.id = b.id GROUP BY b.top) \
               SELECT i.id, i.status_id, i.priority_id, i.start_date, i.due_date, i.done_ratio, s.hours \
               FROM issues i LEFT JOIN sums s ON s.top = i.id WHERE i.parent_id = ?1 ORDER BY i.id";
    db.rows(
        sql,
        &[
            issue.into(),
            calculated.map_or(IssueId(0), |(child, _)| child).into(),
        ],
        |row| {
            let id: IssueId = row.next()?;
            Ok(ChildSummary {
                status: row.next()?,
                priority: row.next()?,
                start_date: row.next()?,
                due_date: row.next()?,
                done_ratio: row.next()?,
                estimated: match calculated {
                    Some((child, estimated)) if child == id => estimated,
                    _ => row.next()?,
                },
            })
        },
    )
}

/// Returns the ancestors of the issue, visible or not.
pub fn ancestors(db: &Read<'_>, issue: IssueId) -> Result<Vec<IssueId>, StoreError> {
    let sql = "WITH RECURSIVE above (id) AS (SELECT parent_id FROM issues WHERE id = ?1 \
               UNION SELECT p.parent_id FROM above a JOIN issues p ON p.id = a.id) \
               SELECT id FROM above WHERE id IS NOT NULL AND id <> ?1 ORDER BY id";
    db.column(sql, &[issue.into()])
}

/// Returns the descendants of the issue, visible or not.
pub fn descendants(db: &Read<'_>, issue: IssueId) -> Result<Vec<IssueId>, StoreError> {
    let sql = "WITH RECURSIVE below (id) AS (SELECT id FROM issues WHERE parent_id = ?1 \
               UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) SELECT id FROM below WHERE id <> ?1 ORDER BY id";
    db.column(sql, &[issue.into()])
}
