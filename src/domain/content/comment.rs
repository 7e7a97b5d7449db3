//! Comments on news items.

use crate::ids::{CommentId, UserId};
use jiff::Timestamp;

/// A comment on a news item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    pub id: CommentId,
    pub news: i64,
    pub author: UserId,
    /// Markup.
    pub content: String,
    pub created_on: Timestamp,
}
