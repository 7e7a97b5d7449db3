//! Messages of forums: topics and their replies.

use crate::ids::UserId;
use jiff::Timestamp;

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    pub id: i64,
    pub board: i64,
    /// The topic to which it is a reply; `None` for a topic.
    pub topic: Option<i64>,
    /// `None` if unknown.
    pub author: Option<UserId>,
    pub subject: String,
    /// Markup; empty in lists of topics.
    pub content: String,
    /// Whether it is a topic that stands before the others.
    pub sticky: bool,
    /// Whether it is a topic that takes no replies.
    pub locked: bool,
    pub created_on: Timestamp,
    pub updated_on: Timestamp,
}
