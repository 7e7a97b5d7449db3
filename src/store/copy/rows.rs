//! Copies the rows of a table in batches, and computes checksums, so that both sides can be
//! compared.

use super::progress::Progress;
use crate::engine::{Connection, Row, StatementError, Table, Value};
use twox_hash::XxHash3_64;

/// Maximum number of rows in a batch.
const MAX_BATCH_ROWS: usize = 2000;
/// Size of the values of a batch, in bytes, at which it is inserted.
const MAX_BATCH_SIZE: usize = 1024 * 1024;
/// Replacement for NUL, which PostgreSQL cannot store in a text.
const NUL_REPLACEMENT: &str = "\u{fffd}";

/// A checksum of the rows of a table, independent of their order: their count, and the sum of their
/// hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum {
    /// Number of rows.
    pub count: u64,
    hashes: u64,
}

impl Checksum {
    fn add(&mut self, row: &[Value], buffer: &mut Vec<u8>) {
        buffer.clear();
        for value in row {
            write_canonical(value, buffer);
        }
        self.count += 1;
        self.hashes = self.hashes.wrapping_add(XxHash3_64::oneshot(buffer));
    }
}

/// Appends the type, the length and the bytes of a value.
fn write_canonical(value: &Value, buffer: &mut Vec<u8>) {
    let number;
    let (kind, bytes): (u8, &[u8]) = match value {
        Value::Null => (0, &[]),
        Value::Int(integer) => {
            number = integer.to_le_bytes();
            (1, &number)
        }
        Value::Real(real) => {
            number = real.to_bits().to_le_bytes();
            (2, &number)
        }
        Value::Text(text) => (3, text.as_bytes()),
        Value::Bytes(bytes) | Value::Set(bytes) => (4, bytes),
        // Never in a row.
        Value::Ids(_) => (5, &[]),
    };
    buffer.push(kind);
    buffer.extend_from_slice(&bytes.len().to_le_bytes());
    buffer.extend_from_slice(bytes);
}

/// Copies the rows of one table.
pub struct RowCopier<'c> {
    target: &'c Connection,
    table: &'c Table,
    replaces_nul: bool,
    batch: Vec<Vec<Value>>,
    batch_size: usize,
    buffer: Vec<u8>,
    /// The checksum of the rows as they were written.
    pub checksum: Checksum,
    /// Number of texts in which NUL was replaced.
    pub replaced_nuls: u64,
}

impl<'c> RowCopier<'c> {
    /// Creates a copier that inserts into this table of the target.
    pub fn new(target: &'c Connection, table: &'c Table, replaces_nul: bool) -> RowCopier<'c> {
        RowCopier {
            target,
            table,
            replaces_nul,
            batch: Vec::new(),
            batch_size: 0,
            buffer: Vec::new(),
            checksum: Checksum::default(),
            replaced_nuls: 0,
        }
    }

    /// Copies all rows of the source.
    pub fn copy(
        &mut self,
        source: &Connection,
        progress: &mut dyn Progress,
    ) -> Result<(), StatementError> {
        source.for_each_row(&self.table.select(), &[], &mut |row| {
            let mut values = values(row, self.table)?;
            if self.replaces_nul {
                self.replace_nuls(&mut values);
            }
            self.checksum.add(&values, &mut self.buffer);
            self.batch_size += self.buffer.len();
            self.batch.push(values);
            if self.batch.len() >= MAX_BATCH_ROWS || self.batch_size >= MAX_BATCH_SIZE {
                self.insert_batch(progress)?;
            }
            Ok(())
        })?;
        self.insert_batch(progress)
    }

    fn insert_batch(&mut self, progress: &mut dyn Progress) -> Result<(), StatementError> {
        if !self.batch.is_empty() {
            self.target.insert_rows(self.table, &self.batch)?;
            progress.advance(self.batch.len() as u64);
            self.batch.clear();
            self.batch_size = 0;
        }
        Ok(())
    }

    fn replace_nuls(&mut self, values: &mut [Value]) {
        for value in values {
            if let Value::Text(text) = value
                && text.contains('\0')
            {
                *text = text.replace('\0', NUL_REPLACEMENT);
                self.replaced_nuls += 1;
            }
        }
    }
}

fn values(row: &Row<'_>, table: &Table) -> Result<Vec<Value>, StatementError> {
    (0..table.columns.len())
        .map(|column| row.get(column))
        .collect()
}

/// Returns the checksum of the rows of a table.
pub fn checksum(connection: &Connection, table: &Table) -> Result<Checksum, StatementError> {
    let mut checksum = Checksum::default();
    let mut buffer = Vec::new();
    connection.for_each_row(&table.select(), &[], &mut |row| {
        checksum.add(&values(row, table)?, &mut buffer);
        Ok(())
    })?;
    Ok(checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum_of(rows: &[&[Value]]) -> Checksum {
        let mut checksum = Checksum::default();
        rows.iter()
            .for_each(|row| checksum.add(row, &mut Vec::new()));
        checksum
    }

    #[test]
    fn checksum_depends_on_the_values_and_not_on_the_order_of_the_rows() {
        let first: &[Value] = &["a".into(), "bc".into()];
        let second: &[Value] = &["ab".into(), "c".into()];
        assert_eq!(checksum_of(&[first, second]), checksum_of(&[second, first]));
        assert_ne!(checksum_of(&[first, first]), checksum_of(&[second, second]));
        assert_ne!(
            checksum_of(&[&[1i64.into()]]),
            checksum_of(&[&[1.0.into()]])
        );
        assert_ne!(checksum_of(&[&[Value::Null]]), checksum_of(&[&["".into()]]));
    }
}
