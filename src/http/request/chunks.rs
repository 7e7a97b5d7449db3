//! The body of a form with files, as the parser gets it.

use super::body::BodyReader;
use crate::error::Error;
use axum::body::Bytes;
use futures_util::stream::{self, Stream};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

/// Maximum number of bytes of the header of a part.
const MAX_HEADER: u64 = 16 * 1024;

/// The error of a body, as the source of an error of the parser.
#[derive(Debug)]
pub(super) struct BodyError(pub(super) Error);

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body could not be read")
    }
}

impl std::error::Error for BodyError {}

/// The body, one chunk for each poll. The parser polls until nothing is ready before it looks at
/// what it has, and would otherwise buffer as much as the client has sent.
pub(super) struct Chunks {
    inner: Pin<Box<dyn Stream<Item = Result<Bytes, BodyError>> + Send>>,
    has_yielded: bool,
    /// Number of bytes since the parser last returned something.
    unread: Arc<AtomicU64>,
}

impl Chunks {
    /// Reads from the body.
    pub(super) fn new(body: BodyReader, unread: Arc<AtomicU64>) -> Chunks {
        let chunks = stream::try_unfold(body, |mut body| async move {
            let chunk = body.next().await.map_err(BodyError)?;
            Ok(chunk.map(|chunk| (chunk, body)))
        });
        Chunks {
            inner: Box::pin(chunks),
            has_yielded: false,
            unread,
        }
    }
}

impl Stream for Chunks {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.has_yielded) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let poll = self.inner.as_mut().poll_next(context);
        if let Poll::Ready(Some(Ok(chunk))) = &poll {
            self.has_yielded = true;
            if self.unread.fetch_add(chunk.len() as u64, Ordering::Relaxed) > MAX_HEADER {
                let error = Error::BadRequest(
                    "A part of the form has a header that is too long".to_owned(),
                );
                return Poll::Ready(Some(Err(BodyError(error))));
            }
        }
        poll
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::HeaderMap;
    use futures_util::task::noop_waker_ref;

    #[test]
    fn parser_gets_one_chunk_for_each_poll() {
        let body = Body::from_stream(stream::iter(
            (0..3).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![0; 1000]))),
        ));
        let unread = Arc::new(AtomicU64::new(0));
        let mut chunks = Chunks::new(
            BodyReader::new(body, &HeaderMap::new(), None),
            Arc::clone(&unread),
        );
        let mut context = Context::from_waker(noop_waker_ref());
        for _ in 0..3 {
            assert!(matches!(
                Pin::new(&mut chunks).poll_next(&mut context),
                Poll::Ready(Some(Ok(_)))
            ));
            assert!(Pin::new(&mut chunks).poll_next(&mut context).is_pending());
        }
        assert!(matches!(
            Pin::new(&mut chunks).poll_next(&mut context),
            Poll::Ready(None)
        ));
        assert_eq!(unread.load(Ordering::Relaxed), 3000);
    }
}
