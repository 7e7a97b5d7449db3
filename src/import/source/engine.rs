//! What every engine provides, and the values that it returns.

use super::error::SourceError;
use std::collections::BTreeMap;
use std::time::Duration;

/// A value as the engine returns it, before conversion.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A text, or a value that the engine returns as text.
    Text(String),
    /// Bytes that are not UTF-8.
    Bytes(Vec<u8>),
}

impl Cell {
    /// Returns bytes as text if they are UTF-8.
    pub fn from_bytes(bytes: Vec<u8>) -> Cell {
        String::from_utf8(bytes).map_or_else(|error| Cell::Bytes(error.into_bytes()), Cell::Text)
    }
}

/// A column of a table of the source.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    /// Whether its type is binary.
    pub is_binary: bool,
}

/// Maximum time to connect. For PostgreSQL also that of each answer; for MySQL also how long a
/// connection may be idle before TCP keep-alive probes start.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of bytes of the answer to a query, which has some thousand rows, or one column of a
/// table.
pub const MAX_ANSWER: usize = 256 * 1024 * 1024;

/// Tables with their columns.
pub type Tables = BTreeMap<String, Vec<Column>>;

/// What differs between engines.
pub trait Engine {
    /// Returns the tables with their columns.
    fn tables(&mut self) -> Result<Tables, SourceError>;
    /// Returns the rows of a query; `binary` tells for each column whether its type is binary.
    fn rows(&mut self, sql: &str, binary: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError>;
    /// Returns the quotation mark of identifiers.
    fn quote(&self) -> char;
}
