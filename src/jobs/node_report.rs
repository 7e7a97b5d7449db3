//! Reports every few seconds that this node is running.

use super::metrics::record_run;
use quarry_app::App;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Time between reports.
const INTERVAL: Duration = Duration::from_secs(3);

/// Reports until the sender of `stop` is dropped.
pub fn run(app: &App, stop: &Receiver<()>) {
    while stop.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        report(app);
    }
}

/// Reports once. Failures are logged: the next report may succeed.
pub fn report(app: &App) {
    if let Err(error) = record_run(app, "node_report", || app.report_node())
        // The store logs an outage once.
        && !error.is_outage()
    {
        tracing::warn!(error = %error, "this node could not report that it is running");
    }
}
