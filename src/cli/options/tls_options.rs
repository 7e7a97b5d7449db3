//! The options about TLS, certificates from an ACME authority, the redirect of HTTP, and the permissions of
//! the Unix socket.

use super::path_text;
use clap::Args;
use quarry_config::Key;
use std::path::PathBuf;

/// The options about TLS and the Unix socket.
#[derive(Debug, Args)]
pub struct TlsOptions {
    /// Permissions of the socket of --listen unix:PATH, in octal [default: 0660]
    #[arg(long, value_name = "MODE")]
    socket_mode: Option<String>,
    /// File with the certificate in PEM, followed by those of intermediate authorities
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<PathBuf>,
    /// File with the private key of the certificate in PEM
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Seconds for which browsers use only HTTPS for the host name; 0 makes them forget it [default:
    /// 2592000]
    #[arg(long, value_name = "SECONDS")]
    hsts: Option<String>,
    /// Address and port where HTTP is redirected to HTTPS, or off [default: off]
    #[arg(long, value_name = "ADDRESS:PORT")]
    http_listen: Option<String>,
    /// Host names for which an authority issues certificates by ACME, separated by commas
    #[arg(long, value_name = "NAMES")]
    acme_domains: Option<String>,
    /// Mail address for that authority
    #[arg(long, value_name = "ADDRESS")]
    acme_email: Option<String>,
    /// Directory of that authority [default: that of Let's Encrypt]
    #[arg(long, value_name = "URL")]
    acme_directory: Option<String>,
    /// Challenge that proves control of the host names: tls-alpn-01 or http-01 [default: tls-alpn-01]
    #[arg(long, value_name = "NAME")]
    acme_challenge: Option<String>,
    /// File with the certificates of authorities that certify the server of the directory, in PEM,
    /// in place of those of the system
    #[arg(long, value_name = "FILE")]
    acme_ca_file: Option<PathBuf>,
}

impl TlsOptions {
    /// Returns the values of the configuration keys.
    pub fn values(&self) -> [(Key, Option<String>); 10] {
        let path = |path: &Option<PathBuf>| path.as_deref().map(path_text);
        [
            (Key::SocketMode, self.socket_mode.clone()),
            (Key::TlsCertificate, path(&self.tls_certificate)),
            (Key::TlsKey, path(&self.tls_key)),
            (Key::Hsts, self.hsts.clone()),
            (Key::HttpListen, self.http_listen.clone()),
            (Key::AcmeDomains, self.acme_domains.clone()),
            (Key::AcmeEmail, self.acme_email.clone()),
            (Key::AcmeDirectory, self.acme_directory.clone()),
            (Key::AcmeChallenge, self.acme_challenge.clone()),
            (Key::AcmeCaFile, path(&self.acme_ca_file)),
        ]
    }
}
