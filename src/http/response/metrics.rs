//! The metrics at the address of the service, for clients with the token.

use crate::error::Error;
use crate::request::audit::log_wrong_metrics_token;
use crate::request::client::{Peer, client_address};
use crate::server::blocking::run_blocking;
use crate::server::limits::logins::{Account, Guess, LoginLimits};
use crate::server::metrics;
use crate::server::request_scope::{MatchedRoute, set_route};
use crate::server::state::HttpState;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// The path of the metrics.
pub const METRICS_PATH: &str = "/metrics";

/// Returns the metrics to a request with the token. Every other request gets the response of an
/// unknown address.
pub async fn with_token(
    State(state): State<Arc<HttpState>>,
    request: Request,
    next: Next,
) -> Response {
    if request.uri().path() != METRICS_PATH {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    if may_read(&state, &parts).await {
        set_route(MatchedRoute {
            pattern: METRICS_PATH.to_owned(),
            format: "data",
        });
        return metrics::show(State(Arc::clone(&state.app))).await;
    }
    next.run(Request::from_parts(parts, body)).await
}

/// Whether the request has the token. Wrong ones are limited like other guesses.
async fn may_read(state: &HttpState, parts: &Parts) -> bool {
    let Some(token) = bearer_token(&parts.headers) else {
        return false;
    };
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        return false;
    }
    let peer = Peer::from_extensions(&parts.extensions);
    let address = client_address(
        &state.app.config.trusted_proxies,
        peer.address,
        &parts.headers,
    );
    match compare(state, token, address).await {
        Ok(true) => true,
        Ok(false) => {
            log_wrong_metrics_token(address);
            false
        }
        // Too many guesses, which the log has already, or too many requests.
        Err(error) => {
            tracing::debug!(?error, "the token of the metrics was not compared");
            false
        }
    }
}

fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

async fn compare(state: &HttpState, token: &str, address: std::net::IpAddr) -> Result<bool, Error> {
    let limits = LoginLimits::from_settings(&*state.app.store.catalogue()?);
    let attempt = state
        .logins
        .acquire(Account::Metrics(address), address, limits)
        .await?;
    run_blocking(|| {
        attempt.compare(|_| {
            let metrics = state.app.metrics.as_ref();
            let is_right = metrics.is_some_and(|metrics| metrics.accepts(token));
            Ok((Guess::from_match(is_right), is_right))
        })
    })
}
