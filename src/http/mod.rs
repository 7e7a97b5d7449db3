//! How do we speak HTTP?
//!
//! Everything between a request's bytes and a use case, and back: format, who asks, parameters, bodies, lists, errors.
//! Invariant: one place writes every reply and every error, in the format that was asked for; nothing that is secret or hidden
//! gets into an error or a log.
//! May import: `config` (the limits), `domain`, `markup`, `wire`, `store`, `search`, `actions`, `app`.

mod ask;
mod authentication;
mod body;
mod client;
mod credentials;
mod cross_site;
mod download;
mod error;
pub mod filters;
mod format;
mod handler;
mod health;
mod limits;
mod listing;
mod log;
pub mod place;
mod receive;
mod render;
mod reply;
mod said;
pub mod search;
mod server;
mod streamed;
mod unknown;

pub use ask::Ask;
pub use client::{LocalAddress, PeerAddress};
pub use download::Download;
pub use error::Error;
pub use format::Wanted;
pub use handler::{Routes, changing, reading, searching};
pub use listing::Listing;
pub use receive::{Bound, receiving};
pub use render::error as refusal;
pub use reply::Reply;
pub use said::Said;
pub use server::serve;
pub use streamed::Pieces;
pub use unknown::judge as judge_names;

use crate::app::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::get;
use std::sync::Arc;
use tower::Layer;
use tower_http::set_header::SetResponseHeaderLayer;

/// The service over these routes: what comes before routing (formats, the log) and what no route answers.
pub fn around(app: Arc<App>, routes: Routes) -> Router {
    let state = handler::HttpState::new(Arc::clone(&app));
    let routed = routes.fallback(handler::no_route).method_not_allowed_fallback(handler::no_route).with_state(state);
    let formatted = tower::util::MapRequestLayer::new(format::before_routing).layer(routed);
    let caught = tower_http::catch_panic::CatchPanicLayer::custom(handler::panic_response).layer(formatted);
    let outside = Router::new().route("/healthz", get(health::alive)).route("/readyz", get(health::ready)).with_state(app);
    let checked = outside.fallback_service(caught).layer(axum::middleware::from_fn(server::check_lengths));
    // Outermost, so that no response lacks it: not a redirect, not an error, not what a panic leaves.
    let nosniff = SetResponseHeaderLayer::overriding(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    checked.layer(axum::middleware::from_fn(log::note)).layer(nosniff)
}

/// The same routes for people: they answer when no data format is asked for.
pub fn pages(routes: Routes) -> Routes {
    Routes::new().nest(format::PAGES, routes)
}

use handler::run_blocking;
