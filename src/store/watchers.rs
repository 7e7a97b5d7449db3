//! Watchers of records.

use super::{Read, StoreError, Write};
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::watchable::{Watchable, WatchableType};

/// Returns the watchers of the record, in the order in which they were added.
pub fn list(db: &Read<'_>, watchable: Watchable) -> Result<Vec<PrincipalId>, StoreError> {
    let sql =
        "SELECT user_id FROM watchers WHERE watchable_type = ?1 AND watchable_id = ?2 ORDER BY id";
    db.column(
        sql,
        &[watchable.watchable_type.name().into(), watchable.id.into()],
    )
}

/// Returns what the user watches other than issues, the latest first, at most `limit` records.
pub fn list_by_user(db: &Read<'_>, user: UserId, limit: i64) -> Result<Vec<Watchable>, StoreError> {
    let sql = "SELECT watchable_type, watchable_id FROM watchers WHERE user_id = ?1 AND watchable_type <> 'Issue' ORDER BY id DESC LIMIT ?2";
    let rows = db.rows(sql, &[user.into(), limit.into()], |row| {
        Ok((row.next::<String>()?, row.next::<i64>()?))
    })?;
    let watchable =
        |(name, id): (String, i64)| Some(Watchable::new(WatchableType::from_name(&name)?, id));
    Ok(rows.into_iter().filter_map(watchable).collect())
}

/// Inserts a watcher, unless it exists.
pub fn insert(
    db: &mut Write<'_>,
    watchable: Watchable,
    watcher: PrincipalId,
) -> Result<(), StoreError> {
    if list(db, watchable)?.contains(&watcher) {
        return Ok(());
    }
    let sql = "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES (?1, ?2, ?3)";
    db.execute(
        sql,
        &[
            watchable.watchable_type.name().into(),
            watchable.id.into(),
            watcher.into(),
        ],
    )
    .map(drop)
}

/// Deletes a watcher, if it exists.
pub fn delete(
    db: &mut Write<'_>,
    watchable: Watchable,
    watcher: PrincipalId,
) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM watchers WHERE watchable_type = ?1 AND watchable_id = ?2 AND user_id = ?3";
    db.execute(
        sql,
        &[
            watchable.watchable_type.name().into(),
            watchable.id.into(),
            watcher.into(),
        ],
    )
    .map(drop)
}
