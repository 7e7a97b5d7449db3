//! How is this process set up?
//!
//! Seven keys and the limits, each from the first source that has it: flag, `QUARRY_*` environment variable, TOML file, default.
//! Invariant: a key that is not known is an error that names it; nothing is ignored. What belongs to the service and not to
//! the process (whether the REST API is on, for one) is a setting in the store, not a key here.
//! May import: `domain`.

mod limits;
mod sources;

pub use limits::{Limit, Limits, Unit};
pub use sources::{Environment, Given};

use crate::domain::trusted_proxies::TrustedProxies;
use std::path::PathBuf;

/// The name of the file that is read from the data folder when no other is named.
pub const FILE: &str = "quarry.toml";

/// How the process is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The folder with everything that is kept.
    pub data: PathBuf,
    /// The folder of the search index; it can always be made anew.
    pub index: PathBuf,
    /// Where to listen: address and port. Port 0 takes a free one.
    pub listen: String,
    /// The largest request body, in bytes; files that are uploaded have a bound of their own, a setting.
    pub body_limit: usize,
    /// The reverse proxies whose headers say who the client is and where it found the service.
    pub trusted_proxies: TrustedProxies,
    /// Which events are logged, in the words of `tracing_subscriber::EnvFilter`.
    pub log: String,
    /// How they are written.
    pub log_format: LogFormat,
    /// What protects the service against clients that are slow, many or greedy.
    pub limits: Limits,
}

/// Which events are logged when nothing is said.
const LOG: &str = "info";

/// How log events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// A line for people.
    Text,
    /// A JSON object a line.
    Json,
}

/// Something that can be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// [`Config::data`].
    Data,
    /// [`Config::index`].
    Index,
    /// [`Config::listen`].
    Listen,
    /// [`Config::body_limit`].
    BodyLimit,
    /// [`Config::trusted_proxies`].
    TrustedProxies,
    /// [`Config::log`].
    Log,
    /// [`Config::log_format`].
    LogFormat,
    /// One of [`Config::limits`].
    Limit(Limit),
}

impl Key {
    /// Every key.
    pub fn all() -> impl Iterator<Item = Key> {
        let keys = [Key::Data, Key::Index, Key::Listen, Key::BodyLimit, Key::TrustedProxies, Key::Log, Key::LogFormat];
        keys.into_iter().chain(Limit::ALL.into_iter().map(Key::Limit))
    }

    /// The key with this name.
    pub fn by_name(name: &str) -> Option<Key> {
        Key::all().find(|key| key.name() == name)
    }

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Key::Data => "data",
            Key::Index => "index",
            Key::Listen => "listen",
            Key::BodyLimit => "body_limit",
            Key::TrustedProxies => "trusted_proxies",
            Key::Log => "log",
            Key::LogFormat => "log_format",
            Key::Limit(limit) => limit.name(),
        }
    }

    /// The name of its environment variable.
    pub fn variable(self) -> String {
        format!("QUARRY_{}", self.name().to_uppercase())
    }

    /// Its flag.
    pub fn flag(self) -> String {
        match self {
            Key::Limit(limit) => format!("--limit {}", limit.name()),
            key => format!("--{}", key.name().replace('_', "-")),
        }
    }
}

/// The process cannot be set up like this. Each is one sentence that says where the mistake is.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A key or variable that nobody knows.
    #[error("{place} is not known{}", .nearest.as_ref().map_or(String::new(), |name| format!(", did you mean {name}?")))]
    Unknown {
        /// The key, and where it stands.
        place: String,
        /// The known name that is nearest to it.
        nearest: Option<String>,
    },
    /// A value that the key cannot have.
    #[error("{place} is {value:?}, but must be {expected}")]
    Value {
        /// The key, and where it stands.
        place: String,
        /// What it was given.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// The file cannot be read.
    #[error("the configuration file {path} cannot be read: {problem}")]
    File {
        /// Which file.
        path: String,
        /// Why not.
        problem: String,
    },
    /// The data folder cannot be named by a file that was found in it.
    #[error("{path} cannot set `data`: it was found by the data folder; name the file with --config instead")]
    Circular {
        /// Which file.
        path: String,
    },
}

impl Config {
    /// Whether somebody has said what is to be logged.
    pub fn log_is_said(&self) -> bool {
        self.log != LOG
    }

    /// Puts the sources together. `folder` is the data folder when no source names one.
    pub fn load(flags: &Given, environment: &Environment, folder: &str) -> Result<Config, ConfigError> {
        let values = sources::Values::gather(flags, environment, folder)?;
        let data = PathBuf::from(values.text(Key::Data, folder));
        let index = values.find(Key::Index).map_or_else(|| data.join("index"), PathBuf::from);
        Ok(Config {
            data,
            index,
            listen: values.parse(Key::Listen, "127.0.0.1:3000", "an address and a port, such as 127.0.0.1:3000", listen)?,
            body_limit: values.parse(Key::BodyLimit, "6MiB", "a number of bytes, such as 6000000, 512KiB or 6MiB", bytes)?,
            trusted_proxies: values.parse(
                Key::TrustedProxies,
                "",
                "IP addresses and ranges with commas between them, such as 127.0.0.1,10.0.0.0/8",
                TrustedProxies::parse,
            )?,
            log: values.text(Key::Log, LOG).to_owned(),
            log_format: values.parse(Key::LogFormat, "text", "text or json", log_format)?,
            limits: limits(&values)?,
        })
    }
}

fn limits(values: &sources::Values) -> Result<Limits, ConfigError> {
    let mut limits = Limits::default();
    for limit in Limit::ALL.into_iter().filter(|limit| values.find(Key::Limit(*limit)).is_some()) {
        let number = |value: &str| value.parse::<u64>().ok();
        let value = match limit.unit() {
            Unit::Bytes => {
                let size = |value: &str| if value == "0" { Some(0) } else { bytes(value) };
                values.parse(Key::Limit(limit), "0", "a number of bytes, such as 512KiB or 64MiB, or 0 for no limit", size)? as u64
            }
            Unit::Count => values.parse(Key::Limit(limit), "0", "a whole number, or 0 for no limit", number)?,
            Unit::Seconds => values.parse(Key::Limit(limit), "0", "a whole number of seconds, or 0 for no limit", number)?,
            Unit::Milliseconds => values.parse(Key::Limit(limit), "0", "a whole number of milliseconds, or 0 for no limit", number)?,
        };
        limits = limits.with(limit, value);
    }
    Ok(limits)
}

fn listen(value: &str) -> Option<String> {
    let (host, port) = value.rsplit_once(':')?;
    port.parse::<u16>().ok()?;
    (!host.is_empty()).then(|| value.to_owned())
}

fn bytes(value: &str) -> Option<usize> {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = match value[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => 1024,
        "mib" => 1024 * 1024,
        "gib" => 1024 * 1024 * 1024,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit).filter(|bytes| *bytes > 0)
}

fn log_format(value: &str) -> Option<LogFormat> {
    match value {
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
