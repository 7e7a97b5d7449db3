//! The times of the latest warnings about each account, and of other mails to a user that are limited.

use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::ids::UserId;

/// Returns the number of warnings of the user about this type of event after `since`.
pub fn count_since(
    db: &Read<'_>,
    user: UserId,
    event: &str,
    since: Timestamp,
) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM account_warnings WHERE user_id = ?1 AND event = ?2 \
               AND created_on > ?3";
    db.query_i64(sql, &[user.into(), event.into(), since.into()])
}

/// Records a warning, and deletes those until `old`.
pub fn insert(
    db: &mut Write<'_>,
    user: UserId,
    event: &str,
    old: Timestamp,
) -> Result<(), StoreError> {
    let delete = "DELETE FROM account_warnings WHERE user_id = ?1 AND created_on <= ?2";
    db.execute(delete, &[user.into(), old.into()])?;
    let columns = ColumnValues::new()
        .set("user_id", user)
        .set("event", event)
        .set("created_on", db.now());
    db.insert_record::<i64>("account_warnings", columns)?;
    Ok(())
}
