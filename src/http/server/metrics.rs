//! The metrics of requests, and the response with all metrics.

use super::blocking::run_blocking;
use super::request_scope::MatchedRoute;
use axum::extract::State;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use metrics::{counter, histogram};
use quarry_app::App;
use std::sync::Arc;
use std::time::Duration;

/// The content type of Prometheus' text format.
const CONTENT_TYPE: HeaderValue =
    HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// Records an answered request. Labels have the pattern of the route, never a path that a client
/// sends.
pub fn record_request(
    method: &Method,
    route: Option<&MatchedRoute>,
    status: StatusCode,
    time: Duration,
) {
    let method = method_label(method);
    let (pattern, format) = match route {
        Some(route) => (route.pattern.clone(), route.format),
        None => ("unknown".to_owned(), "unknown"),
    };
    counter!(
        "quarry_http_requests_total",
        "method" => method,
        "route" => pattern.clone(),
        "format" => format,
        "status" => status.as_str().to_owned()
    )
    .increment(1);
    histogram!(
        "quarry_http_request_duration_seconds",
        "method" => method,
        "route" => pattern,
        "format" => format
    )
    .record(time);
}

/// Returns the method as a label; `other` for unusual ones, which clients can invent.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Returns all metrics; 404 if none are recorded.
pub async fn show(State(app): State<Arc<App>>) -> Response {
    match run_blocking(|| Ok(app.metrics_text())) {
        Ok(Some(text)) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::error!(?error, "the metrics could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
