//! `POST /uploads` (contract 9)

mod contents;
mod create;
mod expire;
mod process;
mod quota;

use crate::attachments::files;
use crate::world::{Answer, Client, World};
use axum::http::Method;

/// SHA-256 of nothing.
const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Sends a file under an address.
fn send(client: &Client<'_>, address: &str, content: impl Into<Vec<u8>>) -> Answer {
    client.send(Method::POST, address, Some("application/octet-stream"), content.into())
}

/// Whether nothing lies in the folder of files, not even half of one.
fn is_empty(world: &World) -> bool {
    files(world).is_empty()
}
