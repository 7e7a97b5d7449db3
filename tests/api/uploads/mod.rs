//! `POST /uploads` (compatibility 11.4)

mod contents;
mod create;
mod expire;
mod process;
mod quota;

use crate::attachments::files;
use axum::http::Method;
use quarry_world::{Client, Response, World};

/// SHA-256 of the empty string.
const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Sends a file to a path.
fn send(client: &Client<'_>, address: &str, content: impl Into<Vec<u8>>) -> Response {
    client.send(
        Method::POST,
        address,
        Some("application/octet-stream"),
        content.into(),
    )
}

/// Returns whether the directory of files is empty.
fn is_empty(world: &World) -> bool {
    files(world).is_empty()
}
