//! Refuses requests with two body lengths (RFC 9112 section 6.3).

use super::render;
use crate::error::Error;
use crate::request::format::ResponseFormat;
use crate::server::connections::Connection;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use quarry_wire::Format;
use std::sync::Arc;

/// Refuses a request with both `Content-Length` and `Transfer-Encoding`. Closes the connection
/// after a chunked request, because only hyper knows where the next request starts.
pub async fn check_lengths(request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Arc<Connection>>();
    if connection.is_some_and(|connection| connection.has_conflicting_lengths()) {
        let message = "The request has both Content-Length and Transfer-Encoding; send one of them"
            .to_owned();
        return close_connection(render::error(
            &Error::BadRequest(message),
            ResponseFormat::Data(Format::Json),
        ));
    }
    let chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
    let response = next.run(request).await;
    if chunked {
        close_connection(response)
    } else {
        response
    }
}

fn close_connection(mut response: Response) -> Response {
    response
        .headers_mut()
        .insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
