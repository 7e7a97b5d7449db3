//! What is above and below an issue. A circle of parents, which no rule permits, ends where it began.

use super::sql::Sql;
use super::visibility::{self, condition};
use super::{Read, StoreError};
use crate::domain::ids::{EnumerationId, IssueId, StatusId, TrackerId};
use crate::domain::viewer::Viewer;
use crate::domain::visibility as visibility_of;
use jiff::civil::Date;

/// How far below an issue its subtasks are listed, in levels; and how many of them.
const DEEPEST: i64 = 100;
const MOST: i64 = 10_000;

/// A subtask, as it is listed below its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtask {
    /// Its number.
    pub id: IssueId,
    /// The issue of which it is a part.
    pub parent: IssueId,
    /// What it is.
    pub tracker: TrackerId,
    /// What it is about.
    pub subject: String,
}

/// The subtasks of the issue that the viewer may see, and theirs, by number. What is below a hidden one is hidden with it. At
/// most 100 levels and 10,000 in all.
pub fn list(db: &Read<'_>, viewer: &Viewer, issue: IssueId) -> Result<Vec<Subtask>, StoreError> {
    let mut sql = Sql::new("WITH RECURSIVE below (id, level) AS (SELECT id, 0 FROM issues WHERE id = ");
    sql.bind(issue).push(" UNION SELECT i.id, b.level + 1 FROM below b JOIN issues i ON i.parent_id = b.id WHERE b.level < ");
    sql.bind(DEEPEST).push(" AND i.id <> ").bind(issue).push(" AND ");
    condition(&mut sql, visibility_of::issues(viewer), visibility::ISSUE);
    sql.push(
        ") SELECT DISTINCT i.id, i.parent_id, i.tracker_id, i.subject FROM below b JOIN issues i ON i.id = b.id \
         WHERE b.level > 0 ORDER BY i.id LIMIT ",
    );
    sql.bind(MOST);
    db.rows(sql.text(), sql.values(), |row| {
        Ok(Subtask { id: row.read(0)?, parent: row.read(1)?, tracker: row.read(2)?, subject: row.read(3)? })
    })
}

/// Whether any issue below this one is open.
pub fn has_open_below(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE below (id) AS (SELECT id FROM issues WHERE parent_id = ?1 \
               UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) \
               SELECT COUNT(*) FROM below b JOIN issues i ON i.id = b.id JOIN issue_statuses s ON s.id = i.status_id \
               WHERE i.id <> ?1 AND s.is_closed = 0";
    Ok(db.number(sql, &[issue.into()])? > 0)
}

/// Whether any issue above this one is closed.
pub fn has_closed_above(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE above (id) AS (SELECT parent_id FROM issues WHERE id = ?1 \
               UNION SELECT p.parent_id FROM above a JOIN issues p ON p.id = a.id) \
               SELECT COUNT(*) FROM above a JOIN issues i ON i.id = a.id JOIN issue_statuses s ON s.id = i.status_id \
               WHERE i.id <> ?1 AND s.is_closed = 1";
    Ok(db.number(sql, &[issue.into()])? > 0)
}

/// Whether the one issue is somewhere above the other.
pub fn is_above(db: &Read<'_>, upper: IssueId, lower: IssueId) -> Result<bool, StoreError> {
    let sql = "WITH RECURSIVE above (id) AS (SELECT parent_id FROM issues WHERE id = ?1 \
               UNION SELECT p.parent_id FROM above a JOIN issues p ON p.id = a.id) SELECT COUNT(*) FROM above WHERE id = ?2";
    Ok(db.number(sql, &[lower.into(), upper.into()])? > 0)
}

/// A direct part of an issue, as far as it tells about the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// How far it has come.
    pub status: StatusId,
    /// How much it matters.
    pub priority: EnumerationId,
    /// When work on it begins.
    pub start_date: Option<Date>,
    /// When it is to be done.
    pub due_date: Option<Date>,
    /// How much of it is done, in per cent.
    pub done_ratio: i64,
    /// How long it and everything below it will take, in hours.
    pub estimated: Option<f64>,
}

/// Whether the issue has parts, for whomever.
pub fn has_parts(db: &Read<'_>, issue: IssueId) -> Result<bool, StoreError> {
    Ok(db.number("SELECT COUNT(*) FROM (SELECT id FROM issues WHERE parent_id = ?1 LIMIT 1) found", &[issue.into()])? > 0)
}

/// The direct parts of the issue, whoever may see them. `known` is one of them whose estimate with everything below it is known: what
/// is below it is not read again.
pub fn parts(db: &Read<'_>, issue: IssueId, known: Option<(IssueId, Option<f64>)>) -> Result<Vec<Part>, StoreError> {
    let sql = "WITH RECURSIVE below (top, id) AS (SELECT id, id FROM issues WHERE parent_id = ?1 AND id <> ?2 \
               UNION SELECT b.top, c.id FROM below b JOIN issues c ON c.parent_id = b.id), \
               sums (top, hours) AS (SELECT b.top, SUM(e.estimated_hours) FROM below b JOIN issues e ON e.id = b.id GROUP BY b.top) \
               SELECT i.status_id, i.priority_id, i.start_date, i.due_date, i.done_ratio, i.id, s.hours \
               FROM issues i LEFT JOIN sums s ON s.top = i.id WHERE i.parent_id = ?1 ORDER BY i.id";
    db.rows(sql, &[issue.into(), known.map_or(IssueId(0), |(part, _)| part).into()], |row| {
        let id: IssueId = row.read(5)?;
        let estimated = match known {
            Some((part, estimated)) if part == id => estimated,
            _ => row.read(6)?,
        };
        Ok(Part {
            status: row.read(0)?,
            priority: row.read(1)?,
            start_date: row.read(2)?,
            due_date: row.read(3)?,
            done_ratio: row.read(4)?,
            estimated,
        })
    })
}

/// The issues above this one, at whatever distance, without it, whoever may see them.
pub fn above(db: &Read<'_>, issue: IssueId) -> Result<Vec<IssueId>, StoreError> {
    let sql = "WITH RECURSIVE above (id) AS (SELECT parent_id FROM issues WHERE id = ?1 \
               UNION SELECT p.parent_id FROM above a JOIN issues p ON p.id = a.id) \
               SELECT id FROM above WHERE id IS NOT NULL AND id <> ?1 ORDER BY id";
    db.column(sql, &[issue.into()])
}

/// The issues below this one, at whatever depth, without it, whoever may see them.
pub fn below(db: &Read<'_>, issue: IssueId) -> Result<Vec<IssueId>, StoreError> {
    let sql = "WITH RECURSIVE below (id) AS (SELECT id FROM issues WHERE parent_id = ?1 \
               UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) SELECT id FROM below WHERE id <> ?1 ORDER BY id";
    db.column(sql, &[issue.into()])
}
