//! The stream of one connection: tracks activity, enforces transfer rates, and inspects the framing
//! of requests.

use super::connections::Connection;
use super::framing::RequestFraming;
use quarry_config::{Limit, Limits};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
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

/// A TCP stream to a client.
pub struct ClientStream {
    stream: TcpStream,
    connection: Arc<Connection>,
    framing: RequestFraming,
    limit: Option<TransferLimit>,
    slow: Option<SlowResponse>,
}

impl ClientStream {
    /// Creates a stream that records its activity in `connection`.
    pub fn new(
        stream: TcpStream,
        connection: Arc<Connection>,
        limit: Option<TransferLimit>,
    ) -> ClientStream {
        ClientStream {
            stream,
            connection,
            framing: RequestFraming::default(),
            limit,
            slow: None,
        }
    }

    fn record_write(&mut self, bytes: usize) {
        self.connection.touch();
        if let Some(slow) = &mut self.slow {
            slow.written += bytes as u64;
            slow.last_progress = Instant::now();
        }
    }

    /// Fails when the client reads too slowly.
    fn poll_slow(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
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

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        let bytes = &buffer.filled()[before..];
        if !bytes.is_empty() {
            self.connection.touch();
            if self.framing.feed(bytes) {
                self.connection.set_conflicting_lengths();
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ClientStream {
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

    /// hyper calls this when a response has been written completely.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.slow = None;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
