//! Further mail addresses of users. The first one is in `users`; see [`super::users`].

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::accounts::email_address::EmailAddress;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::ids::UserId;

const COLUMNS: &str = "id, user_id, address, notify, created_on, updated_on";

fn from_row(row: &Row<'_>) -> Result<EmailAddress, StatementError> {
    Ok(EmailAddress {
        id: row.next()?,
        user: row.next()?,
        address: row.next()?,
        notify: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
    })
}

/// Returns the further addresses of a user, in the order in which they were added.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<EmailAddress>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM email_addresses WHERE user_id = ?1 AND is_default = 0 ORDER BY id"
    );
    db.rows(&sql, &[user.into()], from_row)
}

/// Returns a further address of a user.
pub fn find(db: &Read<'_>, user: UserId, id: i64) -> Result<Option<EmailAddress>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM email_addresses WHERE user_id = ?1 AND id = ?2 AND is_default = 0"
    );
    db.first(&sql, &[user.into(), id.into()], from_row)
}

/// The columns that an update writes.
fn columns(address: &EmailAddress) -> ColumnValues {
    ColumnValues::new()
        .set("notify", address.notify)
        .set("updated_on", address.updated_on)
}

/// Inserts an address; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, address: &EmailAddress) -> Result<i64, StoreError> {
    let columns = columns(address)
        .set("user_id", address.user)
        .set("address", &address.address)
        .set("is_default", false)
        .set("created_on", address.created_on);
    audit(db, address.user, None, Some(describe(address)));
    db.insert_record("email_addresses", columns)
}

/// Records a change of an address, as one of its user.
fn audit(db: &mut Write<'_>, user: UserId, before: Option<String>, after: Option<String>) {
    if before != after {
        let event = AuditEvent::new(RecordType::User, user, "further mail address");
        db.audit(event.with_change("address", before, after).unlogged());
    }
}

fn describe(address: &EmailAddress) -> String {
    let suffix = if address.notify { "" } else { " (no mail)" };
    format!("{}{suffix}", address.address)
}

/// Returns an address before it is changed.
fn stored(db: &Read<'_>, id: i64) -> Result<Option<EmailAddress>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM email_addresses WHERE id = ?1 AND is_default = 0");
    db.first(&sql, &[id.into()], from_row)
}

/// Updates whether mail goes to an address.
pub fn update(db: &mut Write<'_>, address: &EmailAddress) -> Result<(), StoreError> {
    let before = stored(db, address.id)?.map(|before| describe(&before));
    audit(db, address.user, before, Some(describe(address)));
    db.update_record("email_addresses", address.id, columns(address))
        .map(drop)
}

/// Deletes an address.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    if let Some(before) = stored(db, id)? {
        audit(db, before.user, Some(describe(&before)), None);
    }
    db.execute("DELETE FROM email_addresses WHERE id = ?1", &[id.into()])
        .map(drop)
}
