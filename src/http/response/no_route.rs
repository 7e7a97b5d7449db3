//! Responses where no handler runs: for unknown addresses, and after a panic.

use super::render;
use super::render::{PageViewer, error_response};
use crate::error::Error;
use crate::request::authentication::{Access, Authentication, authenticate};
use crate::request::client::{Peer, client_address};
use crate::request::credentials;
use crate::request::credentials::Credentials;
use crate::request::format::ResponseFormat;
use crate::server::state::HttpState;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::http::request::Parts;
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the response for unknown paths, and for methods that a path does not support
/// (compatibility 3.4).
pub async fn no_route(State(state): State<Arc<HttpState>>, request: Request) -> Response<Body> {
    let format = request
        .extensions()
        .get::<ResponseFormat>()
        .copied()
        .unwrap_or(ResponseFormat::Page);
    let error = if format == ResponseFormat::Unknown {
        Error::NotAcceptable
    } else {
        Error::NotFound
    };
    let mut response = render::error(&error, format);
    if format == ResponseFormat::Page
        && let Some(viewer) = page_viewer(&state, &request.into_parts().0).await
    {
        response.extensions_mut().insert(viewer);
    }
    response
}

/// Returns who sees a page, by the session of the request. An address that leads nowhere checks no
/// other credentials.
async fn page_viewer(state: &HttpState, parts: &Parts) -> Option<PageViewer> {
    let peer = Peer::from_extensions(&parts.extensions);
    let address = client_address(
        &state.app.config.trusted_proxies,
        peer.address,
        &parts.headers,
    );
    let access = Access {
        address,
        peer,
        is_page: true,
        authentication: Authentication::Optional,
    };
    if credentials::parse(&Input::Null, &parts.headers) != Credentials::None {
        return None;
    }
    let sender = authenticate(state, &Input::Null, parts, access)
        .await
        .ok()?;
    let csrf_token = sender.session.map(|session| session.csrf_token);
    sender.user.map(|user| PageViewer {
        user: Some(user),
        scopes: None,
        csrf_token,
    })
}

/// Returns the response after a panic outside a handler.
pub fn panic_response(panic: Box<dyn std::any::Any + Send + 'static>) -> Response<Body> {
    error_response(&Error::from_panic(panic), ResponseFormat::Page)
}
