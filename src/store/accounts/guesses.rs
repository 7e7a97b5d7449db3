//! Wrong guesses of secrets, counted over all nodes, and addresses with a successful login.
//!
//! Keys are digests of what a guess counts for.

use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use std::collections::HashMap;

/// What is stored for a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    /// The number of wrong guesses; 0 for a known address.
    pub failures: i64,
    /// Until when further guesses are refused; the epoch for no delay.
    pub retry_on: Timestamp,
    /// When it is forgotten.
    pub expires_on: Timestamp,
}

/// Returns what is stored for those of the keys that have not expired.
pub fn find(db: &Read<'_>, keys: [&str; 4]) -> Result<HashMap<String, Guesses>, StoreError> {
    let sql = "SELECT key, failures, retry_on, expires_on FROM guesses \
               WHERE key IN (?1, ?2, ?3, ?4) AND expires_on > ?5";
    let [first, second, third, fourth] = keys.map(Into::into);
    let rows = db.rows(
        sql,
        &[first, second, third, fourth, db.now().into()],
        |row| {
            let key: String = row.next()?;
            let guesses = Guesses {
                failures: row.next()?,
                retry_on: row.next()?,
                expires_on: row.next()?,
            };
            Ok((key, guesses))
        },
    )?;
    Ok(rows.into_iter().collect())
}

/// Stores what is known for a key, and deletes what has expired.
pub fn set(db: &mut Write<'_>, key: &str, guesses: Guesses) -> Result<(), StoreError> {
    let sql = "DELETE FROM guesses WHERE expires_on <= ?1";
    db.execute(sql, &[db.now().into()])?;
    let columns = ColumnValues::new()
        .set("key", key)
        .set("failures", guesses.failures)
        .set("retry_on", guesses.retry_on)
        .set("expires_on", guesses.expires_on);
    let mut sql = columns.insert_into("guesses");
    sql.push(
        " ON CONFLICT (key) DO UPDATE SET failures = excluded.failures, retry_on = excluded.retry_on, expires_on = excluded.expires_on",
    );
    db.execute(sql.text(), sql.values()).map(drop)
}

/// Forgets a key.
pub fn delete(db: &mut Write<'_>, key: &str) -> Result<(), StoreError> {
    db.execute("DELETE FROM guesses WHERE key = ?1", &[key.into()])
        .map(drop)
}
