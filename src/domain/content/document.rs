//! Documents of projects.

use crate::ids::{EnumerationId, ProjectId};
use jiff::Timestamp;

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub id: i64,
    pub project: ProjectId,
    pub category: EnumerationId,
    pub title: String,
    /// `None` is null, which differs from an empty text. Always `None` in lists without
    /// descriptions.
    pub description: Option<String>,
    pub created_on: Timestamp,
}
