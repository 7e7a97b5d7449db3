//! Images that pages show, made by the service itself.

use super::download::{NO_SCRIPTS, disposition, is_cached, set_header};
use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode, header};

/// An image in memory.
pub struct InlineImage {
    pub content_type: &'static str,
    /// The name under which it is saved.
    pub filename: String,
    /// An entity tag that changes with the content.
    pub tag: String,
    /// `Cache-Control`.
    pub caching: &'static str,
    pub content: Vec<u8>,
}

/// Returns the response with the image, or 304 if the client has cached it.
pub(super) fn respond(image: InlineImage, headers: &HeaderMap) -> Response<Body> {
    let tag = format!("\"{}\"", image.tag);
    if is_cached(headers, &tag) {
        return not_modified(&tag, image.caching);
    }
    let mut response = empty(&tag, image.caching);
    let headers = response.headers_mut();
    set_header(headers, header::CONTENT_TYPE, image.content_type);
    let disposition = disposition("inline", &image.filename);
    set_header(headers, header::CONTENT_DISPOSITION, &disposition);
    set_header(headers, header::CONTENT_SECURITY_POLICY, NO_SCRIPTS);
    *response.body_mut() = Body::from(image.content);
    response
}

/// Returns the response to a client that has cached the image with this entity tag, in quotes.
pub(super) fn not_modified(tag: &str, caching: &str) -> Response<Body> {
    let mut response = empty(tag, caching);
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response
}

fn empty(tag: &str, caching: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    set_header(response.headers_mut(), header::ETAG, tag);
    set_header(response.headers_mut(), header::CACHE_CONTROL, caching);
    response
}
