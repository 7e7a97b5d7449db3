//! Boards of the forums of projects.

use crate::ids::ProjectId;

/// A board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    pub id: i64,
    pub project: ProjectId,
    /// The board that it is listed below.
    pub parent: Option<i64>,
    pub name: String,
    pub description: String,
    /// Its place among the boards of the project.
    pub position: i64,
}
