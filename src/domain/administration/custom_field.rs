//! Custom fields, which administrators define, and their values.

mod definition;
mod pattern;
mod values;

pub use pattern::{Pattern, compile};
pub use values::{RequestedValues, ValueChange, Values, changes};

use crate::ids::{CustomFieldId, ProjectId, RoleId, TrackerId};
use crate::validation::too_long;
use jiff::civil::Date;
use std::collections::HashSet;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The records that can have custom fields.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum Customized {
    /// Issues.
    #[default]
    Issue,
    /// Projects.
    Project,
    /// Versions.
    Version,
    /// Time entries.
    TimeEntry,
    /// Documents.
    Document,
    /// Users.
    User,
    /// Groups.
    Group,
    /// Activities of time entries.
    TimeEntryActivity,
    /// Priorities of issues.
    IssuePriority,
    /// Categories of documents.
    DocumentCategory,
}

impl Customized {
    /// Returns the name in the API (compatibility 11.3).
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// All types.
    pub const ALL: &[Customized] = Self::VARIANTS;

    /// Returns the type of record for a stored type of field, such as `IssueCustomField`.
    pub fn from_type_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| name.strip_suffix("CustomField") == Some(kind.base_name()))
    }

    /// Returns the stored type of its fields, such as `IssueCustomField`.
    pub fn type_name(self) -> String {
        format!("{}CustomField", self.base_name())
    }

    /// Returns the type under which values of its records are stored. Users and groups share one,
    /// and the enumerations, as in Redmine.
    pub fn value_type(self) -> &'static str {
        match self {
            Self::User | Self::Group => "Principal",
            Self::TimeEntryActivity | Self::IssuePriority | Self::DocumentCategory => "Enumeration",
            single => single.base_name(),
        }
    }

    fn base_name(self) -> &'static str {
        match self {
            Self::Issue => "Issue",
            Self::Project => "Project",
            Self::Version => "Version",
            Self::TimeEntry => "TimeEntry",
            Self::Document => "Document",
            Self::User => "User",
            Self::Group => "Group",
            Self::TimeEntryActivity => "TimeEntryActivity",
            Self::IssuePriority => "IssuePriority",
            Self::DocumentCategory => "DocumentCategory",
        }
    }
}

/// The format of the values of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Format {
    /// One line of text.
    #[default]
    #[strum(serialize = "string")]
    Line,
    /// Several lines of text.
    Text,
    /// A URL.
    Link,
    /// An integer.
    #[strum(serialize = "int")]
    Integer,
    /// A number.
    Float,
    /// A date.
    Date,
    /// One of the field's possible values.
    List,
    /// One of the field's possible values, by id.
    Enumeration,
    /// `1` or `0`.
    Bool,
    /// A member of the project, by id.
    User,
    /// A version of the project, by id.
    Version,
    /// Any other format. Its values are stored as they are.
    #[strum(serialize = "")]
    Other,
}

impl Format {
    /// The formats that a field can be created with.
    pub const ALL: [Format; 11] = [
        Self::Line,
        Self::Text,
        Self::Link,
        Self::Integer,
        Self::Float,
        Self::Date,
        Self::Bool,
        Self::List,
        Self::Enumeration,
        Self::User,
        Self::Version,
    ];

    /// Returns the stored name; empty for [`Format::Other`].
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A custom field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomField {
    pub id: CustomFieldId,
    /// The type of record that has it.
    pub customized: Customized,
    pub name: String,
    pub description: Option<String>,
    /// The format of its values.
    pub format: Format,
    /// The source of the regular expression that a text must match, even if it could not be
    /// compiled.
    pub regexp: Option<String>,
    /// That expression, compiled.
    pub pattern: Option<Pattern>,
    /// Minimum number of characters of a text.
    pub min_length: Option<usize>,
    /// Maximum number of characters of a text. `None` and 0 mean no limit.
    pub max_length: Option<usize>,
    /// The value of a new record.
    pub default: Option<String>,
    /// Whether a record must have a value.
    pub required: bool,
    /// Whether every project has it; otherwise those in [`CustomField::projects`]. Set for fields
    /// of issues only.
    pub is_for_all: bool,
    /// Whether lists can be filtered by it.
    pub is_filter: bool,
    /// Whether the search finds its values.
    pub searchable: bool,
    /// Whether users other than administrators may change it.
    pub editable: bool,
    /// Whether everybody may see it; otherwise only [`CustomField::roles`].
    pub visible: bool,
    /// Whether a record may have several values.
    pub multiple: bool,
    /// The possible values of the format `list`.
    pub possible_values: Vec<String>,
    /// The possible values of the format `enumeration`: id, name, and whether it can be selected.
    pub enumeration: Vec<(i64, String, bool)>,
    /// The trackers that have it. Set for fields of issues only.
    pub trackers: HashSet<TrackerId>,
    /// The projects that have it if not all do.
    pub projects: HashSet<ProjectId>,
    /// The roles that may see it if not everybody may.
    pub roles: HashSet<RoleId>,
}

impl CustomField {
    /// Creates an optional field that is visible and editable for everybody in all projects.
    pub fn new(customized: Customized, name: &str, format: Format) -> CustomField {
        CustomField {
            customized,
            name: name.to_owned(),
            format,
            is_for_all: true,
            is_filter: true,
            searchable: true,
            editable: true,
            visible: true,
            ..CustomField::default()
        }
    }

    /// Whether issues of the tracker in the project have it.
    pub fn is_in(&self, project: ProjectId, tracker: TrackerId) -> bool {
        self.trackers.contains(&tracker) && (self.is_for_all || self.projects.contains(&project))
    }

    /// Returns the error in these values, in Redmine's words (compatibility 6.4). `is_selectable`
    /// tells whether the user or version with an id can be selected.
    pub fn validate(
        &self,
        values: &[String],
        is_selectable: impl Fn(i64) -> bool,
    ) -> Option<String> {
        let present: Vec<&str> = values
            .iter()
            .map(String::as_str)
            .filter(|value| !value.trim().is_empty())
            .collect();
        if present.is_empty() {
            return self.required.then(|| "cannot be blank".to_owned());
        }
        present
            .into_iter()
            .find_map(|value| self.validate_value(value, &is_selectable))
    }

    /// Like [`CustomField::validate`], and limits each value to `max` characters. Values that the
    /// record had `before` may be longer, and need no longer be in the list of choices
    /// (compatibility 6.5).
    pub fn validate_update(
        &self,
        values: &[String],
        before: &[String],
        max: usize,
        is_selectable: impl Fn(i64) -> bool,
    ) -> Option<String> {
        let added: Vec<String> = values
            .iter()
            .filter(|value| !before.contains(value))
            .cloned()
            .collect();
        let has_choices = matches!(
            self.format,
            Format::List | Format::Enumeration | Format::User | Format::Version
        );
        let is_blank = values.iter().all(|value| value.trim().is_empty());
        // A field without new values keeps the choices that it had, but a required one must have
        // some.
        let error = if has_choices && !is_blank {
            added
                .iter()
                .map(String::as_str)
                .filter(|value| !value.trim().is_empty())
                .find_map(|value| self.validate_value(value, &is_selectable))
        } else {
            self.validate(values, is_selectable)
        };
        error.or_else(|| added.iter().find_map(|value| too_long(value, max)))
    }

    fn validate_value(&self, value: &str, is_selectable: &impl Fn(i64) -> bool) -> Option<String> {
        let number = value.trim().parse::<i64>();
        match self.format {
            Format::Integer => {
                let digits = value.trim().trim_start_matches(['+', '-']);
                require(
                    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
                    "is not a number",
                )
            }
            Format::Float => require(
                value.trim().parse::<f64>().is_ok_and(f64::is_finite),
                "is invalid",
            ),
            Format::Date => require(
                value.trim().parse::<Date>().is_ok() && value.trim().len() == 10,
                "is not a valid date",
            ),
            Format::List => require(
                self.possible_values
                    .iter()
                    .any(|possible| possible == value),
                "is not included in the list",
            ),
            Format::Enumeration => {
                let offered = number.is_ok_and(|id| {
                    self.enumeration
                        .iter()
                        .any(|(value, _, active)| *value == id && *active)
                });
                require(offered, "is not included in the list")
            }
            Format::User | Format::Version => require(
                number.is_ok_and(is_selectable),
                "is not included in the list",
            ),
            Format::Bool | Format::Other => None,
            Format::Line | Format::Text | Format::Link => self.validate_text(value),
        }
    }

    fn validate_text(&self, value: &str) -> Option<String> {
        let length = value.chars().count();
        if self
            .pattern
            .as_ref()
            .is_some_and(|pattern| !pattern.is_match(value))
        {
            return Some("is invalid".to_owned());
        }
        if let Some(min_length) = self.min_length.filter(|min_length| length < *min_length) {
            return Some(format!("is too short (minimum is {min_length} characters)"));
        }
        let max_length = self
            .max_length
            .filter(|max_length| *max_length > 0 && length > *max_length);
        max_length.map(|max_length| format!("is too long (maximum is {max_length} characters)"))
    }
}

/// Returns the message unless the value is valid.
fn require(is_valid: bool, message: &str) -> Option<String> {
    (!is_valid).then(|| message.to_owned())
}

#[cfg(test)]
mod tests;
