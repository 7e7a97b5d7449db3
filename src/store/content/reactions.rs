//! Reactions of users to records.

use crate::engine::{Row, StatementError, Value};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::content::reaction::{Reactable, ReactableType, Reaction};
use quarry_domain::ids::UserId;
use std::collections::HashMap;

/// Returns the reactions to these records of a type by record, oldest first.
pub fn list(
    db: &Read<'_>,
    reactable_type: ReactableType,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Reaction>>, StoreError> {
    let sql = "SELECT reactable_id, user_id, created_on FROM reactions WHERE reactable_type = ?1 AND reactable_id IN ids(?2) ORDER BY id";
    let values = [reactable_type.name().into(), Value::Ids(ids.to_vec())];
    let mut reactions: HashMap<i64, Vec<Reaction>> = HashMap::new();
    for reaction in db.rows(sql, &values, |row| from_row(row, reactable_type))? {
        reactions
            .entry(reaction.reactable.id)
            .or_default()
            .push(reaction);
    }
    Ok(reactions)
}

fn from_row(row: &Row<'_>, reactable_type: ReactableType) -> Result<Reaction, StatementError> {
    Ok(Reaction {
        reactable: Reactable {
            reactable_type,
            id: row.next()?,
        },
        user: row.next()?,
        created_on: row.next()?,
    })
}

/// Inserts a reaction, unless the user has reacted already.
pub fn insert(db: &mut Write<'_>, reaction: &Reaction) -> Result<(), StoreError> {
    if exists(db, reaction.reactable, reaction.user)? {
        return Ok(());
    }
    let columns = ColumnValues::new()
        .set("reactable_type", reaction.reactable.reactable_type.name())
        .set("reactable_id", reaction.reactable.id)
        .set("user_id", reaction.user)
        .set("created_on", reaction.created_on);
    db.insert_record::<i64>("reactions", columns).map(drop)
}

fn exists(db: &Read<'_>, reactable: Reactable, user: UserId) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM reactions WHERE reactable_type = ?1 AND reactable_id = ?2 AND user_id = ?3";
    let values = [
        reactable.reactable_type.name().into(),
        reactable.id.into(),
        user.into(),
    ];
    Ok(db.query_i64(sql, &values)? > 0)
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
