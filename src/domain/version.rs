//! Versions of projects, and issue categories.

use super::catalogue::Catalogue;
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
    /// The stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Descendants => "descendants",
            Self::Hierarchy => "hierarchy",
            Self::Tree => "tree",
            Self::System => "system",
        }
    }

    /// The sharing of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::None, Self::Descendants, Self::Hierarchy, Self::Tree, Self::System].into_iter().find(|sharing| sharing.name() == name)
    }
}

/// A version of a project.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its number.
    pub id: VersionId,
    /// The project to which it belongs.
    pub project: ProjectId,
    /// Its name.
    pub name: String,
    /// `open`, `locked` or `closed`.
    pub status: String,
    /// With which other projects it is shared.
    pub sharing: Sharing,
    /// When it is to be done.
    pub due_date: Option<Date>,
}

impl Version {
    /// Whether issues can still be planned for it (contract 4.4).
    pub fn is_open(&self) -> bool {
        self.status == "open"
    }

    /// Whether issues of the project can be planned for it, as far as the place goes.
    pub fn is_shared_with(&self, project: ProjectId, catalogue: &Catalogue) -> bool {
        let below = |low, high| catalogue.ancestors(low).contains(&high);
        self.project == project
            || match self.sharing {
                Sharing::None => false,
                Sharing::Descendants => below(project, self.project),
                Sharing::Hierarchy => below(project, self.project) || below(self.project, project),
                Sharing::Tree => catalogue.root(project) == catalogue.root(self.project),
                Sharing::System => true,
            }
    }
}

/// The longest name of a category (contract 4.8).
pub const LONGEST_CATEGORY: usize = 60;

/// A part of a project to which issues can be put.
#[derive(Clone, Debug)]
pub struct Category {
    /// Its number.
    pub id: CategoryId,
    /// The project to which it belongs.
    pub project: ProjectId,
    /// Its name.
    pub name: String,
    /// Who gets the issues that are put there.
    pub assignee: Option<PrincipalId>,
}
