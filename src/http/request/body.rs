//! Request bodies: reading within limits, and parsing into an input tree (compatibility 3.2 and
//! 3.4).

use crate::error::Error;
use crate::server::limits::memory::Charge;
use crate::server::transfer_limit::TransferLimit;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use quarry_wire as wire;
use quarry_wire::Input;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Maximum number of bytes of a rejected body that are read and discarded.
const MAX_DRAINED: usize = 64 * 1024 * 1024;
/// Maximum time to discard them.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Bodies up to this size in bytes do not count against the memory for bodies.
const UNCHARGED_BYTES: usize = 64 * 1024;
/// How much memory a body takes for each of its bytes: what it is parsed into takes about as much.
pub(super) const MEMORY_PER_BODY_BYTE: usize = 2;

/// Reads a body chunk by chunk, with a minimum transfer rate.
pub struct BodyReader {
    body: Body,
    limit: Option<TransferLimit>,
    /// Whether the client waits for `100 Continue` before it sends the body.
    expects_continue: bool,
    /// Total time spent waiting for the client.
    waited: Duration,
    read: u64,
}

impl BodyReader {
    /// Creates a reader of the body with these header fields.
    pub fn new(body: Body, headers: &HeaderMap, limit: Option<TransferLimit>) -> BodyReader {
        BodyReader {
            body,
            limit,
            expects_continue: headers.contains_key(header::EXPECT),
            waited: Duration::ZERO,
            read: 0,
        }
    }

    /// Returns the next chunk; `None` at the end. Fails with [`Error::BodyTimeout`] when the body
    /// arrives too slowly, and with [`Error::BadRequest`] when it breaks off.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            let frame = match self.limit {
                None => self.body.frame().await,
                Some(limit) => {
                    let start = Instant::now();
                    let left = limit
                        .time_for(self.read)
                        .saturating_sub(self.waited)
                        .min(limit.timeout);
                    let frame = timeout(left, self.body.frame())
                        .await
                        .map_err(|_| Error::BodyTimeout)?;
                    self.waited += start.elapsed();
                    frame
                }
            };
            match frame.transpose().map_err(|_| {
                Error::BadRequest("The body ended before it was complete".to_owned())
            })? {
                None => return Ok(None),
                Some(frame) => {
                    if let Ok(data) = frame.into_data() {
                        self.read += data.len() as u64;
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// Reads and discards the rest of the body, so that a client that writes before it reads
    /// receives the response. A body that is too large or too slow for that ends the connection.
    pub async fn drain(mut self) {
        if self.expects_continue && self.read == 0 {
            return;
        }
        let drained = async {
            let mut read = 0;
            while let Some(Ok(frame)) = self.body.frame().await {
                read += frame.data_ref().map_or(0, |data| data.len());
                if read > MAX_DRAINED {
                    return;
                }
            }
        };
        // On timeout the connection is closed.
        let _ = timeout(DRAIN_TIMEOUT, drained).await;
    }

    /// Reads at most `limit` bytes into memory, and reserves that memory in `charge`.
    pub async fn read_all(
        mut self,
        headers: &HeaderMap,
        limit: usize,
        charge: &mut Charge,
    ) -> Result<Vec<u8>, Error> {
        if content_length(headers).is_some_and(|length| length > limit as u64) {
            self.drain().await;
            return Err(Error::BodyTooLarge(limit));
        }
        let mut charged = content_length(headers)
            .and_then(|length| usize::try_from(length).ok())
            .unwrap_or(0)
            .max(UNCHARGED_BYTES);
        if let Err(error) = charge
            .reserve((charged - UNCHARGED_BYTES) * MEMORY_PER_BODY_BYTE)
            .await
        {
            self.drain().await;
            return Err(error);
        }
        // Growing a long one would need its memory once more.
        let mut bytes = match charged {
            UNCHARGED_BYTES => Vec::new(),
            charged => Vec::with_capacity(charged),
        };
        while let Some(data) = self.next().await? {
            let length = bytes.len() + data.len();
            if length > limit {
                self.drain().await;
                return Err(Error::BodyTooLarge(limit));
            }
            if length > charged {
                let more = (length - charged).max(UNCHARGED_BYTES);
                if let Err(error) = charge.reserve(more * MEMORY_PER_BODY_BYTE).await {
                    self.drain().await;
                    return Err(error);
                }
                charged += more;
            }
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    }
}

/// Returns the value of `Content-Length`.
pub fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// Whether these are the header fields of a form, or of a request without a body.
pub fn is_form_or_empty(headers: &HeaderMap) -> bool {
    match media_type(headers).as_deref() {
        None => !has_body(headers),
        Some(media_type) => matches!(
            media_type,
            "application/x-www-form-urlencoded" | "multipart/form-data"
        ),
    }
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || content_length(headers).is_some_and(|length| length > 0)
}

/// Returns the media type in lower case, without parameters; `None` without a `Content-Type`.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let content_type = headers
        .get(header::CONTENT_TYPE)?
        .to_str()
        .unwrap_or_default();
    Some(
        content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase(),
    )
}

/// Parses the body by its content type; other content types count as an empty body (compatibility
/// 3.4).
pub fn parse(bytes: &[u8], headers: &HeaderMap) -> Result<Input, Error> {
    let Some(media_type) = media_type(headers) else {
        return Ok(Input::Null);
    };
    if media_type.is_empty() {
        return Err(Error::NotAcceptable);
    }
    if bytes.is_empty() {
        return Ok(Input::Null);
    }
    Ok(match media_type.as_str() {
        // The synonyms of Rails.
        "application/json" | "text/json" | "text/x-json" | "application/jsonrequest" => {
            wire::from_json(bytes)?
        }
        "application/xml" | "text/xml" => wire::from_xml(bytes)?,
        "application/x-www-form-urlencoded" => wire::from_form(bytes)?,
        _ => Input::Null,
    })
}
