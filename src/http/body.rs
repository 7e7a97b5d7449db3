//! A request's body: its bytes within limits, and what they say as an input tree (contract 1.2, 1.4).

use super::error::Error;
use super::limits::Charge;
use super::server::TransferLimit;
use crate::wire::{self, Input};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How many bytes of a body that is refused are read and thrown away, and for how long.
const MAX_DRAINED: usize = 64 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(5);
/// Bodies up to this size, in bytes, are read whatever others take of the memory for bodies.
const UNCHARGED: usize = 64 * 1024;

/// Reads a body piece by piece, as fast as it must come.
pub struct BodyReader {
    body: Body,
    limit: Option<TransferLimit>,
    /// Whether the client sends nothing before it is told to go on.
    waits: bool,
    /// How long the client was waited for.
    waited: Duration,
    read: u64,
}

impl BodyReader {
    /// A reader of the body that comes with these header fields.
    pub fn new(body: Body, headers: &HeaderMap, limit: Option<TransferLimit>) -> BodyReader {
        BodyReader { body, limit, waits: headers.contains_key(header::EXPECT), waited: Duration::ZERO, read: 0 }
    }

    /// The next bytes; `None` at the end. Fails with [`Error::SlowBody`] when they come too slowly, and with [`Error::Unreadable`] when
    /// the body breaks off.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            let frame = match self.limit {
                None => self.body.frame().await,
                Some(limit) => {
                    let start = Instant::now();
                    let left = limit.time_for(self.read).saturating_sub(self.waited).min(limit.timeout);
                    let frame = timeout(left, self.body.frame()).await.map_err(|_| Error::SlowBody)?;
                    self.waited += start.elapsed();
                    frame
                }
            };
            match frame.transpose().map_err(|_| Error::Unreadable("The body ended before it was complete".to_owned()))? {
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

    /// Reads what is left and throws it away, so that a client that writes before it reads comes to the reply; what is larger or slower
    /// still loses its connection.
    pub async fn drain(mut self) {
        if self.waits && self.read == 0 {
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
        // A client that is too slow is cut off, which is what the limit is for.
        let _ = timeout(DRAIN_TIME, drained).await;
    }

    /// Reads at most `limit` bytes into memory that is charged.
    pub async fn read_all(mut self, headers: &HeaderMap, limit: usize, charge: &mut Charge) -> Result<Vec<u8>, Error> {
        if announced(headers).is_some_and(|length| length > limit as u64) {
            self.drain().await;
            return Err(Error::TooLarge(limit));
        }
        let mut bytes = Vec::new();
        let mut charged = announced(headers).and_then(|length| usize::try_from(length).ok()).unwrap_or(0).max(UNCHARGED);
        if let Err(error) = charge.reserve(charged - UNCHARGED).await {
            self.drain().await;
            return Err(error);
        }
        while let Some(data) = self.next().await? {
            let length = bytes.len() + data.len();
            if length > limit {
                self.drain().await;
                return Err(Error::TooLarge(limit));
            }
            if length > charged {
                let more = (length - charged).max(UNCHARGED);
                if let Err(error) = charge.reserve(more).await {
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

/// How many bytes the body is said to have.
pub fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
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
