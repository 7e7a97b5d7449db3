//! A cache of the rows that a read has received.
//!
//! All statements of a read see one snapshot, so running the same statement again returns the same
//! rows: what a page needs in several places costs one round trip. (The page of an issue ran 45
//! statements, 17 of them twice or three times.)

use crate::engine::Value;
use std::sync::Arc;
use tokio_postgres::Row;

/// Maximum number of statements whose rows are cached.
const MAX_STATEMENTS: usize = 512;
/// Maximum size of the rows of a statement, in bytes; larger ones are not cached.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum size of the rows of all statements, in bytes.
const MAX_TOTAL_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of statements that are run together.
const MAX_PRELOADED: usize = 200;

/// The statements of a read, with their rows. Empty outside of a read.
#[derive(Default)]
pub(super) struct SnapshotRows {
    is_reading: bool,
    statements: Vec<CachedStatement>,
    bytes: usize,
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
        self.bytes = 0;
    }

    /// Whether rows are cached.
    pub fn is_reading(&self) -> bool {
        self.is_reading
    }

    /// Returns those of these values with which the statement has not run, each once, as many as can
    /// be cached.
    pub fn missing(&self, sql: &str, values: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
        let room = MAX_STATEMENTS.saturating_sub(self.statements.len());
        let mut missing: Vec<Vec<Value>> = Vec::new();
        for values in values {
            if missing.len() == room.min(MAX_PRELOADED) {
                break;
            }
            if !missing.contains(&values) && self.find(sql, &values).is_none() {
                missing.push(values);
            }
        }
        missing
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
        let is_kept = self.is_reading
            && self.statements.len() < MAX_STATEMENTS
            && self.bytes < MAX_TOTAL_BYTES;
        KeptRows {
            rows: is_kept.then(Vec::new),
            bytes: 0,
        }
    }

    /// Caches the rows of a statement that has finished.
    pub fn insert(&mut self, sql: &str, values: &[Value], rows: KeptRows) {
        if let KeptRows {
            rows: Some(rows),
            bytes,
        } = rows
            && self.is_reading
        {
            self.bytes += bytes;
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
