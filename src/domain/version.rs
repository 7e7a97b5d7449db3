//! Versions of projects, and issue categories.

use super::ids::{CategoryId, PrincipalId, ProjectId, VersionId};
use jiff::civil::Date;

/// With which other projects a version is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// With none.
    None,
    /// With the projects below its own.
    Descendants,
    /// With the projects above and below its own.
    Hierarchy,
    /// With every project of its tree.
    Tree,
    /// With all.
    System,
}

impl Sharing {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Descendants => "descendants",
            Self::Hierarchy => "hierarchy",
            Self::Tree => "tree",
            Self::System => "system",
        }
    }

    /// Returns the sharing with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::None, Self::Descendants, Self::Hierarchy, Self::Tree, Self::System].into_iter().find(|sharing| sharing.name() == name)
    }
}

/// A version of a project.
#[derive(Clone, Debug)]
pub struct Version {
    /// The id.
    pub id: VersionId,
    /// The project to which it belongs.
    pub project: ProjectId,
    /// The name.
    pub name: String,
    /// `open`, `locked` or `closed`.
    pub status: String,
    /// With which other projects it is shared.
    pub sharing: Sharing,
    /// The due date.
    pub due_date: Option<Date>,
}

impl Version {
    /// Whether issues can still be planned for it (compatibility 6.4).
    pub fn is_open(&self) -> bool {
        self.status == "open"
    }
}

/// The longest name of a category (compatibility 6.8).
pub const MAX_CATEGORY_NAME_LENGTH: usize = 60;

/// A part of a project to which issues can be put.
#[derive(Clone, Debug)]
pub struct Category {
    /// The id.
    pub id: CategoryId,
    /// The project to which it belongs.
    pub project: ProjectId,
    /// The name.
    pub name: String,
    /// Who gets the issues that are put there.
    pub assignee: Option<PrincipalId>,
}
