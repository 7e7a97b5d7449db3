//! The keys about metrics and slow requests.

use super::address::parse_address;
use super::error::ConfigError;
use super::key::Key;
use super::sources::ConfigValues;
use std::path::PathBuf;
use std::time::Duration;

/// Metrics and slow requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitoring {
    /// Address and port that serve the metrics without a token; `None` for no such address.
    pub metrics_listen: Option<String>,
    /// The file with the token for the metrics at the address of the service; `None` if they are not
    /// served there.
    pub metrics_token_file: Option<PathBuf>,
    /// Time after which a request is logged as slow; `None` for never.
    pub slow_request: Option<Duration>,
}

impl Default for Monitoring {
    fn default() -> Monitoring {
        Monitoring {
            metrics_listen: None,
            metrics_token_file: None,
            slow_request: Some(Duration::from_millis(1000)),
        }
    }
}

impl Monitoring {
    /// Whether metrics are served anywhere.
    pub fn has_metrics(&self) -> bool {
        self.metrics_listen.is_some() || self.metrics_token_file.is_some()
    }
}

/// Loads the keys about metrics and slow requests.
pub fn load(values: &ConfigValues) -> Result<Monitoring, ConfigError> {
    Ok(Monitoring {
        metrics_listen: values.parse(
            Key::MetricsListen,
            "off",
            "an address and a port, such as 127.0.0.1:9300, or off",
            |value| match value {
                "off" => Some(None),
                value => parse_address(value).map(Some),
            },
        )?,
        metrics_token_file: values.find(Key::MetricsTokenFile).map(PathBuf::from),
        slow_request: values.parse(
            Key::SlowRequest,
            "1000",
            "a whole number of milliseconds, or 0 for never",
            |value| {
                let milliseconds = value.parse().ok()?;
                Some((milliseconds > 0).then(|| Duration::from_millis(milliseconds)))
            },
        )?,
    })
}
