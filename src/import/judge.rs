//! What a value of the source means here, or what is wrong with it.

use super::field::{Asked, How, Or, whole};
use super::known::Lead;
use super::noun::Noun;
use super::source::Cell;
use super::yaml;
use crate::store::Value;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// The longest part of a value that a report shows.
const SHOWN: usize = 60;

/// Why a row cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Something is wrong with it.
    Broken(String),
    /// It belongs to something that stays as it is here.
    Ours(String),
}

impl From<String> for Refusal {
    fn from(problem: String) -> Refusal {
        Refusal::Broken(problem)
    }
}

impl Refusal {
    /// The same, about this column.
    pub fn of_column(self, column: &str) -> Refusal {
        match self {
            Refusal::Broken(problem) => Refusal::Broken(format!("{column} {problem}")),
            Refusal::Ours(problem) => Refusal::Ours(format!("{column} {problem}")),
        }
    }

    fn problem(self) -> String {
        match self {
            Refusal::Broken(problem) | Refusal::Ours(problem) => problem,
        }
    }
}

/// The value of a column here. `Err` is why the row cannot be taken; `odd` gets what could not be taken although the row can.
pub fn value(asked: &Asked<'_>, odd: &mut Vec<String>) -> Result<Value, Refusal> {
    let field = asked.field;
    match meaning(asked) {
        Ok(Some(Value::Text(text))) if text.contains('\0') => {
            // PostgreSQL keeps no such texts, and nobody reads that byte.
            odd.push(format!("{} holds zero bytes, which are left out", field.from));
            Ok(Value::Text(text.replace('\0', "")))
        }
        Ok(Some(value)) => Ok(value),
        Ok(None) => without(field.or).ok_or_else(|| format!("{} is missing", field.from).into()),
        Err(refusal) => {
            let refusal = refusal.of_column(field.from);
            match without(field.or) {
                Some(value) if !matches!(field.or, Or::Empty) => {
                    odd.push(refusal.problem());
                    Ok(value)
                }
                _ => Err(refusal),
            }
        }
    }
}

/// What a column is without a value; `None` when it must have one.
pub fn without(or: Or) -> Option<Value> {
    match or {
        Or::Broken => None,
        Or::Null | Or::Empty => Some(Value::Null),
        Or::Int(number) => Some(Value::Int(number)),
        Or::Text(text) => Some(text.into()),
    }
}

/// The columns of a noun as they are without values.
pub fn blank(noun: &Noun) -> Vec<Value> {
    noun.fields.iter().map(|field| without(field.or).unwrap_or(Value::Null)).collect()
}

fn meaning(asked: &Asked<'_>) -> Result<Option<Value>, Refusal> {
    let cell = asked.row.cell(asked.field.from);
    if let How::Made(make) = asked.field.how {
        return Ok(Some(make(asked)?).filter(|value| *value != Value::Null));
    }
    if *cell == Cell::Null {
        return Ok(None);
    }
    let value = match asked.field.how {
        How::Whole => Value::Int(whole(cell).ok_or_else(|| wrong(cell, "a whole number"))?),
        How::Switch => switch(cell).ok_or_else(|| wrong(cell, "yes or no"))?.into(),
        How::Number => number(cell).ok_or_else(|| wrong(cell, "a number"))?.into(),
        How::Text | How::Made(_) => asked.row.text(asked.field.from)?.into(),
        How::Instant => Value::Int(instant(&asked.row.text(asked.field.from)?).ok_or_else(|| wrong(cell, "an instant"))?),
        How::Date => date(&asked.row.text(asked.field.from)?).ok_or_else(|| wrong(cell, "a date"))?.into(),
        How::Yaml => return Ok(yaml::to_json(&asked.row.text(asked.field.from)?)?.map(Value::Text)),
        How::Ref(table) => return reference(asked, cell, table),
        How::RefBy(column, tables) => {
            let name = asked.row.text(column)?;
            let table = tables.iter().find(|(known, _)| *known == name).map(|(_, table)| *table);
            return reference(asked, cell, table.ok_or_else(|| format!("belongs to a {name}, which is not known"))?);
        }
    };
    Ok(Some(value))
}

/// A number of 0 leads nowhere, and is how some tables say so.
fn reference(asked: &Asked<'_>, cell: &Cell, table: &'static str) -> Result<Option<Value>, Refusal> {
    match whole(cell).ok_or_else(|| wrong(cell, "a number of a row"))? {
        0 => Ok(None),
        number => led(asked.known.lead(table, number), table, number).map(|()| Some(number.into())),
    }
}

/// What is wrong with a reference that leads there.
pub fn led(lead: Lead, table: &str, number: i64) -> Result<(), Refusal> {
    match lead {
        Lead::There => Ok(()),
        Lead::Removed => Err(Refusal::Ours(format!("leads to {table} {number}, which was removed here"))),
        Lead::Made => Err(Refusal::Ours(format!("leads to {table} {number}, which is another one here"))),
        Lead::Nowhere => Err(Refusal::Broken(format!("leads to {table} {number}, which is not there"))),
    }
}

fn switch(cell: &Cell) -> Option<bool> {
    match cell {
        Cell::Int(number) => Some(*number != 0),
        Cell::Text(text) => match text.as_str() {
            "1" | "t" | "true" => Some(true),
            "0" | "f" | "false" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn number(cell: &Cell) -> Option<f64> {
    let number = match cell {
        Cell::Int(number) => *number as f64,
        Cell::Real(number) => *number,
        Cell::Text(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Microseconds since 1970 of `YYYY-MM-DD HH:MM:SS[.ffffff]`, which is UTC.
pub fn instant(text: &str) -> Option<i64> {
    let text = text.trim().trim_end_matches(" UTC").trim_end_matches('Z');
    let civil: DateTime = text.parse().ok()?;
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond())
}

fn date(text: &str) -> Option<Date> {
    text.trim().get(..10)?.parse().ok()
}

/// What a row says that has the value there, shortened.
fn wrong(cell: &Cell, wanted: &str) -> String {
    let shown = match cell {
        Cell::Null => "nothing".to_owned(),
        Cell::Int(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => format!("{:?}", text.chars().take(SHOWN).collect::<String>()),
        Cell::Bytes(_) => return "is not UTF-8".to_owned(),
    };
    format!("is {shown}, not {wanted}")
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
