//! PostgreSQL: one connection and one snapshot. Queries return values as text, whatever their type.
//!
//! Every wait for the server ends after [`TIMEOUT`], and every answer has at most [`MAX_ANSWER`] bytes:
//! the driver itself waits for ever, and keeps whatever it gets.

use super::engine::{Cell, Column, Engine, MAX_ANSWER, TIMEOUT, Tables};
use super::error::SourceError;
use quarry_net::{BlockingRuntime, BoundedStream, Bounds, Interruption, Stream, connect};
use quarry_store::tls::{self, Tls};
use std::future::Future;
use std::io;
use std::net::IpAddr;
use tokio::net::UnixStream;
use tokio::task::JoinHandle;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Error, NoTls, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Maximum number of bytes that the server sends before it accepts statements.
const MAX_LOGIN_BYTES: usize = 1024 * 1024;
/// The port of PostgreSQL.
const PORT: u16 = 5432;
/// Parameters of a URL that the driver accepts, but would follow only if it opened the socket itself.
const UNUSED_PARAMETERS: [&str; 8] = [
    "connect_timeout",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "target_session_attrs",
    "load_balance_hosts",
];

/// A connection to PostgreSQL.
pub struct Postgres {
    /// Drives the connection, while somebody waits for it.
    runtime: BlockingRuntime,
    session: Session,
}

/// A session that accepts statements.
struct Session {
    client: Client,
    bounds: Bounds,
    /// The task of the connection; its error is why the connection has ended.
    connection: JoinHandle<Result<(), Error>>,
}

/// Message of the driver about a server without TLS.
const NO_TLS: &str = "server does not support TLS";

/// Connects and starts the snapshot.
pub fn open(url: &str, password: Option<&str>) -> Result<Postgres, SourceError> {
    let (plain_url, tls) = tls::split(url)?;
    let mut config: Config = plain_url
        .parse()
        .map_err(|_| SourceError::invalid_url(url))?;
    check_parameters(&plain_url)?;
    if let Some(password) = password {
        config.password(password);
    }
    let unreachable = |error: SourceError| match error {
        SourceError::Connection(problem) => SourceError::Unreachable(problem),
        other => other,
    };
    let runtime = BlockingRuntime::new().map_err(|error| unreachable(error.into()))?;
    let session = wait(&runtime, start(&mut config, tls)).map_err(unreachable)?;
    let mut postgres = Postgres { runtime, session };
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

/// Fails for parameters of the URL that would have no effect.
fn check_parameters(url: &str) -> Result<(), SourceError> {
    let (_, query) = url.split_once('?').unwrap_or_default();
    let names = query.split('&').filter_map(|parameter| {
        let (name, _) = parameter.split_once('=')?;
        UNUSED_PARAMETERS.contains(&name).then_some(name)
    });
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return Ok(());
    }
    let names = names.join(", ");
    Err(SourceError::Parameter(format!(
        "these parameters of the URL have no effect on an import, remove them: {names}"
    )))
}

/// A server of the URL.
struct Server<'c> {
    /// The name or the folder of the socket; `None` if the URL has only its address.
    host: Option<&'c Host>,
    address: Option<IpAddr>,
    port: u16,
}

/// Returns the servers of a URL, which may have several hosts, addresses of hosts, or both.
fn servers(config: &Config) -> Result<Vec<Server<'_>>, SourceError> {
    let hosts = config.get_hosts();
    let addresses = config.get_hostaddrs();
    let ports = config.get_ports();
    let count = hosts.len().max(addresses.len());
    let has_other_count = |parts: usize| parts > 0 && parts != count;
    if has_other_count(hosts.len()) || has_other_count(addresses.len()) {
        let problem = "the URL needs as many addresses in hostaddr as hosts";
        return Err(SourceError::Parameter(problem.to_owned()));
    }
    if ports.len() > 1 && ports.len() != count {
        let problem = "the URL needs one port, or as many as hosts";
        return Err(SourceError::Parameter(problem.to_owned()));
    }
    let servers = (0..count).map(|index| Server {
        host: hosts.get(index),
        address: addresses.get(index).copied(),
        port: *ports.get(index).or(ports.first()).unwrap_or(&PORT),
    });
    Ok(servers.collect())
}

/// Connects to the first host of the URL that accepts.
async fn start(config: &mut Config, tls: Option<Tls>) -> Result<Session, SourceError> {
    let tls = tls.map(|tls| tls.client_config()).transpose()?;
    config.ssl_mode(match tls {
        Some(_) => SslMode::Require,
        None => SslMode::Disable,
    });
    let mut outcome = Err(SourceError::Parameter("the URL has no host".to_owned()));
    for server in servers(config)? {
        outcome = match tls.clone() {
            Some(tls) => start_at(config, &server, MakeRustlsConnect::new(tls)).await,
            None => start_at(config, &server, NoTls).await,
        };
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

async fn start_at<T>(
    config: &Config,
    server: &Server<'_>,
    mut tls: T,
) -> Result<Session, SourceError>
where
    T: MakeTlsConnect<BoundedStream<Box<dyn Stream>>>,
    T::Stream: Send + 'static,
{
    let port = server.port;
    let address = server.address.map(|address| address.to_string());
    // The certificate must be valid for the name, or for the address if the URL has no name.
    let name = match server.host {
        Some(Host::Tcp(name)) => name,
        Some(Host::Unix(_)) => "",
        None => address.as_deref().unwrap_or_default(),
    };
    let stream: Box<dyn Stream> = match (&address, server.host) {
        (None, Some(Host::Unix(folder))) => {
            Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?)
        }
        (address, _) => {
            let target = address.as_deref().unwrap_or(name);
            Box::new(connect(target, port, TIMEOUT).await?)
        }
    };
    let stream = BoundedStream::new(stream);
    let bounds = stream.bounds();
    bounds.allow(MAX_LOGIN_BYTES, TIMEOUT);
    let tls = tls
        .make_tls_connect(name)
        .map_err(|error| SourceError::Tls(error.into().to_string()))?;
    let connected = config.connect_raw(stream, tls).await;
    let (client, connection) = connected.map_err(to_source_error)?;
    Ok(Session {
        client,
        bounds,
        connection: tokio::spawn(connection),
    })
}

/// Waits for the server, at most for [`TIMEOUT`].
fn wait<T>(
    runtime: &BlockingRuntime,
    answer: impl Future<Output = Result<T, SourceError>>,
) -> Result<T, SourceError> {
    runtime.run(TIMEOUT, &|| true, answer)
}

impl From<Interruption> for SourceError {
    fn from(_: Interruption) -> SourceError {
        let seconds = TIMEOUT.as_secs();
        SourceError::Connection(format!(
            "the server has not answered within {seconds} seconds"
        ))
    }
}

impl From<io::Error> for SourceError {
    fn from(error: io::Error) -> SourceError {
        SourceError::Connection(error.to_string())
    }
}

impl Postgres {
    fn execute(&mut self, sql: &str) -> Result<(), SourceError> {
        self.query(sql).map(drop)
    }

    fn query(&mut self, sql: &str) -> Result<Vec<SimpleQueryMessage>, SourceError> {
        let session = &mut self.session;
        wait(&self.runtime, async {
            session.bounds.allow(MAX_ANSWER, TIMEOUT);
            match session.client.simple_query(sql).await {
                Ok(messages) => Ok(messages),
                Err(error) if error.is_closed() => Err(match (&mut session.connection).await {
                    Ok(Err(cause)) => to_source_error(cause),
                    Ok(Ok(())) | Err(_) => to_source_error(error),
                }),
                Err(error) => Err(to_source_error(error)),
            }
        })
    }
}

fn to_source_error(error: Error) -> SourceError {
    if let Some(problem) = tls::tls_error(&error) {
        return problem.into();
    }
    let message =
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
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

fn to_cell(text: Result<Option<&str>, Error>, is_binary: bool) -> Cell {
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
        let messages = self.query(sql)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::sync::mpsc::channel;

    fn listener() -> (TcpListener, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, port)
    }

    #[test]
    fn address_in_the_parameter_hostaddr_is_used_with_and_without_a_host() {
        let (listener, port) = listener();
        let (_, closed_port) = self::listener();
        let (connected, connections) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connected.send(()).unwrap();
                // Without an answer, so that opening fails.
                drop(stream);
            }
        });
        for url in [
            format!("postgres://me@/db?hostaddr=127.0.0.1&port={port}"),
            format!("postgres:///db?hostaddr=127.0.0.1,127.0.0.1&port={closed_port},{port}"),
            format!("postgres://me@nowhere.invalid:{port}/db?hostaddr=127.0.0.1"),
        ] {
            let error = open(&url, None).err().unwrap();
            assert!(
                matches!(error, SourceError::Unreachable(_)),
                "{url}: {error}"
            );
            assert!(connections.try_recv().is_ok(), "{url}: {error}");
        }
    }

    #[test]
    fn parameters_that_would_have_no_effect_are_refused_by_name() {
        for (rest, problem) in [
            (
                "db/db?connect_timeout=5&keepalives=0",
                "these parameters of the URL have no effect on an import, remove them: connect_timeout, keepalives",
            ),
            (
                "db/db?target_session_attrs=read-write",
                "these parameters of the URL have no effect on an import, remove them: target_session_attrs",
            ),
            ("/db?port=5432", "the URL has no host"),
            (
                "a,b/db?hostaddr=127.0.0.1",
                "the URL needs as many addresses in hostaddr as hosts",
            ),
            ("a/db?port=1", "the URL needs one port, or as many as hosts"),
        ] {
            let error = open(&format!("postgres://{rest}"), None).err();
            assert_eq!(error.unwrap().to_string(), problem);
        }
    }
}
