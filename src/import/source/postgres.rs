//! PostgreSQL: one connection and one snapshot. Queries return values as text, whatever their type.
//!
//! Every wait for the server ends after [`TIMEOUT`]: the driver itself waits for ever.

use super::engine::{Cell, Column, Engine, TIMEOUT, Tables};
use super::error::SourceError;
use quarry_store::tls;
use std::future::Future;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A connection to PostgreSQL.
pub struct Postgres {
    /// Drives the connection, while somebody waits for it.
    runtime: Runtime,
    client: Client,
}

/// Message of the driver about a server without TLS.
const NO_TLS: &str = "server does not support TLS";

/// Connects and starts the snapshot.
pub fn open(url: &str, password: Option<&str>) -> Result<Postgres, SourceError> {
    let (plain_url, tls) = tls::split(url)?;
    let mut config: Config = plain_url
        .parse()
        .map_err(|_| SourceError::invalid_url(url))?;
    config.connect_timeout(TIMEOUT);
    if let Some(password) = password {
        config.password(password);
    }
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| SourceError::Unreachable(error.to_string()))?;
    let connected = wait(&runtime, async {
        Ok(match tls {
            Some(tls) => {
                config.ssl_mode(SslMode::Require);
                let tls = MakeRustlsConnect::new(tls.client_config()?);
                let connected = config.connect(tls).await.map_err(to_source_error)?;
                tokio::spawn(connected.1);
                connected.0
            }
            None => {
                config.ssl_mode(SslMode::Disable);
                let connected = config.connect(NoTls).await.map_err(to_source_error)?;
                tokio::spawn(connected.1);
                connected.0
            }
        })
    });
    let client = connected.map_err(|error| match error {
        SourceError::Connection(problem) => SourceError::Unreachable(problem),
        other => other,
    })?;
    let postgres = Postgres { runtime, client };
    // A database with the encoding SQL_ASCII refuses to convert invalid text to UTF-8; without
    // conversion it returns the bytes.
    postgres.execute(
        "SELECT set_config('client_encoding', \
         CASE current_setting('server_encoding') WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END, false)",
    )?;
    postgres.execute(
        "SET bytea_output = 'hex'; SET DateStyle = 'ISO'; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    )?;
    Ok(postgres)
}

/// Waits for the server, at most for [`TIMEOUT`].
fn wait<T>(
    runtime: &Runtime,
    answer: impl Future<Output = Result<T, SourceError>>,
) -> Result<T, SourceError> {
    let answer = runtime.block_on(async { timeout(TIMEOUT, answer).await });
    answer.unwrap_or_else(|_| {
        let seconds = TIMEOUT.as_secs();
        Err(SourceError::Connection(format!(
            "the server has not answered within {seconds} seconds"
        )))
    })
}

impl Postgres {
    fn execute(&self, sql: &str) -> Result<(), SourceError> {
        wait(&self.runtime, async {
            let done = self.client.batch_execute(sql).await;
            done.map_err(to_source_error)
        })
    }
}

fn to_source_error(error: tokio_postgres::Error) -> SourceError {
    use std::error::Error;
    if let Some(problem) = tls::tls_error(&error) {
        return problem.into();
    }
    let message = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    match error.code() {
        Some(code)
            if *code == SqlState::INVALID_PASSWORD
                || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION =>
        {
            SourceError::Password(message)
        }
        // The server is shutting down.
        Some(code) if code.code().starts_with("57P") => SourceError::Connection(message),
        Some(_) => SourceError::Statement(message),
        None if message == NO_TLS => SourceError::Tls("the server does not support TLS".to_owned()),
        None => SourceError::Connection(message),
    }
}

fn to_cell(text: Result<Option<&str>, tokio_postgres::Error>, is_binary: bool) -> Cell {
    match text {
        Ok(None) => Cell::Null,
        Ok(Some(text)) if is_binary => {
            Cell::from_bytes(hex::decode(text.trim_start_matches("\\x")).unwrap_or_default())
        }
        Ok(Some(text)) => Cell::Text(text.to_owned()),
        // A database with the encoding SQL_ASCII returns invalid UTF-8 unchanged.
        Err(_) => Cell::Bytes(Vec::new()),
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
                tables.entry(table.clone()).or_default().push(Column {
                    name: name.clone(),
                    is_binary: kind == "bytea",
                });
            }
        }
        Ok(tables)
    }

    fn rows(&mut self, sql: &str, binary: &[bool]) -> Result<Vec<Vec<Cell>>, SourceError> {
        let messages = wait(&self.runtime, async {
            let messages = self.client.simple_query(sql).await;
            messages.map_err(to_source_error)
        })?;
        let rows = messages.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let rows = rows.map(|row| {
            let columns = binary.iter().enumerate();
            columns
                .map(|(index, binary)| to_cell(row.try_get(index), *binary))
                .collect()
        });
        Ok(rows.collect())
    }

    fn quote(&self) -> char {
        '"'
    }
}
