//! Thumbnails: a cached one is sent at once; a missing one is created in the slot for scaling
//! images.
//!
//! Invariant: no permit to read is held while an image is scaled or waits for that.

use super::download::{NO_SCRIPTS, REVALIDATED, disposition, is_cached, set_header};
use crate::error::Error;
use crate::server::blocking::run_blocking;
use crate::server::limits::client_id::ClientId;
use crate::server::state::HttpState;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Response, StatusCode, header};
use quarry_actions::content::attachments::Thumbnail;
use quarry_store::Read;

/// Returns the response with the thumbnail. `find` loads its file, and fails if the viewer may not
/// see it.
pub(super) async fn respond(
    state: &HttpState,
    client: ClientId,
    parts: &Parts,
    find: impl Fn(&Read<'_>) -> Result<Thumbnail, Error> + Send + Sync,
) -> Result<Response<Body>, Error> {
    let cached = state.reads.run(client, |deadline| {
        let thumbnail = state.app.read_until(deadline, &find)?;
        Ok(cached_response(state, parts, &thumbnail))
    });
    if let Some(response) = cached.await? {
        return Ok(response);
    }
    let _slot = state.scaling.acquire(client).await?;
    run_blocking(|| {
        // The slot replaces a permit to read. While the request waited for it, rights may have been
        // revoked, and another request may have created the same thumbnail.
        let thumbnail = state.app.read(&find)?;
        if let Some(response) = cached_response(state, parts, &thumbnail) {
            return Ok(response);
        }
        let png = thumbnail.create(&state.app.store)?.ok_or(Error::NotFound)?;
        Ok(image(&thumbnail, png))
    })
}

/// Returns the response if the client or the store has cached the thumbnail.
fn cached_response(
    state: &HttpState,
    parts: &Parts,
    thumbnail: &Thumbnail,
) -> Option<Response<Body>> {
    let tag = tag(thumbnail);
    if is_cached(&parts.headers, &tag) {
        let mut response = empty(&tag);
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Some(response);
    }
    thumbnail
        .load(&state.app.store)
        .map(|png| image(thumbnail, png))
}

fn tag(thumbnail: &Thumbnail) -> String {
    format!("\"{}\"", thumbnail.tag())
}

fn image(thumbnail: &Thumbnail, png: Vec<u8>) -> Response<Body> {
    let mut response = empty(&tag(thumbnail));
    set_header(response.headers_mut(), header::CONTENT_TYPE, "image/png");
    set_header(
        response.headers_mut(),
        header::CONTENT_DISPOSITION,
        &disposition("inline", thumbnail.filename()),
    );
    set_header(
        response.headers_mut(),
        header::CONTENT_SECURITY_POLICY,
        NO_SCRIPTS,
    );
    *response.body_mut() = Body::from(png);
    response
}

fn empty(tag: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    set_header(response.headers_mut(), header::ETAG, tag);
    set_header(response.headers_mut(), header::CACHE_CONTROL, REVALIDATED);
    response
}
