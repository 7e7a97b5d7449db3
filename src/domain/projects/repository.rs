//! Repositories of projects.

use crate::ids::ProjectId;
use jiff::Timestamp;

/// A repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    pub id: i64,
    pub project: ProjectId,
    /// Empty for a main repository without one.
    pub identifier: String,
    /// Its type as stored, such as `Git` or `Repository::Git`.
    pub scm: String,
    /// Whether it is the main repository of the project.
    pub is_default: bool,
    /// Where it is. Nothing is read from there.
    pub url: String,
    /// When it was added, if known.
    pub created_on: Option<Timestamp>,
}
