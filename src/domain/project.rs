//! Projects: a tree of places that hold everything else.

use super::custom_field::RequestedValues;
use super::ids::{CustomFieldId, PrincipalId, ProjectId, TrackerId, VersionId};
use super::module::{Module, ModuleSet};
use super::patch::Patch;
use super::text::is_blank;
use super::validation::ValidationErrors;
use jiff::Timestamp;

/// How many characters a name, a home page and an identifier may have (compatibility 3.6).
const MAX_LENGTH: usize = 255;
const MAX_IDENTIFIER_LENGTH: usize = 100;
/// Identifiers that would be addresses of something else (compatibility 8).
const RESERVED: &[&str] = &["new"];

/// The state of a project (compatibility 8).
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
    /// Returns the code in the database and in the API.
    pub fn code(self) -> i64 {
        match self {
            Self::Active => 1,
            Self::Closed => 5,
            Self::Archived => 9,
        }
    }

    /// Returns the state with this code.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::Active, Self::Closed, Self::Archived].into_iter().find(|status| status.code() == code)
    }
}

/// A project.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The id.
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
    /// When it was created.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
}

impl Project {
    /// What is wrong with its own values, in Redmine's words and order (compatibility 8). A new project has an identifier to be judged,
    /// and `taken` says whether another one has it; later it stays as it is, whatever it was when it moved in.
    pub fn validate(&self, taken: Option<bool>) -> ValidationErrors {
        let mut errors = ValidationErrors::new();
        errors.require_text("Name", &self.name, MAX_LENGTH);
        if let Some(taken) = taken {
            errors.require_text("Identifier", &self.identifier, MAX_IDENTIFIER_LENGTH);
            if taken {
                errors.add("Identifier", "has already been taken");
            } else if RESERVED.contains(&self.identifier.as_str()) {
                errors.add("Identifier", "is reserved");
            } else if !is_blank(&self.identifier) && !is_identifier(&self.identifier) {
                errors.add("Identifier", "is invalid");
            }
        }
        if self.homepage.chars().count() > MAX_LENGTH {
            errors.add("Homepage", &format!("is too long (maximum is {MAX_LENGTH} characters)"));
        }
        errors
    }
}

/// Lower-case letters, digits, dashes and underscores, no digit in front (compatibility 8).
fn is_identifier(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    text.bytes().all(fits) && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// What a request asks of a project (compatibility 8).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "each is the attribute of its name")]
pub struct ProjectChange {
    pub name: Patch<String>,
    pub identifier: Patch<String>,
    pub description: Patch<String>,
    pub homepage: Patch<String>,
    pub is_public: Patch<bool>,
    pub parent: Patch<ProjectId>,
    pub inherit_members: Patch<bool>,
    pub trackers: Patch<Vec<TrackerId>>,
    /// Names as they came; those that are not known are passed over (compatibility 8).
    pub modules: Patch<Vec<String>>,
    pub default_version: Patch<VersionId>,
    pub default_assignee: Patch<PrincipalId>,
    /// The custom fields that its issues have, except those that are in every project.
    pub issue_fields: Patch<Vec<CustomFieldId>>,
    /// Values of its own custom fields.
    pub values: RequestedValues,
}

/// The modules among these names.
pub fn modules_by_name<'n>(names: impl Iterator<Item = &'n str>) -> ModuleSet {
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
