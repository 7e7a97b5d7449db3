//! Time entries.

use super::engine::{Row, StatementError, Value};
use super::filter::{self, Reader};
use super::page_size::page_len;
use super::sort;
use super::sql::Sql;
use super::visibility::{FREE_TIME_ENTRY, condition};
use super::{Read, StoreError, Write, custom_fields};
use crate::domain::custom_field::Customized;
use crate::domain::ids::{IssueId, ProjectId, TimeEntryId, UserId};
use crate::domain::query::time_entries::{Condition, Criterion};
use crate::domain::time_entry::TimeEntry;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::{self, Facts, Visible};
use jiff::civil::Date;
use std::collections::HashMap;

/// An entry that moved in without an author was entered by whoever spent the time.
const COLUMNS: &str = "t.id, t.project_id, t.issue_id, t.user_id, COALESCE(t.author_id, t.user_id), t.activity_id, t.hours, t.comments, \
                       t.spent_on, t.created_on, t.updated_on";

fn time_entry(row: &Row<'_>) -> Result<TimeEntry, StatementError> {
    Ok(TimeEntry {
        id: row.read(0)?,
        project: row.read(1)?,
        issue: row.read(2)?,
        user: row.read(3)?,
        author: row.read(4)?,
        activity: row.read(5)?,
        hours: row.read(6)?,
        comments: row.read(7)?,
        spent_on: row.read(8)?,
        created_on: row.read(9)?,
        updated_on: row.read(10)?,
    })
}

/// The time entry, whoever may see it: the action that asks decides.
pub fn find(db: &Read<'_>, id: TimeEntryId) -> Result<Option<TimeEntry>, StoreError> {
    db.first(&format!("SELECT {COLUMNS} FROM time_entries t WHERE t.id = ?1"), &[id.into()], time_entry)
}

/// A page of the time entries that fit.
pub struct Page<'a> {
    /// Who asks.
    pub viewer: &'a Viewer,
    /// What of it the viewer may see: the viewer's time entries, or those of a part of the projects.
    pub visible: &'a Visible,
    /// What is asked of the time entries; all of it must hold.
    pub conditions: &'a [Condition],
    /// Their order; without any, the latest day first.
    pub order: &'a [Criterion],
    /// How many to skip.
    pub offset: i64,
    /// How many to give at most.
    pub limit: i64,
}

/// The time entries of the page; fewer than its limit where their texts exceed the size of a page.
pub fn list(db: &Read<'_>, page: &Page<'_>) -> Result<Vec<TimeEntry>, StoreError> {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM time_entries t WHERE "));
    fitting(db, &mut sql, page);
    sort::time_entries::order(&mut sql, page.order, Reader { viewer: page.viewer, catalogue: db.catalogue() });
    sql.push(" LIMIT ").bind(page.limit).push(" OFFSET ").bind(page.offset);
    let mut found = db.rows(sql.text(), sql.values(), time_entry)?;
    let ids: Vec<i64> = found.iter().map(|entry| entry.id.0).collect();
    let values = custom_fields::sizes(db, Customized::TimeEntry, &ids)?;
    let size = |entry: &TimeEntry| entry.comments.as_deref().map_or(0, str::len) + values.get(&entry.id.0).copied().unwrap_or_default();
    found.truncate(page_len(found.iter().map(size)));
    Ok(found)
}

/// How many fit, whatever the page.
pub fn count(db: &Read<'_>, page: &Page<'_>) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM time_entries t WHERE ");
    fitting(db, &mut sql, page);
    db.number(sql.text(), sql.values())
}

fn fitting(db: &Read<'_>, sql: &mut Sql, page: &Page<'_>) {
    condition(sql, page.visible, FREE_TIME_ENTRY);
    let reader = Reader { viewer: page.viewer, catalogue: db.catalogue() };
    for asked in page.conditions {
        sql.push(" AND ");
        filter::time_entries::condition(sql, asked, reader);
    }
}

/// Adds a time entry; its number is 0 for the next free one.
pub fn insert(db: &mut Write<'_>, entry: &TimeEntry) -> Result<TimeEntryId, StoreError> {
    let id = (entry.id.0 != 0).then_some(entry.id);
    let mut values: Vec<Value> = vec![id.into()];
    values.extend(content(entry));
    values.extend([entry.author.into(), entry.created_on.into()]);
    db.insert(
        "INSERT INTO time_entries (id, project_id, issue_id, user_id, activity_id, hours, comments, spent_on, updated_on, author_id, created_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
        &values,
    )
}

/// Replaces what a time entry says; author and creation stay.
pub fn change(db: &mut Write<'_>, entry: &TimeEntry) -> Result<(), StoreError> {
    let mut values: Vec<Value> = vec![entry.id.into()];
    values.extend(content(entry));
    db.execute(
        "UPDATE time_entries SET project_id = ?2, issue_id = ?3, user_id = ?4, activity_id = ?5, hours = ?6, comments = ?7, spent_on = ?8, \
         updated_on = ?9 WHERE id = ?1",
        &values,
    )?;
    Ok(())
}

fn content(entry: &TimeEntry) -> [Value; 8] {
    [
        entry.project.into(),
        entry.issue.into(),
        entry.user.into(),
        entry.activity.into(),
        entry.hours.into(),
        entry.comments.as_ref().into(),
        entry.spent_on.into(),
        entry.updated_on.into(),
    ]
}

/// Removes a time entry with its values in custom fields.
pub fn remove(db: &mut Write<'_>, id: TimeEntryId) -> Result<(), StoreError> {
    custom_fields::remove_of(db, Customized::TimeEntry, id.0)?;
    db.execute("DELETE FROM time_entries WHERE id = ?1", &[id.into()])?;
    Ok(())
}

/// The hours that somebody has spent on one day, wherever, without those of one entry: for the rule that limits them, and never
/// for an answer to anybody else.
pub fn on_day(db: &Read<'_>, user: UserId, day: Date, without: TimeEntryId) -> Result<f64, StoreError> {
    let sql = "SELECT COALESCE(SUM(hours), 0.0) FROM time_entries WHERE user_id = ?1 AND spent_on = ?2 AND id <> ?3";
    Ok(db.first(sql, &[user.into(), day.into(), without.into()], |row| row.read(0))?.unwrap_or(0.0))
}

/// The hours spent on these issues, as far as the viewer may know of them; an issue without any is not in it.
pub fn spent(db: &Read<'_>, viewer: &Viewer, issues: &[i64]) -> Result<HashMap<IssueId, f64>, StoreError> {
    let visible = visibility::time_entries(viewer);
    let sql = "SELECT issue_id, project_id, user_id, hours FROM time_entries WHERE issue_id IN ids(?1)";
    let mut spent = HashMap::new();
    db.each(sql, &[Value::Ids(issues.to_vec())], |row| {
        let facts = Facts { project: row.read(1)?, private: false, author: Some(row.read(2)?), assignee: None, tracker: None };
        if visible.admits(&facts) {
            *spent.entry(row.read(0)?).or_insert(0.0) += row.read::<f64>(3)?;
        }
        Ok(())
    })?;
    Ok(spent)
}

/// Puts the time entries of these issues on another issue in its project, or takes them off and leaves them to their project.
pub fn change_issue(db: &mut Write<'_>, issues: &[IssueId], target: Option<(IssueId, ProjectId)>) -> Result<(), StoreError> {
    let ids = Value::Ids(issues.iter().map(|issue| issue.0).collect());
    match target {
        Some((issue, project)) => {
            let sql = "UPDATE time_entries SET issue_id = ?2, project_id = ?3 WHERE issue_id IN ids(?1)";
            db.execute(sql, &[ids, issue.into(), project.into()])?;
            fit_activities(db, issue, project)?;
        }
        None => drop(db.execute("UPDATE time_entries SET issue_id = NULL WHERE issue_id IN ids(?1)", &[ids])?),
    }
    Ok(())
}

/// Takes the time entries of an issue to the project to which it was moved.
pub fn change_project_of_issue(db: &mut Write<'_>, issue: IssueId, project: ProjectId) -> Result<(), StoreError> {
    db.execute("UPDATE time_entries SET project_id = ?2 WHERE issue_id = ?1 AND project_id <> ?2", &[issue.into(), project.into()])?;
    fit_activities(db, issue, project)
}

/// Where the time entries of an issue have an activity that stands for a shared one in another project, they get the one that
/// stands for it here, or the shared one.
fn fit_activities(db: &mut Write<'_>, issue: IssueId, project: ProjectId) -> Result<(), StoreError> {
    let here = "SELECT r.id FROM enumerations e JOIN enumerations r ON r.parent_id = e.parent_id \
                WHERE e.id = time_entries.activity_id AND r.project_id = ?2 ORDER BY r.id LIMIT 1";
    let shared = "SELECT e.parent_id FROM enumerations e WHERE e.id = time_entries.activity_id";
    let foreign = "SELECT e.id FROM enumerations e WHERE e.parent_id IS NOT NULL AND e.project_id <> ?2";
    let sql =
        format!("UPDATE time_entries SET activity_id = COALESCE(({here}), ({shared})) WHERE issue_id = ?1 AND activity_id IN ({foreign})");
    db.execute(&sql, &[issue.into(), project.into()])?;
    Ok(())
}

/// Removes the time entries of an issue with their values in custom fields.
pub fn remove_of_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    let values =
        "DELETE FROM custom_values WHERE customized_type = ?2 AND customized_id IN (SELECT id FROM time_entries WHERE issue_id = ?1)";
    db.execute(values, &[issue.into(), Customized::TimeEntry.stored().into()])?;
    db.execute("DELETE FROM time_entries WHERE issue_id = ?1", &[issue.into()])?;
    Ok(())
}
