//! Filters of lists (contract 4.3): operator and values, read into tests that have a meaning. Which fields a list can be filtered
//! by stands beside the list.

use super::dates::{self, BadDate, Moment, Range};
use crate::domain::catalogue::Catalogue;
use crate::domain::hours;
use crate::domain::ids::PrincipalId;
use crate::domain::viewer::Viewer;
use jiff::civil::Date;
use std::borrow::Cow;
use std::sync::Arc;

/// How a field's values and operators are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Numbers of statuses, `o` open ones, `c` closed ones.
    Status,
    /// Numbers of records, of which there is always one.
    List(Me),
    /// Numbers of records, or none.
    OptionalList(Me),
    /// Some of the words that a field knows, of which there is always one.
    Choice,
    /// Some of the words that a field knows, or none; people among them by number.
    OptionalChoice(Me),
    /// A number.
    Number,
    /// Hours: a number, or as people write them, such as `1:30`.
    Hours,
    /// Numbers of the records themselves; `=` takes lists with commas too.
    Id,
    /// Text; without an operator it means "contains", as the spec has it for the subject.
    Contained,
    /// Text of which each word may stand in another place; without an operator it means "contains".
    Anywhere,
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
    Within,
}

/// What a word such as `me` stands for among the numbers of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Me {
    /// Nothing.
    Unknown,
    /// `me` is the asker.
    Asker,
    /// `me` is the asker and the asker's groups.
    Principals,
    /// `mine` are the projects of which the asker is a member, `bookmarks` those that the asker has marked.
    Projects,
}

/// What is asked of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It refers to one of these.
    OneOf(Vec<i64>),
    /// It refers to none of these, or to nothing.
    NoneOf(Vec<i64>),
    /// It is one of these texts, to the letter.
    Among(Vec<String>),
    /// It is none of these texts, or empty.
    NotAmong(Vec<String>),
    /// It is empty.
    Missing,
    /// It is not empty.
    Present,
    /// The status is an open one.
    Open,
    /// The status is a closed one.
    Closed,
    /// The text has all of these in it, without regard to case.
    Contains(Vec<String>),
    /// The text has one of these in it, without regard to case.
    ContainsAny(Vec<String>),
    /// The text has not all of these in it, or is empty.
    Lacks(Vec<String>),
    /// The text begins so.
    Begins(String),
    /// The text ends so.
    Ends(String),
    /// The text is this, to the letter.
    Is(String),
    /// The number lies in this span.
    Number(Range<f64>),
    /// The date or instant lies in this span.
    When(Range<Moment>),
    /// It is among all that is above or below these.
    Beyond(Vec<i64>),
    /// It was one of these once.
    Once(Vec<i64>),
    /// It never was one of these.
    Never(Vec<i64>),
    /// It was one of these and is not any more.
    Left(Vec<i64>),
    /// There is a relation to something in one of these projects.
    ToProjects(Vec<i64>),
    /// There is a relation to something outside these projects.
    OutOfProjects(Vec<i64>),
    /// There is no relation to anything in these projects.
    NotToProjects(Vec<i64>),
    /// There is a relation to something open.
    ToOpen,
    /// There is no relation to anything open.
    NotToOpen,
    /// Anything will do.
    Anything,
}

/// One condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<Field> {
    /// On which field.
    pub field: Field,
    /// What is asked of it.
    pub test: Test,
}

/// A field by which a list can be filtered.
#[derive(Clone, Debug, PartialEq)]
pub struct Known<Field> {
    /// Which field.
    pub field: Field,
    /// Its name in requests and saved queries.
    pub name: Cow<'static, str>,
    /// Its name in sentences.
    pub label: Cow<'static, str>,
    /// How its values and operators are read.
    pub kind: Type,
}

/// What a filter may refer to without naming it.
#[derive(Clone, Debug)]
pub struct Context {
    /// The asker, and behind it the asker's groups; empty for somebody who is not logged in.
    pub me: Vec<PrincipalId>,
    /// The projects of which the asker is a member.
    pub mine: Arc<[i64]>,
    /// The projects that the asker has marked.
    pub bookmarks: Vec<i64>,
    /// Today.
    pub today: Date,
}

impl Context {
    /// What the words of this asker mean on this day.
    pub fn new(viewer: &Viewer, catalogue: &Catalogue, today: Date) -> Context {
        let marked = viewer.user.and_then(|user| catalogue.bookmarks.get(&user));
        Context {
            me: viewer.principals.clone(),
            mine: Arc::clone(viewer.own_project_numbers()),
            bookmarks: marked.into_iter().flatten().map(|id| id.0).collect(),
            today,
        }
    }
}

/// How many values one filter may have, how many characters a text, and how many words.
const MOST_VALUES: usize = 1000;
const LONGEST_TEXT: usize = 1000;
const MOST_WORDS: usize = 50;
const MOST_WORDS_ANYWHERE: usize = 10;

/// Reads the short syntax `<operator><value>|<value>`, without operator `=`. Fails with the sentence to be shown, which names the
/// field by its label. An operator that the field does not have is part of the value (contract 4.3).
pub fn short(kind: Type, label: &str, text: &str, context: &Context) -> Result<Test, String> {
    // Plain text means "contains" (spec); a leading `=` asks for the text to the letter.
    let plain = || !text.is_empty() && !operators(kind).iter().any(|operator| text.starts_with(operator));
    if kind == Type::Contained && plain() {
        bounded(label, text, MOST_WORDS)?;
        return Ok(Test::Contains(vec![text.to_owned()]));
    }
    if kind == Type::Anywhere && plain() {
        return long(kind, label, "~", &[text], context);
    }
    let found = operators(kind).iter().copied().find(|operator| text.strip_prefix(operator).is_some_and(|rest| takes(operator, rest)));
    let operator = found.unwrap_or("=");
    let rest = found.map_or(text, |operator| &text[operator.len()..]);
    let values: Vec<&str> = rest.split('|').collect();
    long(kind, label, operator, &values, context)
}

/// Reads an operator and its values. Fails with the sentence to be shown; an operator that the field does not have is refused.
pub fn long(kind: Type, label: &str, operator: &str, values: &[&str], context: &Context) -> Result<Test, String> {
    if values.len() > MOST_VALUES {
        return Err(format!("{label} has more than {MOST_VALUES} values"));
    }
    let history = kind == Type::Status && ["ev", "!ev", "cf"].contains(&operator);
    if !operators(kind).contains(&operator) && !history {
        return Err(format!("{label} is invalid"));
    }
    if matches!(kind, Type::Contained | Type::Anywhere | Type::Text | Type::Line | Type::Choice | Type::OptionalChoice(_)) {
        let most = if kind == Type::Anywhere { MOST_WORDS_ANYWHERE } else { MOST_WORDS };
        values.iter().try_for_each(|value| bounded(label, value, most))?;
    }
    test(kind, operator, values, context).map_err(|bad| match bad {
        BadDate::Blank => format!("{label} cannot be blank"),
        BadDate::Invalid => format!("{label} is invalid"),
    })
}

fn bounded(label: &str, text: &str, most: usize) -> Result<(), String> {
    if text.chars().nth(LONGEST_TEXT).is_some() || text.split_whitespace().nth(most).is_some() {
        return Err(format!("{label} filter is too long (at most {LONGEST_TEXT} characters and {most} words)"));
    }
    Ok(())
}

/// The operators that a field has, longest first. Those of the history of a status (`ev`, `!ev`, `cf`) are understood in the long
/// form alone: the short `cf5` is "closed" (contract 4.3).
fn operators(kind: Type) -> &'static [&'static str] {
    match kind {
        Type::Status => &["=", "!", "o", "c", "*"],
        Type::List(_) | Type::Choice => &["=", "!"],
        Type::OptionalList(_) | Type::OptionalChoice(_) => &["!*", "=", "!", "*"],
        Type::Number | Type::Hours | Type::Id => &["><", ">=", "<=", "!*", "=", "*"],
        Type::Contained | Type::Text => &["*~", "!~", "!*", "~", "^", "$", "=", "*"],
        Type::Anywhere => &["*~", "!~", "~", "^", "$", "="],
        Type::Line => &["*~", "!~", "!*", "~", "^", "$", "=", "!", "*"],
        Type::PastDate => dates::PAST,
        Type::Date => dates::ANY,
        Type::Relation => &["=!p", "=p", "!p", "*o", "!o", "!*", "=", "!", "*"],
        Type::Tree | Type::Within => &["!*", "=", "~", "*"],
    }
}

/// Words such as `t` and `m` are operators only when they stand alone; otherwise they begin a value.
fn takes(operator: &str, rest: &str) -> bool {
    match operator {
        "t" | "w" | "m" | "y" | "ld" | "nd" | "lw" | "l2w" | "nw" | "lm" | "nm" => rest.is_empty(),
        _ => true,
    }
}

fn test(kind: Type, operator: &str, values: &[&str], context: &Context) -> Result<Test, BadDate> {
    match (operator, kind) {
        ("*", Type::Status) => return Ok(Test::Anything),
        ("*", _) => return Ok(Test::Present),
        ("!*", _) => return Ok(Test::Missing),
        ("o", Type::Status) => return Ok(Test::Open),
        ("c", Type::Status) => return Ok(Test::Closed),
        ("*o", _) => return Ok(Test::ToOpen),
        ("!o", _) => return Ok(Test::NotToOpen),
        _ => {}
    }
    let blank = match kind {
        Type::Contained | Type::Anywhere | Type::Text | Type::Line => values.iter().all(|value| value.is_empty()),
        _ => values.iter().all(|value| value.trim().is_empty()),
    };
    if blank && !matches!(kind, Type::PastDate | Type::Date) {
        return Err(BadDate::Blank);
    }
    let numbers = |me: Me| values.iter().flat_map(|value| numbers(me, value.trim(), context)).collect::<Vec<i64>>();
    Ok(match kind {
        Type::Status => match operator {
            "!" => Test::NoneOf(numbers(Me::Unknown)),
            "ev" => Test::Once(numbers(Me::Unknown)),
            "!ev" => Test::Never(numbers(Me::Unknown)),
            "cf" => Test::Left(numbers(Me::Unknown)),
            _ => Test::OneOf(numbers(Me::Unknown)),
        },
        Type::List(me) | Type::OptionalList(me) if operator == "!" => Test::NoneOf(numbers(me)),
        Type::List(me) | Type::OptionalList(me) => Test::OneOf(numbers(me)),
        Type::Choice | Type::OptionalChoice(_) | Type::Line if operator == "!" => Test::NotAmong(words(kind, values, context)),
        Type::Choice | Type::OptionalChoice(_) => Test::Among(words(kind, values, context)),
        Type::Line if operator == "=" => Test::Among(words(kind, values, context)),
        Type::Contained | Type::Anywhere | Type::Text | Type::Line => text(operator, values),
        Type::Id if operator == "=" => Test::OneOf(listed(values).ok_or(BadDate::Invalid)?),
        Type::Tree if operator == "~" => Test::Beyond(listed(values).ok_or(BadDate::Invalid)?),
        Type::Tree => Test::OneOf(listed(values).ok_or(BadDate::Invalid)?),
        Type::Within if operator == "~" => Test::Beyond(loosely(values)),
        Type::Within => Test::OneOf(loosely(values)),
        Type::Hours => number(operator, values, |text| text.parse().ok().or_else(|| hours::parse(text)))?,
        Type::Number | Type::Id => number(operator, values, |text| text.parse().ok())?,
        Type::PastDate | Type::Date => Test::When(dates::span(operator, values, context.today)?),
        Type::Relation => match operator {
            "=p" => Test::ToProjects(numbers(Me::Projects)),
            "=!p" => Test::OutOfProjects(numbers(Me::Projects)),
            "!p" => Test::NotToProjects(numbers(Me::Projects)),
            "!" => Test::NoneOf(numbers(Me::Unknown)),
            _ => Test::OneOf(numbers(Me::Unknown)),
        },
    })
}

/// What one value refers to. What is not a number is nobody's: the list is empty rather than wrong (contract 4.3).
fn numbers(me: Me, value: &str, context: &Context) -> Vec<i64> {
    match (me, value) {
        (Me::Principals, "me") => context.me.iter().map(|principal| principal.0).collect(),
        (Me::Asker, "me") => context.me.first().map(|user| user.0).into_iter().collect(),
        (Me::Projects, "mine") => context.mine.to_vec(),
        (Me::Projects, "bookmarks") => context.bookmarks.clone(),
        _ => vec![value.parse().unwrap_or(0)],
    }
}

fn words(kind: Type, values: &[&str], context: &Context) -> Vec<String> {
    let me = if let Type::OptionalChoice(me) = kind { me } else { Me::Unknown };
    let said = values.iter().flat_map(|value| match (me, *value) {
        (Me::Asker | Me::Principals, "me") => numbers(me, "me", context).iter().map(i64::to_string).collect(),
        (_, word) => vec![word.to_owned()],
    });
    let said: Vec<String> = said.filter(|word| !word.is_empty()).collect();
    // Nobody's word, so that nothing is among them.
    if said.is_empty() { vec![String::new()] } else { said }
}

fn text(operator: &str, values: &[&str]) -> Test {
    let text = values.join("|");
    let words = || text.split_whitespace().map(str::to_owned).collect();
    match operator {
        "~" => Test::Contains(words()),
        "*~" => Test::ContainsAny(words()),
        "!~" => Test::Lacks(words()),
        "^" => Test::Begins(text),
        "$" => Test::Ends(text),
        _ => Test::Is(text),
    }
}

/// Numbers with commas or bars between them; `None` when one is none.
fn listed(values: &[&str]) -> Option<Vec<i64>> {
    values.iter().flat_map(|value| value.split(',')).map(|value| value.trim().parse().ok()).collect()
}

/// The same with 0, which no record has, for what is no number.
fn loosely(values: &[&str]) -> Vec<i64> {
    values.iter().flat_map(|value| value.split(',')).map(|value| value.trim().parse().unwrap_or(0)).collect()
}

fn number(operator: &str, values: &[&str], parse: impl Fn(&str) -> Option<f64>) -> Result<Test, BadDate> {
    let value = |place: usize| {
        let parsed = values.get(place).and_then(|value| parse(value.trim()));
        parsed.filter(|number| number.is_finite()).ok_or(BadDate::Invalid)
    };
    Ok(Test::Number(match operator {
        ">=" => Range { from: Some(value(0)?), to: None },
        "<=" => Range { from: None, to: Some(value(0)?) },
        "><" => Range { from: Some(value(0)?), to: Some(value(1)?) },
        _ => Range { from: Some(value(0)?), to: Some(value(0)?) },
    }))
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
