//! Reactions of users to records.

use crate::engine::{Row, StatementError, Value};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::content::reaction::{Reactable, ReactableType, Reaction, ReactionContent};
use std::collections::HashMap;

/// Returns the reactions to these records of a type by record, oldest first.
pub fn list(
    db: &Read<'_>,
    reactable_type: ReactableType,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Reaction>>, StoreError> {
    let sql = "SELECT reactable_id, user_id, content, created_on FROM reactions WHERE reactable_type = ?1 AND reactable_id IN ids(?2) ORDER BY id";
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
        content: parse_content(&row.next::<String>()?),
        created_on: row.next()?,
    })
}

/// What a later version of the program knows counts as a thumb up.
fn parse_content(name: &str) -> ReactionContent {
    ReactionContent::parse(name).unwrap_or_default()
}

/// Inserts a reaction, unless the user has this one already.
pub fn insert(db: &mut Write<'_>, reaction: &Reaction) -> Result<(), StoreError> {
    if exists(db, reaction)? {
        return Ok(());
    }
    let columns = ColumnValues::new()
        .set("reactable_type", reaction.reactable.reactable_type.name())
        .set("reactable_id", reaction.reactable.id)
        .set("user_id", reaction.user)
        .set("content", reaction.content.name())
        .set("created_on", reaction.created_on);
    db.insert_record::<i64>("reactions", columns).map(drop)
}

fn exists(db: &Read<'_>, reaction: &Reaction) -> Result<bool, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM reactions WHERE {SAME}");
    Ok(db.query_i64(&sql, &values_of(reaction))? > 0)
}

/// Deletes this reaction of a user, if there is one, whenever it was created.
pub fn delete(db: &mut Write<'_>, reaction: &Reaction) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM reactions WHERE {SAME}");
    db.execute(&sql, &values_of(reaction)).map(drop)
}

/// The condition that a reaction is the one with [`values_of`].
const SAME: &str = "reactable_type = ?1 AND reactable_id = ?2 AND user_id = ?3 AND content = ?4";

fn values_of(reaction: &Reaction) -> [Value; 4] {
    [
        reaction.reactable.reactable_type.name().into(),
        reaction.reactable.id.into(),
        reaction.user.into(),
        reaction.content.name().into(),
    ]
}
