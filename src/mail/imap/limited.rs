//! A connection that reads a limited number of bytes, so that no server can exhaust the memory.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection to a server, encrypted or not.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug> Stream for T {}

/// A connection from which only a limited number of bytes can be read.
#[derive(Debug)]
pub struct Limited {
    inner: Box<dyn Stream>,
    /// Number of bytes that may still be read.
    left: usize,
}

impl Limited {
    /// Creates a connection from which nothing may be read yet.
    pub fn new(inner: Box<dyn Stream>) -> Limited {
        Limited { inner, left: 0 }
    }

    /// Sets the number of bytes that may still be read.
    pub fn allow(&mut self, bytes: usize) {
        self.left = bytes;
    }

    /// Returns the connection without the limit.
    pub fn into_inner(self) -> Box<dyn Stream> {
        self.inner
    }
}

impl AsyncRead for Limited {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        match self.left.checked_sub(read) {
            Some(left) => {
                self.left = left;
                Poll::Ready(Ok(()))
            }
            None => Poll::Ready(Err(io::Error::other(
                "the answer of the server is too long",
            ))),
        }
    }
}

impl AsyncWrite for Limited {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
