//! Values that the program cannot use: of the wrong type, missing, or without the meaning that their
//! column has. One pass over each table of the schema covers all columns.

mod rule;
mod text;

use super::damage::Damage;
use crate::StoreError;
use crate::engine::{ColumnType, ColumnValue, Connection, Row, StatementError};
use rule::Rule;
use std::collections::BTreeMap;

/// Maximum number of rows that are named per column.
const MAX_ROWS: usize = 5;

/// Damaged values.
#[derive(Debug, Default)]
pub struct ValueDamage {
    /// Values of the wrong type, missing values, and text that is not UTF-8.
    pub wrong_types: Option<Damage>,
    /// Values of the right type that mean nothing, such as dates that do not exist.
    pub invalid: Option<Damage>,
}

/// What is wrong with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Problem {
    /// The value has this type.
    Type(&'static str),
    /// The value is text, but not valid UTF-8.
    Encoding,
    /// The value breaks the rule of its column; a predicate such as `is negative`.
    Invalid(&'static str),
}

/// Rows with the same problem in the same column.
#[derive(Default)]
struct Rows {
    count: usize,
    /// The primary keys of the first of them, with the values.
    first: Vec<String>,
}

/// A column with what its values must be.
struct CheckedColumn<'c> {
    column: &'c ColumnType,
    rule: Option<Rule>,
}

/// Checks the values of all tables of the schema.
pub(super) fn check(
    connection: &Connection,
    expected: &Connection,
) -> Result<ValueDamage, StoreError> {
    let mut tables: BTreeMap<String, Vec<ColumnType>> = BTreeMap::new();
    for column in expected.column_types()? {
        tables.entry(column.table.clone()).or_default().push(column);
    }
    // The columns of a server have no values of other types, so that it is enough to read those with a rule.
    let has_types = matches!(connection, Connection::Sqlite(_));
    let mut wrong_types = Vec::new();
    let mut invalid = Vec::new();
    for (table, columns) in &tables {
        let checked = columns.iter().map(|column| CheckedColumn {
            column,
            rule: Rule::for_column(column),
        });
        let checked: Vec<_> = checked
            .filter(|checked| has_types || checked.rule.is_some())
            .collect();
        if checked.is_empty() {
            continue;
        }
        let mut key: Vec<&ColumnType> = columns
            .iter()
            .filter(|column| column.key_position > 0)
            .collect();
        key.sort_by_key(|column| column.key_position);
        for ((index, problem), rows) in problems_of_table(connection, table, &key, &checked)? {
            let text = describe(checked[index].column, problem, &rows);
            match problem {
                Problem::Invalid(_) => invalid.push(text),
                Problem::Type(_) | Problem::Encoding => wrong_types.push(text),
            }
        }
    }
    Ok(ValueDamage {
        wrong_types: Damage::from_examples(wrong_types, None),
        invalid: Damage::from_examples(invalid, None),
    })
}

/// Returns the rows with values that cannot be used, by the index of the column and the problem.
fn problems_of_table(
    connection: &Connection,
    table: &str,
    key: &[&ColumnType],
    columns: &[CheckedColumn<'_>],
) -> Result<BTreeMap<(usize, Problem), Rows>, StoreError> {
    let names = key
        .iter()
        .copied()
        .chain(columns.iter().map(|checked| checked.column));
    let names: Vec<String> = names
        .map(|column| format!("\"{}\"", column.column))
        .collect();
    let sql = format!("SELECT {} FROM {table}", names.join(", "));
    let mut problems: BTreeMap<(usize, Problem), Rows> = BTreeMap::new();
    connection.for_each_row(&sql, &[], &mut |row| {
        for (index, checked) in columns.iter().enumerate() {
            let value = row.value(key.len() + index)?;
            let Some(problem) = checked.problem(value) else {
                continue;
            };
            let rows = problems.entry((index, problem)).or_default();
            rows.count += 1;
            if rows.first.len() < MAX_ROWS {
                rows.first
                    .push(describe_row(row, key, checked.column, value)?);
            }
        }
        Ok(())
    })?;
    Ok(problems)
}

impl CheckedColumn<'_> {
    /// Returns what is wrong with a value of the column.
    fn problem(&self, value: ColumnValue<'_>) -> Option<Problem> {
        if !fits(self.column, value) {
            return Some(Problem::Type(value.type_name()));
        }
        if let ColumnValue::Text(bytes) = value
            && std::str::from_utf8(bytes).is_err()
        {
            return Some(Problem::Encoding);
        }
        let problem = self.rule?.problem(value)?;
        Some(Problem::Invalid(problem))
    }
}

/// Whether values of this type can be read from the column.
fn fits(column: &ColumnType, value: ColumnValue<'_>) -> bool {
    match (value, expected_type(column)) {
        (ColumnValue::Null, _) => !column.is_required,
        (ColumnValue::Integer(_), Some("an integer" | "a number"))
        | (ColumnValue::Real(_), Some("a number"))
        | (ColumnValue::Text(_), Some("text"))
        | (_, None) => true,
        _ => false,
    }
}

/// Returns the type of the column; `None` for bytes, which SQLite does not convert.
fn expected_type(column: &ColumnType) -> Option<&'static str> {
    match column.declared.as_str() {
        "BIGINT" | "INTEGER" => Some("an integer"),
        "TEXT" => Some("text"),
        "DOUBLE PRECISION" => Some("a number"),
        _ => None,
    }
}

/// Describes a row by its primary key and the value.
fn describe_row(
    row: &Row<'_>,
    key: &[&ColumnType],
    column: &ColumnType,
    value: ColumnValue<'_>,
) -> Result<String, StatementError> {
    let mut parts = Vec::new();
    for (index, column) in key.iter().enumerate() {
        parts.push(match text::is_secret(column) {
            true => "…".to_owned(),
            false => text::describe(row.value(index)?),
        });
    }
    let id = parts.join("/");
    let is_in_key = column.key_position > 0;
    let is_missing = matches!(value, ColumnValue::Null);
    if is_in_key || is_missing || text::is_secret(column) {
        return Ok(id);
    }
    Ok(format!("{id} ({})", text::describe(value)))
}

fn describe(column: &ColumnType, problem: Problem, rows: &Rows) -> String {
    let problem = match problem {
        Problem::Type(name) => {
            let expected = expected_type(column).unwrap_or("a value");
            format!("has {name} instead of {expected}")
        }
        Problem::Encoding => "has text that is not valid UTF-8".to_owned(),
        Problem::Invalid(problem) => problem.to_owned(),
    };
    let first = rows.first.join(", ");
    let place = format!("{}.{}", column.table, column.column);
    match rows.count {
        1 => format!("{place} {problem} in row {first}"),
        count if count > MAX_ROWS => {
            format!("{place} {problem} in {count} rows, the first of them {first}")
        }
        count => format!("{place} {problem} in {count} rows: {first}"),
    }
}
