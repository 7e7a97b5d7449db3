//! Connects to a server, encrypts the connection and logs in.

use super::error::{CLOSED, MailboxError};
use super::session::{MAX_ANSWER, Session, TIMEOUT};
use crate::{password, tls};
use async_imap::Client;
use async_imap::imap_proto::{Response, Status};
use quarry_config::{Encryption, ImapServer, regular_file};
use quarry_net::tls::{system_roots, verified};
use quarry_net::{BoundedStream, Stream};
use std::path::Path;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

/// A connection that is not logged in.
type Connection = Client<BoundedStream<Box<dyn Stream>>>;

/// Connects to the configured server and logs in.
pub async fn connect(server: &ImapServer) -> Result<Session, MailboxError> {
    let password = password::load(
        server.password.as_deref(),
        server.password_file.as_deref(),
        "mail_imap_password_file",
    );
    let password = password.map_err(|problem| MailboxError::new(&problem))?;
    let tcp = quarry_net::connect(&server.host, server.port, TIMEOUT).await;
    let tcp = tcp.map_err(|error| MailboxError::at("cannot connect", &error))?;
    let mut client = match server.encryption {
        Encryption::Implicit => greeted(encrypt(server, Box::new(tcp)).await?).await?,
        Encryption::Opportunistic => greeted(Box::new(tcp)).await?,
        Encryption::Required => {
            let mut client = greeted(Box::new(tcp)).await?;
            client
                .run_command_and_check_ok("STARTTLS", None)
                .await
                .map_err(|error| {
                    let error = MailboxError::from(error);
                    MailboxError::at(
                        "the server does not encrypt the connection, and the password is not sent without it",
                        &error,
                    )
                })?;
            // The client is dropped with its buffer: data from before the encryption must not be used.
            let plain = client.into_inner().into_inner();
            client_of(encrypt(server, plain).await?)
        }
    };
    client.get_mut().allow(MAX_ANSWER, TIMEOUT);
    let session = if server.user.is_ascii() && password.is_ascii() {
        client.login(&server.user, &password).await
    } else {
        let credentials = Credentials(format!("\0{}\0{password}", server.user));
        client.authenticate("PLAIN", credentials).await
    };
    session.map_err(|(error, _)| MailboxError::at("the login failed", &MailboxError::from(error)))
}

/// The response to `AUTHENTICATE PLAIN` (RFC 4616), which unlike `LOGIN` allows non-ASCII characters.
struct Credentials(String);

impl async_imap::Authenticator for Credentials {
    type Response = String;

    fn process(&mut self, _: &[u8]) -> String {
        std::mem::take(&mut self.0)
    }
}

fn client_of(stream: Box<dyn Stream>) -> Connection {
    let mut bounded = BoundedStream::new(stream);
    bounded.allow(MAX_ANSWER, TIMEOUT);
    Client::new(bounded)
}

/// Returns a client after the server has sent its greeting.
async fn greeted(stream: Box<dyn Stream>) -> Result<Connection, MailboxError> {
    let mut client = client_of(stream);
    let greeting = client.read_response().await?;
    let greeting = greeting.ok_or_else(|| MailboxError::new(CLOSED))?;
    match greeting.parsed() {
        Response::Data {
            status: Status::Ok, ..
        } => Ok(client),
        Response::Data { outcome, .. } => Err(MailboxError::at(
            "the server refuses the connection",
            &outcome.information.as_deref().unwrap_or_default(),
        )),
        _ => Err(MailboxError::new("this is no IMAP server")),
    }
}

/// Encrypts a connection. The certificate must be valid for the name of the server.
async fn encrypt(
    server: &ImapServer,
    stream: Box<dyn Stream>,
) -> Result<Box<dyn Stream>, MailboxError> {
    let problem = |error: &dyn std::fmt::Display| MailboxError::at("TLS", error);
    let roots = roots(server.ca_file.as_deref())?;
    let config = verified(roots).map_err(|error| problem(&error))?;
    let encrypted = tls::encrypt(&server.host, config, stream).await;
    encrypted.map_err(|error| problem(&error))
}

/// Maximum size of `mail_imap_ca_file` in bytes.
const MAX_CA_FILE: u64 = 16 << 20;

/// Returns the trusted authorities: those in the file, or without one those of the system.
fn roots(file: Option<&Path>) -> Result<RootCertStore, MailboxError> {
    let mut roots = RootCertStore::empty();
    let Some(path) = file else {
        return Ok(system_roots());
    };
    let problem = |problem: &dyn std::fmt::Display| {
        MailboxError::at(&format!("`mail_imap_ca_file` {}", path.display()), problem)
    };
    let pem = regular_file::read(path, MAX_CA_FILE).map_err(|error| problem(&error))?;
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| problem(&error))?;
        roots.add(certificate).map_err(|error| problem(&error))?;
    }
    if roots.is_empty() {
        return Err(problem(&"it contains no certificate in PEM"));
    }
    Ok(roots)
}
