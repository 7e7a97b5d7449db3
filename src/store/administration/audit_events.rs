//! The events of the audit log.
//!
//! Invariant: rows are inserted, and deleted when they are older than the setting allows or too many.
//! They are updated only to remove the data of a deleted user.

use crate::engine::{Row, StatementError};
use crate::json;
use crate::lists::filter::{contains_pattern, push_like};
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use jiff::{SignedDuration, Timestamp};
use quarry_domain::administration::audit::fields::IMPERSONAL_FIELDS;
use quarry_domain::administration::audit::{
    Actor, AuditEvent, EventFilter, StoredEvent, ValueChange,
};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::UserId;
use serde_json::Value as Json;

const COLUMNS: &str = "id, created_on, user_id, switched_by, address, origin, application, record, \
                       record_id, principal_id, name, change, project, details, changes_json";

/// Maximum number of refused logins that are kept, so that an attacker cannot fill the disk.
const MAX_REFUSALS: i64 = 100_000;
/// Number of events that one transaction deletes.
const EVENTS_PER_WRITE: i64 = 5_000;

fn from_row(row: &Row<'_>) -> Result<StoredEvent, StatementError> {
    Ok(StoredEvent {
        id: row.next()?,
        created_on: row.next()?,
        user: row.next()?,
        switched_by: row.next()?,
        address: row.next()?,
        origin: row.next()?,
        application: row.next()?,
        record: row.next()?,
        record_id: row.next()?,
        principal: row.next()?,
        name: row.next()?,
        change: row.next()?,
        project: row.next()?,
        details: row.next()?,
        changes: parse_changes(row.next::<Option<String>>()?.as_deref()),
    })
}

/// Parses a list of lists: the field, the value before, the value after.
fn parse_changes(text: Option<&str>) -> Vec<ValueChange> {
    let Json::Array(rows) = json::parse(text) else {
        return Vec::new();
    };
    let value = |row: &Json, index: usize| row.get(index).and_then(Json::as_str).map(str::to_owned);
    rows.iter()
        .map(|row| ValueChange {
            field: value(row, 0).unwrap_or_default(),
            before: value(row, 1),
            after: value(row, 2),
        })
        .collect()
}

fn format_changes(changes: &[ValueChange]) -> Option<String> {
    let rows = changes.iter().map(|change| {
        Json::from(vec![
            Json::from(change.field.as_str()),
            Json::from(change.before.as_deref()),
            Json::from(change.after.as_deref()),
        ])
    });
    (!changes.is_empty()).then(|| Json::Array(rows.collect()).to_string())
}

/// Inserts the events of the transaction.
pub(crate) fn insert_all(db: &mut Write<'_>) -> Result<(), StoreError> {
    let events = db.take_audit_events();
    if events.is_empty() {
        return Ok(());
    }
    let actor = db.actor().clone();
    for event in &events {
        insert(db, &actor, event)?;
    }
    Ok(())
}

fn insert(db: &mut Write<'_>, actor: &Actor, event: &AuditEvent) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("created_on", db.now())
        .set("user_id", actor.user)
        .set("switched_by", actor.switched_by)
        .set("address", actor.address.as_str())
        .set("origin", actor.origin.name())
        .set("application", actor.application.as_deref())
        .set("record", event.record.name())
        .set("record_id", event.id)
        .set("name", event.name.as_deref())
        .set("principal_id", event.principal)
        .set("change", event.change)
        .set("project", event.project.as_deref())
        .set("details", event.details.as_deref())
        .set("changes_json", format_changes(&event.changes));
    db.insert_record::<i64>("audit_events", columns)?;
    Ok(())
}

/// Returns events, the latest first.
pub fn list(
    db: &Read<'_>,
    filter: &EventFilter,
    offset: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, StoreError> {
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(" FROM audit_events");
    push_filter(&mut sql, filter);
    sql.push(" ORDER BY id DESC LIMIT ").bind(limit);
    sql.push(" OFFSET ").bind(offset);
    db.rows(sql.text(), sql.values(), from_row)
}

/// Returns events before the one with this id, the latest first, for exports.
pub fn list_before(
    db: &Read<'_>,
    filter: &EventFilter,
    id: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, StoreError> {
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(" FROM audit_events");
    push_filter(&mut sql, filter);
    sql.push(" AND id < ").bind(id);
    sql.push(" ORDER BY id DESC LIMIT ").bind(limit);
    db.rows(sql.text(), sql.values(), from_row)
}

/// Returns the event with this id.
pub fn find(db: &Read<'_>, id: i64) -> Result<Option<StoredEvent>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM audit_events WHERE id = ?1");
    db.first(&sql, &[id.into()], from_row)
}

/// Returns the number of events.
pub fn count(db: &Read<'_>, filter: &EventFilter) -> Result<i64, StoreError> {
    let mut sql = Sql::new("SELECT COUNT(*) FROM audit_events");
    push_filter(&mut sql, filter);
    db.query_i64(sql.text(), sql.values())
}

fn push_filter(sql: &mut Sql, filter: &EventFilter) {
    sql.push(" WHERE 1 = 1");
    if let Some(record) = &filter.record {
        sql.push(" AND record = ").bind(record.as_str());
    }
    if let Some(user) = filter.user {
        sql.push(" AND (user_id = ").bind(user);
        sql.push(" OR switched_by = ").bind(user);
        sql.push(" OR principal_id = ").bind(user);
        sql.push(" OR record IN ('user', 'login', 'switch') AND record_id = ");
        sql.bind(user).push(")");
    }
    if let Some(from) = filter.from {
        sql.push(" AND created_on >= ").bind(from);
    }
    if let Some(until) = filter.until {
        sql.push(" AND created_on < ").bind(until);
    }
    if let Some(text) = &filter.text {
        let pattern = contains_pattern(text);
        for (index, column) in TEXT_COLUMNS.into_iter().enumerate() {
            sql.push(if index == 0 { " AND (" } else { " OR " });
            push_like(sql, column, &pattern);
        }
        sql.push(")");
    }
}

/// The columns that a text filter searches.
const TEXT_COLUMNS: [&str; 8] = [
    "coalesce(name, '')",
    "change",
    "record",
    "coalesce(project, '')",
    "address",
    "coalesce(details, '')",
    "coalesce(changes_json, '')",
    "coalesce(application, '')",
];

/// Removes the data of a deleted user from the events: names, logins, mail addresses, and the
/// addresses from which the user has acted.
///
/// Events are selected by the id of the user, never by a name: anybody can register with the name of a
/// role or of somebody else.
pub fn anonymize(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE audit_events SET name = NULL \
         WHERE record IN ('user', 'login', 'switch', 'invitation', 'lost_password') \
         AND record_id = ?1 OR record = 'membership' AND principal_id = ?1",
        &[user.into()],
    )?;
    remove_personal_values(db, user)?;
    db.execute(
        "UPDATE audit_events SET address = '' WHERE user_id = ?1 OR switched_by = ?1",
        &[user.into()],
    )?;
    Ok(())
}

/// Removes the values that say who the user was. Those of rights stay: an administrator that somebody has
/// made must not vanish from the log with the account.
fn remove_personal_values(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "SELECT id, changes_json FROM audit_events \
               WHERE record = 'user' AND record_id = ?1 AND changes_json IS NOT NULL";
    let events = db.rows(sql, &[user.into()], |row| {
        Ok((row.next::<i64>()?, row.next::<Option<String>>()?))
    })?;
    for (id, text) in events {
        let mut changes = parse_changes(text.as_deref());
        changes.retain(|change| IMPERSONAL_FIELDS.contains(&change.field.as_str()));
        db.execute(
            "UPDATE audit_events SET changes_json = ?2 WHERE id = ?1",
            &[id.into(), format_changes(&changes).into()],
        )?;
    }
    Ok(())
}

/// Deletes events that are older than the setting allows, and the oldest refused logins above their
/// maximum number. Returns whether more may be left.
pub fn delete_old(db: &mut Write<'_>) -> Result<bool, StoreError> {
    let days = db.catalogue().integer_setting(Setting::AuditLogDays);
    let mut deleted = 0;
    if days > 0 {
        let age = SignedDuration::from_hours(days.saturating_mul(24));
        let before = db.now().saturating_sub(age).unwrap_or(Timestamp::MIN);
        deleted += db.execute(
            "DELETE FROM audit_events WHERE id IN \
             (SELECT id FROM audit_events WHERE created_on < ?1 ORDER BY created_on LIMIT ?2)",
            &[before.into(), EVENTS_PER_WRITE.into()],
        )?;
    }
    deleted += db.execute(
        "DELETE FROM audit_events WHERE record = 'login' AND change = 'refused' AND id <= \
         (SELECT id FROM audit_events WHERE record = 'login' AND change = 'refused' \
          ORDER BY id DESC LIMIT 1 OFFSET ?1)",
        &[MAX_REFUSALS.into()],
    )?;
    Ok(i64::try_from(deleted).is_ok_and(|deleted| deleted >= EVENTS_PER_WRITE))
}
