//! Converts values of the source to values of the store. An invalid value is an error, or a warning
//! and the fallback of its field.

use super::field::{ColumnType, Fallback, FieldContext, to_integer};
use super::id_map::RefTarget;
use super::source::Cell;
use super::table_mapping::TableMapping;
use super::yaml;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use quarry_store::Value;

/// Maximum number of characters of a value in a report.
const MAX_SHOWN_CHARS: usize = 60;

/// Why a row cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowError {
    /// The row is invalid.
    Broken(String),
    /// The row refers to one that was deleted or created here.
    KeepLocal(String),
}

impl From<String> for RowError {
    fn from(problem: String) -> RowError {
        RowError::Broken(problem)
    }
}

impl RowError {
    /// Names the column that the error is about.
    pub fn in_column(self, column: &str) -> RowError {
        match self {
            RowError::Broken(problem) => RowError::Broken(format!("{column} {problem}")),
            RowError::KeepLocal(problem) => RowError::KeepLocal(format!("{column} {problem}")),
        }
    }

    fn problem(self) -> String {
        match self {
            RowError::Broken(problem) | RowError::KeepLocal(problem) => problem,
        }
    }
}

/// Returns the value of a column. Values that cannot be imported although their row can are
/// described in `warnings`.
pub fn convert(context: &FieldContext<'_>, warnings: &mut Vec<String>) -> Result<Value, RowError> {
    let field = context.field;
    match parse_cell(context) {
        Ok(Some(Value::Text(text))) if text.contains('\0') => {
            // PostgreSQL cannot store such texts.
            warnings.push(format!(
                "{} contains NUL bytes, which are removed",
                field.from
            ));
            Ok(Value::Text(text.replace('\0', "")))
        }
        Ok(Some(value)) => Ok(value),
        Ok(None) => match fallback_value(field.fallback) {
            Some(value) => Ok(value),
            None => use_default(context, format!("{} is missing", field.from), warnings),
        },
        Err(refusal) => {
            let refusal = refusal.in_column(field.from);
            match fallback_value(field.fallback) {
                None => match refusal {
                    RowError::Broken(problem) => use_default(context, problem, warnings),
                    RowError::KeepLocal(_) => Err(refusal),
                },
                Some(value) if !matches!(field.fallback, Fallback::NullOrReject) => {
                    warnings.push(refusal.problem());
                    Ok(value)
                }
                _ => Err(refusal),
            }
        }
    }
}

/// Returns the default of a column whose value has a problem, and describes both.
fn use_default(
    context: &FieldContext<'_>,
    problem: String,
    warnings: &mut Vec<String>,
) -> Result<Value, RowError> {
    let default = match context.field.fallback {
        Fallback::Default(default) => default(context),
        _ => None,
    };
    let Some(id) = default else {
        return Err(RowError::Broken(problem));
    };
    warnings.push(format!("{problem}; the default, {id}, is used"));
    Ok(Value::Int(id))
}

/// Returns the value of a column that the source leaves empty; `None` when the column is required.
pub fn fallback_value(fallback: Fallback) -> Option<Value> {
    match fallback {
        Fallback::RejectRow | Fallback::Default(_) => None,
        Fallback::Null | Fallback::NullOrReject => Some(Value::Null),
        Fallback::Int(number) => Some(Value::Int(number)),
        Fallback::Text(text) => Some(text.into()),
    }
}

/// Returns the values of all columns for a row that the source leaves empty.
pub fn empty_row(mapping: &TableMapping) -> Vec<Value> {
    mapping
        .fields
        .iter()
        .map(|field| fallback_value(field.fallback).unwrap_or(Value::Null))
        .collect()
}

fn parse_cell(context: &FieldContext<'_>) -> Result<Option<Value>, RowError> {
    let cell = context.row.cell(context.field.from);
    if let ColumnType::Custom(convert) = context.field.column_type {
        return Ok(Some(convert(context)?).filter(|value| *value != Value::Null));
    }
    if *cell == Cell::Null {
        return Ok(None);
    }
    let value = match context.field.column_type {
        ColumnType::Integer => {
            Value::Int(to_integer(cell).ok_or_else(|| mismatch(cell, "a whole number"))?)
        }
        ColumnType::Boolean => parse_boolean(cell)
            .ok_or_else(|| mismatch(cell, "yes or no"))?
            .into(),
        ColumnType::Float => parse_float(cell)
            .ok_or_else(|| mismatch(cell, "a number"))?
            .into(),
        ColumnType::Text | ColumnType::Custom(_) => context.row.text(context.field.from)?.into(),
        ColumnType::Timestamp => Value::Int(
            parse_timestamp(&context.row.text(context.field.from)?)
                .ok_or_else(|| mismatch(cell, "a date and time"))?,
        ),
        ColumnType::Date => parse_date(&context.row.text(context.field.from)?)
            .ok_or_else(|| mismatch(cell, "a date"))?
            .into(),
        ColumnType::Yaml => {
            return Ok(yaml::to_json(&context.row.text(context.field.from)?)?.map(Value::Text));
        }
        ColumnType::Ref(table) => return resolve_reference(context, cell, table),
        ColumnType::PolymorphicRef(column, tables) => {
            let name = context.row.text(column)?;
            let table = tables
                .iter()
                .find(|(type_name, _)| *type_name == name)
                .map(|(_, table)| *table);
            return resolve_reference(
                context,
                cell,
                table.ok_or_else(|| format!("belongs to a {name}, which is not supported"))?,
            );
        }
    };
    Ok(Some(value))
}

/// Returns the id of a reference; `None` for 0, which some tables use instead of NULL.
fn resolve_reference(
    context: &FieldContext<'_>,
    cell: &Cell,
    table: &'static str,
) -> Result<Option<Value>, RowError> {
    match to_integer(cell).ok_or_else(|| mismatch(cell, "an id"))? {
        0 => Ok(None),
        id => check_target(context.ids.target(table, id), table, id).map(|()| Some(id.into())),
    }
}

/// Fails unless the row that a reference refers to was imported.
pub fn check_target(target: RefTarget, table: &str, id: i64) -> Result<(), RowError> {
    match target {
        RefTarget::Imported => Ok(()),
        RefTarget::Deleted => Err(RowError::KeepLocal(format!(
            "refers to {table} {id}, which was deleted here"
        ))),
        RefTarget::Unrelated => Err(RowError::KeepLocal(format!(
            "refers to {table} {id}, which is a different record here"
        ))),
        RefTarget::Missing => Err(RowError::Broken(format!(
            "refers to {table} {id}, which does not exist"
        ))),
    }
}

/// Returns whether the cell is a true or a false value; `None` for anything else.
pub fn parse_boolean(cell: &Cell) -> Option<bool> {
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

fn parse_float(cell: &Cell) -> Option<f64> {
    let number = match cell {
        Cell::Int(number) => *number as f64,
        Cell::Real(number) => *number,
        Cell::Text(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Returns the microseconds since 1970 of `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let text = text.trim().trim_end_matches(" UTC").trim_end_matches('Z');
    let civil: DateTime = text.parse().ok()?;
    Some(
        civil
            .to_zoned(TimeZone::UTC)
            .ok()?
            .timestamp()
            .as_microsecond(),
    )
}

fn parse_date(text: &str) -> Option<Date> {
    text.trim().get(..10)?.parse().ok()
}

/// Returns the message about a value that is not of the expected type.
fn mismatch(cell: &Cell, expected: &str) -> String {
    let value_text = match cell {
        Cell::Null => "empty".to_owned(),
        Cell::Int(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => format!(
            "{:?}",
            text.chars().take(MAX_SHOWN_CHARS).collect::<String>()
        ),
        Cell::Bytes(_) => return "is not UTF-8".to_owned(),
    };
    format!("is {value_text}, not {expected}")
}

#[cfg(test)]
mod tests;
