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
pub use request::audit::log_wrong_token;
pub use request::context::RequestContext;
pub use request::cookies;
pub use request::fields::BodyFields;
pub use request::format::ResponseFormat;
pub use request::login::SecretCheck;
pub use request::multipart::{DROPPED_FILES, FormFile};
pub use request::pagination::Pagination;
pub use request::upload::UploadLimit;
pub use response::download::{Download, disposition};
pub use response::form::{PagePrompt, PostedForm};
pub use response::handler::{
    RouteHandler, Routes, read_handler, search_handler, thumbnail_handler, write_handler,
};
pub use response::login_attempt::GuardedSecret;
pub use response::render::{
    PageError, PageViewer, as_page, error as error_response, policy_with_form_action,
};
pub use response::reply::Reply;
pub use response::streamed::ChunkStream;
pub use response::upload_handler::upload_handler;
pub use server::connections::{LocalAddress, PeerAddress};
pub use server::limits::logins::Guess;
pub use server::serve::serve;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::get;
use quarry_app::App;
use response::{message_length, no_route};
use server::state::HttpState;
use server::{health, log};
use std::sync::Arc;
use tower::Layer;
use tower_http::set_header::SetResponseHeaderLayer;

/// Returns the service over these routes, with the layers around them: formats, headers, the
/// request log, health checks.
pub fn service(app: Arc<App>, routes: Routes) -> Router {
    let state = HttpState::new(Arc::clone(&app));
    let routed = routes
        .fallback(no_route::no_route)
        .method_not_allowed_fallback(no_route::no_route)
        .with_state(state);
    let formatted =
        tower::util::MapRequestLayer::new(request::format::before_routing).layer(routed);
    let caught =
        tower_http::catch_panic::CatchPanicLayer::custom(no_route::panic_response).layer(formatted);
    let health = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .with_state(app);
    let checked = health
        .fallback_service(caught)
        .layer(axum::middleware::from_fn(message_length::check_lengths));
    // Outermost, so that every response has the header: redirects, errors, and responses after a
    // panic.
    let nosniff = SetResponseHeaderLayer::overriding(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    checked
        .layer(axum::middleware::from_fn(log::log_request))
        .layer(nosniff)
}

/// Returns routes for browsers: they handle requests without a data format.
pub fn pages(routes: Routes) -> Routes {
    Routes::new().nest(request::format::PAGES, routes)
}
