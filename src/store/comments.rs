//! Comments on news.

use super::{Read, StoreError, Write};
use crate::domain::ids::{CommentId, UserId};
use jiff::Timestamp;

/// Returns the news item that the comment with this id is on.
pub fn find_news(db: &Read<'_>, id: CommentId) -> Result<Option<i64>, StoreError> {
    db.first("SELECT commented_id FROM comments WHERE id = ?1 AND commented_type = 'News'", &[id.into()], |row| row.get(0))
}

/// Returns the number of comments on a news item.
pub fn count(db: &Read<'_>, news: i64) -> Result<i64, StoreError> {
    db.query_i64("SELECT COUNT(*) FROM comments WHERE commented_type = 'News' AND commented_id = ?1", &[news.into()])
}

/// Inserts a comment on a news item.
pub fn insert(db: &mut Write<'_>, news: i64, author: UserId, content: &str, now: Timestamp) -> Result<CommentId, StoreError> {
    let sql = "INSERT INTO comments (commented_type, commented_id, author_id, content, created_on, updated_on) \
               VALUES ('News', ?1, ?2, ?3, ?4, ?4) RETURNING id";
    db.insert(sql, &[news.into(), author.into(), content.into(), now.into()])
}

/// Deletes a comment.
pub fn delete(db: &mut Write<'_>, id: CommentId) -> Result<(), StoreError> {
    db.execute("DELETE FROM reactions WHERE reactable_type = 'Comment' AND reactable_id = ?1", &[id.into()])?;
    db.execute("DELETE FROM comments WHERE id = ?1", &[id.into()])?;
    Ok(())
}
