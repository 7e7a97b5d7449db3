//! Health checks: liveness and readiness. Both need no authentication and reveal nothing about the
//! data.

use super::blocking::run_blocking;
use crate::error::Error;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quarry_app::App;
use quarry_wire as wire;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum time for the index to catch up with the last change. Under constant writes there is
/// always one that is not indexed yet.
const CATCH_UP_TIMEOUT: Duration = Duration::from_millis(500);
/// Interval of checks in that time.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Returns 200 as long as the process runs.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// Returns 200 when this node can serve: it reaches the store, which implies that it is migrated,
/// and its index has the last change of all nodes; else 503.
pub async fn ready(State(app): State<Arc<App>>) -> Response {
    let last = run_blocking(|| {
        let last = app.read(|db| quarry_store::transaction::changes::last(db));
        last.map_err(Error::from)
    });
    let start = Instant::now();
    let mut indexed = false;
    if let Ok(last) = &last {
        indexed = app.search.request_commit(*last);
        while !indexed && start.elapsed() < CATCH_UP_TIMEOUT {
            tokio::time::sleep(POLL_INTERVAL).await;
            indexed = app.search.request_commit(*last);
        }
    }
    let text = wire::object_without_root(|w| {
        w.field("store", state(last.is_ok(), "does not answer"));
        w.field("migrations", state(last.is_ok(), "unknown"));
        w.field("index", state(indexed, "catching up"));
    });
    let status = if indexed {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (
        status,
        [(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json; charset=utf-8"),
        )],
        text,
    )
        .into_response()
}

fn state(is_ok: bool, problem: &'static str) -> &'static str {
    if is_ok { "ok" } else { problem }
}
