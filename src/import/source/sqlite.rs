//! SQLite: a file, opened read-only.

use super::engine::{Cell, Column, Engine, Tables};
use super::error::SourceError;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

/// A connection to an SQLite file.
pub struct Sqlite(Connection);

/// Opens the file and starts the snapshot.
#[allow(
    clippy::disallowed_methods,
    reason = "the file of the source does not get the options of our own database"
)]
pub fn open(path: &str) -> Result<Sqlite, SourceError> {
    let path = path.strip_prefix("//").unwrap_or(path);
    if !std::path::Path::new(path).is_file() {
        return Err(SourceError::NoFile(path.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(to_source_error)?;
    let sql = "PRAGMA mmap_size = 0; BEGIN; SELECT COUNT(*) FROM sqlite_master;";
    match connection.execute_batch(sql) {
        Ok(()) => Ok(Sqlite(connection)),
        Err(error) => Err(SourceError::NotRedmine(path.to_owned(), error.to_string())),
    }
}

fn to_source_error(error: rusqlite::Error) -> SourceError {
    SourceError::Statement(error.to_string())
}

impl Engine for Sqlite {
    fn tables(&mut self) -> Result<Tables, SourceError> {
        let sql = "SELECT m.name, c.name, lower(c.type) FROM sqlite_master m JOIN pragma_table_info(m.name) c \
                   WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.name, c.cid";
        let mut statement = self.0.prepare_cached(sql).map_err(to_source_error)?;
        let rows = statement.query_map([], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
            ))
        });
        let mut tables = Tables::new();
        for row in rows.map_err(to_source_error)? {
            let (table, name, kind) = row.map_err(to_source_error)?;
            tables.entry(table).or_default().push(Column {
                name,
                is_binary: kind.contains("blob"),
            });
        }
        Ok(tables)
    }

    fn rows(&mut self, sql: &str, _: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError> {
        let mut statement = self.0.prepare_cached(sql).map_err(to_source_error)?;
        let width = statement.column_count();
        let mut rows = statement.query([]).map_err(to_source_error)?;
        let mut result = Vec::new();
        while let Some(row) = rows.next().map_err(to_source_error)? {
            let mut cells = Vec::with_capacity(width);
            for index in 0..width {
                cells.push(match row.get_ref(index).map_err(to_source_error)? {
                    ValueRef::Null => Cell::Null,
                    ValueRef::Integer(number) => Cell::Int(number),
                    ValueRef::Real(number) => Cell::Real(number),
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                        Cell::from_bytes(bytes.to_vec())
                    }
                });
            }
            result.push(cells);
        }
        Ok(result)
    }

    fn quote(&self) -> char {
        '"'
    }
}
