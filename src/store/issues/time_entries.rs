//! Time entries: lists with filters, and the writes that follow changes of issues.

use crate::administration::custom_fields;
use crate::engine::{Row, StatementError, Value};
use crate::lists::filter;
use crate::lists::filter::FilterContext;
use crate::lists::page_size::page_len;
use crate::lists::sort;
use crate::lists::visibility::{TIME_ENTRY_INDEXED, push_visible};
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use jiff::civil::Date;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::{AccessAttributes, Visible};
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::ids::{EnumerationId, IssueId, ProjectId, TimeEntryId, UserId};
use quarry_domain::issues::time_entry::TimeEntry;
use quarry_domain::query::time_entries::{Condition, Criterion};
use std::collections::HashMap;

/// An imported entry without an author counts as created by the user who spent the time.
const COLUMNS: &str = "t.id, t.project_id, t.issue_id, t.user_id, COALESCE(t.author_id, t.user_id), t.activity_id, t.hours, t.comments, \
                       t.spent_on, t.created_on, t.updated_on";

fn from_row(row: &Row<'_>) -> Result<TimeEntry, StatementError> {
    Ok(TimeEntry {
        id: row.next()?,
        project: row.next()?,
        issue: row.next()?,
        user: row.next()?,
        author: row.next()?,
        activity: row.next()?,
        hours: row.next()?,
        comments: row.next()?,
        spent_on: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
    })
}

/// Returns the time entry, visible or not; actions check visibility.
pub fn find(db: &Read<'_>, id: TimeEntryId) -> Result<Option<TimeEntry>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM time_entries t WHERE t.id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// A query for one page of time entries.
pub struct TimeEntryQuery<'a> {
    /// The user that the list is for.
    pub viewer: &'a Viewer,
    /// The time entries that the viewer may see, or those of them in some projects.
    pub visible: &'a Visible,
    /// Conditions that all must match.
    pub conditions: &'a [Condition],
    /// The sort criteria.
    pub order: &'a [Criterion],
    /// How many matches to skip.
    pub offset: i64,
    /// Maximum number of time entries to return.
    pub limit: i64,
}

/// Returns the time entries of the page; fewer than its limit when their texts exceed the maximum
/// size of a page.
pub fn list(db: &Read<'_>, query: &TimeEntryQuery<'_>) -> Result<Vec<TimeEntry>, StoreError> {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM time_entries t WHERE "));
    push_conditions(db, &mut sql, query);
    sort::time_entries::order(
        &mut sql,
        query.order,
        FilterContext {
            viewer: query.viewer,
            catalogue: db.catalogue(),
            project: None,
        },
    );
    sql.push(" LIMIT ")
        .bind(query.limit)
        .push(" OFFSET ")
        .bind(query.offset);
    let mut entries = db.rows(sql.text(), sql.values(), from_row)?;
    let ids: Vec<i64> = entries.iter().map(|entry| entry.id.0).collect();
    let values = custom_fields::value_sizes(db, Customized::TimeEntry, &ids)?;
    entries.truncate(page_len(entries.iter().map(|entry| {
        entry.comments.as_deref().map_or(0, str::len)
            + values.get(&entry.id.0).copied().unwrap_or_default()
    })));
    Ok(entries)
}

/// Returns the first `limit` time entries of a user between two days, both included, that the viewer
/// may see.
pub fn list_by_day(
    db: &Read<'_>,
    visible: &Visible,
    user: UserId,
    (from, to): (Date, Date),
    limit: i64,
) -> Result<Vec<TimeEntry>, StoreError> {
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM time_entries t WHERE "));
    push_visible(&mut sql, visible, TIME_ENTRY_INDEXED);
    sql.push(" AND t.user_id = ").bind(user);
    sql.push(" AND t.spent_on >= ").bind(from);
    sql.push(" AND t.spent_on <= ").bind(to);
    sql.push(" ORDER BY t.spent_on, t.id LIMIT ").bind(limit);
    db.rows(sql.text(), sql.values(), from_row)
}

/// Returns how many time entries match in all.
pub fn count(db: &Read<'_>, query: &TimeEntryQuery<'_>) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM time_entries t WHERE ");
    push_conditions(db, &mut sql, query);
    db.query_i64(sql.text(), sql.values())
}

/// Adds the conditions of a query over `time_entries t`, with that of the viewer.
pub fn push_conditions(db: &Read<'_>, sql: &mut Sql, query: &TimeEntryQuery<'_>) {
    push_visible(sql, query.visible, TIME_ENTRY_INDEXED);
    let context = FilterContext {
        viewer: query.viewer,
        catalogue: db.catalogue(),
        project: None,
    };
    for condition in query.conditions {
        sql.push(" AND ");
        filter::time_entries::push_condition(sql, condition, context);
    }
}

/// Inserts a time entry; the id 0 means the next free one.
pub fn insert(db: &mut Write<'_>, entry: &TimeEntry) -> Result<TimeEntryId, StoreError> {
    let columns = columns(entry)
        .set_id(entry.id)
        .set("author_id", entry.author)
        .set("created_on", entry.created_on);
    db.insert_record("time_entries", columns)
}

/// Updates the columns of a time entry, except author and creation time.
pub fn update(db: &mut Write<'_>, entry: &TimeEntry) -> Result<(), StoreError> {
    db.update_record("time_entries", entry.id, columns(entry))
        .map(drop)
}

/// The columns that an update writes.
fn columns(entry: &TimeEntry) -> ColumnValues {
    ColumnValues::new()
        .set("project_id", entry.project)
        .set("issue_id", entry.issue)
        .set("user_id", entry.user)
        .set("activity_id", entry.activity)
        .set("hours", entry.hours)
        .set("comments", entry.comments.as_ref())
        .set("spent_on", entry.spent_on)
        .set("updated_on", entry.updated_on)
}

/// Deletes a time entry with its values in custom fields.
pub fn delete(db: &mut Write<'_>, id: TimeEntryId) -> Result<(), StoreError> {
    custom_fields::delete_values(db, Customized::TimeEntry, id.0)?;
    db.execute("DELETE FROM time_entries WHERE id = ?1", &[id.into()])?;
    Ok(())
}

/// Returns the hours of a user on one day in all projects, without one entry: to validate the limit
/// per day, never for a response.
pub fn hours_on_day(
    db: &Read<'_>,
    user: UserId,
    day: Date,
    without: TimeEntryId,
) -> Result<f64, StoreError> {
    let sql = "SELECT COALESCE(SUM(hours), 0.0) FROM time_entries WHERE user_id = ?1 AND spent_on = ?2 AND id <> ?3";
    Ok(db
        .first(sql, &[user.into(), day.into(), without.into()], |row| {
            row.next()
        })?
        .unwrap_or(0.0))
}

/// Returns the activities of the latest time that a user has logged for themselves, the latest day first:
/// for the form of that user, never for a response to others.
pub fn latest_activities(db: &Read<'_>, user: UserId) -> Result<Vec<EnumerationId>, StoreError> {
    let sql = "SELECT activity_id FROM time_entries WHERE user_id = ?1 AND author_id = ?1 ORDER BY spent_on DESC, id DESC LIMIT 50";
    db.column(sql, &[user.into()])
}

/// Returns the hours spent on these issues that the viewer may see; issues without any are omitted.
pub fn hours_by_issue(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &[i64],
) -> Result<HashMap<IssueId, f64>, StoreError> {
    let visible = visibility::time_entries(viewer);
    let sql =
        "SELECT issue_id, project_id, user_id, hours FROM time_entries WHERE issue_id IN ids(?1)";
    let mut hours = HashMap::new();
    db.for_each_row(sql, &[Value::Ids(issues.to_vec())], &mut |row| {
        let issue = row.next()?;
        let attributes = AccessAttributes {
            project: row.next()?,
            author: Some(row.next()?),
            ..AccessAttributes::default()
        };
        if visible.matches(&attributes) {
            *hours.entry(issue).or_insert(0.0) += row.next::<f64>()?;
        }
        Ok(())
    })?;
    Ok(hours)
}

/// Whether time was spent on any of these issues.
pub fn exist_on(db: &Read<'_>, issues: &[IssueId]) -> Result<bool, StoreError> {
    let ids = Value::Ids(issues.iter().map(|issue| issue.0).collect());
    Ok(db.query_i64(
        "SELECT EXISTS (SELECT 1 FROM time_entries WHERE issue_id IN ids(?1))",
        &[ids],
    )? > 0)
}

/// Moves the time entries of these issues to another issue and its project, or leaves them in their
/// project without an issue.
pub fn move_to_issue(
    db: &mut Write<'_>,
    issues: &[IssueId],
    target: Option<(IssueId, ProjectId)>,
) -> Result<(), StoreError> {
    let ids = Value::Ids(issues.iter().map(|issue| issue.0).collect());
    match target {
        Some((issue, project)) => {
            let sql =
                "UPDATE time_entries SET issue_id = ?2, project_id = ?3 WHERE issue_id IN ids(?1)";
            db.execute(sql, &[ids, issue.into(), project.into()])?;
            update_activities(db, issue, project)?;
        }
        None => {
            db.execute(
                "UPDATE time_entries SET issue_id = NULL WHERE issue_id IN ids(?1)",
                &[ids],
            )?;
        }
    }
    Ok(())
}

/// Sets the project of the time entries of an issue that was moved.
pub fn set_project_by_issue(
    db: &mut Write<'_>,
    issue: IssueId,
    project: ProjectId,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE time_entries SET project_id = ?2 WHERE issue_id = ?1 AND project_id <> ?2",
        &[issue.into(), project.into()],
    )?;
    update_activities(db, issue, project)
}

/// Replaces activities of other projects in the time entries of an issue: by the activity of this
/// project that replaces the same shared one, or by the shared one.
fn update_activities(
    db: &mut Write<'_>,
    issue: IssueId,
    project: ProjectId,
) -> Result<(), StoreError> {
    let sibling_query = "SELECT r.id FROM enumerations e JOIN enumerations r ON r.parent_id = e.parent_id \
                WHERE e.id = time_entries.activity_id AND r.project_id = ?2 ORDER BY r.id LIMIT 1";
    let shared = "SELECT e.parent_id FROM enumerations e WHERE e.id = time_entries.activity_id";
    let sql = format!(
        "UPDATE time_entries SET activity_id = COALESCE(({sibling_query}), ({shared})) WHERE issue_id = ?1 AND activity_id IN \
         (SELECT e.id FROM enumerations e WHERE e.parent_id IS NOT NULL AND e.project_id <> ?2)"
    );
    db.execute(&sql, &[issue.into(), project.into()])?;
    Ok(())
}

/// Deletes the time entries of an issue with their values in custom fields.
pub fn delete_by_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    let values = "DELETE FROM custom_values WHERE customized_type = ?2 AND customized_id IN (SELECT id FROM time_entries WHERE issue_id = ?1)";
    db.execute(
        values,
        &[issue.into(), Customized::TimeEntry.value_type().into()],
    )?;
    db.execute(
        "DELETE FROM time_entries WHERE issue_id = ?1",
        &[issue.into()],
    )?;
    Ok(())
}
