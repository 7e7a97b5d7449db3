//! Sessions: logins of browsers. A token is looked up by its digest; the store never has the token
//! itself.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::accounts::session::{Session, SessionStep};
use quarry_domain::ids::{SessionId, UserId};

const COLUMNS: &str =
    "id, user_id, step, is_persistent, created_on, used_on, expires_on, address, user_agent";

fn from_row(row: &Row<'_>) -> Result<Session, StatementError> {
    Ok(Session {
        id: row.next()?,
        user: row.next()?,
        // A session with an unknown step authenticates nobody.
        step: SessionStep::from_repr(row.next()?).unwrap_or(SessionStep::SecondFactor),
        is_persistent: row.next()?,
        created_on: row.next()?,
        used_on: row.next()?,
        expires_on: row.next()?,
        address: row.next()?,
        user_agent: row.next()?,
    })
}

/// Returns the session with this token, even if it has expired.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<Session>, StoreError> {
    let digest = db.secrets().digest(token);
    db.first(
        &format!("SELECT {COLUMNS} FROM sessions WHERE token_digest = ?1"),
        &[digest.as_str().into()],
        from_row,
    )
}

/// Returns the sessions of a user, the last used first, even if they have expired.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<Session>, StoreError> {
    db.rows(
        &format!(
            "SELECT {COLUMNS} FROM sessions WHERE user_id = ?1 ORDER BY used_on DESC, id DESC"
        ),
        &[user.into()],
        from_row,
    )
}

/// Counts the sessions that have not expired by their age.
pub fn count_valid(db: &Read<'_>, now: Timestamp) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM sessions WHERE expires_on > ?1";
    db.query_i64(sql, &[now.into()])
}

/// Whether the user has the session with this id.
pub fn exists(db: &Read<'_>, user: UserId, id: SessionId) -> Result<bool, StoreError> {
    let found: Option<i64> = db.first(
        "SELECT 1 FROM sessions WHERE id = ?1 AND user_id = ?2",
        &[id.into(), user.into()],
        |row| row.next(),
    )?;
    Ok(found.is_some())
}

/// Inserts a session with this token; its `id` is ignored.
pub fn insert(db: &mut Write<'_>, token: &str, session: &Session) -> Result<SessionId, StoreError> {
    let digest = db.secrets().digest(token);
    let columns = ColumnValues::new()
        .set("token_digest", digest)
        .set("user_id", session.user)
        .set("step", session.step.code())
        .set("is_persistent", session.is_persistent)
        .set("created_on", session.created_on)
        .set("used_on", session.used_on)
        .set("expires_on", session.expires_on)
        .set("address", &session.address)
        .set("user_agent", &session.user_agent);
    db.insert_record("sessions", columns)
}

/// Records a request: its time and the address of the client.
pub fn set_used(db: &mut Write<'_>, id: SessionId, address: &str) -> Result<(), StoreError> {
    db.execute(
        "UPDATE sessions SET used_on = ?2, address = ?3 WHERE id = ?1",
        &[id.into(), db.now().into(), address.into()],
    )?;
    Ok(())
}

/// Deletes a session of the user. Returns whether there was one.
pub fn delete(db: &mut Write<'_>, user: UserId, id: SessionId) -> Result<bool, StoreError> {
    Ok(db.execute(
        "DELETE FROM sessions WHERE user_id = ?1 AND id = ?2",
        &[user.into(), id.into()],
    )? > 0)
}

/// Deletes all sessions of the user. Returns how many there were.
pub fn delete_of_user(db: &mut Write<'_>, user: UserId) -> Result<usize, StoreError> {
    db.execute("DELETE FROM sessions WHERE user_id = ?1", &[user.into()])
}

/// Deletes the sessions of the user except the `count` that were used last.
pub fn keep_last(db: &mut Write<'_>, user: UserId, count: i64) -> Result<usize, StoreError> {
    db.execute(
        "DELETE FROM sessions WHERE user_id = ?1 AND id NOT IN \
         (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY used_on DESC, id DESC LIMIT ?2)",
        &[user.into(), count.into()],
    )
}

/// Deletes the sessions that have expired by their age.
pub fn delete_expired(db: &mut Write<'_>) -> Result<usize, StoreError> {
    db.execute(
        "DELETE FROM sessions WHERE expires_on <= ?1",
        &[db.now().into()],
    )
}
