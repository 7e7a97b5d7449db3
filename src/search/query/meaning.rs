//! What qualifiers mean for a viewer: attributes of the index, or sets of issues of the store.
//!
//! Invariant: what the viewer may not see is treated as unknown, and whether somebody has an
//! account is not revealed.

use super::clause::Place;
use super::dates::{OPERATORS, parse_date_range, seconds};
use super::qualifier::Qualifier;
use super::sort::Sort;
use crate::schema::columns::{Attribute, Predicate};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility::project_files;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::hours;
use quarry_domain::issues::relation::RelationType;
use quarry_domain::query::dates::{Calendar, Range};
use quarry_domain::query::filter;
use quarry_domain::query::issues::{Condition, Field};
use quarry_domain::values::edit_distance::nearest;
use quarry_domain::values::id_set::IdSet;
use quarry_store::issues::sets::IssueSet;

mod custom_fields;
mod history;
mod people;

pub use history::changed_values;

/// Names of content types, besides those of their parameters.
pub(super) const TYPES: [(&str, Kind); 8] = [
    ("issue", Kind::Issue),
    ("news", Kind::News),
    ("document", Kind::Document),
    ("changeset", Kind::Changeset),
    ("wiki", Kind::WikiPage),
    ("wiki_page", Kind::WikiPage),
    ("message", Kind::Message),
    ("project", Kind::Project),
];

/// The values of `is:`.
pub const IS_VALUES: [&str; 7] = [
    "open", "closed", "mine", "watched", "overdue", "private", "unread",
];

/// The values of `has:`, each with the field of an issue that must not be empty.
const HAS_VALUES: [(&str, Option<Field>); 12] = [
    ("attachment", None),
    ("notes", None),
    ("description", Some(Field::Description)),
    ("parent", Some(Field::Parent)),
    ("children", Some(Field::Child)),
    ("assignee", Some(Field::Assignee)),
    ("version", Some(Field::Version)),
    ("category", Some(Field::Category)),
    ("start", Some(Field::StartDate)),
    ("due", Some(Field::DueDate)),
    ("estimate", Some(Field::EstimatedHours)),
    ("spent", Some(Field::SpentTime)),
];

/// The attribute value of records without a value.
const NONE: i64 = 0;
/// A number is greater than another one if it is so by at least this much. Twice what lists take for
/// equal.
const MIN_DIFFERENCE: f64 = 2e-5;

/// Returns the values of `has:`.
pub fn has_values() -> impl Iterator<Item = &'static str> {
    HAS_VALUES.iter().map(|(name, _)| *name)
}

/// For whom and when qualifiers are resolved.
#[derive(Clone, Debug)]
pub struct QualifierContext<'a> {
    pub catalogue: &'a Catalogue,
    pub viewer: &'a Viewer,
    /// In which days begin and end.
    pub calendar: Calendar,
}

/// What a qualifier means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// Where words must be (`in:`), or the order (`sort:`); no filter.
    NoFilter,
    /// An attribute that the index has.
    Attribute(Attribute, Predicate),
    /// Issues that are in any of these sets.
    Issues(Vec<IssueSet>),
}

/// The meaning, or why there is none: a message, or `None` for that of [`Qualifier::expects`].
pub(super) type Outcome = Result<Meaning, Option<String>>;

fn one_of(attribute: Attribute, ids: impl IntoIterator<Item = i64>) -> Outcome {
    let ids: IdSet = ids.into_iter().collect();
    Ok(Meaning::Attribute(attribute, Predicate::OneOf(ids)))
}

/// Issues that match all of these predicates.
fn issues_matching_all<const N: usize>(predicates: [(Field, filter::Predicate); N]) -> IssueSet {
    let conditions = predicates.map(|(field, predicate)| Condition { field, predicate });
    IssueSet::Matching(conditions.into())
}

fn issues_with(field: Field, predicate: filter::Predicate) -> Outcome {
    Ok(Meaning::Issues(vec![issues_matching_all([(
        field, predicate,
    )])]))
}

impl QualifierContext<'_> {
    /// Returns what a qualifier means.
    pub(super) fn meaning(&self, qualifier: Qualifier, value: &str) -> Outcome {
        let QualifierContext {
            catalogue, viewer, ..
        } = *self;
        match qualifier {
            Qualifier::Is => self.is_value(value),
            Qualifier::Type => {
                let kind = TYPES
                    .iter()
                    .find(|(name, _)| *name == value)
                    .map(|(_, kind)| *kind);
                let kind = kind
                    .or_else(|| Kind::ALL.into_iter().find(|kind| kind.parameter() == value))
                    .ok_or(None)?;
                one_of(Attribute::Kind, [i64::from(kind.code())])
            }
            Qualifier::Project => {
                let project = catalogue
                    .project_by(value)
                    .filter(|project| viewer.sees(project.id))
                    .ok_or(None)?;
                let projects = catalogue.subtree(project.id).into_iter();
                one_of(Attribute::Project, projects.map(|id| id.0))
            }
            Qualifier::Author => one_of(Attribute::Author, self.people(value)),
            Qualifier::Assignee if value == "none" => one_of(Attribute::Assignee, [NONE]),
            Qualifier::Assignee => one_of(Attribute::Assignee, self.principals(value)),
            Qualifier::Status => by_name(
                Attribute::Status,
                value,
                catalogue
                    .statuses
                    .iter()
                    .map(|status| (status.id.0, status.name.as_str())),
            ),
            Qualifier::Tracker => by_name(
                Attribute::Tracker,
                value,
                catalogue
                    .trackers
                    .iter()
                    .map(|tracker| (tracker.id.0, tracker.name.as_str())),
            ),
            Qualifier::Priority => {
                let priorities = catalogue.enumerations_of(EnumerationKind::IssuePriority);
                by_name(
                    Attribute::Priority,
                    value,
                    priorities.map(|priority| (priority.id.0, priority.name.as_str())),
                )
            }
            Qualifier::Version if value == "none" => one_of(Attribute::Version, [NONE]),
            Qualifier::Category if value == "none" => one_of(Attribute::Category, [NONE]),
            Qualifier::Version => {
                let visible = catalogue
                    .versions
                    .values()
                    .filter(|version| viewer.sees(version.project));
                by_name(
                    Attribute::Version,
                    value,
                    visible.map(|version| (version.id.0, version.name.as_str())),
                )
            }
            Qualifier::Category => {
                let visible = catalogue
                    .categories
                    .values()
                    .filter(|category| viewer.sees(category.project));
                by_name(
                    Attribute::Category,
                    value,
                    visible.map(|category| (category.id.0, category.name.as_str())),
                )
            }
            Qualifier::Created => self.times(Attribute::Created, value),
            Qualifier::Updated => self.times(Attribute::Updated, value),
            Qualifier::Start => self.dates(Field::StartDate, value),
            Qualifier::Due => self.dates(Field::DueDate, value),
            Qualifier::Closed => self.dates(Field::ClosedOn, value),
            Qualifier::Done => numbers(Field::DoneRatio, value, |text| {
                let ratio = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
                ratio.filter(|ratio| (0.0..=100.0).contains(ratio))
            }),
            Qualifier::Estimated => numbers(Field::EstimatedHours, value, hours::parse),
            Qualifier::Spent => numbers(Field::SpentTime, value, hours::parse),
            Qualifier::Parent => related(Field::Parent, value),
            Qualifier::Blocks => related(Field::Related(RelationType::Blocks), value),
            Qualifier::BlockedBy => related(Field::Related(RelationType::Blocked), value),
            Qualifier::Duplicates => related(Field::Related(RelationType::Duplicates), value),
            Qualifier::DuplicatedBy => related(Field::Related(RelationType::Duplicated), value),
            Qualifier::Relates => related(Field::Related(RelationType::Relates), value),
            Qualifier::Watcher => {
                let people = filter::Predicate::OneOf(self.people(value));
                issues_with(Field::Watcher, people)
            }
            Qualifier::Commenter => Ok(Meaning::Issues(vec![IssueSet::WithNotes(Some(
                self.people(value),
            ))])),
            Qualifier::Involves => Ok(self.involving(value)),
            Qualifier::Mentions => Ok(Meaning::Issues(vec![IssueSet::Mentioning(
                self.visible_people(value),
            )])),
            Qualifier::Was => self.previous_status(value),
            Qualifier::Changed => self.changed(value),
            Qualifier::Field => self.custom_field(value),
            Qualifier::Has => self.has_value(value),
            Qualifier::In => Place::parse(value).map(|_| Meaning::NoFilter).ok_or(None),
            Qualifier::Sort => Sort::parse(value).map(|_| Meaning::NoFilter).ok_or(None),
        }
    }

    /// `is:`
    fn is_value(&self, value: &str) -> Outcome {
        match value {
            "open" | "closed" => {
                let statuses = self.catalogue.statuses.iter();
                let statuses = statuses.filter(|status| status.is_closed == (value == "closed"));
                one_of(Attribute::Status, statuses.map(|status| status.id.0))
            }
            "mine" => one_of(Attribute::Assignee, self.principals("me")),
            "watched" => issues_with(Field::Watcher, filter::Predicate::OneOf(self.people("me"))),
            "private" => issues_with(Field::Private, filter::Predicate::OneOf(vec![1])),
            "unread" => Ok(Meaning::Issues(vec![IssueSet::Unread(self.viewer.user)])),
            "overdue" => {
                let past = parse_date_range("<today", &self.calendar).ok_or(None)?;
                Ok(Meaning::Issues(vec![issues_matching_all([
                    (Field::DueDate, filter::Predicate::Time(past)),
                    (Field::Status, filter::Predicate::Open),
                ])]))
            }
            _ => Err(None),
        }
    }

    /// `has:`
    fn has_value(&self, value: &str) -> Outcome {
        let value = if value == "attachments" {
            "attachment"
        } else {
            value
        };
        let part = HAS_VALUES.iter().find(|(name, _)| *name == value);
        match part.ok_or(None)? {
            (_, Some(field)) => issues_with(*field, filter::Predicate::NotEmpty),
            ("notes", None) => Ok(Meaning::Issues(vec![IssueSet::WithNotes(None)])),
            (_, None) => Ok(Meaning::Attribute(
                Attribute::Files,
                Predicate::HasFiles(project_files(self.viewer).clone()),
            )),
        }
    }

    /// `involves:`: issues that people wrote, commented, watch, or are assigned to.
    fn involving(&self, value: &str) -> Meaning {
        let people = self.people(value);
        let one_of = |ids: &[i64]| filter::Predicate::OneOf(ids.to_vec());
        Meaning::Issues(vec![
            issues_matching_all([(Field::Author, one_of(&people))]),
            issues_matching_all([(Field::Assignee, one_of(&self.principals(value)))]),
            issues_matching_all([(Field::Watcher, one_of(&people))]),
            IssueSet::WithNotes(Some(people)),
        ])
    }

    fn times(&self, attribute: Attribute, value: &str) -> Outcome {
        let range = parse_date_range(value, &self.calendar).ok_or(None)?;
        let (from, to) = seconds(range);
        Ok(Meaning::Attribute(attribute, Predicate::Between(from, to)))
    }

    fn dates(&self, field: Field, value: &str) -> Outcome {
        if value == "none" {
            return issues_with(field, filter::Predicate::Empty);
        }
        let range = parse_date_range(value, &self.calendar).ok_or(None)?;
        issues_with(field, filter::Predicate::Time(range))
    }
}

/// Matches everything with this name, ignoring case.
fn by_name<'n>(
    attribute: Attribute,
    value: &str,
    names: impl Iterator<Item = (i64, &'n str)>,
) -> Outcome {
    let mut names: Vec<(i64, &str)> = names.collect();
    names.sort_unstable_by_key(|(id, _)| *id);
    let lowercase = value.to_lowercase();
    let ids: IdSet = names
        .iter()
        .filter(|(_, name)| name.to_lowercase() == lowercase)
        .map(|(id, _)| *id)
        .collect();
    if !ids.is_empty() {
        return Ok(Meaning::Attribute(attribute, Predicate::OneOf(ids)));
    }
    Err(nearest(value, names.iter().map(|(_, name)| *name))
        .map(|name| format!("there is none of this name, did you mean \"{name}\"?")))
}

/// Issues whose number is in a range: `5`, `>=5`, `2..5`, `..5` or `none`.
fn numbers(field: Field, value: &str, parse: impl Fn(&str) -> Option<f64>) -> Outcome {
    if value == "none" && field != Field::DoneRatio {
        return issues_with(field, filter::Predicate::Empty);
    }
    let bound = |text: &str| match text {
        "" | "*" => Ok(None),
        text => parse(text).map(Some).ok_or(None),
    };
    let range = if let Some((from, to)) = value.split_once("..") {
        Range {
            from: bound(from)?,
            to: bound(to)?,
        }
    } else {
        let mut operators = OPERATORS.into_iter();
        let operator = operators
            .find(|operator| value.starts_with(operator))
            .unwrap_or("");
        let number = parse(&value[operator.len()..]).ok_or(None)?;
        let (from, to) = match operator {
            ">=" => (Some(number), None),
            "<=" => (None, Some(number)),
            ">" => (Some(number + MIN_DIFFERENCE), None),
            "<" => (None, Some(number - MIN_DIFFERENCE)),
            _ => (Some(number), Some(number)),
        };
        Range { from, to }
    };
    if range.from.is_none() && range.to.is_none() {
        return Err(None);
    }
    issues_with(field, filter::Predicate::Number(range))
}

/// Issues that are related to an issue, to any, or to none. An issue that the viewer may not see
/// counts as none.
fn related(field: Field, value: &str) -> Outcome {
    let predicate = match value {
        "none" => filter::Predicate::Empty,
        "any" => filter::Predicate::NotEmpty,
        id => {
            let digits = id.strip_prefix('#').unwrap_or(id);
            let id = digits.parse().map_err(|_| None)?;
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(None);
            }
            filter::Predicate::OneOf(vec![id])
        }
    };
    issues_with(field, predicate)
}
