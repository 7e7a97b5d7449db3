//! Values whose type does not fit their column. Only SQLite can have them.

use super::damage::Damage;
use crate::StoreError;
use crate::engine::{ColumnType, ColumnValue, Connection, FromColumn};
use std::collections::BTreeMap;

/// Maximum number of rows that are named per column.
const MAX_ROWS: usize = 5;

/// What is wrong with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Problem {
    /// The value has this type.
    Type(&'static str),
    /// The value is text, but not valid UTF-8.
    Encoding,
}

/// What a value is, without the value itself.
struct CellType {
    name: &'static str,
    is_valid: bool,
}

impl FromColumn for CellType {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        let is_valid = match value {
            ColumnValue::Text(bytes) => std::str::from_utf8(bytes).is_ok(),
            _ => true,
        };
        Ok(CellType {
            name: value.type_name(),
            is_valid,
        })
    }
}

/// Rows with the same problem in the same column.
#[derive(Default)]
struct Rows {
    count: usize,
    /// The ids of the first of them; in tables without generated ids, those that SQLite gives to rows.
    first: Vec<i64>,
}

/// Checks the values of all tables of the schema, with one pass over each table.
pub(super) fn check(
    connection: &Connection,
    expected: &Connection,
) -> Result<Option<Damage>, StoreError> {
    if matches!(connection, Connection::Postgres(_)) {
        return Ok(None);
    }
    let mut tables: BTreeMap<String, Vec<ColumnType>> = BTreeMap::new();
    for column in expected.column_types()? {
        tables.entry(column.table.clone()).or_default().push(column);
    }
    let mut examples = Vec::new();
    for (table, columns) in tables {
        for ((column, problem), rows) in problems_of_table(connection, &table, &columns)? {
            examples.push(describe(&columns[column], problem, &rows));
        }
    }
    Ok(Damage::from_examples(examples, None))
}

/// Returns the rows with values that do not fit, by the index of the column and the problem.
fn problems_of_table(
    connection: &Connection,
    table: &str,
    columns: &[ColumnType],
) -> Result<BTreeMap<(usize, Problem), Rows>, StoreError> {
    let sql = ColumnType::select_with_row_ids(table, columns);
    let mut problems: BTreeMap<(usize, Problem), Rows> = BTreeMap::new();
    connection.for_each_row(&sql, &[], &mut |row| {
        let id: i64 = row.next()?;
        for (index, column) in columns.iter().enumerate() {
            let cell: CellType = row.next()?;
            let problem = if !fits(column, cell.name) {
                Problem::Type(cell.name)
            } else if !cell.is_valid {
                Problem::Encoding
            } else {
                continue;
            };
            let rows = problems.entry((index, problem)).or_default();
            rows.count += 1;
            if rows.first.len() < MAX_ROWS {
                rows.first.push(id);
            }
        }
        Ok(())
    })?;
    Ok(problems)
}

/// Whether values of this type can be read from the column. Columns with other declared types may have
/// any value. `PRAGMA integrity_check` reports missing values.
fn fits(column: &ColumnType, value: &str) -> bool {
    let may_be = match expected_type(column) {
        Some("an integer") => &["no value", "an integer"][..],
        Some("text") => &["no value", "text"],
        Some(_) => &["no value", "an integer", "a floating point number"],
        None => return true,
    };
    may_be.contains(&value)
}

fn expected_type(column: &ColumnType) -> Option<&'static str> {
    match column.declared.as_str() {
        "BIGINT" | "INTEGER" => Some("an integer"),
        "TEXT" => Some("text"),
        "DOUBLE PRECISION" => Some("a number"),
        _ => None,
    }
}

fn describe(column: &ColumnType, problem: Problem, rows: &Rows) -> String {
    let problem = match problem {
        Problem::Type(name) => {
            let expected = expected_type(column).unwrap_or("a value");
            format!("{name} instead of {expected}")
        }
        Problem::Encoding => "text that is not valid UTF-8".to_owned(),
    };
    let ids: Vec<String> = rows.first.iter().map(i64::to_string).collect();
    let ids = ids.join(", ");
    let place = format!("{}.{}", column.table, column.column);
    match rows.count {
        1 => format!("{place} has {problem} in row {ids}"),
        count if count > MAX_ROWS => {
            format!("{place} has {problem} in {count} rows, the first of them {ids}")
        }
        count => format!("{place} has {problem} in {count} rows: {ids}"),
    }
}
