//! Maintains the metrics: sorts recorded values into buckets, measures the folders with many files,
//! and records the runs of the other jobs.

use metrics::{counter, gauge};
use quarry_app::{App, seconds};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time between two runs that sort recorded values into buckets.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);
/// Time between two measurements of the folders with many files.
const FILES_INTERVAL: Duration = Duration::from_secs(300);

/// Maintains the metrics until the sender of `stop` is dropped. Does nothing if no metrics are served.
pub fn run(app: &App, stop: &Receiver<()>) {
    let Some(metrics) = &app.metrics else {
        return;
    };
    let mut measured_at = None::<Instant>;
    loop {
        if measured_at.is_none_or(|time| time.elapsed() >= FILES_INTERVAL) {
            app.measure_files();
            measured_at = Some(Instant::now());
        }
        metrics.run_upkeep();
        if stop.recv_timeout(UPKEEP_INTERVAL) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// The jobs whose runs are recorded.
const RECORDED_JOBS: [&str; 7] = [
    "backup",
    "cleanup",
    "mail",
    "mailbox",
    "node_report",
    "project_deletion",
    "reminders",
];

/// Lets the counters of runs and failures begin with 0. Otherwise the first failure would be no
/// increase for Prometheus.
pub fn register_jobs(app: &App) {
    if app.metrics.is_none() {
        return;
    }
    for job in RECORDED_JOBS {
        counter!("quarry_job_runs_total", "background_job" => job).increment(0);
        counter!("quarry_job_failures_total", "background_job" => job).increment(0);
    }
}

/// Runs a job once, and records outcome, time and duration. The label is not `job`, which Prometheus itself
/// gives to every target.
pub fn record_run<T, E>(
    app: &App,
    job: &'static str,
    run: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    debug_assert!(RECORDED_JOBS.contains(&job), "{job}");
    let start = Instant::now();
    let outcome = run();
    if app.metrics.is_some() {
        counter!("quarry_job_runs_total", "background_job" => job).increment(1);
        counter!("quarry_job_failures_total", "background_job" => job)
            .increment(u64::from(outcome.is_err()));
        gauge!("quarry_job_last_run_timestamp_seconds", "background_job" => job)
            .set(seconds(app.clock.now()));
        gauge!("quarry_job_last_duration_seconds", "background_job" => job).set(start.elapsed());
    }
    outcome
}
