//! Issues.

mod fit;
mod list;
mod shelf;
mod total;

pub use list::{Page, count, list, page, plan};
pub(super) use shelf::Shelf;

use super::engine::{Row, StatementError, Value};
use super::sql::Sql;
use super::visibility::{self, condition};
use super::{Read, StoreError, Write, attachments, changes, custom_fields, journals, relations, repositories, time_entries, watchers};
use crate::domain::custom_field::Customized;
use crate::domain::ids::IssueId;
use crate::domain::issue::Issue;
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{self as visibility_of, Visible};
use std::collections::{HashMap, HashSet};

const COLUMNS: &str = "i.id, i.project_id, i.tracker_id, i.status_id, i.priority_id, i.author_id, i.assigned_to_id, i.category_id, i.fixed_version_id, \
                       i.parent_id, i.subject, i.description, i.is_private, i.start_date, i.due_date, i.done_ratio, i.estimated_hours, i.created_on, \
                       i.updated_on, i.closed_on";

fn issue(row: &Row<'_>) -> Result<Issue, StatementError> {
    Ok(Issue {
        id: row.read(0)?,
        project: row.read(1)?,
        tracker: row.read(2)?,
        status: row.read(3)?,
        priority: row.read(4)?,
        author: row.read(5)?,
        assignee: row.read(6)?,
        category: row.read(7)?,
        version: row.read(8)?,
        parent: row.read(9)?,
        subject: row.read(10)?,
        description: row.read(11)?,
        private: row.read(12)?,
        start_date: row.read(13)?,
        due_date: row.read(14)?,
        done_ratio: row.read(15)?,
        estimated_hours: row.read(16)?,
        created_on: row.read(17)?,
        updated_on: row.read(18)?,
        closed_on: row.read(19)?,
    })
}

/// The issue, if the viewer may see it.
pub fn find(db: &Read<'_>, visible: &Visible, id: IssueId) -> Result<Option<Issue>, StoreError> {
    let found = db.first(&format!("SELECT {COLUMNS} FROM issues i WHERE i.id = ?1"), &[id.into()], issue)?;
    Ok(found.filter(|issue| visible.admits(&issue.facts())))
}

/// Those of these issues that have others below them.
pub fn tops(db: &Read<'_>, issues: &[i64]) -> Result<Vec<i64>, StoreError> {
    db.column("SELECT DISTINCT parent_id FROM issues WHERE parent_id IN ids(?1)", &[Value::Ids(issues.to_vec())])
}

/// The issue, whoever may see it: for what follows from it, never for an answer.
pub fn any(db: &Read<'_>, id: IssueId) -> Result<Option<Issue>, StoreError> {
    find(db, &Visible::Everything, id)
}

/// How often the issue has been changed.
pub fn lock_version(db: &Read<'_>, id: IssueId) -> Result<i64, StoreError> {
    db.number("SELECT lock_version FROM issues WHERE id = ?1", &[id.into()])
}

/// Whether there is such an issue at all, for whomever.
pub fn exists(db: &Read<'_>, id: IssueId) -> Result<bool, StoreError> {
    Ok(db.number("SELECT COUNT(*) FROM issues WHERE id = ?1", &[id.into()])? > 0)
}

/// Estimated hours of these issues with everything below them that the viewer may see; an issue without any estimate is not in
/// it.
pub fn total_estimated(db: &Read<'_>, viewer: &Viewer, issues: &[i64]) -> Result<HashMap<IssueId, f64>, StoreError> {
    let mut sql = Sql::new("");
    below(&mut sql, issues);
    sql.push("SELECT b.top, SUM(i.estimated_hours) FROM below b JOIN issues i ON i.id = b.id WHERE i.estimated_hours IS NOT NULL AND ");
    condition(&mut sql, visibility_of::issues(viewer), visibility::ISSUE);
    sums(db, &mut sql)
}

/// Hours spent on these issues and everything below them, as far as the viewer may know of them; an issue without any is not
/// in it.
pub fn total_spent(db: &Read<'_>, viewer: &Viewer, issues: &[i64]) -> Result<HashMap<IssueId, f64>, StoreError> {
    let mut sql = Sql::new("");
    below(&mut sql, issues);
    sql.push("SELECT b.top, SUM(t.hours) FROM below b JOIN issues i ON i.id = b.id JOIN time_entries t ON t.issue_id = b.id WHERE ");
    condition(&mut sql, visibility_of::issues(viewer), visibility::ISSUE);
    sql.push(" AND ");
    condition(&mut sql, visibility_of::time_entries(viewer), visibility::TIME_ENTRY);
    sums(db, &mut sql)
}

/// The pairs of one of these issues and itself or an issue below it. A circle ends where it began.
fn below(sql: &mut Sql, issues: &[i64]) {
    sql.push("WITH RECURSIVE below (top, id) AS (SELECT id, id FROM issues WHERE id IN").bind_ids(issues);
    sql.push(" UNION SELECT b.top, c.id FROM below b JOIN issues c ON c.parent_id = b.id) ");
}

fn sums(db: &Read<'_>, sql: &mut Sql) -> Result<HashMap<IssueId, f64>, StoreError> {
    sql.push(" GROUP BY b.top");
    Ok(db.rows(sql.text(), sql.values(), |row| Ok((row.read(0)?, row.read(1)?)))?.into_iter().collect())
}

/// Those of these issues that the viewer may see.
pub fn seen(db: &Read<'_>, viewer: &Viewer, issues: &[i64]) -> Result<HashSet<IssueId>, StoreError> {
    let mut sql = Sql::new("SELECT i.id FROM issues i WHERE i.id IN");
    sql.bind_ids(issues).push(" AND ");
    condition(&mut sql, visibility_of::issues(viewer), visibility::ISSUE);
    Ok(db.column(sql.text(), sql.values())?.into_iter().collect())
}

/// Adds an issue; its number is 0 for the next free one.
pub fn insert(db: &mut Write<'_>, issue: &Issue) -> Result<IssueId, StoreError> {
    let id = (issue.id.0 != 0).then_some(issue.id);
    let mut values: Vec<Value> = vec![id.into()];
    values.extend(content(issue));
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

/// Replaces what an issue says; author and creation stay.
pub fn change(db: &mut Write<'_>, issue: &Issue) -> Result<(), StoreError> {
    let mut values: Vec<Value> = vec![issue.id.into()];
    values.extend(content(issue));
    db.execute(
        "UPDATE issues SET project_id = ?2, tracker_id = ?3, status_id = ?4, priority_id = ?5, assigned_to_id = ?6, category_id = ?7, \
         fixed_version_id = ?8, parent_id = ?9, is_private = ?10, done_ratio = ?11, estimated_hours = ?12, start_date = ?13, due_date = ?14, \
         updated_on = ?15, closed_on = ?16, subject = ?17, description = ?18, lock_version = lock_version + 1 WHERE id = ?1",
        &values,
    )?;
    changes::record(db, Kind::Issue, issue.id)?;
    Ok(())
}

fn content(issue: &Issue) -> [Value; 17] {
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

/// These issues and everything below them.
pub fn subtrees(db: &Read<'_>, issues: &[IssueId]) -> Result<Vec<IssueId>, StoreError> {
    let sql = "WITH RECURSIVE below (id) AS (SELECT id FROM issues WHERE id IN ids(?1) \
               UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) SELECT id FROM below";
    db.column(sql, &[Value::Ids(issues.iter().map(|issue| issue.0).collect())])
}

/// Removes these issues, which must be all of their subtrees, with journals, time entries and attachments (spec).
pub fn remove(db: &mut Write<'_>, doomed: &[IssueId]) -> Result<(), StoreError> {
    let ids = Value::Ids(doomed.iter().map(|issue| issue.0).collect());
    db.execute("UPDATE issues SET parent_id = NULL WHERE id IN ids(?1)", &[ids])?;
    for issue in doomed.iter().copied() {
        journals::remove_of_issue(db, issue)?;
        time_entries::remove_of_issue(db, issue)?;
        relations::remove_of_issue(db, issue)?;
        watchers::remove_of_issue(db, issue)?;
        repositories::unlink_issue(db, issue)?;
        custom_fields::remove_of(db, Customized::Issue, issue.0)?;
        attachments::remove_of(db, Kind::Issue, issue.0)?;
        db.execute("DELETE FROM issues WHERE id = ?1", &[issue.into()])?;
        changes::record(db, Kind::Issue, issue)?;
    }
    Ok(())
}
