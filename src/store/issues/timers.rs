//! The running timers of users: at most one each.

use crate::{Read, StoreError, Write};
use quarry_domain::ids::{IssueId, UserId};
use quarry_domain::issues::timer::Timer;

/// Returns the running timer of a user.
pub fn find(db: &Read<'_>, user: UserId) -> Result<Option<Timer>, StoreError> {
    let sql = "SELECT issue_id, started_on FROM timers WHERE user_id = ?1";
    db.first(sql, &[user.into()], |row| {
        Ok(Timer {
            issue: row.next()?,
            started_on: row.next()?,
        })
    })
}

/// Starts a timer for a user who has none.
pub fn insert(db: &mut Write<'_>, user: UserId, issue: IssueId) -> Result<(), StoreError> {
    let sql = "INSERT INTO timers (user_id, issue_id, started_on) VALUES (?1, ?2, ?3)";
    let now = db.now();
    db.execute(sql, &[user.into(), issue.into(), now.into()])?;
    Ok(())
}

/// Removes the timer of a user.
pub fn delete(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    db.execute("DELETE FROM timers WHERE user_id = ?1", &[user.into()])?;
    Ok(())
}
