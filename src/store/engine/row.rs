//! Rows of a query.

use super::StatementError;
use super::column::FromColumn;
use super::postgres::columns;
use std::cell::Cell;

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

    /// Returns the value of a column; the first column is 0.
    pub fn get<T: FromColumn>(&self, column: usize) -> Result<T, StatementError> {
        let value = match self.columns {
            Columns::Sqlite(row) => row.get_ref(column)?.into(),
            Columns::Postgres(row) => columns::get(row, column)?,
        };
        T::from_column(value).map_err(|problem| StatementError::Column { column, problem })
    }
}
