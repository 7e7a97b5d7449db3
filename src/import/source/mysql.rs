//! MySQL and MariaDB: one connection and one snapshot. Queries return values as text, whatever
//! their type.
//!
//! The driver opens its own sockets. It bounds each packet and the time without data, but not the time of
//! an answer.

use super::engine::{Cell, Column, Engine, MAX_ANSWER, TIMEOUT, Tables};
use super::error::SourceError;
use mysql::prelude::Queryable;
use mysql::{Conn, Opts, OptsBuilder, QueryResult, SslOpts, Text, Value};
use quarry_store::tls::{self, Tls};
use std::mem::ManuallyDrop;
use std::time::Duration;

/// A connection to MySQL or MariaDB; `None` after an answer that was not read to its end.
pub struct Mysql(Option<Conn>);

/// Error codes of a wrong user or password, and of a user without access to the database.
const ACCESS_DENIED: [u16; 3] = [1044, 1045, 1698];

/// Maximum time without data from the server.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// Connects and starts the snapshot.
pub fn open(url: &str, password: Option<&str>) -> Result<Mysql, SourceError> {
    let (plain_url, tls) = tls::split(url)?;
    let opts = Opts::from_url(&plain_url).map_err(|_| SourceError::invalid_url(url))?;
    let password = password.or(opts.get_pass()).map(str::to_owned);
    let tls = tls.map(ssl_opts).transpose()?;
    let idle = u32::try_from(TIMEOUT.as_millis()).ok();
    // By default the driver prefers a socket that the server names to the given address.
    let opts = OptsBuilder::from_opts(opts)
        .prefer_socket(false)
        .tcp_connect_timeout(Some(TIMEOUT))
        .read_timeout(Some(READ_TIMEOUT))
        .write_timeout(Some(READ_TIMEOUT))
        .max_allowed_packet(Some(MAX_ANSWER))
        .tcp_keepalive_time_ms(idle);
    let opts = opts.pass(password).ssl_opts(tls);
    let connection = Conn::new(opts).map_err(|error| match to_source_error(error) {
        SourceError::Connection(problem) => SourceError::Unreachable(problem),
        other => other,
    })?;
    let mut mysql = Mysql(Some(connection));
    for statement in [
        "SET NAMES utf8mb4",
        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT",
    ] {
        mysql.query(statement)?;
    }
    Ok(mysql)
}

/// Returns the TLS options. With this driver the public authorities are trusted in addition to
/// those of the file.
fn ssl_opts(tls: Tls) -> Result<SslOpts, SourceError> {
    if let Some(root) = &tls.root {
        tls::certificates(root)?;
    }
    Ok(SslOpts::default()
        .with_root_cert_path(tls.root)
        .with_danger_accept_invalid_certs(!tls.is_verified))
}

fn to_source_error(error: mysql::Error) -> SourceError {
    // The driver's errors do not implement `source`.
    let tls_problem = match &error {
        mysql::Error::IoError(error) => tls::tls_error(error),
        mysql::Error::CodecError(error) => tls::tls_error(error),
        mysql::Error::TlsError(error) => tls::tls_error(error),
        _ => None,
    };
    if let Some(problem) = tls_problem {
        return problem.into();
    }
    match &error {
        mysql::Error::DriverError(mysql::DriverError::TlsNotSupported) => {
            SourceError::Tls("the server does not support TLS".to_owned())
        }
        mysql::Error::MySqlError(error) if ACCESS_DENIED.contains(&error.code) => {
            SourceError::Password(error.message.clone())
        }
        mysql::Error::MySqlError(error) => SourceError::Statement(error.message.clone()),
        mysql::Error::IoError(error) => SourceError::Connection(error.to_string()),
        mysql::Error::DriverError(error) => SourceError::Connection(error.to_string()),
        _ => SourceError::Connection(error.to_string()),
    }
}

impl Mysql {
    /// Returns the rows of a statement. After an error in its answer, the connection is closed.
    fn query(&mut self, sql: &str) -> Result<Vec<Vec<Cell>>, SourceError> {
        let connection = self.0.as_mut().ok_or_else(|| {
            SourceError::Connection("the previous answer was not read to its end".to_owned())
        })?;
        let result = connection.query_iter(sql).map_err(to_source_error)?;
        // Dropping a result reads the rest of the answer, which may have no end.
        let mut result = ManuallyDrop::new(result);
        let rows = read(&mut result);
        if rows.is_err() {
            self.0 = None;
        }
        rows
    }
}

/// Reads the rows of the only result of an answer.
///
/// # Errors
/// `Connection` for an answer that has more than [`MAX_ANSWER`] bytes or more than one result.
fn read(result: &mut QueryResult<'_, '_, '_, Text>) -> Result<Vec<Vec<Cell>>, SourceError> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut bytes = 0;
    for row in result.by_ref() {
        let values = row.map_err(to_source_error)?.unwrap();
        bytes += size_of::<Vec<Cell>>() + values.iter().map(size).sum::<usize>();
        if bytes > MAX_ANSWER {
            let problem = "the answer of the server is too long";
            return Err(SourceError::Connection(problem.to_owned()));
        }
        rows.push(values.into_iter().map(to_cell).collect());
    }
    // Dropping the next result would read it, too.
    match result.iter().map(ManuallyDrop::new) {
        None => Ok(rows),
        Some(_) => {
            let problem = "the server has answered a statement with several results";
            Err(SourceError::Connection(problem.to_owned()))
        }
    }
}

impl Engine for Mysql {
    fn tables(&mut self) -> Result<Tables, SourceError> {
        let sql = "SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c \
                   JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = c.table_schema \
                   WHERE c.table_schema = DATABASE() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position";
        let mut tables = Tables::new();
        for row in self.rows(sql, &[false; 3])? {
            if let [Cell::Text(table), Cell::Text(name), Cell::Text(kind)] = row.as_slice() {
                let is_binary = kind.to_lowercase().contains("blob");
                tables.entry(table.clone()).or_default().push(Column {
                    name: name.clone(),
                    is_binary,
                });
            }
        }
        Ok(tables)
    }

    fn rows(&mut self, sql: &str, _: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError> {
        self.query(sql)
    }

    fn quote(&self) -> char {
        '`'
    }
}

/// Returns the number of bytes of a value in memory.
fn size(value: &Value) -> usize {
    let text = match value {
        Value::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    size_of::<Value>() + text
}

fn to_cell(value: Value) -> Cell {
    match value {
        Value::Bytes(bytes) => Cell::from_bytes(bytes),
        Value::Int(number) => Cell::Int(number),
        Value::UInt(number) => i64::try_from(number).map_or(Cell::Real(number as f64), Cell::Int),
        Value::Float(number) => Cell::Real(f64::from(number)),
        Value::Double(number) => Cell::Real(number),
        Value::NULL | Value::Date(..) | Value::Time(..) => Cell::Null,
    }
}
