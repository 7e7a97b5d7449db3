//! A column of the source, what it becomes, and what happens when it is missing or makes no sense.

use super::known::Known;
use super::source::Cell;
use crate::store::Value;
use crate::store::secrets::Secrets;

/// A column.
#[derive(Clone, Copy)]
pub struct Field {
    /// Its name in the source.
    pub from: &'static str,
    /// Its name here.
    pub to: &'static str,
    /// What it holds.
    pub how: How,
    /// What it is without a value.
    pub or: Or,
    /// Other columns of the source that it is made of besides.
    pub with: &'static [&'static str],
}

/// What a column holds.
#[derive(Clone, Copy)]
pub enum How {
    /// A whole number.
    Whole,
    /// Yes or no.
    Switch,
    /// A number.
    Number,
    /// A text.
    Text,
    /// An instant, in UTC.
    Instant,
    /// A date.
    Date,
    /// A text in YAML, kept as JSON.
    Yaml,
    /// The number of a row in this table of ours.
    Ref(&'static str),
    /// The number of a row in the table that belongs to the name in another column.
    RefBy(&'static str, &'static [(&'static str, &'static str)]),
    /// Something else.
    Made(fn(&Asked<'_>) -> Result<Value, String>),
}

/// What a column is without a value. A value that makes no sense is reported and then counts as none, but where it says otherwise.
#[derive(Clone, Copy)]
pub enum Or {
    /// The row cannot be taken.
    Broken,
    /// Nothing.
    Null,
    /// Nothing, but with a value that makes no sense the row cannot be taken.
    Empty,
    /// This number.
    Int(i64),
    /// This text.
    Text(&'static str),
}

impl Field {
    /// Under another name here.
    pub const fn to(self, to: &'static str) -> Field {
        Field { to, ..self }
    }

    /// The same, but with a value that makes no sense the row cannot be taken.
    pub const fn strict(self) -> Field {
        Field { or: Or::Empty, ..self }
    }

    /// Made in its own way.
    pub const fn made(self, make: fn(&Asked<'_>) -> Result<Value, String>) -> Field {
        Field { how: How::Made(make), ..self }
    }

    /// Made of these columns besides.
    pub const fn with(self, with: &'static [&'static str]) -> Field {
        Field { with, ..self }
    }
}

/// A column without which a row is broken.
pub const fn must(from: &'static str, how: How) -> Field {
    Field { from, to: from, how, or: Or::Broken, with: &[] }
}

/// A column that may be empty.
pub const fn may(from: &'static str, how: How) -> Field {
    Field { from, to: from, how, or: Or::Null, with: &[] }
}

/// A column with a number for want of a value.
pub const fn number(from: &'static str, how: How, or: i64) -> Field {
    Field { from, to: from, how, or: Or::Int(or), with: &[] }
}

/// A column with a text for want of a value.
pub const fn text(from: &'static str, or: &'static str) -> Field {
    Field { from, to: from, how: How::Text, or: Or::Text(or), with: &[] }
}

/// A row of the source by the names of its columns.
#[derive(Clone, Copy)]
pub struct Row<'r> {
    /// The names of the columns that were read.
    pub columns: &'r [&'static str],
    /// Their values.
    pub cells: &'r [Cell],
}

impl<'r> Row<'r> {
    /// The value of a column; none when there is no such column.
    pub fn cell(&self, column: &str) -> &'r Cell {
        let place = self.columns.iter().position(|name| *name == column);
        place.and_then(|place| self.cells.get(place)).unwrap_or(&Cell::Null)
    }

    /// A column as text; empty without a value.
    pub fn text(&self, column: &str) -> Result<String, String> {
        match self.cell(column) {
            Cell::Null => Ok(String::new()),
            Cell::Text(text) => Ok(text.clone()),
            Cell::Int(number) => Ok(number.to_string()),
            Cell::Real(number) => Ok(number.to_string()),
            Cell::Bytes(_) => Err("is not UTF-8".to_owned()),
        }
    }

    /// A column as a whole number, if it is one.
    pub fn whole(&self, column: &str) -> Option<i64> {
        whole(self.cell(column))
    }
}

/// A value as a whole number, if it is one.
pub fn whole(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Int(number) => Some(*number),
        Cell::Text(text) => text.trim().parse().ok(),
        Cell::Real(number) if number.fract() == 0.0 && number.abs() < 9e15 => Some(*number as i64),
        _ => None,
    }
}

/// What a column that is made in its own way is made of.
pub struct Asked<'a> {
    /// The row of the source.
    pub row: Row<'a>,
    /// The column.
    pub field: &'a Field,
    /// Which rows there are.
    pub known: &'a Known,
    /// The secrets of the data folder.
    pub secrets: &'a Secrets,
}
