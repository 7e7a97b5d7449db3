//! The current numbers of the addresses for new issues, which count how often users have replaced them.

use crate::{Read, StoreError, Write};
use quarry_domain::ids::{ProjectId, UserId};

/// Returns the number of the current address, from 0.
pub fn number(db: &Read<'_>, user: UserId, project: ProjectId) -> Result<i64, StoreError> {
    let sql = "SELECT number FROM new_issue_addresses WHERE user_id = ?1 AND project_id = ?2";
    let number = db.first(sql, &[user.into(), project.into()], |row| row.next())?;
    Ok(number.unwrap_or(0))
}

/// Increases the number of the address, which makes the current one invalid.
pub fn renew(db: &mut Write<'_>, user: UserId, project: ProjectId) -> Result<(), StoreError> {
    let sql = "INSERT INTO new_issue_addresses (user_id, project_id, number) VALUES (?1, ?2, 1) \
               ON CONFLICT (user_id, project_id) DO UPDATE SET number = new_issue_addresses.number + 1";
    db.execute(sql, &[user.into(), project.into()]).map(drop)
}
