//! Reactions of users to records.

use super::engine::Value;
use super::{Read, StoreError, Write};
use crate::domain::ids::UserId;
use crate::domain::reactable::{Reactable, ReactableType};
use jiff::Timestamp;
use std::collections::HashMap;

/// A reaction.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// Who reacted.
    pub user: UserId,
    /// When.
    pub created_on: Timestamp,
}

/// Returns the reactions to these records of a type by record, oldest first.
pub fn list(
    db: &Read<'_>,
    reactable_type: ReactableType,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Reaction>>, StoreError> {
    let sql = "SELECT reactable_id, user_id, created_on FROM reactions WHERE reactable_type = ?1 AND reactable_id IN ids(?2) ORDER BY id";
    let values = [reactable_type.name().into(), Value::Ids(ids.to_vec())];
    let mut reactions: HashMap<i64, Vec<Reaction>> = HashMap::new();
    for (id, reaction) in db.rows(sql, &values, |row| {
        Ok((
            row.next()?,
            Reaction {
                user: row.next()?,
                created_on: row.next()?,
            },
        ))
    })? {
        reactions.entry(id).or_default().push(reaction);
    }
    Ok(reactions)
}

/// Inserts a reaction, unless the user has reacted already.
pub fn insert(
    db: &mut Write<'_>,
    reactable: Reactable,
    user: UserId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS \
               (SELECT 1 FROM reactions WHERE reactable_type = ?1 AND reactable_id = ?2 AND user_id = ?3)";
    db.execute(
        sql,
        &[
            reactable.reactable_type.name().into(),
            reactable.id.into(),
            user.into(),
            now.into(),
        ],
    )
    .map(drop)
}

/// Deletes the reaction of a user, if there is one.
pub fn delete(db: &mut Write<'_>, reactable: Reactable, user: UserId) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM reactions WHERE reactable_type = ?1 AND reactable_id = ?2 AND user_id = ?3";
    db.execute(
        sql,
        &[
            reactable.reactable_type.name().into(),
            reactable.id.into(),
            user.into(),
        ],
    )
    .map(drop)
}
