//! A connection that reads a bounded number of bytes until a deadline.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A connection to a server, encrypted or not.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug> Stream for T {}

/// The bounds of a [`BoundedStream`], for clients whose connection belongs to a library.
#[derive(Clone, Debug, Default)]
pub struct Bounds(Arc<Mutex<Remaining>>);

/// What is left until a bound is reached.
#[derive(Clone, Copy, Debug, Default)]
struct Remaining {
    /// Number of bytes that may still be read.
    bytes: usize,
    deadline: Option<Instant>,
}

impl Bounds {
    /// Sets the number of bytes that may be read from now on, and the time until the deadline of reads
    /// and writes.
    pub fn allow(&self, bytes: usize, timeout: Duration) {
        *self.lock() = Remaining {
            bytes,
            // A timeout too long for the clock is none.
            deadline: Instant::now().checked_add(timeout),
        };
    }

    fn lock(&self) -> MutexGuard<'_, Remaining> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection whose server may send a bounded number of bytes until a deadline. Reads and writes fail
/// beyond these bounds.
///
/// [`BoundedStream::allow`] sets the bounds of the next answer. Nothing can be read before its first
/// call.
#[derive(Debug)]
pub struct BoundedStream<S> {
    inner: S,
    bounds: Bounds,
    /// Wakes the task at the deadline. Created when something waits, because it needs the runtime.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<S> BoundedStream<S> {
    /// Creates a connection from which nothing may be read yet.
    pub fn new(inner: S) -> BoundedStream<S> {
        BoundedStream {
            inner,
            bounds: Bounds::default(),
            timer: None,
        }
    }

    /// Returns the bounds, which can be set while a library has the connection.
    pub fn bounds(&self) -> Bounds {
        self.bounds.clone()
    }

    /// Sets the bounds, see [`Bounds::allow`].
    pub fn allow(&mut self, bytes: usize, timeout: Duration) {
        self.bounds.allow(bytes, timeout);
    }

    /// Returns the connection without the bounds.
    pub fn into_inner(self) -> S {
        self.inner
    }

    /// Fails after the deadline; otherwise wakes the task at the deadline.
    fn check_deadline(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let Some(deadline) = self.bounds.lock().deadline else {
            return Ok(());
        };
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        match timer.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the server did not answer in time",
            )),
            Poll::Pending => Ok(()),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for BoundedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Also when bytes are there: a server that sends one each second must not extend the time.
        self.check_deadline(context)?;
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        let mut remaining = self.bounds.lock();
        match remaining.bytes.checked_sub(read) {
            Some(bytes) => {
                remaining.bytes = bytes;
                Poll::Ready(Ok(()))
            }
            None => {
                // A read that fails fills nothing.
                buffer.set_filled(before);
                Poll::Ready(Err(io::Error::other(
                    "the answer of the server is too long",
                )))
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for BoundedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_deadline(context)?;
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check_deadline(context)?;
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::sleep;

    const MAX: usize = 1000;
    const TIMEOUT: Duration = Duration::from_secs(30);

    /// Reads the answer of a server to its end, and returns the error and the time that it took.
    async fn read<F>(
        server: impl FnOnce(tokio::io::DuplexStream) -> F,
    ) -> (io::Result<usize>, Duration)
    where
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        let (client, peer) = duplex(256);
        tokio::spawn(server(peer));
        let mut stream = BoundedStream::new(client);
        stream.allow(MAX, TIMEOUT);
        let start = Instant::now();
        let mut answer = Vec::new();
        let outcome = stream.read_to_end(&mut answer).await;
        assert!(answer.len() <= MAX, "{}", answer.len());
        (outcome, start.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn endless_answer_fails_at_the_maximum_number_of_bytes() {
        let (outcome, time) = read(|mut peer| async move {
            loop {
                peer.write_all(&[b'x'; 64]).await?;
            }
        })
        .await;
        let error = outcome.unwrap_err().to_string();
        assert_eq!(error, "the answer of the server is too long");
        assert!(time < TIMEOUT, "{time:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn answer_of_a_byte_each_second_fails_at_the_deadline() {
        let (outcome, time) = read(|mut peer| async move {
            loop {
                peer.write_all(b"x").await?;
                sleep(Duration::from_secs(1)).await;
            }
        })
        .await;
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(
            time.abs_diff(TIMEOUT) < Duration::from_millis(10),
            "{time:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn silence_fails_at_the_deadline() {
        let (outcome, time) = read(|peer| async move {
            sleep(10 * TIMEOUT).await;
            drop(peer);
            Ok(())
        })
        .await;
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(
            time.abs_diff(TIMEOUT) < Duration::from_millis(10),
            "{time:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn answer_within_the_bounds_is_read_to_its_end() {
        let (outcome, _) = read(|mut peer| async move { peer.write_all(&[b'x'; MAX]).await }).await;
        assert_eq!(outcome.unwrap(), MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn writes_to_a_server_that_reads_nothing_fail_at_the_deadline() {
        let (client, _peer) = duplex(256);
        let mut stream = BoundedStream::new(client);
        stream.allow(MAX, TIMEOUT);
        let error = stream.write_all(&[b'x'; 1000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn each_answer_has_its_own_bounds() {
        let (client, mut peer) = duplex(256);
        let mut stream = BoundedStream::new(client);
        let mut buffer = [0; 100];
        for _ in 0..3 {
            stream.allow(buffer.len(), TIMEOUT);
            peer.write_all(&buffer).await.unwrap();
            stream.read_exact(&mut buffer).await.unwrap();
            sleep(TIMEOUT - Duration::from_secs(1)).await;
        }
    }
}
