//! The database of a Redmine, whichever kind it is: the only folder that says its engines' names.
//!
//! Everything is read in one snapshot, in the order of the numbers, with statements that all three understand.

mod check;
mod mysql;
mod postgres;
mod sqlite;
mod tls;

use std::collections::BTreeMap;

pub use check::check;

/// The source cannot be read. Each is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The address is of no kind that is known.
    #[error("{0:?} names no database: write sqlite:PATH, postgres://USER:PASSWORD@HOST/NAME or mysql://USER:PASSWORD@HOST/NAME")]
    Address(String),
    /// There is no such file.
    #[error("there is no file {0}")]
    NoFile(String),
    /// It is something else.
    #[error("{0} is not the database of a Redmine: {1}")]
    NotRedmine(String, String),
    /// It is of before 4.2.
    #[error("this Redmine is older than 4.2 ({0}): bring it to 4.2 or later first")]
    TooOld(String),
    /// It is of after 7.0.
    #[error("this Redmine is newer than 7.0 ({0}): use a newer Quarry")]
    TooNew(String),
    /// A parameter of the address is wrong.
    #[error("{0}")]
    Parameter(String),
    /// There is no encrypted connection to the right server.
    #[error("no TLS connection to the database can be made: {0}")]
    Tls(String),
    /// User or password are wrong.
    #[error("the database refuses the user or the password: {0}")]
    Password(String),
    /// Nobody answers.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// Nobody answers any more.
    #[error("the connection to the database broke off: {0}; what was taken so far stays, run the same command again")]
    Connection(String),
    /// A statement failed.
    #[error("the database cannot be read: {0}")]
    Statement(String),
}

/// A value as the source gives it; what it means is judged elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// Text, or a value that the engine hands out as text.
    Text(String),
    /// Bytes that are no text.
    Bytes(Vec<u8>),
}

impl Cell {
    /// Bytes as text if they are.
    fn of_bytes(bytes: Vec<u8>) -> Cell {
        String::from_utf8(bytes).map_or_else(|error| Cell::Bytes(error.into_bytes()), Cell::Text)
    }
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Whether it holds bytes rather than text.
    pub binary: bool,
}

/// How long a server may take to answer a connection, and after how long a silent one is asked whether it is still there.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// The tables with their columns.
pub type Tables = BTreeMap<String, Vec<Column>>;

/// What each kind of database does in its own way.
trait Engine {
    /// The tables with their columns.
    fn tables(&mut self) -> Result<Tables, SourceError>;
    /// The rows of a query; `binary` tells for each column whether it holds bytes.
    fn rows(&mut self, sql: &str, binary: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError>;
    /// The sign around names.
    fn quote(&self) -> char;
}

/// An open source.
pub struct Source {
    engine: Box<dyn Engine>,
    tables: Tables,
    /// How it is called in sentences, without a password.
    pub name: String,
}

/// Opens the database at this address, and looks what tables it has. The password, if there is one, counts instead of that in the
/// address.
pub fn open(address: &str, password: Option<&str>) -> Result<Source, SourceError> {
    let mut engine: Box<dyn Engine> = match address.split_once(':') {
        Some(("sqlite" | "sqlite3", path)) => Box::new(sqlite::open(path)?),
        Some(("postgres" | "postgresql", _)) => Box::new(postgres::open(address, password)?),
        Some(("mysql" | "mysql2" | "mariadb", rest)) => Box::new(mysql::open(&format!("mysql:{rest}"), password)?),
        _ => return Err(bad_address(address)),
    };
    let tables = engine.tables()?;
    Ok(Source { engine, tables, name: without_password(address) })
}

/// An address that cannot be understood.
fn bad_address(address: &str) -> SourceError {
    SourceError::Address(without_password(address))
}

/// The address as it may be shown.
fn without_password(address: &str) -> String {
    let address = match address.split_once('?') {
        Some((before, _)) if address.contains("://") => before,
        _ => address,
    };
    let Some((before, host)) = address.rsplit_once('@') else { return address.to_owned() };
    match before.split_once("://").map(|(scheme, user)| (scheme, user.split(':').next().unwrap_or_default())) {
        Some((scheme, user)) => format!("{scheme}://{user}@{host}"),
        None => address.to_owned(),
    }
}

impl Source {
    /// The tables that are there.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Whether there is such a table.
    pub fn has_table(&self, table: &str) -> bool {
        self.tables.contains_key(table)
    }

    /// The columns of a table.
    pub fn columns(&self, table: &str) -> Vec<String> {
        self.tables.get(table).into_iter().flatten().map(|column| column.name.clone()).collect()
    }

    /// Whether there is such a column.
    pub fn has(&self, table: &str, column: &str) -> bool {
        self.tables.get(table).is_some_and(|columns| columns.iter().any(|known| known.name == column))
    }

    /// How many rows a table has.
    pub fn count(&mut self, table: &str) -> Result<u64, SourceError> {
        self.number(&format!("SELECT COUNT(*) FROM {}", self.quoted(table)))
    }

    fn number(&mut self, sql: &str) -> Result<u64, SourceError> {
        let rows = self.engine.rows(sql, &[false])?;
        let count = match rows.first().and_then(|row| row.first()) {
            Some(Cell::Int(number)) => u64::try_from(*number).ok(),
            Some(Cell::Text(text)) => text.parse().ok(),
            _ => None,
        };
        count.ok_or_else(|| SourceError::Statement("its rows cannot be counted".to_owned()))
    }

    /// In how many rows of a table there is something in a column.
    pub fn filled(&mut self, table: &str, column: &str) -> Result<u64, SourceError> {
        self.number(&format!("SELECT COUNT({}) FROM {}", self.quoted(column), self.quoted(table)))
    }

    /// The next rows of a table in the order of `by`, above `after` and up to `to`.
    pub fn page(
        &mut self,
        table: &str,
        columns: &[&str],
        by: &str,
        after: Option<i64>,
        limit: Limit,
    ) -> Result<Vec<Vec<Cell>>, SourceError> {
        let names: Vec<String> = columns.iter().map(|name| self.quoted(name)).collect();
        let (table_name, by_name) = (self.quoted(table), self.quoted(by));
        let mut conditions = vec![format!("{by_name} IS NOT NULL")];
        conditions.extend(after.map(|after| format!("{by_name} > {after}")));
        let count = match limit {
            Limit::Rows(count) => format!(" LIMIT {count}"),
            Limit::UpTo(last) => {
                conditions.push(format!("{by_name} <= {last}"));
                String::new()
            }
        };
        let (names, conditions) = (names.join(", "), conditions.join(" AND "));
        let sql = format!("SELECT {names} FROM {table_name} WHERE {conditions} ORDER BY {by_name}{count}");
        let known = self.tables.get(table);
        let binary = |name: &&str| known.is_some_and(|known| known.iter().any(|column| column.name == **name && column.binary));
        let binary: Vec<bool> = columns.iter().map(binary).collect();
        self.engine.rows(&sql, &binary)
    }

    /// All values of one column.
    pub fn column(&mut self, table: &str, column: &str) -> Result<Vec<Cell>, SourceError> {
        let sql = format!("SELECT {} FROM {}", self.quoted(column), self.quoted(table));
        Ok(self.engine.rows(&sql, &[false])?.into_iter().filter_map(|row| row.into_iter().next()).collect())
    }

    fn quoted(&self, name: &str) -> String {
        let sign = self.engine.quote();
        format!("{sign}{name}{sign}")
    }
}

/// How much of a table is read at once.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// So many rows.
    Rows(usize),
    /// All rows up to this number.
    UpTo(i64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        assert_eq!(without_password("postgres://me:sec:r@t@host/db"), "postgres://me@host/db");
        assert_eq!(without_password("postgres://host/db?user=me&password=secret"), "postgres://host/db");
        assert_eq!(without_password("sqlite:a@b?c"), "sqlite:a@b?c");
        assert!(matches!(open("oracle://x", None), Err(SourceError::Address(_))));
        assert!(matches!(open("sqlite:/nowhere/x.db", None), Err(SourceError::NoFile(_))));
    }
}
