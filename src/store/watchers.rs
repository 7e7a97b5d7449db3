//! Watchers of issues and wiki pages.

use super::{Read, StoreError, Write};
use crate::domain::ids::{IssueId, PrincipalId, WikiPageId};

/// Returns the watchers of the issue, in the order in which they were added.
pub fn list(db: &Read<'_>, issue: IssueId) -> Result<Vec<PrincipalId>, StoreError> {
    db.column("SELECT user_id FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = ?1 ORDER BY id", &[issue.into()])
}

/// Inserts a watcher, unless it exists.
pub fn insert(db: &mut Write<'_>, issue: IssueId, watcher: PrincipalId) -> Result<(), StoreError> {
    if list(db, issue)?.contains(&watcher) {
        return Ok(());
    }
    let sql = "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', ?1, ?2)";
    db.execute(sql, &[issue.into(), watcher.into()])?;
    Ok(())
}

/// Deletes a watcher, if it exists.
pub fn delete(db: &mut Write<'_>, issue: IssueId, watcher: PrincipalId) -> Result<(), StoreError> {
    let sql = "DELETE FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = ?1 AND user_id = ?2";
    db.execute(sql, &[issue.into(), watcher.into()])?;
    Ok(())
}

/// Deletes all watchers of an issue.
pub fn delete_by_issue(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    db.execute("DELETE FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = ?1", &[issue.into()])?;
    Ok(())
}

/// Deletes all watchers of a wiki page.
pub fn delete_by_wiki_page(db: &mut Write<'_>, page: WikiPageId) -> Result<(), StoreError> {
    db.execute("DELETE FROM watchers WHERE watchable_type = 'WikiPage' AND watchable_id = ?1", &[page.into()])?;
    Ok(())
}
