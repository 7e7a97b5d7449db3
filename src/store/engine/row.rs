//! Rows of a query.

use super::StatementError;
use super::column::{ColumnValue, FromColumn};
use super::damage;
use super::postgres::columns;
use std::cell::Cell;

/// What a query calls with each of its rows. An error ends the query.
pub type VisitRow<'v> = &'v mut dyn FnMut(&Row<'_>) -> Result<(), StatementError>;

/// One row of a query.
pub struct Row<'r> {
    columns: Columns<'r>,
    /// The index of the column that [`Row::next`] reads.
    next: Cell<usize>,
}

enum Columns<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    pub(super) fn of_sqlite(row: &'r rusqlite::Row<'r>) -> Row<'r> {
        Row {
            columns: Columns::Sqlite(row),
            next: Cell::new(0),
        }
    }

    pub(super) fn of_postgres(row: &'r tokio_postgres::Row) -> Row<'r> {
        Row {
            columns: Columns::Postgres(row),
            next: Cell::new(0),
        }
    }

    /// Returns the value of the next column, in the order of the `SELECT`. Records list their
    /// fields in the order of their columns, so that no code needs an index.
    pub fn next<T: FromColumn>(&self) -> Result<T, StatementError> {
        let column = self.next.get();
        self.next.set(column + 1);
        self.get(column)
    }

    /// Returns the value of a column; the first column is 0. A damaged date, time or number is logged and has a
    /// substitute, so that its row can be read.
    pub fn get<T: FromColumn>(&self, column: usize) -> Result<T, StatementError> {
        T::from_column(self.value(column)?).or_else(|problem| {
            let problem = self.name_problem(column, &problem);
            let Some(substitute) = T::substitute() else {
                return Err(StatementError::Column { column, problem });
            };
            damage::log(&problem);
            Ok(substitute)
        })
    }

    /// Adds the name of the column to a problem. It is a part of the statement.
    #[inline(never)]
    fn name_problem(&self, column: usize, problem: &str) -> String {
        let name = match self.columns {
            Columns::Sqlite(row) => row.as_ref().column_name(column).ok(),
            Columns::Postgres(row) => row.columns().get(column).map(|column| column.name()),
        };
        format!("{}: {problem}", name.unwrap_or("unknown"))
    }

    /// Returns a column as the engine has it. Compiled once, not into the code of every column that is
    /// read.
    #[inline(never)]
    pub fn value(&self, column: usize) -> Result<ColumnValue<'_>, StatementError> {
        match self.columns {
            Columns::Sqlite(row) => Ok(row.get_ref(column)?.into()),
            Columns::Postgres(row) => columns::get(row, column),
        }
    }
}
