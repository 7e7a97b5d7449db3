//! Custom fields: what an administrator adds to the fields of records, and the values that records have in them.

use super::ids::{CustomFieldId, ProjectId, RoleId, TrackerId};
use super::validation::too_long;
use jiff::civil::Date;
use std::collections::{BTreeMap, HashSet};

/// The records that can have custom fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Customized {
    /// Issues.
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
}

impl Customized {
    /// The name outside (compatibility 11.3).
    pub fn name(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Project => "project",
            Self::Version => "version",
            Self::TimeEntry => "time_entry",
            Self::Document => "document",
            Self::User => "user",
            Self::Group => "group",
        }
    }

    const ALL: [Customized; 7] = [Self::Issue, Self::Project, Self::Version, Self::TimeEntry, Self::Document, Self::User, Self::Group];

    /// The kind of record whose fields are stored under this type, as Redmine names it (`IssueCustomField`).
    pub fn from_type_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| name.strip_suffix("CustomField") == Some(kind.base_name()))
    }

    /// The stored type of its fields.
    pub fn type_name(self) -> String {
        format!("{}CustomField", self.base_name())
    }

    /// The name under which values of its records are stored; users and groups share one, as in Redmine.
    pub fn value_type(self) -> &'static str {
        match self {
            Self::User | Self::Group => "Principal",
            other => other.base_name(),
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
        }
    }
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line of text.
    Line,
    /// Text of many lines.
    Text,
    /// An address.
    Link,
    /// A whole number.
    Integer,
    /// A number.
    Float,
    /// A day.
    Date,
    /// One of the field's possible values.
    List,
    /// One of the field's own enumeration, by id.
    Enumeration,
    /// Yes or no.
    Bool,
    /// A member of the project, by id.
    User,
    /// A version of the project, by id.
    Version,
    /// Anything that is not known here; kept as it is.
    Other,
}

impl Format {
    /// The stored name; empty for what is not known here.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "string",
            Self::Text => "text",
            Self::Link => "link",
            Self::Integer => "int",
            Self::Float => "float",
            Self::Date => "date",
            Self::List => "list",
            Self::Enumeration => "enumeration",
            Self::Bool => "bool",
            Self::User => "user",
            Self::Version => "version",
            Self::Other => "",
        }
    }

    /// The format of this stored name.
    pub fn parse(name: &str) -> Format {
        match name {
            "string" => Self::Line,
            "text" => Self::Text,
            "link" => Self::Link,
            "int" => Self::Integer,
            "float" => Self::Float,
            "date" => Self::Date,
            "list" => Self::List,
            "enumeration" => Self::Enumeration,
            "bool" => Self::Bool,
            "user" => Self::User,
            "version" => Self::Version,
            _ => Self::Other,
        }
    }
}

/// A custom field.
#[derive(Clone, Debug)]
pub struct CustomField {
    /// The id.
    pub id: CustomFieldId,
    /// Of which records.
    pub customized: Customized,
    /// The name.
    pub name: String,
    /// What its values are.
    pub format: Format,
    /// What a text must match, as a regular expression.
    pub pattern: Option<regex::Regex>,
    /// The same as it was written, also where it is none that is understood here.
    pub regexp: Option<String>,
    /// The fewest characters of a text.
    pub min_length: Option<usize>,
    /// The most characters of a text; 0 for any number, as `None`.
    pub max_length: Option<usize>,
    /// The value of a new record.
    pub default: Option<String>,
    /// Whether a record must have a value.
    pub required: bool,
    /// Whether it is in every project; otherwise in [`CustomField::projects`]. Of issues only.
    pub is_for_all: bool,
    /// Whether lists can be filtered by it.
    pub is_filter: bool,
    /// Whether its values are found by the search.
    pub searchable: bool,
    /// Whether others than administrators may change it.
    pub editable: bool,
    /// Whether everybody sees it; otherwise only [`CustomField::roles`].
    pub visible: bool,
    /// Whether a record may have several values.
    pub multiple: bool,
    /// What a list offers.
    pub possible_values: Vec<String>,
    /// What an enumeration offers: number, name, whether it can still be chosen.
    pub enumeration: Vec<(i64, String, bool)>,
    /// The trackers that have it. Of issues only.
    pub trackers: HashSet<TrackerId>,
    /// The projects that have it when it is not everywhere.
    pub projects: HashSet<ProjectId>,
    /// The roles that see it when it is not visible to everybody.
    pub roles: HashSet<RoleId>,
}

impl CustomField {
    /// A field that everybody sees and may fill in, everywhere and with anything of its format.
    pub fn new(customized: Customized, name: &str, format: Format) -> CustomField {
        CustomField {
            id: CustomFieldId(0),
            customized,
            name: name.to_owned(),
            format,
            pattern: None,
            regexp: None,
            min_length: None,
            max_length: None,
            default: None,
            required: false,
            is_for_all: true,
            is_filter: true,
            searchable: true,
            editable: true,
            visible: true,
            multiple: false,
            possible_values: Vec::new(),
            enumeration: Vec::new(),
            trackers: HashSet::new(),
            projects: HashSet::new(),
            roles: HashSet::new(),
        }
    }

    /// Whether issues of this tracker in this project have it.
    pub fn is_in(&self, project: ProjectId, tracker: TrackerId) -> bool {
        self.trackers.contains(&tracker) && (self.is_for_all || self.projects.contains(&project))
    }

    /// What is wrong with these values, in Redmine's words (compatibility 6.4). `known` says whether a number names a user or version
    /// that can be chosen.
    pub fn validate(&self, values: &[String], known: impl Fn(i64) -> bool) -> Option<String> {
        let given: Vec<&str> = values.iter().map(String::as_str).filter(|value| !value.trim().is_empty()).collect();
        if given.is_empty() {
            return self.required.then(|| "cannot be blank".to_owned());
        }
        given.into_iter().find_map(|value| self.validate_value(value, &known))
    }

    /// The same with the limit for texts: no value has more than `max` characters, except those that the record had `before`.
    pub fn validate_update(&self, values: &[String], before: &[String], max: usize, known: impl Fn(i64) -> bool) -> Option<String> {
        let mut added = values.iter().filter(|value| !before.contains(value));
        self.validate(values, known).or_else(|| added.find_map(|value| too_long(value, max)))
    }

    fn validate_value(&self, value: &str, known: &impl Fn(i64) -> bool) -> Option<String> {
        let not = |fits: bool, sentence: &str| (!fits).then(|| sentence.to_owned());
        let number = value.trim().parse::<i64>();
        match self.format {
            Format::Integer => {
                let digits = value.trim().trim_start_matches(['+', '-']);
                not(!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()), "is not a number")
            }
            Format::Float => not(value.trim().parse::<f64>().is_ok_and(f64::is_finite), "is invalid"),
            Format::Date => not(value.trim().parse::<Date>().is_ok() && value.trim().len() == 10, "is not a valid date"),
            Format::List => not(self.possible_values.iter().any(|possible| possible == value), "is not included in the list"),
            Format::Enumeration => {
                let offered = number.is_ok_and(|id| self.enumeration.iter().any(|(known, _, active)| *known == id && *active));
                not(offered, "is not included in the list")
            }
            Format::User | Format::Version => not(number.is_ok_and(known), "is not included in the list"),
            Format::Bool | Format::Other => None,
            Format::Line | Format::Text | Format::Link => self.validate_text(value),
        }
    }

    fn validate_text(&self, value: &str) -> Option<String> {
        let length = value.chars().count();
        if self.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(value)) {
            return Some("is invalid".to_owned());
        }
        if let Some(min_length) = self.min_length.filter(|min_length| length < *min_length) {
            return Some(format!("is too short (minimum is {min_length} characters)"));
        }
        let max_length = self.max_length.filter(|max_length| *max_length > 0 && length > *max_length);
        max_length.map(|max_length| format!("is too long (maximum is {max_length} characters)"))
    }
}

/// What a request says of custom fields, in its order.
pub type RequestedValues = Vec<(CustomFieldId, Vec<String>)>;

/// The values that one record has. A field that never had one is not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<CustomFieldId, Vec<String>>);

impl Values {
    /// The values in a field; `None` when there never was one.
    pub fn get(&self, field: CustomFieldId) -> Option<&[String]> {
        self.0.get(&field).map(Vec::as_slice)
    }

    /// Adds a value to a field.
    pub fn add(&mut self, field: CustomFieldId, value: String) {
        self.0.entry(field).or_default().push(value);
    }

    /// Replaces the values of a field.
    pub fn set(&mut self, field: CustomFieldId, values: Vec<String>) {
        self.0.insert(field, values);
    }

    /// Forgets the values of the fields for which `keep` does not hold.
    pub fn retain(&mut self, keep: impl Fn(CustomFieldId) -> bool) {
        self.0.retain(|field, _| keep(*field));
    }

    /// Every field that has values, with them.
    pub fn iter(&self) -> impl Iterator<Item = (CustomFieldId, &[String])> {
        self.0.iter().map(|(field, values)| (*field, values.as_slice()))
    }

    /// The values of a new record: the defaults of these fields.
    pub fn defaults<'f>(fields: impl Iterator<Item = &'f CustomField>) -> Values {
        let given = |field: &CustomField| field.default.clone().filter(|text| !text.is_empty()).map(|text| (field.id, vec![text]));
        Values(fields.filter_map(given).collect())
    }

    /// Takes over what was asked of these fields; other fields are passed over (compatibility 6.4). An empty value where there is none
    /// changes nothing.
    pub fn apply(&mut self, fields: &[&CustomField], requested: &RequestedValues) {
        for (id, texts) in requested {
            let Some(field) = fields.iter().find(|field| field.id == *id) else { continue };
            let mut new_values: Vec<String> = Vec::new();
            for text in texts.iter().filter(|text| !text.is_empty()) {
                if !new_values.contains(text) {
                    new_values.push(text.clone());
                }
            }
            if !field.multiple {
                new_values.truncate(1);
            }
            let before: Vec<&String> = self.get(*id).unwrap_or_default().iter().filter(|text| !text.is_empty()).collect();
            if before.into_iter().eq(new_values.iter()) {
                continue;
            }
            if new_values.is_empty() {
                new_values.push(String::new());
            }
            self.set(*id, new_values);
        }
    }
}

/// One change of one field, as journals keep it: the old and the new value.
pub type ValueChange = (CustomFieldId, Option<String>, Option<String>);

/// What has changed from `before` to `after` in these fields: one step for a field with one value; for a field with several, one
/// for each that went and one for each that came (compatibility 6.2).
pub fn changes(fields: &[&CustomField], before: &Values, after: &Values) -> Vec<ValueChange> {
    let mut changes = Vec::new();
    for field in fields {
        let (old, new) = (before.get(field.id).unwrap_or_default(), after.get(field.id).unwrap_or_default());
        if field.multiple {
            let gone = old.iter().filter(|value| !value.is_empty() && !new.contains(value));
            changes.extend(gone.map(|value| (field.id, Some(value.clone()), None)));
            let come = new.iter().filter(|value| !value.is_empty() && !old.contains(value));
            changes.extend(come.map(|value| (field.id, None, Some(value.clone()))));
        } else if old.first().map_or("", String::as_str) != new.first().map_or("", String::as_str) {
            changes.push((field.id, old.first().cloned(), new.first().cloned()));
        }
    }
    changes
}

#[cfg(test)]
mod tests;
