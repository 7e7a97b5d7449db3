//! The metrics: the recorder that collects them in this process, and their text for Prometheus.
//!
//! Counters and histograms are recorded at each event. Gauges that describe a state are set when the
//! text is written. Invariant: label values are bounded, whatever clients send.

use super::metric_descriptions::describe;
use jiff::Timestamp;
use metrics::gauge;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use quarry_config::{Monitoring, secret_file};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use subtle::ConstantTimeEq;

/// Upper bounds of the buckets of durations in seconds.
const SECONDS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0,
];
/// Upper bounds of the buckets of the group size of writes.
const GROUP_SIZES: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 512.0];

/// Minimum number of characters of the token.
const MIN_TOKEN: usize = 16;

/// The recorder of this process, which can be set only once.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
/// Held while the recorder is set.
static STARTING: Mutex<()> = Mutex::new(());

/// Sets the gauges of a module.
type Collect = Box<dyn Fn() + Send + Sync>;

/// Why metrics cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The recorder cannot be created.
    #[error(transparent)]
    Recorder(#[from] BuildError),
    /// The file with the token cannot be read.
    #[error("the file {0} of `metrics_token_file` cannot be read: {1}")]
    TokenFile(String, String),
    /// The token could be guessed.
    #[error(
        "the first line of {0}, the token of `metrics_token_file`, must have at least {MIN_TOKEN} visible characters, such as the output of `openssl rand -hex 32`"
    )]
    ShortToken(String),
}

/// Access to the metrics of this process.
pub struct MetricsExporter {
    handle: PrometheusHandle,
    process: Collector,
    token: Option<String>,
    collectors: Mutex<Vec<Collect>>,
    /// Held while the text is written.
    rendering: Mutex<()>,
}

impl MetricsExporter {
    /// Installs the recorder, unless this process has one already. Metrics before that are lost, and
    /// cost next to nothing.
    pub(crate) fn start(config: &Monitoring) -> Result<MetricsExporter, MetricsError> {
        let token = config.metrics_token_file.as_deref().map(load_token);
        let token = token.transpose()?;
        let starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        let handle = match RECORDER.get() {
            Some(handle) => handle.clone(),
            None => {
                let recorder = PrometheusBuilder::new()
                    .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
                    .set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), &GROUP_SIZES)?
                    .build_recorder();
                let handle = recorder.handle();
                // Fails if something else in this process has a recorder.
                if metrics::set_global_recorder(recorder).is_ok() {
                    let _ = RECORDER.set(handle.clone());
                }
                handle
            }
        };
        drop(starting);
        let process = Collector::default();
        process.describe();
        describe();
        let revision = option_env!("QUARRY_REVISION").unwrap_or_default();
        gauge!("quarry_build_info", "version" => env!("CARGO_PKG_VERSION"), "revision" => revision)
            .set(1.0);
        Ok(MetricsExporter {
            handle,
            process,
            token,
            collectors: Mutex::default(),
            rendering: Mutex::default(),
        })
    }

    /// Whether this is the token that the configuration requires. Takes equally long for every token
    /// of the same length.
    pub fn accepts(&self, token: &str) -> bool {
        let expected = self.token.as_deref().unwrap_or_default();
        !expected.is_empty() && bool::from(expected.as_bytes().ct_eq(token.as_bytes()))
    }

    /// Whether the metrics are served at the address of the service.
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Adds a function that sets gauges, which is called before the text is written.
    pub fn add_collector(&self, collect: impl Fn() + Send + Sync + 'static) {
        self.collectors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Box::new(collect));
    }

    /// Sorts the values recorded since the last call into histogram buckets, so that they do not
    /// accumulate while the metrics are not scraped.
    pub fn run_upkeep(&self) {
        self.handle.run_upkeep();
    }

    /// Returns all metrics in Prometheus' text format, after `set_gauges` and the collectors have run.
    pub(crate) fn render(&self, set_gauges: impl FnOnce()) -> String {
        let _rendering = self
            .rendering
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.process.collect();
        set_gauges();
        let collectors = self
            .collectors
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        collectors.iter().for_each(|collect| collect());
        self.handle.render()
    }

    /// Checks that the file has a token for the metrics.
    pub fn check_token(file: &Path) -> Result<(), MetricsError> {
        load_token(file).map(drop)
    }

    /// Records when the last complete backup was made.
    pub fn note_backup(&self, made_on: Timestamp) {
        gauge!("quarry_backup_last_success_timestamp_seconds").set(seconds(made_on));
    }
}

/// Returns a time in seconds since 1970, as in Prometheus.
pub fn seconds(time: Timestamp) -> f64 {
    time.as_duration().as_secs_f64()
}

fn load_token(file: &Path) -> Result<String, MetricsError> {
    let name = || file.display().to_string();
    let token =
        secret_file::load(file).map_err(|problem| MetricsError::TokenFile(name(), problem))?;
    let is_usable = token.len() >= MIN_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic());
    is_usable
        .then_some(token)
        .ok_or_else(|| MetricsError::ShortToken(name()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn last_backup_appears_once_it_is_known() {
        let config = Monitoring {
            metrics_listen: Some("127.0.0.1:0".to_owned()),
            ..Monitoring::default()
        };
        let exporter = MetricsExporter::start(&config).unwrap();
        let name = "quarry_backup_last_success_timestamp_seconds";
        assert!(!exporter.handle.render().contains(name));
        let again = MetricsExporter::start(&config).unwrap();
        again.note_backup("2026-11-20T10:00:00Z".parse().unwrap());
        let text = exporter.handle.render();
        assert!(text.contains(&format!("{name} 1795168800\n")), "{text}");
    }

    #[test]
    fn only_the_whole_token_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "0123456789abcdef\n").unwrap();
        let with_token = Monitoring {
            metrics_token_file: Some(file),
            ..Monitoring::default()
        };
        let exporter = MetricsExporter::start(&with_token).unwrap();
        assert!(exporter.accepts("0123456789abcdef"));
        for token in [
            "",
            "0123456789abcde",
            "0123456789abcdef0",
            "0123456789abcdeF",
        ] {
            assert!(!exporter.accepts(token), "{token:?}");
        }
        let without = MetricsExporter::start(&Monitoring::default()).unwrap();
        assert!(!without.accepts("") && !without.has_token());
    }
}
