//! A minimal HTTP client that checks the health of the service over its own address.

use super::health_target::HealthTarget;
use super::http_post::{Response, parse_response};
use super::timed_stream::{Deadline, TimedStream};
use super::unverified_tls;
use crate::cli::serve::unix_socket;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Maximum number of bytes of a response that are read.
const MAX_RESPONSE: u64 = 4 * 1024;

/// Sends a GET request, and returns the response. Connection, request and response together take at
/// most `timeout`.
pub fn get(target: &HealthTarget, path: &str, timeout: Duration) -> io::Result<Response> {
    let deadline = Deadline::new(timeout);
    let host = match target {
        HealthTarget::Http(address) | HealthTarget::Https(address, _) => address.to_string(),
        HealthTarget::Unix(_) => "localhost".to_owned(),
    };
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: quarry/{}\r\nConnection: close\r\n\r\n",
        env!("CARGO_PKG_VERSION")
    );
    match target {
        HealthTarget::Http(address) => {
            let stream = TcpStream::connect_timeout(address, deadline.remaining()?)?;
            exchange(TimedStream::new(stream, deadline), &request)
        }
        HealthTarget::Https(address, expected) => {
            let stream = TcpStream::connect_timeout(address, deadline.remaining()?)?;
            let client = unverified_tls::client(address.ip())?;
            let stream = TimedStream::new(stream, deadline);
            let mut stream = rustls::StreamOwned::new(client, stream);
            let response = exchange(&mut stream, &request)?;
            let served = stream.conn.peer_certificates().and_then(<[_]>::first);
            match expected {
                Some(_) if served != expected.as_ref() => Err(io::Error::other(
                    "its certificate is not that in the file of `tls_certificate`; the log of the service says whether it could use the file",
                )),
                _ => Ok(response),
            }
        }
        HealthTarget::Unix(path) => {
            let connected = unix_socket::connect(path, Some(deadline.remaining()?));
            let stream = connected.map_err(|error| deadline.describe(error))?;
            exchange(TimedStream::new(stream, deadline), &request)
        }
    }
}

/// Sends the request, and returns the response.
fn exchange(mut stream: impl Read + Write, request: &str) -> io::Result<Response> {
    stream.write_all(request.as_bytes())?;
    stream.flush()?;
    let mut answer = Vec::new();
    let read = (&mut stream).take(MAX_RESPONSE).read_to_end(&mut answer);
    match (parse_response(&answer), read) {
        (Some(response), Ok(_)) => Ok(response),
        (_, Err(error)) => Err(error),
        (None, Ok(_)) => Err(io::Error::new(
            ErrorKind::InvalidData,
            "the answer is not HTTP",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;
    use std::time::Instant;

    #[test]
    fn silent_and_slow_services_do_not_answer_in_time() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = HealthTarget::Http(listener.local_addr().unwrap());
        let timeout = Duration::from_millis(300);
        let error = get(&target, "/healthz", timeout).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
        // A byte at a time, each well within the timeout.
        let slow = thread::spawn(move || {
            let _silent = listener.accept();
            let mut stream = listener.accept().unwrap().0;
            while stream.write_all(b"H").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        });
        let start = Instant::now();
        let error = get(&target, "/healthz", timeout).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
        assert!(start.elapsed() < Duration::from_secs(10));
        slow.join().unwrap();
    }

    #[test]
    fn other_protocols_are_not_http() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = HealthTarget::Http(listener.local_addr().unwrap());
        let other = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 16];
            stream.read_exact(&mut request).unwrap();
            stream.write_all(b"SSH-2.0-x\r\n").unwrap();
        });
        assert!(get(&target, "/healthz", Duration::from_secs(20)).is_err());
        other.join().unwrap();
    }
}
