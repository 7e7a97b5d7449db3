//! Streamed responses: too large for memory, they are written chunk by chunk while they are sent.
//!
//! Each chunk is read from the store separately, so that a slow client holds no snapshot and no
//! more than one chunk in memory. Chunks do not count against the memory for responses; therefore
//! the number of streams is limited.

use crate::error::Error;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use futures_util::stream::try_unfold;
use quarry_wire::Format;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of chunks that are read at once.
const MAX_READS: usize = 4;

static READS: Semaphore = Semaphore::const_new(MAX_READS);

/// Returns the next chunk; `None` after the last one.
type NextChunk = Box<dyn FnMut() -> Result<Option<String>, Error> + Send>;

/// The body of a streamed response.
pub struct ChunkStream {
    /// Text before the chunks.
    pub head: String,
    /// Reads the next chunk.
    pub next: NextChunk,
    /// Text after the chunks.
    pub tail: String,
}

enum State {
    Head(ChunkStream),
    Middle(ChunkStream),
    End,
}

/// Returns 200 with a streamed body, or [`Error::Overloaded`] when there is no permit for another
/// stream. When a chunk cannot be read the body breaks off, so that the client notices that it is
/// incomplete.
pub(super) fn respond(
    stream: ChunkStream,
    format: Format,
    streams: &Arc<Semaphore>,
) -> Result<Response<Body>, Error> {
    let permit = Arc::clone(streams)
        .try_acquire_owned()
        .map_err(|_| Error::Overloaded)?;
    let body = try_unfold(
        (State::Head(stream), permit),
        |(state, permit): (State, OwnedSemaphorePermit)| async move {
            let chunk = match state {
                State::Head(mut stream) => Some((
                    Bytes::from(std::mem::take(&mut stream.head)),
                    State::Middle(stream),
                )),
                State::Middle(stream) => {
                    let _read = READS
                        .acquire()
                        .await
                        .map_err(|error| io_error(&error.to_string()))?;
                    tokio::task::spawn_blocking(move || read_chunk(stream))
                        .await
                        .map_err(|error| io_error(&error.to_string()))??
                }
                State::End => None,
            };
            Ok::<_, std::io::Error>(chunk.map(|(bytes, state)| (bytes, (state, permit))))
        },
    );
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(format.content_type()),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("max-age=0, private, must-revalidate"),
    );
    Ok(response)
}

fn read_chunk(mut stream: ChunkStream) -> Result<Option<(Bytes, State)>, std::io::Error> {
    match (stream.next)() {
        Ok(Some(chunk)) => Ok(Some((Bytes::from(chunk), State::Middle(stream)))),
        Ok(None) => Ok(Some((Bytes::from(stream.tail), State::End))),
        Err(error) => Err(io_error(&error.messages().join(" "))),
    }
}

fn io_error(message: &str) -> std::io::Error {
    tracing::error!(error = %message, "a streamed response was aborted");
    std::io::Error::other("the response could not be completed")
}
