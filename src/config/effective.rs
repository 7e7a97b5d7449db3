//! The effective configuration: the value of each key, and which source it is from.

use super::config_file::Value;
use super::error::ConfigError;
use super::key::Key;
use super::redacted::redact;
use super::sources::ConfigValues;
use super::{Config, DEFAULT_CONNECTIONS, LogFormat, backup, tls};
use quarry_domain::values::text::escape_controls;
use std::fmt;
use std::path::PathBuf;

/// The value of each key, and its source.
pub struct EffectiveConfig {
    /// The configuration file, if there is one.
    file: Option<PathBuf>,
    entries: Vec<Entry>,
}

/// The value of a key.
struct Entry {
    key: Key,
    /// The value; `None` if there is none.
    text: Option<String>,
    /// Its source.
    source: String,
}

impl EffectiveConfig {
    /// Returns the values of the sources, and the defaults. Without `shows_passwords`, the passwords
    /// in URLs are masked. Fails when a value is invalid.
    pub fn from_values(
        values: &ConfigValues,
        shows_passwords: bool,
    ) -> Result<EffectiveConfig, ConfigError> {
        let config = Config::from_values(values)?;
        let entries = Key::all().map(|key| match values.first(key) {
            Some(Value { text, origin, .. }) => Entry {
                key,
                text: Some(if key.is_secret() && !shows_passwords {
                    redact(text)
                } else {
                    absolute(key, text)
                }),
                source: origin.clone(),
            },
            None => Entry {
                key,
                text: default(&config, key).map(|text| absolute(key, &text)),
                source: "default".to_owned(),
            },
        });
        Ok(EffectiveConfig {
            entries: entries.collect(),
            file: values.file().map(|file| file.path.clone()),
        })
    }
}

/// Returns the value, with a path made absolute: in a file, a relative one starts at the folder of the file.
fn absolute(key: Key, text: &str) -> String {
    match std::path::absolute(text) {
        Ok(path) if key.is_path(text) => path.display().to_string(),
        _ => text.to_owned(),
    }
}

/// Returns the value of a key that no source has.
fn default(config: &Config, key: Key) -> Option<String> {
    match key {
        Key::Data => Some(config.data.display().to_string()),
        Key::Store => Some("data".to_owned()),
        Key::StoreConnections => Some(DEFAULT_CONNECTIONS.to_owned()),
        Key::Index => Some(config.index.display().to_string()),
        Key::Listen => Some(config.listen.clone()),
        Key::BodyLimit => Some(config.body_limit.to_string()),
        Key::Mail | Key::MailImap | Key::MetricsListen | Key::HttpListen | Key::Backup => {
            Some("off".to_owned())
        }
        Key::BackupAt => Some(backup::DEFAULT_AT.to_owned()),
        Key::BackupKeep => Some(backup::DEFAULT_KEEP.to_owned()),
        Key::BackupSecret => Some(backup::DEFAULT_SECRET.to_owned()),
        Key::BackupBeforeUpgrade => Some(backup::DEFAULT_BEFORE_UPGRADE.to_owned()),
        Key::SocketMode => Some(format!("{:04o}", config.socket_mode)),
        Key::Hsts => config.tls.as_ref().map(|_| tls::DEFAULT_HSTS.to_owned()),
        Key::AcmeDirectory => uses_acme(config).then(|| tls::DEFAULT_DIRECTORY.to_owned()),
        Key::AcmeChallenge => uses_acme(config).then(|| tls::DEFAULT_CHALLENGE.to_owned()),
        Key::SlowRequest => {
            let slow = config.monitoring.slow_request;
            Some(slow.map_or(0, |slow| slow.as_millis()).to_string())
        }
        Key::Log => Some(config.log.clone()),
        Key::LogFormat => Some(match config.log_format {
            LogFormat::Text => "text".to_owned(),
            LogFormat::Json => "json".to_owned(),
        }),
        Key::Limit(limit) => Some(config.limits.value(limit).to_string()),
        Key::StorePasswordFile
        | Key::Files
        | Key::BasePath
        | Key::TrustedProxies
        | Key::MailFrom
        | Key::MailPasswordFile
        | Key::MailImapPasswordFile
        | Key::MailImapCaFile
        | Key::MetricsTokenFile
        | Key::TlsCertificate
        | Key::TlsKey
        | Key::AcmeDomains
        | Key::AcmeEmail
        | Key::AcmeCaFile
        | Key::BackupPassphraseFile => None,
    }
}

/// Whether an authority issues the certificate. Otherwise keys about ACME are refused.
fn uses_acme(config: &Config) -> bool {
    let certificate = config.tls.as_ref().map(|tls| &tls.certificate);
    matches!(certificate, Some(tls::CertificateSource::Acme(_)))
}

/// A configuration file with the same values. Each line ends with a comment that names the source.
impl fmt::Display for EffectiveConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(path) => {
                let path = path.display().to_string();
                writeln!(
                    formatter,
                    "# configuration file: {}",
                    escape_controls(&path)
                )?;
            }
            None => writeln!(formatter, "# no configuration file")?,
        }
        for entry in &self.entries {
            let name = entry.key.name();
            let Some(text) = &entry.text else {
                writeln!(formatter, "# {name} is not set")?;
                continue;
            };
            let value = toml::Value::from(text.as_str());
            let source = escape_controls(&entry.source);
            writeln!(formatter, "{name} = {value}  # {source}")?;
        }
        Ok(())
    }
}
