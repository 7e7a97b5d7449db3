//! Blocking streams with a deadline for all reads and writes together.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The deadline of a request.
#[derive(Clone, Copy)]
pub struct Deadline {
    start: Instant,
    timeout: Duration,
}

impl Deadline {
    /// Creates a deadline after this time.
    pub fn new(timeout: Duration) -> Deadline {
        Deadline {
            start: Instant::now(),
            timeout,
        }
    }

    /// Returns the time that is left. Fails when none is.
    pub fn remaining(&self) -> io::Result<Duration> {
        self.timeout
            .checked_sub(self.start.elapsed())
            .filter(|remaining| !remaining.is_zero())
            .ok_or_else(|| self.error())
    }

    fn error(&self) -> io::Error {
        io::Error::new(
            ErrorKind::TimedOut,
            format!("no complete answer within {:?}", self.timeout),
        )
    }

    /// A socket reports its own timeout as `WouldBlock`.
    pub fn describe(&self, error: io::Error) -> io::Error {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => self.error(),
            _ => error,
        }
    }
}

/// A stream whose reads and writes time out at a deadline.
pub struct TimedStream<S> {
    stream: S,
    deadline: Deadline,
    /// Maximum time without a byte.
    idle_timeout: Duration,
}

impl<S> TimedStream<S> {
    /// Creates a stream with a deadline.
    pub fn new(stream: S, deadline: Deadline) -> TimedStream<S> {
        TimedStream {
            stream,
            deadline,
            idle_timeout: Duration::MAX,
        }
    }

    /// Also fails after this time without a byte.
    #[must_use]
    pub fn with_idle_timeout(self, idle_timeout: Duration) -> TimedStream<S> {
        TimedStream {
            idle_timeout,
            ..self
        }
    }

    fn describe(&self, error: io::Error) -> io::Error {
        let is_timeout = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        if is_timeout && self.deadline.remaining().is_ok() {
            let problem = format!("nothing was sent or received for {:?}", self.idle_timeout);
            return io::Error::new(ErrorKind::TimedOut, problem);
        }
        self.deadline.describe(error)
    }
}

/// A stream with timeouts.
pub trait Socket: Read + Write {
    /// Sets the timeout of each read and write.
    fn set_timeout(&self, timeout: Duration) -> io::Result<()>;
}

impl Socket for TcpStream {
    fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(timeout))?;
        self.set_write_timeout(Some(timeout))
    }
}

impl Socket for UnixStream {
    fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(timeout))?;
        self.set_write_timeout(Some(timeout))
    }
}

impl<S: Socket> Read for TimedStream<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let remaining = self.deadline.remaining()?;
        self.stream.set_timeout(remaining.min(self.idle_timeout))?;
        let read = self.stream.read(buffer);
        read.map_err(|error| self.describe(error))
    }
}

impl<S: Socket> Write for TimedStream<S> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let remaining = self.deadline.remaining()?;
        self.stream.set_timeout(remaining.min(self.idle_timeout))?;
        let written = self.stream.write(buffer);
        written.map_err(|error| self.describe(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn silent_peer_is_reported_with_the_time_that_it_was_silent() {
        let (near, _far) = UnixStream::pair().unwrap();
        let deadline = Deadline::new(Duration::from_secs(3_600));
        let stream = TimedStream::new(near, deadline);
        let mut stream = stream.with_idle_timeout(Duration::from_millis(10));
        let error = stream.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert_eq!(error.to_string(), "nothing was sent or received for 10ms");
    }
}
