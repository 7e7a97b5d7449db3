//! Streamed responses: too large for memory, they are written chunk by chunk while they are sent.
//!
//! Each chunk is read from the store separately, so that a slow client holds no snapshot and no
//! more than one chunk in memory. Each waits for a permit to read, like a read of its own, but however
//! long it takes. Chunks do
//! not count against the memory for responses; therefore the number of streams is limited.

use crate::error::Error;
use crate::server::limits::client_id::ClientId;
use crate::server::limits::reads::ReadLimiter;
use crate::server::state::HttpState;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use futures_util::stream::try_unfold;
use quarry_wire::Format;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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

/// What limits a streamed response to a client.
pub struct StreamLimits<'s> {
    /// One permit for each streamed response.
    pub streams: &'s Arc<Semaphore>,
    /// Permits for its chunks.
    pub reads: &'s Arc<ReadLimiter>,
    pub client: ClientId,
}

impl StreamLimits<'_> {
    /// Returns the limits on the responses to a client.
    pub fn new(state: &HttpState, client: ClientId) -> StreamLimits<'_> {
        StreamLimits {
            streams: &state.streams,
            reads: &state.reads,
            client,
        }
    }
}

/// Returns 200 with a streamed body, or [`Error::Overloaded`] when there is no permit for another
/// stream. When a chunk cannot be read the body breaks off, so that the client notices that it is
/// incomplete.
pub(super) fn respond(
    stream: ChunkStream,
    format: Format,
    limits: &StreamLimits<'_>,
) -> Result<Response<Body>, Error> {
    let client = limits.client;
    let permit = Arc::clone(limits.streams)
        .try_acquire_owned()
        .map_err(|_| Error::Overloaded)?;
    let reads = Arc::clone(limits.reads);
    let body = try_unfold(
        (State::Head(stream), permit),
        move |(state, permit): (State, OwnedSemaphorePermit)| {
            let reads = Arc::clone(&reads);
            async move {
                let chunk = match state {
                    State::Head(mut stream) => Some((
                        Bytes::from(std::mem::take(&mut stream.head)),
                        State::Middle(stream),
                    )),
                    State::Middle(stream) => Some(
                        reads
                            .run_chunk(client, || read_chunk(stream))
                            .await
                            .map_err(|error| io_error(&error))?,
                    ),
                    State::End => None,
                };
                Ok::<_, std::io::Error>(chunk.map(|(bytes, state)| (bytes, (state, permit))))
            }
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

fn read_chunk(mut stream: ChunkStream) -> Result<(Bytes, State), Error> {
    Ok(match (stream.next)()? {
        Some(chunk) => (Bytes::from(chunk), State::Middle(stream)),
        None => (Bytes::from(stream.tail), State::End),
    })
}

fn io_error(error: &Error) -> std::io::Error {
    let message = error.messages().join(" ");
    tracing::error!(error = %message, "a streamed response was aborted");
    std::io::Error::other("the response could not be completed")
}
