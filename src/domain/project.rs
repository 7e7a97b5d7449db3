//! Projects: a tree of places that hold everything else.

use super::ids::{ProjectId, TrackerId};
use super::module::ModuleSet;
use jiff::Timestamp;

/// The state of a project (spec, "States and transitions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProjectStatus {
    /// Open for reading and writing.
    Active,
    /// Read-only.
    Closed,
    /// Hidden from everyone.
    Archived,
}

impl ProjectStatus {
    /// The code used in the store and on the wire.
    pub fn code(self) -> i64 {
        match self {
            Self::Active => 1,
            Self::Closed => 5,
            Self::Archived => 9,
        }
    }

    /// The state with this code.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::Active, Self::Closed, Self::Archived].into_iter().find(|status| status.code() == code)
    }
}

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its number.
    pub id: ProjectId,
    /// Its display name.
    pub name: String,
    /// Its name in addresses.
    pub identifier: String,
    /// What it is about; `None` when never given.
    pub description: Option<String>,
    /// Its home page, empty when there is none.
    pub homepage: String,
    /// The project above it.
    pub parent: Option<ProjectId>,
    /// Whether people who are not members may look in.
    pub is_public: bool,
    /// Whether the members of the project above are members here too.
    pub inherit_members: bool,
    /// Its state.
    pub status: ProjectStatus,
    /// The modules that are on.
    pub modules: ModuleSet,
    /// The trackers in use, in the order of their positions.
    pub trackers: Vec<TrackerId>,
    /// When it was made.
    pub created_on: Timestamp,
    /// When it was last changed.
    pub updated_on: Timestamp,
}
