//! A cache of the rows that a read has received.
//!
//! All statements of a read see one snapshot, so running the same statement again returns the same
//! rows: what a page needs in several places costs one round trip. (The page of an issue ran 45
//! statements, 17 of them twice or three times.)

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
    statements: Vec<CachedStatement>,
}

struct CachedStatement {
    sql: String,
    values: Vec<Value>,
    rows: Arc<Vec<Row>>,
}

/// The rows of a statement that is running.
pub(super) struct KeptRows {
    /// `None` if they are not cached, such as when they are too large.
    rows: Option<Vec<Row>>,
    bytes: usize,
}

impl SnapshotRows {
    /// Clears the cache; statements are cached only in a transaction that reads one snapshot.
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

    /// Returns where to collect the rows of a statement that is about to run.
    pub fn start(&self) -> KeptRows {
        let is_kept = self.is_reading && self.statements.len() < MAX_STATEMENTS;
        KeptRows {
            rows: is_kept.then(Vec::new),
            bytes: 0,
        }
    }

    /// Caches the rows of a statement that has finished.
    pub fn insert(&mut self, sql: &str, values: &[Value], rows: KeptRows) {
        if let Some(rows) = rows.rows.filter(|_| self.is_reading) {
            self.statements.push(CachedStatement {
                sql: sql.to_owned(),
                values: values.to_vec(),
                rows: Arc::new(rows),
            });
        }
    }
}

impl KeptRows {
    /// Adds a row. When the rows are larger than [`MAX_BYTES`], drops them all.
    pub fn push(&mut self, row: Row) {
        self.bytes += row.raw_size_bytes();
        match &mut self.rows {
            Some(rows) if self.bytes <= MAX_BYTES => rows.push(row),
            _ => self.rows = None,
        }
    }
}
