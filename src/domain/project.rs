//! Projects: a tree of places that hold everything else.

use super::custom_field::Asked;
use super::given::Given;
use super::ids::{CustomFieldId, PrincipalId, ProjectId, TrackerId, VersionId};
use super::module::{Module, ModuleSet};
use super::text::is_blank;
use super::validation::Complaints;
use jiff::Timestamp;

/// How many characters a name, a home page and an identifier may have (spec, "Limits").
const LONGEST: usize = 255;
const LONGEST_IDENTIFIER: usize = 100;
/// Identifiers that would be addresses of something else (contract 6).
const RESERVED: &[&str] = &["new"];

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
#[derive(Clone, Debug, PartialEq)]
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
    /// The version for which new issues are planned when nothing else is said.
    pub default_version: Option<VersionId>,
    /// Who gets new issues when nothing else is said.
    pub default_assignee: Option<PrincipalId>,
    /// When it was made.
    pub created_on: Timestamp,
    /// When it was last changed.
    pub updated_on: Timestamp,
}

impl Project {
    /// What is wrong with its own values, in Redmine's words and order (contract 6). A new project has an identifier to be judged,
    /// and `taken` says whether another one has it; later it stays as it is, whatever it was when it moved in.
    pub fn complaints(&self, taken: Option<bool>) -> Complaints {
        let mut complaints = Complaints::new();
        complaints.require_text("Name", &self.name, LONGEST);
        if let Some(taken) = taken {
            complaints.require_text("Identifier", &self.identifier, LONGEST_IDENTIFIER);
            if taken {
                complaints.add("Identifier", "has already been taken");
            } else if RESERVED.contains(&self.identifier.as_str()) {
                complaints.add("Identifier", "is reserved");
            } else if !is_blank(&self.identifier) && !is_identifier(&self.identifier) {
                complaints.add("Identifier", "is invalid");
            }
        }
        if self.homepage.chars().count() > LONGEST {
            complaints.add("Homepage", &format!("is too long (maximum is {LONGEST} characters)"));
        }
        complaints
    }
}

/// Lower-case letters, digits, dashes and underscores, no digit in front (spec, "Create body" of projects).
fn is_identifier(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    text.bytes().all(fits) && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// What a request asks of a project (contract 6).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "each is the attribute of its name")]
pub struct ProjectChange {
    pub name: Given<String>,
    pub identifier: Given<String>,
    pub description: Given<String>,
    pub homepage: Given<String>,
    pub is_public: Given<bool>,
    pub parent: Given<ProjectId>,
    pub inherit_members: Given<bool>,
    pub trackers: Given<Vec<TrackerId>>,
    /// Names as they came; those that are not known are passed over (contract 6).
    pub modules: Given<Vec<String>>,
    pub default_version: Given<VersionId>,
    pub default_assignee: Given<PrincipalId>,
    /// The custom fields that its issues have, beside those that are in every project.
    pub issue_fields: Given<Vec<CustomFieldId>>,
    /// Values of its own custom fields.
    pub values: Asked,
}

/// The modules among these names.
pub fn modules_named<'n>(names: impl Iterator<Item = &'n str>) -> ModuleSet {
    names.filter_map(Module::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

    #[test]
    fn an_identifier_begins_with_no_digit() {
        for good in ["a", "a_b", "-a", "_a", "a1-2"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["1abc", "123", "Abc", "a b", "a.b", "é", "a/b", "a\n"] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }
}
