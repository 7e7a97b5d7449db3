//! Filters of the issue list (contract 4.3): field, operator and values, read into conditions that have a meaning.

use super::dates::{self, BadDate, Moment, Range};
use crate::domain::ids::PrincipalId;
use jiff::civil::Date;

/// A field of an issue by which a list can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the column of its name")]
pub enum Field {
    Id,
    Status,
    Tracker,
    Priority,
    Author,
    Assignee,
    Version,
    Subject,
    Description,
    CreatedOn,
    UpdatedOn,
    ClosedOn,
    StartDate,
    DueDate,
    DoneRatio,
    EstimatedHours,
}

/// How a field's values and operators are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Status,
    List,
    OptionalList,
    Number,
    Text,
    PastDate,
    Date,
}

const TABLE: &[(Field, &str, &str, Type)] = &[
    (Field::Id, "issue_id", "Issue", Type::Number),
    (Field::Status, "status_id", "Status", Type::Status),
    (Field::Tracker, "tracker_id", "Tracker", Type::List),
    (Field::Priority, "priority_id", "Priority", Type::List),
    (Field::Author, "author_id", "Author", Type::List),
    (Field::Assignee, "assigned_to_id", "Assignee", Type::OptionalList),
    (Field::Version, "fixed_version_id", "Target version", Type::OptionalList),
    (Field::Subject, "subject", "Subject", Type::Text),
    (Field::Description, "description", "Description", Type::Text),
    (Field::CreatedOn, "created_on", "Created", Type::PastDate),
    (Field::UpdatedOn, "updated_on", "Updated", Type::PastDate),
    (Field::ClosedOn, "closed_on", "Closed", Type::PastDate),
    (Field::StartDate, "start_date", "Start date", Type::Date),
    (Field::DueDate, "due_date", "Due date", Type::Date),
    (Field::DoneRatio, "done_ratio", "% Done", Type::Number),
    (Field::EstimatedHours, "estimated_hours", "Estimated time", Type::Number),
];

impl Field {
    /// The field that a request parameter names.
    pub fn parse(name: &str) -> Option<Field> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The names of all fields.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        TABLE.iter().map(|row| row.1)
    }

    fn row(self) -> (&'static str, Type) {
        let row = &TABLE[self as usize];
        (row.2, row.3)
    }
}

/// What is asked of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It refers to one of these.
    OneOf(Vec<i64>),
    /// It refers to none of these, or to nothing.
    NoneOf(Vec<i64>),
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
    /// Anything will do.
    Anything,
}

/// One condition on an issue.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// On which field.
    pub field: Field,
    /// What is asked of it.
    pub test: Test,
}

/// What a filter may refer to without naming it.
pub struct Context<'a> {
    /// The asker, and behind it the asker's groups; empty for somebody who is not logged in.
    pub me: &'a [PrincipalId],
    /// Today.
    pub today: Date,
}

/// How many values one filter may have, how many characters a text, and how many words.
const MOST_VALUES: usize = 1000;
const LONGEST_TEXT: usize = 1000;
const MOST_WORDS: usize = 50;

/// Reads the short syntax `field=<operator><value>|<value>`, without operator `=`. Fails with the sentence to be shown.
pub fn short(field: Field, text: &str, context: &Context<'_>) -> Result<Condition, String> {
    let (label, kind) = field.row();
    if kind == Type::Text && (text.chars().nth(LONGEST_TEXT).is_some() || text.split_whitespace().nth(MOST_WORDS).is_some()) {
        return Err(format!("{label} filter is too long (at most {LONGEST_TEXT} characters and {MOST_WORDS} words)"));
    }
    // Plain text in `subject` means "contains" (spec); a leading `=` asks for the text to the letter.
    if kind == Type::Text && !text.is_empty() && !["~", "!~", "^", "$", "=", "!*", "*"].iter().any(|operator| text.starts_with(operator)) {
        return Ok(Condition { field, test: Test::Contains(vec![text.to_owned()]) });
    }
    let operators: &[&str] = match kind {
        Type::Status => &["=", "!", "o", "c", "*"],
        Type::List => &["=", "!"],
        Type::OptionalList => &["!*", "=", "!", "*"],
        Type::Number => &["><", ">=", "<=", "!*", "=", "*"],
        Type::Text => &["!~", "!*", "~", "^", "$", "=", "*"],
        Type::PastDate => dates::PAST,
        Type::Date => dates::ANY,
    };
    let found = operators.iter().copied().find(|operator| text.strip_prefix(operator).is_some_and(|rest| takes(operator, rest)));
    let operator = found.unwrap_or("=");
    let rest = found.map_or(text, |operator| &text[operator.len()..]);
    let values: Vec<&str> = rest.split('|').collect();
    if values.len() > MOST_VALUES {
        return Err(format!("{label} has more than {MOST_VALUES} values"));
    }
    let test = test(field, kind, operator, &values, context).map_err(|bad| match bad {
        BadDate::Blank => format!("{label} cannot be blank"),
        BadDate::Invalid => format!("{label} is invalid"),
    })?;
    Ok(Condition { field, test })
}

/// Words such as `t` and `m` are operators only when they stand alone; otherwise they begin a value.
fn takes(operator: &str, rest: &str) -> bool {
    match operator {
        "t" | "w" | "m" | "y" | "ld" | "nd" | "lw" | "l2w" | "nw" | "lm" | "nm" => rest.is_empty(),
        _ => true,
    }
}

fn test(field: Field, kind: Type, operator: &str, values: &[&str], context: &Context<'_>) -> Result<Test, BadDate> {
    let first = values.first().copied().unwrap_or_default();
    match (operator, kind) {
        ("*", Type::Status) => return Ok(Test::Anything),
        ("*", _) => return Ok(Test::Present),
        ("!*", _) => return Ok(Test::Missing),
        ("o", Type::Status) => return Ok(Test::Open),
        ("c", Type::Status) => return Ok(Test::Closed),
        _ => {}
    }
    match kind {
        Type::Status | Type::List | Type::OptionalList => {
            if values.iter().all(|value| value.trim().is_empty()) {
                return Err(BadDate::Blank);
            }
            let ids = ids(field, values, context);
            Ok(if operator == "!" { Test::NoneOf(ids) } else { Test::OneOf(ids) })
        }
        Type::Text => {
            if first.is_empty() {
                return Err(BadDate::Blank);
            }
            let text = values.join("|");
            let words = || text.split_whitespace().map(str::to_owned).collect();
            Ok(match operator {
                "~" => Test::Contains(words()),
                "!~" => Test::Lacks(words()),
                "^" => Test::Begins(text),
                "$" => Test::Ends(text),
                _ => Test::Is(text),
            })
        }
        Type::Number => number(field, operator, values),
        Type::PastDate | Type::Date => dates::span(operator, values, context.today).map(Test::When),
    }
}

fn ids(field: Field, values: &[&str], context: &Context<'_>) -> Vec<i64> {
    let mut ids = Vec::new();
    for value in values {
        match (field, value.trim()) {
            (Field::Assignee, "me") => ids.extend(context.me.iter().map(|principal| principal.0)),
            (Field::Author, "me") => ids.extend(context.me.first().map(|user| user.0)),
            // What is not a number is nobody's: the list is empty rather than wrong (contract 4.3).
            (_, text) => ids.push(text.parse().unwrap_or(0)),
        }
    }
    ids
}

fn number(field: Field, operator: &str, values: &[&str]) -> Result<Test, BadDate> {
    if values.iter().all(|value| value.trim().is_empty()) {
        return Err(BadDate::Blank);
    }
    if field == Field::Id && operator == "=" {
        let ids: Result<Vec<i64>, _> = values.iter().flat_map(|value| value.split(',')).map(|value| value.trim().parse()).collect();
        return ids.map(Test::OneOf).map_err(|_| BadDate::Invalid);
    }
    let value = |place: usize| {
        let parsed = values.get(place).and_then(|value| value.trim().parse::<f64>().ok());
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
