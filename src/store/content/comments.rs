//! Comments on news items. The caller checks that the viewer may see the news item.

use crate::engine::{Row, StatementError, Value};
use crate::lists::page_size::page_len;
use crate::lists::polymorphic;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::content::comment::Comment;
use quarry_domain::ids::CommentId;

/// Maximum number of comments on a news item.
pub const MAX_COMMENTS: i64 = 1_000;

const COLUMNS: &str = "id, commented_id, author_id, content, created_on";

fn from_row(row: &Row<'_>) -> Result<Comment, StatementError> {
    Ok(Comment {
        id: row.next()?,
        news: row.next()?,
        author: row.next()?,
        content: row.next()?,
        created_on: row.next()?,
    })
}

/// Returns a page of the comments on a news item, oldest first; fewer than `limit` when their texts
/// exceed the maximum size of a page.
pub fn list(db: &Read<'_>, news: i64, offset: i64, limit: i64) -> Result<Vec<Comment>, StoreError> {
    let sql = "SELECT id, octet_length(content) FROM comments WHERE commented_type = 'News' AND commented_id = ?1 \
               ORDER BY created_on, id LIMIT ?2 OFFSET ?3";
    let mut sizes: Vec<(i64, i64)> =
        db.rows(sql, &[news.into(), limit.into(), offset.into()], |row| {
            Ok((row.next()?, row.next()?))
        })?;
    sizes.truncate(page_len(
        sizes
            .iter()
            .map(|(_, bytes)| usize::try_from(*bytes).unwrap_or(0)),
    ));
    let ids = Value::Ids(sizes.iter().map(|(id, _)| *id).collect());
    db.rows(
        &format!("SELECT {COLUMNS} FROM comments WHERE id IN ids(?1) ORDER BY created_on, id"),
        &[ids],
        from_row,
    )
}

/// Returns the comment with this id.
pub fn find(db: &Read<'_>, id: CommentId) -> Result<Option<Comment>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM comments WHERE id = ?1 AND commented_type = 'News'"),
        &[id.into()],
        from_row,
    )
}

/// Returns the number of comments on a news item.
pub fn count(db: &Read<'_>, news: i64) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM comments WHERE commented_type = 'News' AND commented_id = ?1",
        &[news.into()],
    )
}

/// Inserts a comment; its id is ignored. Returns the new id.
pub fn insert(db: &mut Write<'_>, comment: &Comment) -> Result<CommentId, StoreError> {
    let columns = ColumnValues::new()
        .set("commented_type", "News")
        .set("commented_id", comment.news)
        .set("author_id", comment.author)
        .set("content", &comment.content)
        .set("created_on", comment.created_on)
        .set("updated_on", comment.created_on);
    db.insert_record("comments", columns)
}

/// Deletes a comment.
pub fn delete(db: &mut Write<'_>, id: CommentId) -> Result<(), StoreError> {
    polymorphic::delete_by_owners(db, "Comment", &[id.0])?;
    db.execute("DELETE FROM comments WHERE id = ?1", &[id.into()])
        .map(drop)
}

/// Deletes all comments on a news item.
pub fn delete_all(db: &mut Write<'_>, news: i64) -> Result<(), StoreError> {
    let comments: Vec<i64> = db.column(
        "SELECT id FROM comments WHERE commented_type = 'News' AND commented_id = ?1",
        &[news.into()],
    )?;
    polymorphic::delete_by_owners(db, "Comment", &comments)?;
    db.execute(
        "DELETE FROM comments WHERE commented_type = 'News' AND commented_id = ?1",
        &[news.into()],
    )
    .map(drop)
}
