//! A request's body as an input tree: the format is said by `Content-Type`, not by the suffix (contract 1.2, 1.4).

use super::error::Error;
use crate::wire::{self, Input};
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;

/// How many bytes of a body that is too large are read and thrown away.
const DRAINED: usize = 64 * 1024 * 1024;

/// Reads at most `limit` bytes.
pub async fn read(body: Body, headers: &HeaderMap, limit: usize) -> Result<Vec<u8>, Error> {
    if announced(headers).is_some_and(|length| length > limit as u64) {
        drain(body).await;
        return Err(Error::TooLarge(limit));
    }
    match to_bytes(body, limit).await {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) if is_too_long(&error) => Err(Error::TooLarge(limit)),
        Err(_) => Err(Error::Unreadable("The body ended before it was complete".to_owned())),
    }
}

/// How many bytes the body is said to have.
pub fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Lets a client that writes before it reads come to the answer; what is larger still loses its connection.
pub async fn drain(mut body: Body) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, |data| data.len());
        if read > DRAINED {
            return;
        }
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|cause| cause.to_string().contains("length limit"))
}

/// The tree; a body of a kind that carries no fields counts as none (contract 1.4).
pub fn parse(bytes: &[u8], headers: &HeaderMap) -> Result<Input, Error> {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return Ok(Input::Null) };
    let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind.is_empty() {
        return Err(Error::Unspoken);
    }
    if bytes.is_empty() {
        return Ok(Input::Null);
    }
    Ok(match kind.as_str() {
        "application/json" | "text/json" => wire::from_json(bytes)?,
        "application/xml" | "text/xml" => wire::from_xml(bytes)?,
        "application/x-www-form-urlencoded" => wire::from_form(bytes)?,
        _ => Input::Null,
    })
}
