//! MySQL and MariaDB: one connection, one snapshot. Values come as text, which needs no knowledge of their types.

use super::tls::{self, Tls};
use super::{Cell, Column, Engine, PATIENCE, SourceError, Tables};
use mysql::prelude::Queryable;
use mysql::{Conn, Opts, OptsBuilder, SslOpts, Value};

/// An open connection.
pub struct Mysql(Conn);

/// What the server says when user or password are wrong, or the user may not use the database.
const REFUSED: [u16; 3] = [1044, 1045, 1698];

/// Connects.
pub fn open(address: &str, password: Option<&str>) -> Result<Mysql, SourceError> {
    let (url, tls) = tls::split(address)?;
    let opts = Opts::from_url(&url).map_err(|_| super::bad_address(address))?;
    let password = password.or(opts.get_pass()).map(str::to_owned);
    let tls = tls.map(ssl_opts).transpose()?;
    let idle = u32::try_from(PATIENCE.as_millis()).ok();
    // A socket that the server names would be preferred to the address that was given.
    let opts = OptsBuilder::from_opts(opts).prefer_socket(false).tcp_connect_timeout(Some(PATIENCE)).tcp_keepalive_time_ms(idle);
    let opts = opts.pass(password).ssl_opts(tls);
    let mut connection = Conn::new(opts).map_err(|error| match failed(error) {
        SourceError::Connection(problem) => SourceError::Unreachable(problem),
        other => other,
    })?;
    connection.query_drop("SET NAMES utf8mb4").map_err(failed)?;
    connection.query_drop("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ").map_err(failed)?;
    connection.query_drop("START TRANSACTION WITH CONSISTENT SNAPSHOT").map_err(failed)?;
    Ok(Mysql(connection))
}

/// The public authorities count with this driver besides those of the file.
fn ssl_opts(tls: Tls) -> Result<SslOpts, SourceError> {
    if let Some(root) = &tls.root {
        tls::certificates(root)?;
    }
    Ok(SslOpts::default().with_root_cert_path(tls.root).with_danger_accept_invalid_certs(!tls.is_verified))
}

fn failed(error: mysql::Error) -> SourceError {
    // The driver does not say what its own errors are made of.
    let tls_problem = match &error {
        mysql::Error::IoError(error) => tls::problem(error),
        mysql::Error::CodecError(error) => tls::problem(error),
        mysql::Error::TlsError(error) => tls::problem(error),
        _ => None,
    };
    if let Some(problem) = tls_problem {
        return problem;
    }
    match &error {
        mysql::Error::DriverError(mysql::DriverError::TlsNotSupported) => SourceError::Tls("the server speaks none".to_owned()),
        mysql::Error::MySqlError(said) if REFUSED.contains(&said.code) => SourceError::Password(said.message.clone()),
        mysql::Error::MySqlError(said) => SourceError::Statement(said.message.clone()),
        mysql::Error::IoError(error) => SourceError::Connection(error.to_string()),
        mysql::Error::DriverError(error) => SourceError::Connection(error.to_string()),
        _ => SourceError::Connection(error.to_string()),
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
                let binary = kind.to_lowercase().contains("blob");
                tables.entry(table.clone()).or_default().push(Column { name: name.clone(), binary });
            }
        }
        Ok(tables)
    }

    fn rows(&mut self, sql: &str, _: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError> {
        let mut found = Vec::new();
        for row in self.0.query_iter(sql).map_err(failed)? {
            found.push(row.map_err(failed)?.unwrap().into_iter().map(cell).collect());
        }
        Ok(found)
    }

    fn quote(&self) -> char {
        '`'
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Bytes(bytes) => Cell::of_bytes(bytes),
        Value::Int(number) => Cell::Int(number),
        Value::UInt(number) => i64::try_from(number).map_or(Cell::Real(number as f64), Cell::Int),
        Value::Float(number) => Cell::Real(f64::from(number)),
        Value::Double(number) => Cell::Real(number),
        Value::NULL | Value::Date(..) | Value::Time(..) => Cell::Null,
    }
}
