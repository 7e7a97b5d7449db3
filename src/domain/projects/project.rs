//! Projects, which form a tree and contain all other records.

use super::module::{Module, ModuleSet};
use crate::administration::custom_field::RequestedValues;
use crate::ids::{CustomFieldId, PrincipalId, ProjectId, QueryId, TrackerId, VersionId};
use crate::validation::ValidationErrors;
use crate::values::patch::Patch;
use crate::values::text::is_blank;
use jiff::Timestamp;
use strum::FromRepr;

/// Maximum length of a name and of a home page in characters (compatibility 3.6).
const MAX_LENGTH: usize = 255;
/// Maximum length of an identifier in characters (compatibility 3.6).
const MAX_IDENTIFIER_LENGTH: usize = 100;
/// Identifiers that would collide with other URLs (compatibility 8).
const RESERVED: &[&str] = &["new"];

/// The state of a project (compatibility 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, FromRepr)]
#[repr(i64)]
pub enum ProjectStatus {
    /// Open for reading and writing.
    #[default]
    Active = 1,
    /// Read-only.
    Closed = 5,
    /// Hidden from everyone.
    Archived = 9,
}

impl ProjectStatus {
    /// Returns the code in the database and in the API.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// A project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    /// The name in URLs.
    pub identifier: String,
    /// The description; `None` if it was never set.
    pub description: Option<String>,
    /// The URL of its home page; `None` is null, which differs from an empty text.
    pub homepage: Option<String>,
    pub parent: Option<ProjectId>,
    /// Whether users who are not members may see it.
    pub is_public: bool,
    /// Whether it inherits the members of its parent.
    pub inherit_members: bool,
    /// The state.
    pub status: ProjectStatus,
    /// The enabled modules.
    pub modules: ModuleSet,
    /// The trackers in use, in the order of their positions.
    pub trackers: Vec<TrackerId>,
    /// The default target version of new issues.
    pub default_version: Option<VersionId>,
    /// The default assignee of new issues.
    pub default_assignee: Option<PrincipalId>,
    /// The query with which the page of its issues starts. An import can bring one that does not
    /// exist.
    pub default_query: Option<QueryId>,
    /// When it was created.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
}

impl Project {
    /// Validates its own attributes, with Redmine's messages in Redmine's order (compatibility 8).
    /// `taken` tells for a new project whether its identifier is in use. With `None` the identifier
    /// is not validated: it cannot change, and an imported one may be invalid.
    pub fn validate(&self, taken: Option<bool>) -> ValidationErrors {
        let mut errors = ValidationErrors::new();
        errors.require_text("name", "Name", &self.name, MAX_LENGTH);
        if let Some(taken) = taken {
            errors.require_text(
                "identifier",
                "Identifier",
                &self.identifier,
                MAX_IDENTIFIER_LENGTH,
            );
            if taken {
                errors.add("identifier", "Identifier", "has already been taken");
            } else if RESERVED.contains(&self.identifier.as_str()) {
                errors.add("identifier", "Identifier", "is reserved");
            } else if !is_blank(&self.identifier) && !is_identifier(&self.identifier) {
                errors.add("identifier", "Identifier", "is invalid");
            }
        }
        if self
            .homepage
            .as_ref()
            .is_some_and(|url| url.chars().count() > MAX_LENGTH)
        {
            errors.add(
                "homepage",
                "Homepage",
                &format!("is too long (maximum is {MAX_LENGTH} characters)"),
            );
        }
        errors
    }
}

/// Whether the text has only lower-case letters, digits, dashes and underscores, and does not start
/// with a digit (compatibility 8).
pub fn is_identifier(text: &str) -> bool {
    text.bytes().all(is_identifier_byte) && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
}

/// The attributes of a project in a request (compatibility 8).
#[derive(Clone, Debug, Default)]
pub struct ProjectChange {
    pub name: Patch<String>,
    pub identifier: Patch<String>,
    pub description: Patch<String>,
    pub homepage: Patch<String>,
    pub is_public: Patch<bool>,
    pub parent: Patch<ProjectId>,
    pub inherit_members: Patch<bool>,
    pub trackers: Patch<Vec<TrackerId>>,
    /// The names in the request; unknown ones are ignored (compatibility 8).
    pub modules: Patch<Vec<String>>,
    pub default_version: Patch<VersionId>,
    pub default_assignee: Patch<PrincipalId>,
    pub default_query: Patch<QueryId>,
    /// The custom fields of its issues, except those that every project has.
    pub issue_fields: Patch<Vec<CustomFieldId>>,
    /// The values of its own custom fields.
    pub values: RequestedValues,
}

/// Returns the modules with these names; unknown names are ignored.
pub fn modules_by_name<'n>(names: impl Iterator<Item = &'n str>) -> ModuleSet {
    names
        .filter_map(|name| name.parse::<Module>().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

    #[test]
    fn identifier_does_not_start_with_a_digit() {
        for valid in ["a", "a_b", "-a", "_a", "a1-2"] {
            assert!(is_identifier(valid), "{valid}");
        }
        for invalid in ["1abc", "123", "Abc", "a b", "a.b", "é", "a/b", "a\n"] {
            assert!(!is_identifier(invalid), "{invalid}");
        }
    }
}
