//! One form sent by HTTP/1.1, with a deadline for everything.

use super::timed_stream::{Deadline, TimedStream};
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use quarry_config::redact;
use quarry_store::tls::Tls;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

/// Maximum time for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum time without a byte.
const IO_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum time for the request and the response.
const TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// Maximum number of bytes of a response that are read.
const MAX_RESPONSE: u64 = 64 * 1024;

/// A response.
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The first part of the body.
    pub text: String,
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The address cannot be used.
    #[error("the address {0:?} must begin with http:// or https:// and have a host")]
    Url(String),
    /// TLS cannot be used.
    #[error("{0}")]
    Tls(String),
    /// The connection failed.
    #[error("{0}")]
    Connection(#[from] io::Error),
    /// The answer is not HTTP.
    #[error("the answer is not HTTP")]
    NotHttp,
}

/// Sends a form, and returns the response. Follows no redirects.
pub fn post_form(
    address: &str,
    fields: &[(&str, &[u8])],
    ca_file: Option<&Path>,
) -> Result<Response, PostError> {
    let wrong = || PostError::Url(redact(address));
    let url = Url::parse(address).map_err(|_| wrong())?;
    let host = url.host().ok_or_else(wrong)?;
    let port = url.port_or_known_default().ok_or_else(wrong)?;
    let is_encrypted = match url.scheme() {
        "http" => false,
        "https" => true,
        _ => return Err(wrong()),
    };
    let mut body = Vec::new();
    for (name, value) in fields {
        if !body.is_empty() {
            body.push(b'&');
        }
        body.extend_from_slice(name.as_bytes());
        body.push(b'=');
        body.extend(percent_encode(value, NON_ALPHANUMERIC).flat_map(str::bytes));
    }
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: quarry/{}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        url.path(),
        &url[url::Position::BeforeHost..url::Position::AfterPort],
        env!("CARGO_PKG_VERSION"),
        body.len()
    );
    let stream = connect(&host, port)?;
    if is_encrypted {
        let tls = Tls {
            is_verified: true,
            root: ca_file.map(Path::to_owned),
        };
        let config = tls
            .client_config()
            .map_err(|error| PostError::Tls(error.to_string()))?;
        let name = ServerName::try_from(
            url.host_str()
                .unwrap_or_default()
                .trim_matches(['[', ']'])
                .to_owned(),
        )
        .map_err(|_| wrong())?;
        let connection = ClientConnection::new(Arc::new(config), name)
            .map_err(|error| PostError::Tls(error.to_string()))?;
        exchange(StreamOwned::new(connection, stream), &head, &body)
    } else {
        exchange(stream, &head, &body)
    }
}

fn connect(host: &Host<&str>, port: u16) -> io::Result<TimedStream<TcpStream>> {
    let addresses = match host {
        Host::Domain(name) => (*name, port).to_socket_addrs()?.collect(),
        Host::Ipv4(address) => vec![(*address, port).into()],
        Host::Ipv6(address) => vec![(*address, port).into()],
    };
    let mut outcome = Err(io::Error::from(io::ErrorKind::NotFound));
    for address in addresses {
        outcome = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT);
        if outcome.is_ok() {
            break;
        }
    }
    let stream = TimedStream::new(outcome?, Deadline::new(TIMEOUT));
    Ok(stream.with_idle_timeout(IO_TIMEOUT))
}

fn exchange(mut stream: impl Read + Write, head: &str, body: &[u8]) -> Result<Response, PostError> {
    // A server that refuses the body may answer before it has read all of it.
    let sent = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body))
        .and_then(|()| stream.flush());
    let mut answer = Vec::new();
    let read = (&mut stream).take(MAX_RESPONSE).read_to_end(&mut answer);
    match parse_response(&answer) {
        Some(response) => Ok(response),
        None => {
            sent?;
            read?;
            Err(PostError::NotHttp)
        }
    }
}

/// Parses a response; `None` unless its head is complete.
pub fn parse_response(answer: &[u8]) -> Option<Response> {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    Some(Response {
        status,
        text: body.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_needs_a_complete_head() {
        let response =
            parse_response(b"HTTP/1.1 422 Unprocessable Entity\r\nA: b\r\n\r\nno\n").unwrap();
        assert_eq!((response.status, response.text.as_str()), (422, "no\n"));
        for answer in [
            "",
            "HTTP/1.1 201 Created\r\n",
            "SSH-2.0\r\n\r\n",
            "HTTP/1.1 é\r\n\r\n",
        ] {
            assert!(parse_response(answer.as_bytes()).is_none(), "{answer}");
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for address in [
            "",
            "example.net",
            "ftp://example.net/",
            "file:///etc",
            "http://",
        ] {
            assert!(
                matches!(post_form(address, &[], None), Err(PostError::Url(_))),
                "{address}"
            );
        }
    }
}
