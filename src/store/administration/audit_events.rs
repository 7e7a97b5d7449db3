//! The events of the audit log that administrators read on a page.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::administration::audit::{AuditEvent, StoredEvent};
use quarry_domain::ids::UserId;

const COLUMNS: &str =
    "created_on, user_id, address, record, record_id, name, change, project, details";

/// Number of events that are kept.
const MAX_EVENTS: i64 = 100_000;

fn from_row(row: &Row<'_>) -> Result<StoredEvent, StatementError> {
    Ok(StoredEvent {
        created_on: row.next()?,
        user: row.next()?,
        address: row.next()?,
        record: row.next()?,
        record_id: row.next()?,
        name: row.next()?,
        change: row.next()?,
        project: row.next()?,
        details: row.next()?,
    })
}

/// Inserts an event of a request by this user from this address.
pub fn insert(
    db: &mut Write<'_>,
    user: Option<UserId>,
    address: &str,
    event: &AuditEvent,
) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("created_on", db.now())
        .set("user_id", user)
        .set("address", address)
        .set("record", event.record)
        .set("record_id", event.id)
        .set("name", event.name.as_deref())
        .set("principal_id", event.principal)
        .set("change", event.change)
        .set("project", event.project.as_deref())
        .set("details", event.details.as_deref());
    db.insert_record::<i64>("audit_events", columns)?;
    Ok(())
}

/// Returns events, the latest first.
pub fn list(db: &Read<'_>, offset: i64, limit: i64) -> Result<Vec<StoredEvent>, StoreError> {
    db.rows(
        &format!("SELECT {COLUMNS} FROM audit_events ORDER BY id DESC LIMIT ?1 OFFSET ?2"),
        &[limit.into(), offset.into()],
        from_row,
    )
}

/// Returns the number of events.
pub fn count(db: &Read<'_>) -> Result<i64, StoreError> {
    db.query_i64("SELECT COUNT(*) FROM audit_events", &[])
}

/// Removes what the events tell about a deleted user: the name and the login, and the addresses
/// from which the user has changed something.
pub fn anonymize(
    db: &mut Write<'_>,
    user: UserId,
    login: &str,
    name: &str,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE audit_events SET name = NULL \
         WHERE (record = 'user' AND record_id = ?1) OR principal_id = ?1 OR name IN (?2, ?3)",
        &[user.into(), login.into(), name.into()],
    )?;
    db.execute(
        "UPDATE audit_events SET address = '' WHERE user_id = ?1",
        &[user.into()],
    )?;
    Ok(())
}

/// Deletes the oldest events where there are very many.
pub fn delete_old(db: &mut Write<'_>) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM audit_events WHERE id <= (SELECT MAX(id) FROM audit_events) - ?1",
        &[MAX_EVENTS.into()],
    )?;
    Ok(())
}
