//! HTTP: from a request to a use case and back.
//!
//! Submodules in the order of their imports: `server` accepts connections and limits clients,
//! `request` parses and authenticates, `response` runs handlers and renders what they return.
//! `resources` has what the API and the pages share about resources. Invariant: every response is
//! rendered in one place, in the format of the request; nothing secret or hidden gets into an error
//! or a log. May import: `config` (the limits), `domain`, `wire`, `store`, `search`, `actions`,
//! `app`.

mod audit;
mod error;
mod request;
pub mod resources;
mod response;
mod server;

pub use audit::{audit_account, audit_key_shown, audit_role, audit_setting, audit_user};
pub use error::{Error, QUERY_PARAM};
pub use request::audit::{log_wrong_token, record_refusal};
pub use request::context::RequestContext;
pub use request::cookies;
pub use request::fields::BodyFields;
pub use request::format::ResponseFormat;
pub use request::login::SecretCheck;
pub use request::multipart::{DROPPED_FILES, FormFile};
pub use request::pagination::Pagination;
pub use request::upload::UploadLimit;
pub use response::base_path::with_base_path;
pub use response::download::{Download, disposition};
pub use response::form::{PagePrompt, PostedForm};
pub use response::handler::{
    RouteHandler, issue_list_handler, protected_handler, read_handler, search_handler,
    thumbnail_handler, upload_handler, write_handler,
};
pub use response::inline_image::InlineImage;
pub use response::login_attempt::GuardedSecret;
pub use response::redirect::Challenges;
pub use response::render::{
    PageError, PageViewer, as_page, error as error_response, policy_with_form_action,
};
pub use response::reply::Reply;
pub use response::routes::Routes;
pub use response::streamed::ChunkStream;
pub use server::connections::{LocalAddress, PeerAddress};
pub use server::limits::logins::Guess;
pub use server::listener::Listener;
pub use server::request_scope::REQUEST_ID;
pub use server::serve::serve;
pub use server::tls::Tls;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use quarry_app::{App, MetricsExporter};
use request::route::note_route;
use response::{base_path, message_length, metrics, no_route, redirect};
use server::state::HttpState;
use server::{health, log};
use std::collections::BTreeSet;
use std::sync::Arc;
use tower::Layer;
use tower::util::MapRequestLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// Returns the first segments of all addresses of the service with these routes. A base path that
/// begins with one could not be told from them.
pub fn first_segments(routes: &Routes) -> BTreeSet<String> {
    let without_base_path = base_path::WITHOUT_BASE_PATH;
    without_base_path
        .map(|path| path.trim_start_matches('/').to_owned())
        .into_iter()
        .chain(routes.first_segments().iter().cloned())
        .collect()
}

/// Returns the service over these routes, with the layers around them: formats, headers, the
/// request log, health checks, metrics.
pub fn service(app: Arc<App>, routes: Routes) -> Router {
    let state = HttpState::new(Arc::clone(&app));
    let routed = routes
        .into_router()
        .route_layer(MapRequestLayer::new(note_route))
        .fallback(no_route::no_route)
        .method_not_allowed_fallback(no_route::no_route)
        .with_state(Arc::clone(&state));
    let formatted = MapRequestLayer::new(request::format::before_routing).layer(routed);
    let caught =
        tower_http::catch_panic::CatchPanicLayer::custom(no_route::panic_response).layer(formatted);
    let health = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route_layer(MapRequestLayer::new(note_route))
        .with_state(Arc::clone(&app));
    let mut checked = health.fallback_service(caught);
    if app.metrics.as_ref().is_some_and(MetricsExporter::has_token) {
        checked = checked.layer(from_fn_with_state(state, metrics::with_token));
    }
    with_log(app, checked)
}

/// Wraps the service so that paths are normalized before anything looks at them: repeated and trailing
/// slashes are removed.
pub fn normalize_paths(app: Arc<App>, routes: Router) -> Router {
    // Layers of a router run after its routing, so these routes are its fallback.
    let normalize = MapRequestLayer::new(move |request| {
        request::slashes::normalize_path(request, &app.config.base_path)
    });
    Router::new().fallback_service(normalize.layer(routes))
}

/// Returns the service that serves the metrics without a token, for a separate address.
pub fn metrics_service(app: Arc<App>) -> Router {
    let routes = Router::new()
        .route(metrics::METRICS_PATH, get(server::metrics::show))
        .route_layer(MapRequestLayer::new(note_route))
        .with_state(Arc::clone(&app));
    normalize_paths(Arc::clone(&app), with_log(app, routes))
}

/// Returns the service that redirects HTTP to HTTPS, and answers the challenges of an ACME authority.
pub fn redirect_service(app: Arc<App>, challenges: Challenges) -> Router {
    let routes = redirect::routes(Arc::clone(&app), challenges);
    normalize_paths(Arc::clone(&app), with_log(app, routes))
}

/// Adds what is around every response.
fn with_log(app: Arc<App>, routes: Router) -> Router {
    // Outermost, so that every response has the header: redirects, errors, and responses after a
    // panic.
    let nosniff = SetResponseHeaderLayer::overriding(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    routes
        .layer(from_fn(message_length::check_lengths))
        .layer(from_fn_with_state(app, log::log_request))
        .layer(nosniff)
}

/// Returns routes for browsers: they handle requests without a data format.
pub fn pages(routes: Routes) -> Routes {
    routes.below(request::format::PAGES)
}
