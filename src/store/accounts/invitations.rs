//! Invitations of users. A token is looked up by its digest; the store never has the token itself.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::accounts::invitation::Invitation;
use quarry_domain::ids::UserId;

const COLUMNS: &str = "user_id, created_on, expires_on";

fn from_row(row: &Row<'_>) -> Result<Invitation, StatementError> {
    Ok(Invitation {
        user: row.next()?,
        created_on: row.next()?,
        expires_on: row.next()?,
    })
}

/// Returns the invitation with this token, even if it has expired.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<Invitation>, StoreError> {
    let digest = db.secrets().digest(token);
    db.first(
        &format!("SELECT {COLUMNS} FROM invitations WHERE token_digest = ?1"),
        &[digest.as_str().into()],
        from_row,
    )
}

/// Returns the invitation of a user, even if it has expired.
pub fn find_of_user(db: &Read<'_>, user: UserId) -> Result<Option<Invitation>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM invitations WHERE user_id = ?1"),
        &[user.into()],
        from_row,
    )
}

/// Inserts an invitation with this token in place of the former one of the user.
pub fn replace(db: &mut Write<'_>, token: &str, invitation: &Invitation) -> Result<(), StoreError> {
    delete_of_user(db, invitation.user)?;
    let digest = db.secrets().digest(token);
    let columns = ColumnValues::new()
        .set("token_digest", digest)
        .set("user_id", invitation.user)
        .set("created_on", invitation.created_on)
        .set("expires_on", invitation.expires_on);
    db.insert_record::<i64>("invitations", columns)?;
    Ok(())
}

/// Deletes the invitation of a user.
pub fn delete_of_user(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    db.execute("DELETE FROM invitations WHERE user_id = ?1", &[user.into()])?;
    Ok(())
}

/// Deletes the invitations that have expired.
pub fn delete_expired(db: &mut Write<'_>) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM invitations WHERE expires_on <= ?1",
        &[db.now().into()],
    )?;
    Ok(())
}
