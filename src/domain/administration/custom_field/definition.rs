//! Which custom fields can be defined (compatibility 14).

use super::pattern::compile;
use super::{CustomField, Customized, Format};
use crate::validation::ValidationErrors;

/// Maximum number of characters of a value of a list, and of a default value.
const MAX_VALUE: usize = 255;

impl Customized {
    /// Returns the type of record with this name in the API, or with this stored type of field.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok().or_else(|| Self::from_type_name(name))
    }

    /// Whether its records belong to a project, so that roles decide who sees a field that not
    /// everybody may see.
    pub fn has_roles(self) -> bool {
        matches!(
            self,
            Self::Issue | Self::Project | Self::Version | Self::TimeEntry | Self::Document
        )
    }

    /// Whether lists of its records can be filtered by its fields.
    pub fn has_filters(self) -> bool {
        matches!(
            self,
            Self::Issue | Self::Project | Self::Version | Self::TimeEntry | Self::User
        )
    }

    /// Whether the search finds its records.
    pub fn is_searched(self) -> bool {
        matches!(self, Self::Issue | Self::Project | Self::Document)
    }

    /// Whether its fields can have the format: users and versions are those of a project.
    pub fn allows(self, format: Format) -> bool {
        match format {
            Format::User | Format::Version => self.has_roles(),
            Format::Other => false,
            _ => true,
        }
    }
}

impl Format {
    /// Whether a record can have several values.
    pub fn allows_several(self) -> bool {
        matches!(
            self,
            Self::List | Self::Enumeration | Self::User | Self::Version
        )
    }

    /// Whether regular expression and lengths limit its values.
    pub fn has_limits(self) -> bool {
        matches!(self, Self::Line | Self::Text | Self::Link)
    }

    /// Whether its values are texts, rather than ids or booleans.
    pub fn is_textual(self) -> bool {
        !matches!(
            self,
            Self::User | Self::Version | Self::Enumeration | Self::Bool
        )
    }
}

impl CustomField {
    /// Validates everything but the name. What stays as it was `before` is valid, so that imported
    /// fields can be changed. `is_selectable` tells whether there is a user or a version with an
    /// id.
    pub fn validate_definition(
        &self,
        errors: &mut ValidationErrors,
        before: &CustomField,
        is_selectable: impl Fn(i64) -> bool,
    ) {
        if self.regexp != before.regexp
            && self
                .regexp
                .as_deref()
                .is_some_and(|regexp| compile(regexp).is_none())
        {
            errors.add("regexp", "Regular expression", "is invalid");
        }
        if self.has_reversed_lengths() && !before.has_reversed_lengths() {
            errors.add(
                "max_length",
                "Maximum length",
                "must not be less than the minimum length",
            );
        }
        let is_new = before.id.0 == 0;
        if self.format == Format::List
            && self.possible_values.is_empty()
            && (is_new || !before.possible_values.is_empty())
        {
            errors.add("possible_values", "Possible values", "cannot be blank");
        }
        if self.possible_values != before.possible_values
            && self.possible_values.iter().any(|value| is_bad_value(value))
        {
            errors.add(
                "possible_values",
                "Possible values",
                &format!("is invalid (each must be one line of at most {MAX_VALUE} characters)"),
            );
        }
        if self.multiple && !before.multiple && !self.format.allows_several() {
            errors.add("multiple", "Multiple", "is not possible for this format");
        }
        if self.searchable && !before.searchable && !self.format.is_textual() {
            errors.add(
                "searchable",
                "Searchable",
                "is not possible for this format",
            );
        }
        if self.is_hidden() && !before.is_hidden() {
            errors.add("role_ids", "Roles", "cannot be blank");
        }
        if self.customized != Customized::Issue {
            let trackers = &self.trackers;
            let projects = &self.projects;
            for (attribute, label, is_added) in [
                (
                    "tracker_ids",
                    "Trackers",
                    !trackers.is_subset(&before.trackers),
                ),
                (
                    "project_ids",
                    "Projects",
                    !projects.is_subset(&before.projects),
                ),
            ] {
                if is_added {
                    errors.add(
                        attribute,
                        label,
                        "is invalid (only fields of issues have them)",
                    );
                }
            }
        }
        let was_invalid =
            self.default == before.default && before.default_error(&is_selectable).is_some();
        if let Some(message) = self.default_error(&is_selectable).filter(|_| !was_invalid) {
            errors.add("default_value", "Default value", &message);
        }
    }

    fn is_hidden(&self) -> bool {
        !self.visible && self.roles.is_empty() && self.customized.has_roles()
    }

    fn has_reversed_lengths(&self) -> bool {
        self.max_length
            .is_some_and(|max| max > 0 && self.min_length.is_some_and(|min| min > max))
    }

    /// Returns what is wrong with the default value, if anything.
    fn default_error(&self, is_selectable: impl Fn(i64) -> bool) -> Option<String> {
        let default = self.default.as_ref()?;
        let optional = CustomField {
            required: false,
            ..self.clone()
        };
        let error = optional.validate(std::slice::from_ref(default), is_selectable);
        error.or_else(|| super::too_long(default, MAX_VALUE))
    }
}

fn is_bad_value(value: &str) -> bool {
    value.chars().count() > MAX_VALUE || value.chars().any(char::is_control)
}
