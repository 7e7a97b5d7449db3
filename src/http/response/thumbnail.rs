//! Thumbnails: a cached one is sent at once; a missing one is created in the slot for scaling
//! images.
//!
//! Invariant: no permit to read is held while an image is scaled or waits for that.

use super::download::{REVALIDATED, is_cached};
use super::inline_image::{self, InlineImage};
use crate::error::Error;
use crate::server::blocking::run_blocking;
use crate::server::limits::client_id::ClientId;
use crate::server::state::HttpState;
use axum::body::Body;
use axum::http::Response;
use axum::http::request::Parts;
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
        Ok(image(parts, &thumbnail, png))
    })
}

/// Returns the response if the client or the store has cached the thumbnail.
fn cached_response(
    state: &HttpState,
    parts: &Parts,
    thumbnail: &Thumbnail,
) -> Option<Response<Body>> {
    let tag = format!("\"{}\"", thumbnail.tag());
    if is_cached(&parts.headers, &tag) {
        return Some(inline_image::not_modified(&tag, REVALIDATED));
    }
    thumbnail
        .load(&state.app.store)
        .map(|png| image(parts, thumbnail, png))
}

fn image(parts: &Parts, thumbnail: &Thumbnail, png: Vec<u8>) -> Response<Body> {
    let image = InlineImage {
        content_type: "image/png",
        filename: thumbnail.filename().to_owned(),
        tag: thumbnail.tag(),
        caching: REVALIDATED,
        content: png,
    };
    inline_image::respond(image, &parts.headers)
}
