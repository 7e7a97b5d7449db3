//! Filters of lists (compatibility 6.3): operator and values, read into tests that have a meaning. Which fields a list can be filtered
//! by stands beside the list.

use super::dates::{self, InvalidValue, Moment, Range};
use crate::domain::catalogue::Catalogue;
use crate::domain::hours;
use crate::domain::ids::PrincipalId;
use crate::domain::viewer::Viewer;
use jiff::civil::Date;
use std::borrow::Cow;
use std::sync::Arc;

/// How a field's values and operators are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterType {
    /// Numbers of statuses, `o` open ones, `c` closed ones.
    Status,
    /// Numbers of records, of which there is always one.
    List(Keyword),
    /// Numbers of records, or none.
    OptionalList(Keyword),
    /// Some of the words that a field knows, of which there is always one.
    Choice,
    /// Some of the words that a field knows, or none; people among them by id.
    OptionalChoice(Keyword),
    /// A number.
    Number,
    /// Hours: a number, or as people write them, such as `1:30`.
    Hours,
    /// Numbers of the records themselves; `=` takes lists with commas too.
    Id,
    /// Text; without an operator it means "contains" (compatibility 6.3).
    Subject,
    /// Text of which each word may stand in another place; without an operator it means "contains".
    AnyText,
    /// Text; without an operator it is meant to the letter.
    Text,
    /// One line of text, which can also be asked for as one of several.
    Line,
    /// A day or an instant that is not in the future.
    PastDate,
    /// A day.
    Date,
    /// Numbers of other records of the list, to which there is a relation.
    Relation,
    /// Numbers of other records of the list, above or below.
    Tree,
    /// Numbers of records of another list, or of those above them; what is no number is nobody's.
    IssueTree,
}

/// What a word such as `me` stands for among the numbers of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// Nothing.
    None,
    /// `me` is the viewer.
    User,
    /// `me` is the viewer and the viewer's groups.
    Principals,
    /// `mine` are the projects of which the viewer is a member, `bookmarks` those that the viewer has bookmarked.
    Projects,
}

/// What is asked of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// It refers to one of these.
    OneOf(Vec<i64>),
    /// It refers to none of these, or to nothing.
    NoneOf(Vec<i64>),
    /// It is one of these texts, to the letter.
    InTexts(Vec<String>),
    /// It is none of these texts, or empty.
    NotInTexts(Vec<String>),
    /// It is empty.
    Empty,
    /// It is not empty.
    NotEmpty,
    /// The status is an open one.
    Open,
    /// The status is a closed one.
    Closed,
    /// The text has all of these in it, without regard to case.
    Contains(Vec<String>),
    /// The text has one of these in it, without regard to case.
    ContainsAny(Vec<String>),
    /// The text has not all of these in it, or is empty.
    NotContains(Vec<String>),
    /// The text begins so.
    StartsWith(String),
    /// The text ends so.
    EndsWith(String),
    /// The text is this, to the letter.
    Equals(String),
    /// The number lies in this span.
    Number(Range<f64>),
    /// The date or instant lies in this span.
    Time(Range<Moment>),
    /// It is among all that is above or below these.
    InTree(Vec<i64>),
    /// It was one of these once.
    HasBeen(Vec<i64>),
    /// It never was one of these.
    NeverBeen(Vec<i64>),
    /// It was one of these and is not any more.
    ChangedFrom(Vec<i64>),
    /// There is a relation to something in one of these projects.
    RelatedInProjects(Vec<i64>),
    /// There is a relation to something outside these projects.
    RelatedOutsideProjects(Vec<i64>),
    /// There is no relation to anything in these projects.
    UnrelatedToProjects(Vec<i64>),
    /// There is a relation to something open.
    RelatedToOpen,
    /// There is no relation to anything open.
    UnrelatedToOpen,
    /// Anything will do.
    Any,
}

/// One condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<Field> {
    /// On which field.
    pub field: Field,
    /// What is asked of it.
    pub predicate: Predicate,
}

/// A field by which a list can be filtered.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterField<Field> {
    /// Which field.
    pub field: Field,
    /// Its name in requests and saved queries.
    pub name: Cow<'static, str>,
    /// Its name in sentences.
    pub label: Cow<'static, str>,
    /// How its values and operators are read.
    pub kind: FilterType,
}

/// What a filter may refer to without naming it.
#[derive(Clone, Debug)]
pub struct Context {
    /// The viewer, then the viewer's groups; empty for anonymous.
    pub me: Vec<PrincipalId>,
    /// The projects of which the viewer is a member.
    pub mine: Arc<[i64]>,
    /// The projects that the viewer has bookmarked.
    pub bookmarks: Vec<i64>,
    /// Today.
    pub today: Date,
}

impl Context {
    /// What `me`, `mine` and relative dates mean for this viewer on this day.
    pub fn new(viewer: &Viewer, catalogue: &Catalogue, today: Date) -> Context {
        let marked = viewer.user.and_then(|user| catalogue.bookmarks.get(&user));
        Context {
            me: viewer.principals.clone(),
            mine: Arc::clone(viewer.member_project_ids()),
            bookmarks: marked.into_iter().flatten().map(|id| id.0).collect(),
            today,
        }
    }
}

/// How many values one filter may have, how many characters a text, and how many words.
const MAX_VALUES: usize = 1000;
const MAX_TEXT_LENGTH: usize = 1000;
const MAX_WORDS: usize = 50;
const MAX_SEARCH_WORDS: usize = 10;

/// Reads the short syntax `<operator><value>|<value>`, without operator `=`. Fails with the sentence to be shown, which names the
/// field by its label. An operator that the field does not have is part of the value (compatibility 6.3).
pub fn parse_short(kind: FilterType, label: &str, text: &str, context: &Context) -> Result<Predicate, String> {
    // Plain text means "contains" (compatibility 6.3); a leading `=` asks for the text to the letter.
    let is_text = || !text.is_empty() && !operators(kind).iter().any(|operator| text.starts_with(operator));
    if kind == FilterType::Subject && is_text() {
        check_length(label, text, MAX_WORDS)?;
        return Ok(Predicate::Contains(vec![text.to_owned()]));
    }
    if kind == FilterType::AnyText && is_text() {
        return parse(kind, label, "~", &[text], context);
    }
    let found =
        operators(kind).iter().copied().find(|operator| text.strip_prefix(operator).is_some_and(|rest| is_operator(operator, rest)));
    let operator = found.unwrap_or("=");
    let rest = found.map_or(text, |operator| &text[operator.len()..]);
    let values: Vec<&str> = rest.split('|').collect();
    parse(kind, label, operator, &values, context)
}

/// Reads an operator and its values. Fails with the sentence to be shown; an operator that the field does not have is refused.
pub fn parse(kind: FilterType, label: &str, operator: &str, values: &[&str], context: &Context) -> Result<Predicate, String> {
    if values.len() > MAX_VALUES {
        return Err(format!("{label} has more than {MAX_VALUES} values"));
    }
    let history = kind == FilterType::Status && ["ev", "!ev", "cf"].contains(&operator);
    if !operators(kind).contains(&operator) && !history {
        return Err(format!("{label} is invalid"));
    }
    if matches!(
        kind,
        FilterType::Subject
            | FilterType::AnyText
            | FilterType::Text
            | FilterType::Line
            | FilterType::Choice
            | FilterType::OptionalChoice(_)
    ) {
        let max_words = if kind == FilterType::AnyText { MAX_SEARCH_WORDS } else { MAX_WORDS };
        values.iter().try_for_each(|value| check_length(label, value, max_words))?;
    }
    parse_predicate(kind, operator, values, context).map_err(|bad| match bad {
        InvalidValue::Blank => format!("{label} cannot be blank"),
        InvalidValue::Invalid => format!("{label} is invalid"),
    })
}

fn check_length(label: &str, text: &str, max_words: usize) -> Result<(), String> {
    if text.chars().nth(MAX_TEXT_LENGTH).is_some() || text.split_whitespace().nth(max_words).is_some() {
        return Err(format!("{label} filter is too long (at most {MAX_TEXT_LENGTH} characters and {max_words} words)"));
    }
    Ok(())
}

/// The operators that a field has, longest first. Those of the history of a status (`ev`, `!ev`, `cf`) are understood in the long
/// form alone: the short `cf5` is "closed" (compatibility 6.3).
fn operators(kind: FilterType) -> &'static [&'static str] {
    match kind {
        FilterType::Status => &["=", "!", "o", "c", "*"],
        FilterType::List(_) | FilterType::Choice => &["=", "!"],
        FilterType::OptionalList(_) | FilterType::OptionalChoice(_) => &["!*", "=", "!", "*"],
        FilterType::Number | FilterType::Hours | FilterType::Id => &["><", ">=", "<=", "!*", "=", "*"],
        FilterType::Subject | FilterType::Text => &["*~", "!~", "!*", "~", "^", "$", "=", "*"],
        FilterType::AnyText => &["*~", "!~", "~", "^", "$", "="],
        FilterType::Line => &["*~", "!~", "!*", "~", "^", "$", "=", "!", "*"],
        FilterType::PastDate => dates::PAST_OPERATORS,
        FilterType::Date => dates::OPERATORS,
        FilterType::Relation => &["=!p", "=p", "!p", "*o", "!o", "!*", "=", "!", "*"],
        FilterType::Tree | FilterType::IssueTree => &["!*", "=", "~", "*"],
    }
}

/// Words such as `t` and `m` are operators only when they stand alone; otherwise they begin a value.
fn is_operator(operator: &str, rest: &str) -> bool {
    match operator {
        "t" | "w" | "m" | "y" | "ld" | "nd" | "lw" | "l2w" | "nw" | "lm" | "nm" => rest.is_empty(),
        _ => true,
    }
}

fn parse_predicate(kind: FilterType, operator: &str, values: &[&str], context: &Context) -> Result<Predicate, InvalidValue> {
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
    let blank = match kind {
        FilterType::Subject | FilterType::AnyText | FilterType::Text | FilterType::Line => values.iter().all(|value| value.is_empty()),
        _ => values.iter().all(|value| value.trim().is_empty()),
    };
    if blank && !matches!(kind, FilterType::PastDate | FilterType::Date) {
        return Err(InvalidValue::Blank);
    }
    let ids = |keyword: Keyword| values.iter().flat_map(|value| ids(keyword, value.trim(), context)).collect::<Vec<i64>>();
    Ok(match kind {
        FilterType::Status => match operator {
            "!" => Predicate::NoneOf(ids(Keyword::None)),
            "ev" => Predicate::HasBeen(ids(Keyword::None)),
            "!ev" => Predicate::NeverBeen(ids(Keyword::None)),
            "cf" => Predicate::ChangedFrom(ids(Keyword::None)),
            _ => Predicate::OneOf(ids(Keyword::None)),
        },
        FilterType::List(keyword) | FilterType::OptionalList(keyword) if operator == "!" => Predicate::NoneOf(ids(keyword)),
        FilterType::List(keyword) | FilterType::OptionalList(keyword) => Predicate::OneOf(ids(keyword)),
        FilterType::Choice | FilterType::OptionalChoice(_) | FilterType::Line if operator == "!" => {
            Predicate::NotInTexts(words(kind, values, context))
        }
        FilterType::Choice | FilterType::OptionalChoice(_) => Predicate::InTexts(words(kind, values, context)),
        FilterType::Line if operator == "=" => Predicate::InTexts(words(kind, values, context)),
        FilterType::Subject | FilterType::AnyText | FilterType::Text | FilterType::Line => text(operator, values),
        FilterType::Id if operator == "=" => Predicate::OneOf(parse_ids(values).ok_or(InvalidValue::Invalid)?),
        FilterType::Tree if operator == "~" => Predicate::InTree(parse_ids(values).ok_or(InvalidValue::Invalid)?),
        FilterType::Tree => Predicate::OneOf(parse_ids(values).ok_or(InvalidValue::Invalid)?),
        FilterType::IssueTree if operator == "~" => Predicate::InTree(parse_ids_lossy(values)),
        FilterType::IssueTree => Predicate::OneOf(parse_ids_lossy(values)),
        FilterType::Hours => number(operator, values, |text| text.parse().ok().or_else(|| hours::parse(text)))?,
        FilterType::Number | FilterType::Id => number(operator, values, |text| text.parse().ok())?,
        FilterType::PastDate | FilterType::Date => Predicate::Time(dates::range(operator, values, context.today)?),
        FilterType::Relation => match operator {
            "=p" => Predicate::RelatedInProjects(ids(Keyword::Projects)),
            "=!p" => Predicate::RelatedOutsideProjects(ids(Keyword::Projects)),
            "!p" => Predicate::UnrelatedToProjects(ids(Keyword::Projects)),
            "!" => Predicate::NoneOf(ids(Keyword::None)),
            _ => Predicate::OneOf(ids(Keyword::None)),
        },
    })
}

/// What one value refers to. What is not a number is nobody's: the list is empty rather than wrong (compatibility 6.3).
fn ids(keyword: Keyword, value: &str, context: &Context) -> Vec<i64> {
    match (keyword, value) {
        (Keyword::Principals, "me") => context.me.iter().map(|principal| principal.0).collect(),
        (Keyword::User, "me") => context.me.first().map(|user| user.0).into_iter().collect(),
        (Keyword::Projects, "mine") => context.mine.to_vec(),
        (Keyword::Projects, "bookmarks") => context.bookmarks.clone(),
        _ => vec![value.parse().unwrap_or(0)],
    }
}

fn words(kind: FilterType, values: &[&str], context: &Context) -> Vec<String> {
    let keyword = if let FilterType::OptionalChoice(keyword) = kind { keyword } else { Keyword::None };
    let words = values.iter().flat_map(|value| match (keyword, *value) {
        (Keyword::User | Keyword::Principals, "me") => ids(keyword, "me", context).iter().map(i64::to_string).collect(),
        (_, word) => vec![word.to_owned()],
    });
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    // Nobody's word, so that nothing is among them.
    if words.is_empty() { vec![String::new()] } else { words }
}

fn text(operator: &str, values: &[&str]) -> Predicate {
    let text = values.join("|");
    let words = || text.split_whitespace().map(str::to_owned).collect();
    match operator {
        "~" => Predicate::Contains(words()),
        "*~" => Predicate::ContainsAny(words()),
        "!~" => Predicate::NotContains(words()),
        "^" => Predicate::StartsWith(text),
        "$" => Predicate::EndsWith(text),
        _ => Predicate::Equals(text),
    }
}

/// Numbers with commas or bars between them; `None` when one is none.
fn parse_ids(values: &[&str]) -> Option<Vec<i64>> {
    values.iter().flat_map(|value| value.split(',')).map(|value| value.trim().parse().ok()).collect()
}

/// The same with 0, which no record has, for what is no number.
fn parse_ids_lossy(values: &[&str]) -> Vec<i64> {
    values.iter().flat_map(|value| value.split(',')).map(|value| value.trim().parse().unwrap_or(0)).collect()
}

fn number(operator: &str, values: &[&str], parse: impl Fn(&str) -> Option<f64>) -> Result<Predicate, InvalidValue> {
    let value = |index: usize| {
        let parsed = values.get(index).and_then(|value| parse(value.trim()));
        parsed.filter(|number| number.is_finite()).ok_or(InvalidValue::Invalid)
    };
    Ok(Predicate::Number(match operator {
        ">=" => Range { from: Some(value(0)?), to: None },
        "<=" => Range { from: None, to: Some(value(0)?) },
        "><" => Range { from: Some(value(0)?), to: Some(value(1)?) },
        _ => Range { from: Some(value(0)?), to: Some(value(0)?) },
    }))
}

#[cfg(test)]
mod tests;
