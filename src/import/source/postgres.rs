//! PostgreSQL: one connection, one snapshot. Values come as text, which needs no knowledge of their types.

use super::{Cell, Column, Engine, PATIENCE, SourceError, Tables, tls};
use postgres::config::SslMode;
use postgres::error::SqlState;
use postgres::{Client, Config, NoTls, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

/// An open connection.
pub struct Postgres(Client);

/// What the driver says of a server that speaks no TLS.
const NO_TLS: &str = "server does not support TLS";

/// Connects.
pub fn open(address: &str, password: Option<&str>) -> Result<Postgres, SourceError> {
    let (url, tls) = tls::split(address)?;
    let mut config: Config = url.parse().map_err(|_| super::bad_address(address))?;
    config.connect_timeout(PATIENCE).keepalives_idle(PATIENCE);
    if let Some(password) = password {
        config.password(password);
    }
    let connected = match tls {
        Some(tls) => config.ssl_mode(SslMode::Require).connect(MakeRustlsConnect::new(tls.client_config()?)),
        None => config.ssl_mode(SslMode::Disable).connect(NoTls),
    };
    let mut client = connected.map_err(|error| match failed(error) {
        SourceError::Connection(problem) => SourceError::Unreachable(problem),
        other => other,
    })?;
    // A database that knows of no encoding refuses to hand out as UTF-8 what is none; it is to hand out what was put in.
    let encoding = "SELECT set_config('client_encoding', \
                    CASE current_setting('server_encoding') WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END, false)";
    client.batch_execute(encoding).map_err(failed)?;
    let begin = "SET bytea_output = 'hex'; SET DateStyle = 'ISO'; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    client.batch_execute(begin).map_err(failed)?;
    Ok(Postgres(client))
}

fn failed(error: postgres::Error) -> SourceError {
    use std::error::Error;
    if let Some(problem) = tls::problem(&error) {
        return problem;
    }
    let said = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    match error.code() {
        Some(code) if *code == SqlState::INVALID_PASSWORD || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            SourceError::Password(said)
        }
        // What the server sends when it is being shut down.
        Some(code) if code.code().starts_with("57P") => SourceError::Connection(said),
        Some(_) => SourceError::Statement(said),
        None if said == NO_TLS => SourceError::Tls("the server speaks none".to_owned()),
        None => SourceError::Connection(said),
    }
}

impl Engine for Postgres {
    fn tables(&mut self) -> Result<Tables, SourceError> {
        let sql = "SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c \
                   JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = c.table_schema \
                   WHERE c.table_schema = ANY (current_schemas(false)) AND t.table_type = 'BASE TABLE' ORDER BY 1, c.ordinal_position";
        let mut tables = Tables::new();
        for row in self.rows(sql, &[false; 3])? {
            if let [Cell::Text(table), Cell::Text(name), Cell::Text(kind)] = row.as_slice() {
                tables.entry(table.clone()).or_default().push(Column { name: name.clone(), binary: kind == "bytea" });
            }
        }
        Ok(tables)
    }

    fn rows(&mut self, sql: &str, binary: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError> {
        let messages = self.0.simple_query(sql).map_err(failed)?;
        let rows = messages.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let cell = |text: Result<Option<&str>, postgres::Error>, binary: bool| match text {
            Ok(None) => Cell::Null,
            Ok(Some(text)) if binary => Cell::of_bytes(hex::decode(text.trim_start_matches("\\x")).unwrap_or_default()),
            Ok(Some(text)) => Cell::Text(text.to_owned()),
            // A database that knows of no encoding hands out what was put in.
            Err(_) => Cell::Bytes(Vec::new()),
        };
        Ok(rows.map(|row| binary.iter().enumerate().map(|(place, binary)| cell(row.try_get(place), *binary)).collect()).collect())
    }

    fn quote(&self) -> char {
        '"'
    }
}
