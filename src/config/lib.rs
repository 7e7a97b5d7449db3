//! The configuration of the process.
//!
//! Each key has the value of the first source that has it: flag, `QUARRY_*` environment variable or
//! systemd credential, TOML file, default. Invariant: an unknown key is an error; nothing is ignored.
//! Settings of the service, such as whether the REST API is enabled, are in the store, not here.
//! May import: `domain`.

mod address;
mod backup;
mod base_path;
mod config_file;
mod effective;
mod error;
mod imap;
mod key;
mod limits;
mod mail;
mod monitoring;
mod redacted;
pub mod regular_file;
pub mod secret_file;
mod server_url;
mod sources;
mod tls;

pub use backup::{BackupConfig, BackupSecret};
use base_path::BASE_PATH_EXPECTED;
pub use base_path::BasePath;
pub use config_file::{ConfigFile, may_have_password};
pub use effective::EffectiveConfig;
pub use error::ConfigError;
pub use imap::ImapServer;
pub use key::Key;
pub use limits::{Limit, Limits, Unit};
pub use mail::{Encryption, MailConfig, MailServer, SmtpServer};
pub use monitoring::Monitoring;
pub use redacted::redact;
pub use sources::{ConfigValues, Environment, FILE, Flags};
pub use tls::{AcmeChallenge, AcmeConfig, CertificateSource, TlsConfig};

pub use address::UNIX;
use address::parse_listen;
use quarry_domain::values::trusted_proxies::TrustedProxies;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The configuration of the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The data folder.
    pub data: PathBuf,
    /// The PostgreSQL database of the records; `None` for SQLite in the data folder.
    pub server: Option<ServerConfig>,
    /// The folder of the search index, which can be rebuilt at any time.
    pub index: PathBuf,
    /// Address and port to listen on, or `unix:` and the path of a socket. Port 0 selects a free port.
    pub listen: String,
    /// Path of the service on a shared host name.
    pub base_path: BasePath,
    /// The permissions of the socket.
    pub socket_mode: u32,
    /// How connections are encrypted; `None` if they are not.
    pub tls: Option<TlsConfig>,
    /// Maximum size of a request body in bytes. Uploaded files are limited by a setting instead.
    pub body_limit: usize,
    /// The reverse proxies whose `X-Forwarded-…` headers are trusted.
    pub trusted_proxies: TrustedProxies,
    /// How mail is sent; `None` if it is off.
    pub mail: Option<MailConfig>,
    /// The mailbox from which mails are received; `None` if there is none.
    pub mail_imap: Option<ImapServer>,
    /// Metrics and slow requests.
    pub monitoring: Monitoring,
    /// The backups that the service makes; `None` if it makes none.
    pub backup: Option<BackupConfig>,
    /// Whether the database is copied before a newer program changes its schema.
    pub backs_up_before_upgrade: bool,
    /// The configuration file, if there is one.
    pub file: Option<ConfigFile>,
    /// The log filter, in the syntax of `tracing_subscriber::EnvFilter`.
    pub log: String,
    pub log_format: LogFormat,
    /// Limits that protect the service against slow, numerous or greedy clients.
    pub limits: Limits,
}

/// A PostgreSQL database.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerConfig {
    /// Its URL, which may contain the password.
    pub url: String,
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// Maximum number of connections of this process.
    pub max_connections: usize,
    /// The folder, shared by all nodes, for the contents of attachments; `None` for the database.
    pub files: Option<PathBuf>,
}

impl std::fmt::Debug for ServerConfig {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ServerConfig")
    }
}

/// Number of connections to a database server, unless the configuration says otherwise.
const DEFAULT_CONNECTIONS: &str = "20";

/// The default log filter.
const DEFAULT_LOG: &str = "info";

/// The format of log events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Plain text.
    Text,
    /// One JSON object per line.
    Json,
}

impl Config {
    /// Whether the log filter differs from the default.
    pub fn has_custom_log(&self) -> bool {
        self.log != DEFAULT_LOG
    }

    /// Merges the sources. `default_data` is the data folder when no source has one.
    pub fn load(
        flags: &Flags,
        environment: &Environment,
        default_data: &str,
    ) -> Result<Config, ConfigError> {
        Config::from_values(&ConfigValues::load(flags, environment, default_data)?)
    }

    /// Checks that each server that needs a password has one. Commands that do not connect to these
    /// servers skip this check, because systemd passes credentials to the service alone.
    pub fn check_passwords(&self) -> Result<(), ConfigError> {
        if let Some(MailConfig {
            server: MailServer::Smtp(smtp),
            ..
        }) = &self.mail
            && smtp.user.is_some()
            && smtp.password.is_none()
            && smtp.password_file.is_none()
        {
            return Err(ConfigError::MailWithoutPassword);
        }
        if let Some(mailbox) = &self.mail_imap
            && mailbox.password.is_none()
            && mailbox.password_file.is_none()
        {
            return Err(ConfigError::MailboxWithoutPassword);
        }
        Ok(())
    }

    /// Parses the values. Fails when one is invalid.
    pub fn from_values(values: &ConfigValues) -> Result<Config, ConfigError> {
        let data = values.data().to_owned();
        let index = values
            .find(Key::Index)
            .map_or_else(|| data.join("index"), PathBuf::from);
        let config = Config {
            data,
            server: load_server(values)?,
            index,
            listen: values.parse(
                Key::Listen,
                "127.0.0.1:3000",
                "an address and a port, such as 127.0.0.1:3000, or unix: and the absolute path of a socket",
                parse_listen,
            )?,
            base_path: values.parse(
                Key::BasePath,
                "",
                BASE_PATH_EXPECTED,
                BasePath::parse,
            )?,
            socket_mode: values.parse(
                Key::SocketMode,
                "0660",
                "permissions in octal, such as 0660",
                |value| {
                    u32::from_str_radix(value, 8)
                        .ok()
                        .filter(|mode| *mode <= 0o777)
                },
            )?,
            tls: tls::load(values)?,
            body_limit: values.parse(
                Key::BodyLimit,
                "6MiB",
                "a number of bytes, such as 6000000, 512KiB or 6MiB",
                parse_bytes,
            )?,
            trusted_proxies: values.parse(
                Key::TrustedProxies,
                "",
                "IP addresses and ranges with commas between them, such as 127.0.0.1,10.0.0.0/8",
                TrustedProxies::parse,
            )?,
            mail: mail::load(values)?,
            mail_imap: imap::load(values)?,
            monitoring: monitoring::load(values)?,
            backup: backup::load(values)?,
            backs_up_before_upgrade: backup::load_before_upgrade(values)?,
            file: values.file().cloned(),
            log: values.text(Key::Log, DEFAULT_LOG).to_owned(),
            log_format: values.parse(Key::LogFormat, "text", "text or json", parse_log_format)?,
            limits: load_limits(values)?,
        };
        if config.tls.is_some() && config.is_on_socket() {
            return Err(ConfigError::TlsOnSocket);
        }
        Ok(config)
    }

    /// Whether the service listens on a Unix socket.
    pub fn is_on_socket(&self) -> bool {
        self.listen.starts_with(UNIX)
    }

    /// Returns the URL at which a browser on this machine reaches the service; through a proxy that
    /// has the usual port if it listens on a socket.
    pub fn local_url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let origin = match self.listen.parse::<SocketAddr>() {
            Ok(address) if address.ip().is_unspecified() => {
                format!("{scheme}://localhost:{}", address.port())
            }
            _ if self.is_on_socket() => format!("{scheme}://localhost"),
            _ => format!("{scheme}://{}", self.listen),
        };
        self.base_path.append_to(origin)
    }
}

/// Returns the database of `store`; `None` when no source has one, or the text `data`, which names
/// the data folder.
fn load_server(values: &ConfigValues) -> Result<Option<ServerConfig>, ConfigError> {
    let url = values.parse(
        Key::Store,
        "data",
        "postgres://USER@HOST/DATABASE, or data for SQLite in the data folder",
        parse_store,
    )?;
    let max_connections = values.parse(
        Key::StoreConnections,
        DEFAULT_CONNECTIONS,
        "a whole number from 3 to 10000",
        |value| {
            value
                .parse()
                .ok()
                .filter(|count| (3..=10_000).contains(count))
        },
    )?;
    let files = values.find(Key::Files).map(PathBuf::from);
    if url.is_none() && files.is_some() {
        return Err(ConfigError::FilesWithoutStore);
    }
    Ok(url.map(|url| ServerConfig {
        url,
        files,
        password_file: values.find(Key::StorePasswordFile).map(PathBuf::from),
        max_connections,
    }))
}

fn parse_store(value: &str) -> Option<Option<String>> {
    let is_url = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| value.starts_with(scheme));
    match value {
        "data" => Some(None),
        url if is_url => Some(Some(url.to_owned())),
        _ => None,
    }
}

fn load_limits(values: &ConfigValues) -> Result<Limits, ConfigError> {
    let mut limits = Limits::default();
    let all = Limit::ALL.iter().copied();
    for limit in all.filter(|limit| values.find(Key::Limit(*limit)).is_some()) {
        let expected = match limit.unit() {
            Unit::Bytes => "a number of bytes, such as 512KiB or 64MiB, or 0 for no limit",
            Unit::Count => "a whole number, or 0 for no limit",
            Unit::Seconds => "a whole number of seconds, or 0 for no limit",
            Unit::Milliseconds => "a whole number of milliseconds, or 0 for no limit",
        };
        let value = values.parse(Key::Limit(limit), "0", expected, |value| {
            parse_limit(limit, value)
        })?;
        limits = limits.with(limit, value);
    }
    Ok(limits)
}

fn parse_limit(limit: Limit, value: &str) -> Option<u64> {
    match limit.unit() {
        Unit::Bytes if value == "0" => Some(0),
        Unit::Bytes => parse_bytes(value).map(|bytes| bytes as u64),
        Unit::Count | Unit::Seconds | Unit::Milliseconds => value.parse().ok(),
    }
}

fn parse_bytes(value: &str) -> Option<usize> {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = match value[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => 1024,
        "mib" => 1024 * 1024,
        "gib" => 1024 * 1024 * 1024,
        _ => return None,
    };
    digits
        .parse::<usize>()
        .ok()?
        .checked_mul(unit)
        .filter(|bytes| *bytes > 0)
}

fn parse_log_format(value: &str) -> Option<LogFormat> {
    match value {
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

#[cfg(test)]
mod secret_tests;
#[cfg(test)]
mod tests;
