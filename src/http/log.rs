//! One line a request. The query string is left out: it may carry a key.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Notes method, path, status and time in milliseconds.
pub async fn note(request: Request, next: Next) -> Response {
    let (method, path, begun) = (request.method().clone(), request.uri().path().to_owned(), Instant::now());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
    tracing::info!(http.method = %method, http.path = %path, http.status = status, http.milliseconds = milliseconds, "answered");
    response
}
