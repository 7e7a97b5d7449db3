//! News of projects.

use crate::ids::{ProjectId, UserId};
use jiff::Timestamp;

/// A news item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    pub id: i64,
    pub project: ProjectId,
    pub author: UserId,
    pub title: String,
    /// `None` is null, which differs from an empty text.
    pub summary: Option<String>,
    pub description: String,
    pub created_on: Timestamp,
}
