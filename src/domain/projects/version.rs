//! Versions of projects.

use crate::ids::{ProjectId, VersionId};
use jiff::Timestamp;
use jiff::civil::Date;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The projects with which a version is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Sharing {
    /// No other project.
    #[default]
    None,
    /// The descendants of its project.
    Descendants,
    /// The ancestors and descendants of its project.
    Hierarchy,
    /// All projects of its tree.
    Tree,
    /// All projects.
    System,
}

impl Sharing {
    /// All of them, the narrowest first.
    pub const ALL: &[Sharing] = Self::VARIANTS;

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A version of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    pub id: VersionId,
    pub project: ProjectId,
    pub name: String,
    /// `open`, `locked` or `closed`.
    pub status: String,
    /// The projects with which it is shared.
    pub sharing: Sharing,
    pub due_date: Option<Date>,
    /// The description; `None` is null, which differs from an empty text.
    pub description: Option<String>,
    /// The title of a page in the wiki of its project, which may not exist.
    pub wiki_page_title: Option<String>,
    /// When it was created.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
}

impl Version {
    /// Whether it can be the target of more issues (compatibility 6.4).
    pub fn is_open(&self) -> bool {
        self.status == "open"
    }
}

/// The statuses of versions.
pub const VERSION_STATUSES: [&str; 3] = ["open", "locked", "closed"];
/// Maximum length of the name of a version in characters (compatibility 11.8).
pub const MAX_VERSION_NAME_LENGTH: usize = 60;
/// Maximum length of the description and of the wiki page of a version in characters (compatibility
/// 11.8).
pub const MAX_VERSION_TEXT_LENGTH: usize = 255;
