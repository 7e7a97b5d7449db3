//! The database engine: the only module that uses rusqlite and tokio-postgres.
//!
//! The rest of the store writes portable SQL with numbered parameters (`?1`). What differs between
//! the engines (identity columns, lists of ids, functions, locking) is translated in `sqlite` and
//! `postgres`, which the types here put behind one interface.

mod calls;
mod column;
mod connection;
mod damage;
mod deadline;
mod error;
mod ids;
mod location;
mod pool;
mod postgres;
mod program;
mod row;
mod sqlite;
#[cfg(feature = "statement-log")]
mod statement_log;
mod statement_times;
mod table;
mod tables;
pub mod tls;
mod value;
mod write_metrics;
mod writer;

pub use column::{ColumnValue, FromColumn};
pub use connection::Connection;
pub(crate) use error::other_program;
pub use error::{OpenError, StatementError};
pub use location::DatabaseLocation;
pub use pool::Pool;
pub use postgres::{Server, ServerError};
pub use row::{Row, VisitRow};
pub use statement_times::{StatementTimes, measure};
pub use table::{ColumnType, Reference, SchemaObject, Table};
pub use value::Value;
pub use writer::{Owner, Work, Writer, WriterClosed};

use std::path::Path;
use std::time::Duration;

/// Copies a SQLite file as one commit left it, while others may write to it. The copy is not synced.
/// Calls `go_on` with the number of copied pages and of all pages; returns `false` if that stopped the
/// copy.
pub fn copy_file(
    source: &Path,
    target: &Path,
    go_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<bool, StatementError> {
    sqlite::copy_file(source, target, go_on)
}

/// Runs a checkpoint of a SQLite file, which blocks neither readers nor the writer.
pub fn checkpoint(file: &Path) -> Result<(), StatementError> {
    sqlite::Connection::open_checkpointer(file)?.checkpoint()
}

/// Runs a checkpoint that empties the log of a SQLite file. Returns `false` if other connections
/// still use the log at the timeout.
pub fn empty_log(file: &Path, timeout: Duration) -> Result<bool, StatementError> {
    sqlite::Connection::open_checkpointer(file)?.empty_log(timeout)
}
