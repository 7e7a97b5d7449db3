//! The rows that a read has received already.
//!
//! All statements of a read see one snapshot, so a statement that was run once has the same rows
//! when it is run again: what a page asks for in several places costs one round trip. (A page of an
//! issue ran 45 statements, 17 of them twice or three times.)

use crate::engine::Value;
use std::sync::Arc;
use tokio_postgres::Row;

/// Maximum number of statements whose rows are kept.
const MAX_STATEMENTS: usize = 64;
/// Maximum size of the rows of a statement, in bytes; larger ones are not kept.
const MAX_BYTES: usize = 64 * 1024;

/// The statements of a read, with their rows. Empty outside of a read.
#[derive(Default)]
pub(super) struct SnapshotRows {
    is_reading: bool,
    statements: Vec<RanStatement>,
}

struct RanStatement {
    sql: String,
    values: Vec<Value>,
    rows: Arc<Vec<Row>>,
}

/// The rows of a statement that is running, as long as they are few.
pub(super) struct FewRows {
    rows: Option<Vec<Row>>,
    bytes: usize,
}

impl SnapshotRows {
    /// Forgets all statements; new ones are kept only in a transaction that reads one snapshot.
    pub fn reset(&mut self, is_reading: bool) {
        self.is_reading = is_reading;
        self.statements.clear();
    }

    /// Returns the rows of a statement that has run.
    pub fn find(&self, sql: &str, values: &[Value]) -> Option<Arc<Vec<Row>>> {
        let found = self
            .statements
            .iter()
            .find(|statement| statement.sql == sql && statement.values == values)?;
        Some(Arc::clone(&found.rows))
    }

    /// Starts to keep the rows of a statement.
    pub fn start(&self) -> FewRows {
        let is_kept = self.is_reading && self.statements.len() < MAX_STATEMENTS;
        FewRows {
            rows: is_kept.then(Vec::new),
            bytes: 0,
        }
    }

    /// Keeps the rows of a statement that has run to its end.
    pub fn insert(&mut self, sql: &str, values: &[Value], rows: FewRows) {
        if let Some(rows) = rows.rows.filter(|_| self.is_reading) {
            self.statements.push(RanStatement {
                sql: sql.to_owned(),
                values: values.to_vec(),
                rows: Arc::new(rows),
            });
        }
    }
}

impl FewRows {
    /// Adds a row, unless there are too many already.
    pub fn push(&mut self, row: Row) {
        self.bytes += row.raw_size_bytes();
        match &mut self.rows {
            Some(rows) if self.bytes <= MAX_BYTES => rows.push(row),
            _ => self.rows = None,
        }
    }
}
