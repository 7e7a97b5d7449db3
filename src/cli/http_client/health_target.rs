//! The address at which this machine reaches the configured service.

use crate::cli::output::usage_error::UsageError;
use crate::cli::serve::certificates;
use anyhow::Context;
use quarry_config::{CertificateSource, Config, UNIX};
use rustls::pki_types::CertificateDer;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

/// The address at which this machine reaches a service.
#[derive(Clone, Debug)]
pub enum HealthTarget {
    /// A TCP port.
    Http(SocketAddr),
    /// A TCP port with TLS, and the certificate that the service must have; `None` accepts any.
    Https(SocketAddr, Option<CertificateDer<'static>>),
    /// A Unix socket.
    Unix(PathBuf),
}

impl HealthTarget {
    /// Returns the address of the configured service. Fails if the port is 0 or the name is unknown.
    pub fn from_config(config: &Config) -> anyhow::Result<HealthTarget> {
        if let Some(path) = config.listen.strip_prefix(UNIX) {
            return Ok(HealthTarget::Unix(PathBuf::from(path)));
        }
        let listen = &config.listen;
        let address = listen
            .to_socket_addrs()
            .with_context(|| format!("the address {listen} is unknown"))?
            .next()
            .with_context(|| format!("the address {listen} is unknown"))?;
        if address.port() == 0 {
            let message = "the service listens on a free port; name the one that it has printed with --listen";
            return Err(UsageError(message.to_owned()).into());
        }
        let address = reachable(address);
        Ok(if config.tls.is_some() {
            HealthTarget::Https(address, None)
        } else {
            HealthTarget::Http(address)
        })
    }

    /// Returns the target that must have the certificate in the configured file. A certificate from an
    /// authority may not be issued yet, so it is not required.
    pub fn with_certificate_of(self, config: &Config) -> anyhow::Result<HealthTarget> {
        let source = config.tls.as_ref().map(|tls| &tls.certificate);
        match (self, source) {
            (
                HealthTarget::Https(address, _),
                Some(CertificateSource::Files { certificate, .. }),
            ) => {
                let expected = certificates::load_first(certificate)?;
                Ok(HealthTarget::Https(address, Some(expected)))
            }
            (target, _) => Ok(target),
        }
    }
}

/// The URL of the service, or the path of its socket.
impl fmt::Display for HealthTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HealthTarget::Http(address) => write!(formatter, "http://{address}"),
            HealthTarget::Https(address, _) => write!(formatter, "https://{address}"),
            HealthTarget::Unix(path) => write!(formatter, "{UNIX}{}", path.display()),
        }
    }
}

/// Returns the address at which this machine reaches a service that listens on `address`.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unspecified_addresses_are_reached_on_this_machine() {
        for (listen, expected) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            let address = reachable(listen.parse().unwrap());
            assert_eq!(address.to_string(), expected);
        }
    }
}
