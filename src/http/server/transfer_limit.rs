//! The minimum speed at which clients read responses.
//!
//! The limit counts what the operating system has taken. It is therefore below TLS, which accepts some
//! bytes that the client does not read yet.

use quarry_config::{Limit, Limits};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// The minimum speed of transfers.
#[derive(Clone, Copy, Debug)]
pub struct TransferLimit {
    /// Maximum time without progress.
    pub timeout: Duration,
    /// Minimum rate in bytes per second after that time; 0 for any.
    pub min_rate: u64,
}

impl TransferLimit {
    /// Returns the configured limits; `None` when they are off.
    pub fn new(limits: &Limits) -> Option<TransferLimit> {
        let min_rate = match limits.count(Limit::MinTransferRate) {
            usize::MAX => 0,
            rate => rate as u64,
        };
        limits
            .duration(Limit::TransferTimeout)
            .map(|timeout| TransferLimit { timeout, min_rate })
    }

    /// Returns the maximum duration of a transfer of this size.
    pub fn time_for(&self, bytes: u64) -> Duration {
        match self.min_rate {
            0 => Duration::from_secs(u64::from(u32::MAX)),
            rate => self.timeout + Duration::from_millis(bytes.saturating_mul(1000) / rate),
        }
    }
}

/// A response that the client reads more slowly than it is sent.
struct SlowResponse {
    since: Instant,
    last_progress: Instant,
    written: u64,
    check: Pin<Box<Sleep>>,
}

/// A stream whose writes, flushes and shutdown fail when the client reads too slowly.
pub struct LimitedStream<S> {
    stream: S,
    limit: Option<TransferLimit>,
    slow: Option<SlowResponse>,
}

impl<S> LimitedStream<S> {
    /// Creates a stream; without a limit, it waits forever.
    pub fn new(stream: S, limit: Option<TransferLimit>) -> LimitedStream<S> {
        LimitedStream {
            stream,
            limit,
            slow: None,
        }
    }

    fn record_write(&mut self, bytes: usize) {
        if let Some(slow) = &mut self.slow {
            slow.written += bytes as u64;
            slow.last_progress = Instant::now();
        }
    }

    /// Waits while the client may still be slow, then fails.
    fn poll_slow<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let Some(limit) = self.limit else {
            return Poll::Pending;
        };
        let slow = self.slow.get_or_insert_with(|| {
            let now = Instant::now();
            SlowResponse {
                since: now,
                last_progress: now,
                written: 0,
                check: Box::pin(sleep_until(now + limit.timeout)),
            }
        });
        loop {
            let deadline =
                (slow.last_progress + limit.timeout).min(slow.since + limit.time_for(slow.written));
            if Instant::now() >= deadline {
                return Poll::Ready(Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "the client reads the response too slowly",
                )));
            }
            if slow.check.deadline() != deadline {
                slow.check.as_mut().reset(deadline);
            }
            ready!(slow.check.as_mut().poll(cx));
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(cx, bytes) {
            Poll::Pending => self.poll_slow(cx),
            Poll::Ready(written) => {
                self.record_write(*written.as_ref().unwrap_or(&0));
                Poll::Ready(written)
            }
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write_vectored(cx, slices) {
            Poll::Pending => self.poll_slow(cx),
            Poll::Ready(written) => {
                self.record_write(*written.as_ref().unwrap_or(&0));
                Poll::Ready(written)
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper calls this when a response has been written completely; TLS, when it has passed on all
    /// that it has accepted.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(cx) {
            Poll::Pending => self.poll_slow(cx),
            Poll::Ready(flushed) => {
                self.slow = None;
                Poll::Ready(flushed)
            }
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(cx) {
            Poll::Pending => self.poll_slow(cx),
            ended => ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    /// A stream to a client that reads nothing.
    struct Stalled;

    impl AsyncWrite for Stalled {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &[u8],
        ) -> Poll<io::Result<usize>> {
            Poll::Pending
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }
    }

    #[tokio::test]
    async fn writes_flushes_and_shutdown_of_a_stalled_stream_time_out() {
        let limit = TransferLimit {
            timeout: Duration::from_millis(10),
            min_rate: 0,
        };
        let stream = || LimitedStream::new(Stalled, Some(limit));
        for ended in [
            stream().write_all(b"response").await,
            stream().flush().await,
            stream().shutdown().await,
        ] {
            assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::TimedOut);
        }
    }
}
