//! Filters of lists (compatibility 6.3): parses operator and values to a [`Predicate`]. The modules
//! of the lists define which fields they have.

mod filter_type;

pub use filter_type::{FilterType, HISTORY_OPERATORS, Records, operators};

use super::dates::{self, Calendar, DayOrInstant, InvalidValue, Range};
use super::filter_values::{flags, leading_integers, parse_ids, parse_ids_lossy, words_of_text};
use crate::access::viewer::Viewer;
use crate::administration::time_zone;
use crate::administration::week_start;
use crate::catalogue::Catalogue;
use crate::ids::{CustomFieldId, PrincipalId};
use crate::issues::hours;
use jiff::Timestamp;
use std::borrow::Cow;
use std::sync::Arc;

/// A condition on the value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// It refers to one of these.
    OneOf(Vec<i64>),
    /// It refers to none of these, or to nothing.
    NoneOf(Vec<i64>),
    /// It equals one of these texts.
    InTexts(Vec<String>),
    /// It equals none of these texts, or is empty.
    NotInTexts(Vec<String>),
    /// It is empty.
    Empty,
    /// It is not empty.
    NotEmpty,
    /// The record has the custom field and the viewer may see it there, with or without a value.
    Available,
    /// The status is open.
    Open,
    /// The status is closed.
    Closed,
    /// The text contains all of these, ignoring case.
    Contains(Vec<String>),
    /// The text contains one of these, ignoring case.
    ContainsAny(Vec<String>),
    /// There is a text that contains none of these. Of several texts, such as notes, none contains
    /// all of these.
    NotContains(Vec<String>),
    /// The text starts with this.
    StartsWith(String),
    /// The text ends with this.
    EndsWith(String),
    /// The text equals this.
    Equals(String),
    /// The number is in this range.
    Number(Range<f64>),
    /// The date or instant is in this range.
    Time(Range<DayOrInstant>),
    /// It is an ancestor or a descendant of one of these.
    InTree(Vec<i64>),
    /// It is or was one of these.
    HasBeen(Vec<i64>),
    /// It is and was none of these.
    NeverBeen(Vec<i64>),
    /// It was one of these and no longer is.
    ChangedFrom(Vec<i64>),
    /// There is a relation to an issue in one of these projects.
    RelatedInProjects(Vec<i64>),
    /// There is a relation to an issue outside these projects.
    RelatedOutsideProjects(Vec<i64>),
    /// There is no relation to an issue in these projects.
    UnrelatedToProjects(Vec<i64>),
    /// There is a relation to an open issue.
    RelatedToOpen,
    /// There is no relation to an open issue.
    UnrelatedToOpen,
    /// Every value matches.
    Any,
}

/// One condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<Field> {
    pub field: Field,
    /// The predicate on its value.
    pub predicate: Predicate,
}

/// A field by which a list can be filtered.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterField<Field> {
    pub field: Field,
    /// Its name in requests and saved queries.
    pub name: Cow<'static, str>,
    /// Its name in messages and on pages.
    pub label: Cow<'static, str>,
    /// The group in which pages offer it.
    pub group: &'static str,
    /// How its operators and values are parsed.
    pub kind: FilterType,
    /// The custom field of whose values it is.
    pub custom_field: Option<CustomFieldId>,
}

/// What keywords and relative dates refer to.
#[derive(Clone, Debug)]
pub struct Context {
    /// The viewer, then the viewer's groups; empty for anonymous.
    pub me: Vec<PrincipalId>,
    /// The projects of which the viewer is a member.
    pub mine: Arc<[i64]>,
    /// The projects that the viewer has bookmarked.
    pub bookmarks: Vec<i64>,
    /// The calendar of the viewer.
    pub calendar: Calendar,
}

impl Context {
    /// Creates the context of a viewer at the time `now`.
    pub fn new(viewer: &Viewer, catalogue: &Catalogue, now: Timestamp) -> Context {
        let bookmarks = viewer.user.and_then(|user| catalogue.bookmarks.get(&user));
        Context {
            me: viewer.principals.clone(),
            mine: Arc::clone(viewer.member_project_ids()),
            bookmarks: bookmarks.into_iter().flatten().map(|id| id.0).collect(),
            calendar: Calendar {
                today: time_zone::date_for_user(catalogue, viewer.user, now),
                first_weekday: week_start::for_user(catalogue, viewer.user),
                zone: time_zone::for_user(catalogue, viewer.user),
            },
        }
    }
}

/// Maximum number of values of all filters of a list together.
pub const MAX_TOTAL_VALUES: usize = 3_000;
/// Maximum number of values of one filter.
const MAX_VALUES: usize = 1000;
/// Maximum number of characters of a text.
pub const MAX_TEXT_LENGTH: usize = 1000;
/// Maximum number of words of a text.
const MAX_WORDS: usize = 50;
/// Maximum number of words that are searched in several fields.
const MAX_SEARCH_WORDS: usize = 10;

/// Parses the short syntax `<operator><value>|<value>`; without an operator it means `=`. An
/// operator that the field does not have is part of the value, and what follows an operator without
/// a value is ignored (compatibility 6.3). An error is the message for the user, which names the
/// field by its label.
pub fn parse_short(
    kind: FilterType,
    label: &str,
    text: &str,
    context: &Context,
) -> Result<Predicate, String> {
    if kind == FilterType::Subject && is_plain_text(kind, text) {
        check_text(label, text, MAX_WORDS)?;
        return Ok(Predicate::Contains(vec![text.to_owned()]));
    }
    let (operator, values) = split_short(kind, text);
    parse(kind, label, operator, &values, context)
}

/// Splits the short syntax into operator and values. Of plain text in a subject, each word must be
/// contained; [`parse_short`] looks for the whole text, for which the long form has no operator.
pub fn split_short(kind: FilterType, text: &str) -> (&'static str, Vec<&str>) {
    if matches!(kind, FilterType::Subject | FilterType::AnyText) && is_plain_text(kind, text) {
        return ("~", vec![text]);
    }
    if kind == FilterType::Search {
        return ("=", vec![text]);
    }
    let mut operators = operators(kind).iter().copied();
    let found = operators.find(|operator| text.starts_with(operator));
    let operator = found.unwrap_or("=");
    // As in Redmine, `today` is `t`, and what follows does not count.
    if dates::OPERATORS_WITHOUT_VALUE.contains(&operator) {
        return (operator, vec![""]);
    }
    let rest = found.map_or(text, |operator| &text[operator.len()..]);
    (operator, rest.split('|').collect())
}

/// Whether a text has no operator. In a subject this means "contains" (compatibility 6.3); a
/// leading `=` means "equals".
fn is_plain_text(kind: FilterType, text: &str) -> bool {
    !text.is_empty()
        && !operators(kind)
            .iter()
            .any(|operator| text.starts_with(operator))
}

/// Parses an operator and its values. An operator that the field does not have is an error. An
/// error is the message for the user.
pub fn parse(
    kind: FilterType,
    label: &str,
    operator: &str,
    values: &[&str],
    context: &Context,
) -> Result<Predicate, String> {
    if values.len() > MAX_VALUES {
        return Err(format!("{label} has more than {MAX_VALUES} values"));
    }
    let history = kind == FilterType::Status && HISTORY_OPERATORS.contains(&operator);
    if !operators(kind).contains(&operator) && !history {
        return Err(format!("{label} is invalid"));
    }
    if matches!(
        kind,
        FilterType::Subject
            | FilterType::AnyText
            | FilterType::Text
            | FilterType::Line
            | FilterType::VersionStatus
            | FilterType::OptionalChoice(_)
    ) {
        let max_words = if kind == FilterType::AnyText {
            MAX_SEARCH_WORDS
        } else {
            MAX_WORDS
        };
        values
            .iter()
            .try_for_each(|value| check_text(label, value, max_words))?;
    }
    parse_predicate(kind, operator, values, context).map_err(|error| match error {
        InvalidValue::Blank => format!("{label} cannot be blank"),
        InvalidValue::Invalid => format!("{label} is invalid"),
    })
}

fn check_text(label: &str, text: &str, max_words: usize) -> Result<(), String> {
    // LIKE stops at NUL, so the filter would match more.
    if text.contains('\0') {
        return Err(format!("{label} is invalid"));
    }
    if text.chars().nth(MAX_TEXT_LENGTH).is_some()
        || text.split_whitespace().nth(max_words).is_some()
    {
        return Err(format!(
            "{label} filter is too long (at most {MAX_TEXT_LENGTH} characters and {max_words} words)"
        ));
    }
    Ok(())
}

fn parse_predicate(
    kind: FilterType,
    operator: &str,
    values: &[&str],
    context: &Context,
) -> Result<Predicate, InvalidValue> {
    match (operator, kind) {
        ("*", FilterType::Status) => return Ok(Predicate::Any),
        ("*", _) => return Ok(Predicate::NotEmpty),
        ("!*", _) => return Ok(Predicate::Empty),
        ("o", FilterType::Status) => return Ok(Predicate::Open),
        ("c", FilterType::Status) => return Ok(Predicate::Closed),
        ("*o", _) => return Ok(Predicate::RelatedToOpen),
        ("!o", _) => return Ok(Predicate::UnrelatedToOpen),
        _ => {}
    }
    // Only the first value counts, as in Redmine.
    let is_blank = values.first().is_none_or(|value| value.trim().is_empty());
    if is_blank && !matches!(kind, FilterType::PastDate | FilterType::Date) {
        return Err(InvalidValue::Blank);
    }
    let ids = |records: Records| {
        values
            .iter()
            .flat_map(|value| ids(records, value.trim(), context))
            .collect::<Vec<i64>>()
    };
    Ok(match kind {
        FilterType::Status => match operator {
            "!" => Predicate::NoneOf(ids(Records::Unnamed)),
            "ev" => Predicate::HasBeen(ids(Records::Unnamed)),
            "!ev" => Predicate::NeverBeen(ids(Records::Unnamed)),
            "cf" => Predicate::ChangedFrom(ids(Records::Unnamed)),
            _ => Predicate::OneOf(ids(Records::Unnamed)),
        },
        FilterType::List(records) | FilterType::OptionalList(records) if operator == "!" => {
            Predicate::NoneOf(ids(records))
        }
        FilterType::List(records) | FilterType::OptionalList(records) => {
            Predicate::OneOf(ids(records))
        }
        FilterType::Flag if operator == "!" => Predicate::NoneOf(flags(values)),
        FilterType::Flag => Predicate::OneOf(flags(values)),
        FilterType::VersionStatus | FilterType::OptionalChoice(_) | FilterType::Line
            if operator == "!" =>
        {
            Predicate::NotInTexts(words(kind, values, context))
        }
        FilterType::VersionStatus | FilterType::OptionalChoice(_) => {
            Predicate::InTexts(words(kind, values, context))
        }
        FilterType::Line if operator == "=" => Predicate::InTexts(words(kind, values, context)),
        FilterType::Subject | FilterType::AnyText | FilterType::Text | FilterType::Line => {
            parse_text(operator, values)
        }
        FilterType::Search => match values {
            [text] => Predicate::Equals(text.trim().to_owned()),
            _ => return Err(InvalidValue::Invalid),
        },
        FilterType::Parent | FilterType::Subtask if operator == "~" => {
            Predicate::InTree(leading_integers(values))
        }
        FilterType::Parent | FilterType::Subtask => {
            Predicate::OneOf(parse_ids(values).ok_or(InvalidValue::Invalid)?)
        }
        FilterType::Integer | FilterType::Id if operator == "=" => {
            Predicate::OneOf(parse_ids(values).ok_or(InvalidValue::Invalid)?)
        }
        FilterType::IssueTree if operator == "~" => Predicate::InTree(parse_ids_lossy(values)),
        FilterType::IssueTree => Predicate::OneOf(parse_ids_lossy(values)),
        FilterType::Hours => parse_number(operator, values, |text| {
            text.parse().ok().or_else(|| hours::parse(text))
        })?,
        FilterType::Integer | FilterType::Id => parse_number(operator, values, |text| {
            text.parse::<i64>().ok().map(|number| number as f64)
        })?,
        FilterType::Number => parse_number(operator, values, |text| text.parse().ok())?,
        FilterType::PastDate | FilterType::Date => {
            Predicate::Time(dates::range(operator, values, &context.calendar)?)
        }
        FilterType::Relation => match operator {
            "=p" => Predicate::RelatedInProjects(ids(Records::Projects)),
            "=!p" => Predicate::RelatedOutsideProjects(ids(Records::Projects)),
            "!p" => Predicate::UnrelatedToProjects(ids(Records::Projects)),
            "!" => Predicate::NoneOf(ids(Records::Unnamed)),
            _ => Predicate::OneOf(ids(Records::Unnamed)),
        },
    })
}

/// Returns the ids that a value stands for. Text that is not a number becomes 0, which no record
/// has (compatibility 6.3).
fn ids(records: Records, value: &str, context: &Context) -> Vec<i64> {
    match (records, value) {
        (Records::Assignees, "me") => context.me.iter().map(|principal| principal.0).collect(),
        (Records::Users, "me") => context.me.first().map(|user| user.0).into_iter().collect(),
        (Records::Projects, "mine") => context.mine.to_vec(),
        (Records::Projects, "bookmarks") => context.bookmarks.clone(),
        _ => vec![value.parse().unwrap_or(0)],
    }
}

fn words(kind: FilterType, values: &[&str], context: &Context) -> Vec<String> {
    let words = values.iter().flat_map(|value| match (kind, *value) {
        (FilterType::OptionalChoice(Records::Users), "me") => ids(Records::Users, "me", context)
            .iter()
            .map(i64::to_string)
            .collect(),
        (_, word) => vec![word.to_owned()],
    });
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    // An empty word, which matches nothing.
    if words.is_empty() {
        vec![String::new()]
    } else {
        words
    }
}

fn parse_text(operator: &str, values: &[&str]) -> Predicate {
    let text = values.join("|");
    match operator {
        "~" => Predicate::Contains(words_of_text(&text)),
        "*~" => Predicate::ContainsAny(words_of_text(&text)),
        "!~" => Predicate::NotContains(words_of_text(&text)),
        "^" => Predicate::StartsWith(text),
        "$" => Predicate::EndsWith(text),
        _ => Predicate::Equals(text),
    }
}

fn parse_number(
    operator: &str,
    values: &[&str],
    parse: impl Fn(&str) -> Option<f64>,
) -> Result<Predicate, InvalidValue> {
    let value = |index: usize| {
        let parsed = values.get(index).and_then(|value| parse(value.trim()));
        parsed
            .filter(|number| number.is_finite())
            .ok_or(InvalidValue::Invalid)
    };
    let (from, to) = match operator {
        ">=" => (Some(value(0)?), None),
        "<=" => (None, Some(value(0)?)),
        "><" => (Some(value(0)?), Some(value(1)?)),
        _ => (Some(value(0)?), Some(value(0)?)),
    };
    Ok(Predicate::Number(Range { from, to }))
}

#[cfg(test)]
mod tests;
