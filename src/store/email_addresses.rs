//! Further mail addresses of users. The first one is in `users`; see [`super::users`].

use super::engine::{Row, StatementError};
use super::{Read, StoreError, Write};
use crate::domain::ids::UserId;
use jiff::Timestamp;

/// A further mail address of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress {
    /// Its id.
    pub id: i64,
    /// The address.
    pub address: String,
    /// Whether mail goes to it, too.
    pub notify: bool,
    /// When it was added.
    pub created_on: Timestamp,
    /// When it last changed.
    pub updated_on: Timestamp,
}

const COLUMNS: &str = "id, address, notify, created_on, updated_on";

fn from_row(row: &Row<'_>) -> Result<EmailAddress, StatementError> {
    Ok(EmailAddress {
        id: row.next()?,
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

/// Inserts an address and returns its id.
pub fn insert(
    db: &mut Write<'_>,
    user: UserId,
    address: &str,
    notify: bool,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let sql = "INSERT INTO email_addresses (user_id, address, is_default, notify, created_on, updated_on) \
               VALUES (?1, ?2, 0, ?3, ?4, ?4) RETURNING id";
    db.insert(
        sql,
        &[user.into(), address.into(), notify.into(), now.into()],
    )
}

/// Sets whether mail goes to an address.
pub fn update(db: &mut Write<'_>, id: i64, notify: bool, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE email_addresses SET notify = ?2, updated_on = ?3 WHERE id = ?1",
        &[id.into(), notify.into(), now.into()],
    )
    .map(drop)
}

/// Deletes an address.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    db.execute("DELETE FROM email_addresses WHERE id = ?1", &[id.into()])
        .map(drop)
}
