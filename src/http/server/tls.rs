//! TLS of the service itself: the handshake, and the response to clients that do not start one.

use super::transfer_limit::{LimitedStream, TransferLimit};
use axum::http::HeaderValue;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{Acceptor, ClientHello, ResolvesServerCert};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

/// The protocol of requests.
const HTTP: &[u8] = b"http/1.1";
/// The protocol of the challenge TLS-ALPN-01 (RFC 8737).
const ACME_CHALLENGE: &[u8] = b"acme-tls/1";
/// The first byte of a handshake.
const HANDSHAKE: u8 = 22;
/// The response to a request without TLS.
const SPEAKS_HTTPS: &str = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\
                            Content-Length: 68\r\n\r\nThis address speaks HTTPS only; write https:// in place of http://.\n";

/// An extension of each request over TLS of the service itself.
#[derive(Clone, Copy, Debug)]
pub struct OverTls;

/// The stream of a connection with TLS.
pub type EncryptedStream = TlsStream<LimitedStream<TcpStream>>;

/// TLS configuration of the listener.
pub struct Tls {
    requests: Arc<ServerConfig>,
    challenges: Arc<ServerConfig>,
    /// The value of `Strict-Transport-Security`.
    pub(super) hsts: HeaderValue,
}

impl Tls {
    /// Creates the configuration. The resolver has the certificate, and answers the challenges of an
    /// ACME authority. Browsers use only HTTPS for `hsts` seconds.
    pub fn new(
        resolver: Arc<dyn ResolvesServerCert>,
        hsts: u32,
    ) -> Result<Arc<Tls>, rustls::Error> {
        let hsts = HeaderValue::try_from(format!("max-age={hsts}"))
            .map_err(|error| rustls::Error::General(error.to_string()))?;
        Ok(Arc::new(Tls {
            requests: server_config(Arc::clone(&resolver), HTTP)?,
            challenges: server_config(resolver, ACME_CHALLENGE)?,
            hsts,
        }))
    }

    /// Waits for the handshake. Returns `None` when there is nothing more to do: the connection was
    /// for a challenge, or the client has sent a request without TLS and got its response. What the
    /// client reads later is subject to `limit`.
    pub async fn accept(
        &self,
        mut stream: TcpStream,
        limit: Option<TransferLimit>,
    ) -> io::Result<Option<EncryptedStream>> {
        let mut first = [0; 1];
        if stream.peek(&mut first).await? == 0 {
            return Ok(None);
        }
        if first[0] != HANDSHAKE {
            if first[0].is_ascii_alphabetic() {
                respond_and_drain(&mut stream, SPEAKS_HTTPS).await?;
            }
            return Ok(None);
        }
        let stream = LimitedStream::new(stream, limit);
        let start = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
        if is_challenge(&start.client_hello()) {
            let mut stream = start.into_stream(Arc::clone(&self.challenges)).await?;
            stream.shutdown().await?;
            return Ok(None);
        }
        let stream = start.into_stream(Arc::clone(&self.requests)).await?;
        Ok(Some(stream))
    }
}

fn server_config(
    resolver: Arc<dyn ResolvesServerCert>,
    protocol: &[u8],
) -> Result<Arc<ServerConfig>, rustls::Error> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(resolver);
    config.alpn_protocols = vec![protocol.to_vec()];
    Ok(Arc::new(config))
}

fn is_challenge(hello: &ClientHello<'_>) -> bool {
    let mut protocols = hello.alpn().into_iter().flatten();
    protocols.next() == Some(ACME_CHALLENGE) && protocols.next().is_none()
}

/// Sends a response, and reads what the client still sends: closing a socket with unread bytes would
/// reset the connection before the client reads the response.
pub(super) async fn respond_and_drain<S>(stream: &mut S, response: &str) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(response.as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_without_tls_states_its_length() {
        let (head, body) = SPEAKS_HTTPS.split_once("\r\n\r\n").unwrap();
        let length = format!("Content-Length: {}", body.len());
        assert!(head.contains(&length), "{length}");
    }
}
