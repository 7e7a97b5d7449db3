//! The metrics of the service: their names, types and help texts.
//!
//! Code records a metric with the macros of the crate `metrics`, by its name. Invariant: each name is
//! in this table, and `docs/metrics.md` has the same names.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram};

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricType {
    /// A number that only grows.
    Counter,
    /// A number that grows and shrinks.
    Gauge,
    /// Counts of values in buckets.
    Histogram,
}

/// A metric: its type, its name and its help text.
pub type MetricDescription = (MetricType, &'static str, &'static str);

use MetricType::{Counter, Gauge, Histogram};

/// All metrics but those of the process, which the crate `metrics-process` describes.
pub const METRICS: &[MetricDescription] = &[
    (
        Counter,
        "quarry_http_requests_total",
        "Answered requests by method, route, format and status.",
    ),
    (
        Histogram,
        "quarry_http_request_duration_seconds",
        "Time from the head of a request to that of its response, by method, route and format.",
    ),
    (
        Gauge,
        "quarry_http_requests_waiting",
        "Requests that wait because of a limit, by limit.",
    ),
    (Gauge, "quarry_http_connections", "Open connections."),
    (
        Counter,
        "quarry_http_connections_refused_total",
        "Connections that were refused because too many were open.",
    ),
    (
        Histogram,
        "quarry_search_duration_seconds",
        "Time of successful searches, with their wait for the index.",
    ),
    (
        Gauge,
        "quarry_index_lag_changes",
        "Changes of records that the index of this node does not have yet.",
    ),
    (
        Counter,
        "quarry_store_writes_total",
        "Writes that a request or command waited for, by outcome.",
    ),
    (
        Histogram,
        "quarry_store_write_duration_seconds",
        "Time of these writes, from the queue to the disk.",
    ),
    (
        Histogram,
        "quarry_store_write_group_size",
        "Writes that were committed together.",
    ),
    (
        Gauge,
        "quarry_store_write_queue",
        "Writes that wait for the writer.",
    ),
    (
        Counter,
        "quarry_store_slow_statements_total",
        "Statements that took 100 milliseconds or more.",
    ),
    (
        Gauge,
        "quarry_storage_bytes",
        "Sizes of the database, its write-ahead log, the index, the files and the thumbnails.",
    ),
    (
        Gauge,
        "quarry_disk_free_bytes",
        "Free space on the disk of the data folder.",
    ),
    (
        Gauge,
        "quarry_sessions",
        "Logins of browsers that have not expired.",
    ),
    (
        Counter,
        "quarry_login_failures_total",
        "Wrong passwords, codes, keys and tokens, by what was wrong.",
    ),
    (
        Counter,
        "quarry_mails_sent_total",
        "Mails that the mail server has accepted from this node.",
    ),
    (
        Counter,
        "quarry_mail_failures_total",
        "Attempts of this node to send a mail that failed.",
    ),
    (
        Gauge,
        "quarry_mails_waiting",
        "Mails in the outbox that are still to be sent.",
    ),
    (
        Gauge,
        "quarry_mails_failed",
        "Mails in the outbox that could not be sent and are kept for an administrator.",
    ),
    (
        Counter,
        "quarry_job_runs_total",
        "Runs of background jobs on this node, by job.",
    ),
    (
        Counter,
        "quarry_job_failures_total",
        "Failed runs of background jobs on this node, by job.",
    ),
    (
        Gauge,
        "quarry_job_last_run_timestamp_seconds",
        "When a background job has last ended on this node, by job.",
    ),
    (
        Gauge,
        "quarry_job_last_duration_seconds",
        "How long the last run of a background job took on this node, by job.",
    ),
    (
        Gauge,
        "quarry_backup_last_success_timestamp_seconds",
        "When the last complete backup was made; missing while there is none.",
    ),
    (
        Gauge,
        "quarry_tls_certificate_expiry_timestamp_seconds",
        "When the certificate of the service expires, if the service uses TLS itself.",
    ),
    (
        Counter,
        "quarry_tls_certificate_failures_total",
        "Certificates that could not be reloaded or ordered.",
    ),
    (
        Gauge,
        "quarry_build_info",
        "Always 1; version and revision of the program.",
    ),
];

/// Registers the help texts with the recorder, and sets counters without labels to 0, so that they
/// exist before the first event.
pub fn describe() {
    for (metric_type, name, help) in METRICS {
        match metric_type {
            Counter => describe_counter!(*name, *help),
            Gauge => describe_gauge!(*name, *help),
            Histogram => describe_histogram!(*name, *help),
        }
    }
    for name in [
        "quarry_http_connections_refused_total",
        "quarry_store_slow_statements_total",
        "quarry_mails_sent_total",
        "quarry_mail_failures_total",
        "quarry_tls_certificate_failures_total",
    ] {
        counter!(name).absolute(0);
    }
}
