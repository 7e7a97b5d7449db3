//! The request log: one line for each request. The query string is left out, because it may contain
//! an API key.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Logs method, path, status and duration in milliseconds.
pub async fn log_request(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let start = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    tracing::info!(http.method = %method, http.path = %path, http.status = status, http.milliseconds = milliseconds, "answered");
    response
}
