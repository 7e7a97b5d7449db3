//! Replies that are too large for memory: written piece by piece while they are sent.
//!
//! Every piece is read on its own, so that a client that reads slowly holds no snapshot and no more than one piece in memory. There are
//! few such replies at once, because their pieces are not part of the memory for replies.

use super::error::Error;
use super::format::Wanted;
use super::render;
use crate::wire::Format;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use futures_util::stream;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How many replies are sent in pieces at once; more are refused.
const MAX_STREAMS: usize = 64;
/// How many pieces are read at once.
const MAX_READS: usize = 4;

static STREAMS: Semaphore = Semaphore::const_new(MAX_STREAMS);
static READS: Semaphore = Semaphore::const_new(MAX_READS);

/// Returns the next piece; `None` behind the last one.
type NextPiece = Box<dyn FnMut() -> Result<Option<String>, Error> + Send>;

/// A reply in pieces.
pub struct Pieces {
    /// What comes before the pieces.
    pub head: String,
    /// Reads the next piece.
    pub next: NextPiece,
    /// What comes behind the pieces.
    pub tail: String,
}

enum State {
    Head(Pieces),
    Middle(Pieces),
    End,
}

/// Returns 200 with the pieces as its body. When one cannot be read the body breaks off, so that nobody takes it for complete.
pub(super) fn respond(pieces: Pieces, format: Format) -> Response<Body> {
    let Ok(permit) = STREAMS.try_acquire() else { return render::error(&Error::Overloaded, Wanted::Data(format)) };
    let body = stream::try_unfold((State::Head(pieces), permit), |(state, permit): (State, SemaphorePermit<'static>)| async move {
        let next = match state {
            State::Head(mut pieces) => Some((Bytes::from(std::mem::take(&mut pieces.head)), State::Middle(pieces))),
            State::Middle(pieces) => {
                let _read = READS.acquire().await.map_err(|error| broken(&error.to_string()))?;
                tokio::task::spawn_blocking(move || read(pieces)).await.map_err(|error| broken(&error.to_string()))??
            }
            State::End => None,
        };
        Ok::<_, std::io::Error>(next.map(|(bytes, state)| (bytes, (state, permit))))
    });
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=0, private, must-revalidate"));
    response
}

fn read(mut pieces: Pieces) -> Result<Option<(Bytes, State)>, std::io::Error> {
    match (pieces.next)() {
        Ok(Some(piece)) => Ok(Some((Bytes::from(piece), State::Middle(pieces)))),
        Ok(None) => Ok(Some((Bytes::from(pieces.tail), State::End))),
        Err(error) => Err(broken(&error.sentences().join(" "))),
    }
}

fn broken(problem: &str) -> std::io::Error {
    tracing::error!(error = %problem, "a reply broke off");
    std::io::Error::other("the reply could not be completed")
}
