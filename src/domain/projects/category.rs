//! Issue categories of projects.

use crate::ids::{CategoryId, PrincipalId, ProjectId};

/// Maximum length of the name of a category in characters (compatibility 6.8).
pub const MAX_CATEGORY_NAME_LENGTH: usize = 60;

/// An issue category of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Category {
    pub id: CategoryId,
    pub project: ProjectId,
    pub name: String,
    /// The default assignee of its issues.
    pub assignee: Option<PrincipalId>,
}
