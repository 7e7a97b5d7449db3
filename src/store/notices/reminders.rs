//! The assignees of due issues, and the last day for which the reminders of each user were processed.

use crate::engine::Value;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use jiff::civil::Date;
use quarry_domain::ids::{PrincipalId, UserId};
use quarry_domain::notices::reminder::ReminderFilter;
use std::collections::HashMap;

/// Returns the assignees of open issues in active projects that are due on or before this day. Whether
/// they may see the issues is not checked.
pub fn assignees(
    db: &Read<'_>,
    filter: &ReminderFilter,
    until: Date,
) -> Result<Vec<PrincipalId>, StoreError> {
    let mut sql = Sql::new(
        "SELECT DISTINCT i.assigned_to_id FROM issues i JOIN issue_statuses s ON s.id = i.status_id \
         JOIN projects p ON p.id = i.project_id \
         WHERE s.is_closed = 0 AND p.status = 1 AND i.assigned_to_id IS NOT NULL AND i.due_date <= ",
    );
    sql.bind(until);
    if let Some(project) = filter.project {
        sql.push(" AND i.project_id = ").bind(project);
    }
    if !filter.trackers.is_empty() {
        let ids: Vec<i64> = filter.trackers.iter().map(|id| id.0).collect();
        sql.push(" AND i.tracker_id IN").bind_ids(&ids);
    }
    if !filter.assignees.is_empty() {
        let ids: Vec<i64> = filter.assignees.iter().map(|id| id.0).collect();
        sql.push(" AND i.assigned_to_id IN").bind_ids(&ids);
    }
    if let Some(version) = &filter.version {
        sql.push(" AND i.fixed_version_id IN (SELECT id FROM versions WHERE name = ")
            .bind(version.as_str());
        sql.push(")");
    }
    db.column(sql.text(), sql.values())
}

/// Returns the last day for which the reminders of each user were processed.
pub fn days(db: &Read<'_>) -> Result<HashMap<UserId, Date>, StoreError> {
    let rows = db.rows("SELECT user_id, day FROM reminder_days", &[], |row| {
        Ok((row.next()?, row.next::<Option<Date>>()?))
    })?;
    let days = rows
        .into_iter()
        .filter_map(|(user, day)| Some((user, day?)));
    Ok(days.collect())
}

/// Records that the reminders of these users for this day were processed.
pub fn set_day(db: &mut Write<'_>, users: &[UserId], day: Date) -> Result<(), StoreError> {
    let users: Vec<i64> = users.iter().map(|user| user.0).collect();
    let sql = "INSERT INTO reminder_days (user_id, day) SELECT value, CAST(?2 AS TEXT) FROM ids(?1) known WHERE true \
               ON CONFLICT (user_id) DO UPDATE SET day = excluded.day";
    db.execute(sql, &[Value::Ids(users), day.into()]).map(drop)
}
