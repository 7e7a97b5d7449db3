//! Whether the process lives, and whether it is ready to answer. Both are open to everybody and say nothing about the data.

use crate::app::App;
use crate::wire;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an index that keeps up may take for the last change. While something is written all the time there is always one that it
/// has yet to take in.
const MOMENT: Duration = Duration::from_millis(500);
/// How often the index is looked at in that time.
const CHECK: Duration = Duration::from_millis(5);

/// The process lives.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// 200 when the store answers, which it does only after its migrations, and the index has the store's last change within a
/// moment; else 503.
pub async fn ready(State(app): State<Arc<App>>) -> Response {
    let (last, start) = (app.store.read(crate::store::changes::last), Instant::now());
    let is_indexed = || last.as_ref().is_ok_and(|last| app.search.request(*last));
    while last.is_ok() && !is_indexed() && start.elapsed() < MOMENT {
        tokio::time::sleep(CHECK).await;
    }
    let indexed = is_indexed();
    let state = |fine: bool, otherwise: &'static str| if fine { "ok" } else { otherwise };
    let text = wire::plain(|w| {
        w.field("store", state(last.is_ok(), "does not answer"));
        w.field("migrations", state(last.is_ok(), "unknown"));
        w.field("index", state(indexed, "catching up"));
    });
    let status = if indexed { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"))], text).into_response()
}
