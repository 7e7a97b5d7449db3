//! The request log: one line for each request, and another one for a slow request. The query string is
//! left out, because it may contain an API key, and so is the secret of a link in a mail.

use super::metrics::record_request;
use super::request_scope::{CURRENT, REQUEST_ID, RequestScope};
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::Response;
use quarry_app::App;
use std::sync::Arc;
use std::time::Instant;
use tracing::Instrument;

/// What is before the secret of a link.
const BEFORE_SECRETS: &str = "/unsubscribe/";

/// Logs method, path, status and duration in milliseconds, and records them in the metrics. Assigns
/// the request id, which is in every log event of the request and in the response.
pub async fn log_request(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let scope = Arc::new(RequestScope::new(request.headers(), app.entropy.as_ref()));
    let span = scope.span(request.headers());
    let answer = answer(&app, &scope, request, next).instrument(span);
    let mut response = CURRENT.scope(Arc::clone(&scope), answer).await;
    if let Ok(id) = HeaderValue::from_str(scope.id()) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

async fn answer(app: &App, scope: &RequestScope, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path = without_secret(request.uri().path());
    let start = Instant::now();
    let response = next.run(request).await;
    let time = start.elapsed();
    let status = response.status();
    if app.metrics.is_some() {
        record_request(&method, scope.route(), status, time);
    }
    let milliseconds = time.as_secs_f64() * 1e3;
    tracing::info!(http.method = %method, http.path = %path, http.status = status.as_u16(), http.milliseconds = milliseconds, "answered");
    let limit = app.config.monitoring.slow_request;
    if limit.is_some_and(|limit| time >= limit) {
        let statements = scope.take_statements();
        let slowest = statements.slowest.as_ref();
        tracing::warn!(
            http.method = %method,
            http.path = %path,
            http.route = scope.route().map(|route| route.pattern.as_str()),
            http.milliseconds = milliseconds,
            store.statements = statements.count,
            store.milliseconds = statements.total.as_secs_f64() * 1e3,
            store.slowest_statement = slowest.map(|(_, text)| text.as_str()),
            store.slowest_milliseconds = slowest.map(|(time, _)| time.as_secs_f64() * 1e3),
            "a request was slow"
        );
    }
    response
}

/// Returns the path for the log.
pub(crate) fn without_secret(path: &str) -> String {
    match path.split_once(BEFORE_SECRETS) {
        Some((before, _)) => format!("{before}{BEFORE_SECRETS}…"),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_secret;

    #[test]
    fn secrets_of_links_are_left_out() {
        assert_eq!(
            without_secret("/q/unsubscribe/2-0-1-ab/"),
            "/q/unsubscribe/…"
        );
        assert_eq!(without_secret("/issues/1"), "/issues/1");
    }
}
