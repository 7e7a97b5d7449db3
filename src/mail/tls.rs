//! TLS to mail servers.

use quarry_net::Stream;
use std::fmt::Display;
use std::sync::Arc;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

/// Encrypts a connection to a host. Fails with a message.
pub async fn encrypt(
    host: &str,
    config: ClientConfig,
    stream: Box<dyn Stream>,
) -> Result<Box<dyn Stream>, String> {
    let to_message = |error: &dyn Display| error.to_string();
    let name = ServerName::try_from(host.to_owned()).map_err(|error| to_message(&error))?;
    let connector = TlsConnector::from(Arc::new(config));
    let stream = connector.connect(name, stream).await;
    Ok(Box::new(stream.map_err(|error| to_message(&error))?))
}
