//! The options about metrics and slow requests.

use super::path_text;
use clap::Args;
use quarry_config::Key;
use std::path::PathBuf;

/// The options about metrics and slow requests.
#[derive(Debug, Args)]
pub struct MonitoringOptions {
    /// Address and port that serve /metrics for Prometheus without a token, or off [default: off]
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics_listen: Option<String>,
    /// File whose first line is the token for /metrics at the address of the service
    #[arg(long, value_name = "FILE")]
    metrics_token_file: Option<PathBuf>,
    /// Milliseconds after which a request is logged as slow; 0: never [default: 1000]
    #[arg(long, value_name = "MILLISECONDS")]
    slow_request: Option<String>,
}

impl MonitoringOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 3] {
        [
            (Key::MetricsListen, self.metrics_listen.clone()),
            (
                Key::MetricsTokenFile,
                self.metrics_token_file.as_deref().map(path_text),
            ),
            (Key::SlowRequest, self.slow_request.clone()),
        ]
    }
}
