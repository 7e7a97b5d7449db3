//! Context of a request: its id, its route and the times of its SQL statements.
//!
//! The context is task-local, so that the layers below need not pass it on.

use super::trace_context::TraceContext;
use axum::http::{HeaderMap, HeaderName};
use quarry_domain::clock::Entropy;
use quarry_store::StatementTimes;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tracing::Span;

/// The header with the id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The target of request spans, which every log filter lets pass.
const SPAN_TARGET: &str = "request_id";
/// Maximum number of characters of an id that a client sends.
const MAX_ID: usize = 64;

tokio::task_local! {
    /// The request that the current task processes.
    pub(super) static CURRENT: Arc<RequestScope>;
}

/// The route that a request has matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedRoute {
    /// Its pattern, such as `/issues/{id}`.
    pub pattern: String,
    /// `page` or `data`.
    pub format: &'static str,
}

/// The scope of a request.
#[derive(Debug)]
pub struct RequestScope {
    id: String,
    route: OnceLock<MatchedRoute>,
    statements: Mutex<StatementTimes>,
}

impl RequestScope {
    /// Creates the scope, with the id that the client sends, or a random one.
    pub fn new(headers: &HeaderMap, entropy: &dyn Entropy) -> RequestScope {
        let sent = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        let id = sent.filter(|id| is_id(id)).map(str::to_owned);
        RequestScope {
            id: id.unwrap_or_else(|| random_id(entropy)),
            route: OnceLock::new(),
            statements: Mutex::default(),
        }
    }

    /// Returns the id of the request.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the route; `None` if the address is unknown.
    pub fn route(&self) -> Option<&MatchedRoute> {
        self.route.get()
    }

    /// Returns the times of the statements so far.
    pub fn take_statements(&self) -> StatementTimes {
        let mut statements = self
            .statements
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *statements)
    }

    /// Returns the span of the log events of the request.
    pub fn span(&self, headers: &HeaderMap) -> Span {
        let trace = headers
            .get("traceparent")
            .and_then(|value| value.to_str().ok())
            .and_then(TraceContext::parse);
        match trace {
            Some(TraceContext {
                trace_id,
                parent_id,
            }) => {
                tracing::error_span!(target: SPAN_TARGET, "request", request.id = %self.id, trace.id = %trace_id, trace.parent_id = %parent_id)
            }
            None => tracing::error_span!(target: SPAN_TARGET, "request", request.id = %self.id),
        }
    }
}

/// Returns the id of the request that the current task processes.
pub fn request_id() -> Option<String> {
    CURRENT.try_with(|scope| scope.id.clone()).ok()
}

/// Records the route of the request that the current task processes.
pub fn set_route(route: MatchedRoute) {
    // Routes that are called without the logging layer have no scope.
    let _ = CURRENT.try_with(|scope| scope.route.set(route));
}

/// Adds the times of statements to the request that the current task processes.
pub fn add_statements(times: StatementTimes) {
    let _ = CURRENT.try_with(|scope| {
        scope
            .statements
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(times);
    });
}

fn is_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn random_id(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 16];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use quarry_domain::clock::SystemEntropy;

    #[test]
    fn well_formed_short_ids_are_kept_and_others_replaced() {
        let id = |sent: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, HeaderValue::from_bytes(sent).unwrap());
            RequestScope::new(&headers, &SystemEntropy).id
        };
        let longest = "a".repeat(MAX_ID);
        for sent in [
            "a",
            "0af7651916cd43dd8448eb211c80319c",
            "web-1_2.3",
            &longest,
        ] {
            assert_eq!(id(sent.as_bytes()), sent);
        }
        for sent in ["", "a b", "a\"b", "a]b", "a=b", "é", &format!("{longest}a")] {
            let id = id(sent.as_bytes());
            assert!(
                id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{id}"
            );
        }
        let random = || RequestScope::new(&HeaderMap::new(), &SystemEntropy).id;
        assert_ne!(random(), random());
    }
}
