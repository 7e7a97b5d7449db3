//! The address of a PostgreSQL server: its URL, password, TLS options and limits.

use super::error::describe;
use super::outage::Outage;
use super::password_file;
use crate::engine::tls::{self, TlsError};
use crate::engine::{OpenError, StatementError};
use rustls::ClientConfig;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::timeout;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::{CancelToken, Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Maximum time to connect to one host of the URL, until the session accepts statements. The
/// timeout of the driver covers only the TCP connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Time without acknowledged data after which a connection is lost.
const LOST_TIMEOUT: Duration = Duration::from_secs(5);
/// Time between two keepalive probes of a silent server.
const PROBE_INTERVAL: Duration = Duration::from_secs(2);
/// Connections of a node that do not read: one writes, one cancels statements or replaces a lost
/// connection.
const OTHER_CONNECTIONS: usize = 2;

/// Why the address of a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The URL is invalid.
    #[error(
        "{url:?} is not the URL of a PostgreSQL database{problem}: write postgres://USER@HOST/DATABASE"
    )]
    Url {
        /// The URL without its password and parameters.
        url: String,
        /// What the driver refuses; empty if parts are missing.
        problem: String,
    },
    /// The TLS parameters of the URL are invalid.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// There are too few connections.
    #[error("`store_connections` must be at least {}", OTHER_CONNECTIONS + 1)]
    TooFewConnections,
}

/// A database on a PostgreSQL server.
#[derive(Clone)]
pub struct Server {
    /// One for each host of the URL.
    pub(super) hosts: Vec<Config>,
    /// Index of the last host that accepted a connection. It is tried first, because a host that is
    /// down costs time.
    pub(super) last_host: Arc<AtomicUsize>,
    outage: Arc<Outage>,
    tls: Option<Arc<ClientConfig>>,
    pub(super) tls_options: Option<tls::Tls>,
    name: String,
    max_connections: usize,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Server").field(&self.name).finish()
    }
}

impl Server {
    /// Parses the URL. If it has no password, the password is `password`, otherwise that in the
    /// password file of PostgreSQL's own programs (`PGPASSFILE`, `~/.pgpass`).
    pub fn parse(
        url: &str,
        password: Option<&str>,
        max_connections: usize,
    ) -> Result<Server, ServerError> {
        let name = without_password(url);
        let (plain_url, tls) = tls::split(url)?;
        if max_connections <= OTHER_CONNECTIONS {
            return Err(ServerError::TooFewConnections);
        }
        let mut hosts = Vec::new();
        for url in one_url_per_host(&plain_url) {
            let mut config: Config = url.parse().map_err(|error| invalid_url(&name, &error))?;
            if config.get_hosts().is_empty() || config.get_dbname().is_none() {
                return Err(ServerError::Url {
                    url: name,
                    problem: String::new(),
                });
            }
            configure(&mut config, password, tls.is_some());
            hosts.push(config);
        }
        Ok(Server {
            hosts,
            last_host: Arc::default(),
            outage: Arc::default(),
            tls_options: tls.clone(),
            tls: tls
                .map(|tls| tls.client_config())
                .transpose()?
                .map(Arc::new),
            name,
            max_connections,
        })
    }

    /// Returns the URL without its password.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how many connections may read at the same time.
    pub fn max_readers(&self) -> usize {
        self.max_connections - OTHER_CONNECTIONS
    }

    /// Connects to the first host that accepts writes. A task of the current runtime drives the
    /// connection.
    pub(super) async fn connect(&self) -> Result<Client, OpenError> {
        let first = self.last_host.load(Ordering::Relaxed);
        let mut failure = None;
        let start = self.outage.start_attempt();
        for (index, config) in self
            .hosts
            .iter()
            .enumerate()
            .cycle()
            .skip(first)
            .take(self.hosts.len())
        {
            match timeout(CONNECT_TIMEOUT, self.connect_to(config)).await {
                Ok(Ok(client)) => {
                    self.last_host.store(index, Ordering::Relaxed);
                    self.outage.end(&self.name, start);
                    return Ok(client);
                }
                // That a host refuses the connection says more than that another one is down.
                Ok(Err(error)) if matches!(error, OpenError::Refused { .. }) => {
                    failure = Some(error);
                }
                Ok(Err(error)) => failure = failure.or(Some(error)),
                Err(_) => failure = failure.or(Some(self.unavailable("it does not answer"))),
            }
        }
        let failure = failure.unwrap_or_else(|| self.unavailable("the URL has no host"));
        self.outage.begin(&failure);
        Err(failure)
    }

    async fn connect_to(&self, config: &Config) -> Result<Client, OpenError> {
        let connected = match &self.tls {
            Some(tls) => {
                let tls = MakeRustlsConnect::new(ClientConfig::clone(tls));
                config.connect(tls).await.map(|(client, connection)| {
                    tokio::spawn(connection);
                    client
                })
            }
            None => config.connect(NoTls).await.map(|(client, connection)| {
                tokio::spawn(connection);
                client
            }),
        };
        connected.map_err(|error| {
            let problem = match tls::tls_error(&error) {
                Some(problem) => problem.to_string(),
                None => describe(&error),
            };
            let is_refused = error
                .code()
                .is_some_and(|code| matches!(code.code().get(..2), Some("28" | "3D" | "42")));
            if is_refused {
                self.refused(problem)
            } else {
                self.unavailable(&problem)
            }
        })
    }

    /// Returns the error for a session whose first statements failed.
    pub(super) fn session_error(&self, error: StatementError) -> OpenError {
        match error {
            StatementError::Engine(problem) => self.refused(problem),
            other => self.unavailable(&other.to_string()),
        }
    }

    fn refused(&self, problem: String) -> OpenError {
        OpenError::Refused {
            database: self.name.clone(),
            problem,
        }
    }

    fn unavailable(&self, problem: &str) -> OpenError {
        OpenError::Unavailable(format!("{} cannot be reached: {problem}", self.name))
    }

    /// Requests the server to cancel the statement that runs on a connection.
    pub(super) async fn cancel(&self, token: &CancelToken) {
        let outcome = match &self.tls {
            Some(tls) => {
                let tls = MakeRustlsConnect::new(ClientConfig::clone(tls));
                token.cancel_query(tls).await
            }
            None => token.cancel_query(NoTls).await,
        };
        if let Err(error) = outcome {
            tracing::warn!(error = %describe(&error), "a statement could not be cancelled");
        }
    }
}

/// Sets the options that do not come from the URL, and a missing password.
fn configure(config: &mut Config, password: Option<&str>, has_tls: bool) {
    config
        .application_name("quarry")
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_user_timeout(LOST_TIMEOUT)
        .keepalives_idle(LOST_TIMEOUT)
        .keepalives_interval(PROBE_INTERVAL)
        .keepalives_retries(2)
        // Among several hosts, finds the primary.
        .target_session_attrs(TargetSessionAttrs::ReadWrite)
        .ssl_mode(if has_tls {
            SslMode::Require
        } else {
            SslMode::Disable
        });
    if config.get_password().is_none() {
        let found = match password {
            Some(password) => Some(password.to_owned()),
            None => password_file::find(config),
        };
        if let Some(password) = found {
            config.password(password);
        }
    }
}

/// Splits `postgres://user@host,host/database` into one URL for each host, so that
/// [`CONNECT_TIMEOUT`] applies to each: the driver would wait for a host that hangs after the TCP
/// connection, and never try the next one.
fn one_url_per_host(url: &str) -> Vec<String> {
    let begin = url.find("://").map_or(0, |index| index + 3);
    let (scheme, rest) = url.split_at(begin);
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let hosts_begin = authority.rfind('@').map_or(0, |index| index + 1);
    let (user, hosts) = authority.split_at(hosts_begin);
    hosts
        .split(',')
        .map(|host| format!("{scheme}{user}{host}{path}"))
        .collect()
}

fn invalid_url(name: &str, error: &tokio_postgres::Error) -> ServerError {
    let source = std::error::Error::source(error);
    let problem = source.map_or_else(|| error.to_string(), ToString::to_string);
    ServerError::Url {
        url: name.to_owned(),
        problem: format!(" ({problem})"),
    }
}

/// Returns the URL without its password and parameters, for messages.
///
/// Of what is not such a URL only the scheme is left, because a password may stand anywhere in it.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return "…".to_owned();
    };
    let (before_parameters, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let hidden = format!("{scheme}://…");
    if parameters.contains('@') {
        return hidden;
    }
    let (user, host) = match before_parameters.rsplit_once('@') {
        Some((user, host)) => (user.split([':', '/']).next(), host),
        None => (None, before_parameters),
    };
    let hosts = host.split('/').next().unwrap_or_default();
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let are_hosts = hosts.split(',').all(|host| {
        host.ends_with(']') || host.rsplit_once(':').is_none_or(|(_, port)| is_port(port))
    });
    match user {
        _ if !are_hosts => hidden,
        Some(user) => format!("{scheme}://{user}@{host}"),
        None => format!("{scheme}://{host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_show_no_password() {
        for (url, shown) in [
            ("postgres://u:p@ss@h/d?a=b", "postgres://u@h/d"),
            ("postgres://u@h/d", "postgres://u@h/d"),
            ("postgres://h:5433/d?a=b", "postgres://h:5433/d"),
            ("postgres://u:p@[::1]:1,b:2/d", "postgres://u@[::1]:1,b:2/d"),
            ("postgres://u:secret", "postgres://…"),
            ("postgres://u:secret/h/d", "postgres://…"),
            ("postgres://u:se?cret@h/d", "postgres://…"),
            ("postgres://h/d?password=a@b", "postgres://…"),
            ("u:secret@h/d", "…"),
            ("host=h password=secret", "…"),
            ("postgres://h/d", "postgres://h/d"),
        ] {
            assert_eq!(without_password(url), shown);
        }
        let server = Server::parse("postgres://u:secret@h/d", None, 5).unwrap();
        assert!(!format!("{server:?}").contains("secret"));
    }

    #[test]
    fn url_is_split_into_one_for_each_host() {
        assert_eq!(
            one_url_per_host("postgres://u:p@a:1,b/d?x=y"),
            ["postgres://u:p@a:1/d?x=y", "postgres://u:p@b/d?x=y"]
        );
        assert_eq!(
            one_url_per_host("postgres://[::1]:5/d"),
            ["postgres://[::1]:5/d"]
        );
        let server = Server::parse("postgres://u@a:1,b:2/d", None, 5).unwrap();
        let ports: Vec<_> = server.hosts.iter().map(Config::get_ports).collect();
        assert_eq!(ports, [[1], [2]]);
    }

    #[test]
    fn url_without_host_or_database_is_refused() {
        for url in ["mysql://h/d", "postgres://", "postgres://h", "/var/lib"] {
            assert!(
                matches!(Server::parse(url, None, 5), Err(ServerError::Url { .. })),
                "{url}"
            );
        }
        let few = Server::parse("postgres://u@h/d", None, 2);
        assert!(matches!(few, Err(ServerError::TooFewConnections)));
    }
}
