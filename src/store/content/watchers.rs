//! Watchers of records.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Value, Write};
use quarry_domain::content::watcher::{Watchable, WatchableType, Watcher};
use quarry_domain::ids::{PrincipalId, UserId};
use std::collections::HashMap;

/// Returns the watchers of the record, in the order in which they were added.
pub fn list(db: &Read<'_>, watchable: Watchable) -> Result<Vec<PrincipalId>, StoreError> {
    let sql =
        "SELECT user_id FROM watchers WHERE watchable_type = ?1 AND watchable_id = ?2 ORDER BY id";
    db.column(
        sql,
        &[watchable.watchable_type.name().into(), watchable.id.into()],
    )
}

/// Returns the watchers of each of these records, in the order in which they were added.
pub fn list_by_record(
    db: &Read<'_>,
    watchable_type: WatchableType,
    records: &[i64],
) -> Result<HashMap<i64, Vec<PrincipalId>>, StoreError> {
    let sql = "SELECT watchable_id, user_id FROM watchers WHERE watchable_type = ?1 AND watchable_id IN ids(?2) ORDER BY id";
    let values = [watchable_type.name().into(), Value::Ids(records.to_vec())];
    let rows: Vec<(i64, PrincipalId)> =
        db.rows(sql, &values, |row| Ok((row.next()?, row.next()?)))?;
    let mut watchers: HashMap<i64, Vec<PrincipalId>> = HashMap::new();
    for (record, watcher) in rows {
        watchers.entry(record).or_default().push(watcher);
    }
    Ok(watchers)
}

/// Returns what the user watches other than issues, the latest first, at most `limit` records.
pub fn list_by_user(db: &Read<'_>, user: UserId, limit: i64) -> Result<Vec<Watchable>, StoreError> {
    let sql = "SELECT watchable_type, watchable_id FROM watchers WHERE user_id = ?1 AND watchable_type <> 'Issue' ORDER BY id DESC LIMIT ?2";
    let watchables = db.rows(sql, &[user.into(), limit.into()], watchable_from_row)?;
    Ok(watchables.into_iter().flatten().collect())
}

/// Converts a row; `None` for an unknown type of record.
fn watchable_from_row(row: &Row<'_>) -> Result<Option<Watchable>, StatementError> {
    Ok(Some(Watchable {
        watchable_type: match row.next::<String>()?.parse() {
            Ok(watchable_type) => watchable_type,
            Err(_) => return Ok(None),
        },
        id: row.next()?,
    }))
}

/// Inserts a watcher, unless it exists.
pub fn insert(db: &mut Write<'_>, watcher: &Watcher) -> Result<(), StoreError> {
    if list(db, watcher.watchable)?.contains(&watcher.principal) {
        return Ok(());
    }
    let columns = ColumnValues::new()
        .set("watchable_type", watcher.watchable.watchable_type.name())
        .set("watchable_id", watcher.watchable.id)
        .set("user_id", watcher.principal);
    db.insert_record::<i64>("watchers", columns).map(drop)
}

/// Deletes a watcher, if it exists.
pub fn delete(db: &mut Write<'_>, watcher: &Watcher) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM watchers WHERE watchable_type = ?1 AND watchable_id = ?2 AND user_id = ?3";
    let values = [
        watcher.watchable.watchable_type.name().into(),
        watcher.watchable.id.into(),
        watcher.principal.into(),
    ];
    db.execute(sql, &values).map(drop)
}
