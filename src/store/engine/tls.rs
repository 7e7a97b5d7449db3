//! TLS to a database server, configured by parameters of its URL.
//!
//! `sslmode` is `disable` (the default), `require` (encrypted, but any server is accepted) or
//! `verify-full` (the server must have a valid certificate for its host name). `sslrootcert` is a
//! file with the certificates of trusted authorities, which replace the public ones. The names and
//! values of MySQL's tools are supported, too.

use crate::disk::check_regular;
use percent_encoding::percent_decode_str;
use quarry_net::tls as net_tls;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use std::error::Error;
use std::path::{Path, PathBuf};

/// TLS cannot be used as the URL specifies it.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A parameter of the URL is invalid.
    #[error("{0}")]
    Parameter(String),
    /// An encrypted connection cannot be established.
    #[error("no TLS connection to the database can be established: {0}")]
    Connection(String),
}

/// TLS options of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// Whether the server must have a valid certificate for its host name.
    pub is_verified: bool,
    /// File with the certificates of the trusted authorities, in PEM.
    pub root: Option<PathBuf>,
}

/// Splits the TLS parameters from a URL. Returns the URL without them, and the options; `None` if
/// TLS is not used.
pub fn split(url: &str) -> Result<(String, Option<Tls>), TlsError> {
    let Some((before, query)) = url.split_once('?') else {
        return Ok((url.to_owned(), None));
    };
    let mut mode = None;
    let mut root = None;
    let mut rest = Vec::new();
    for parameter in query.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
        match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
            "sslmode" => mode = Some(value),
            "sslrootcert" | "sslca" => root = Some(PathBuf::from(value)),
            _ => rest.push(parameter),
        }
    }
    let rest = if rest.is_empty() {
        before.to_owned()
    } else {
        format!("{before}?{}", rest.join("&"))
    };
    let is_verified = match mode
        .as_deref()
        .map(|mode| mode.to_ascii_lowercase().replace('_', "-"))
        .as_deref()
    {
        None | Some("disable" | "disabled") => None,
        Some("require" | "required") => Some(false),
        Some("verify-full" | "verify-identity") => Some(true),
        Some(_) => {
            let expected = "disable, require or verify-full (with MySQL also DISABLED, REQUIRED or VERIFY_IDENTITY)";
            return Err(TlsError::Parameter(format!(
                "sslmode is {:?}, but must be {expected}",
                mode.unwrap_or_default()
            )));
        }
    };
    match (is_verified, &root) {
        (None | Some(false), Some(_)) => Err(TlsError::Parameter(
            "sslrootcert has no effect without sslmode=verify-full".to_owned(),
        )),
        (None, None) => Ok((rest, None)),
        (Some(is_verified), _) => Ok((rest, Some(Tls { is_verified, root }))),
    }
}

impl Tls {
    /// Returns the configuration of a client.
    pub fn client_config(&self) -> Result<ClientConfig, TlsError> {
        let config = if self.is_verified {
            net_tls::verified(self.roots()?)
        } else {
            net_tls::unverified()
        };
        config.map_err(|error| TlsError::Connection(error.to_string()))
    }

    /// Returns the trusted authorities: those of the file, otherwise the public ones.
    fn roots(&self) -> Result<RootCertStore, TlsError> {
        let Some(path) = &self.root else {
            return Ok(webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect());
        };
        let mut roots = RootCertStore::empty();
        for certificate in certificates(path)? {
            roots
                .add(certificate)
                .map_err(|error| unusable(path, &error.to_string()))?;
        }
        Ok(roots)
    }
}

/// Returns the certificates of a PEM file; fails when there is none.
pub fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    check_regular(path).map_err(|error| unusable(path, &error.to_string()))?;
    let certificates =
        CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = certificates.map_err(|error| unusable(path, &error.to_string()))?;
    if certificates.is_empty() {
        Err(unusable(path, "it contains no certificate in PEM"))
    } else {
        Ok(certificates)
    }
}

fn unusable(path: &Path, problem: &str) -> TlsError {
    TlsError::Parameter(format!(
        "sslrootcert {} cannot be used: {problem}",
        path.display()
    ))
}

/// Returns the TLS error that made a connection fail, if that was the cause.
pub fn tls_error(error: &(dyn Error + 'static)) -> Option<TlsError> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<rustls::Error>() {
            return Some(TlsError::Connection(explain(error)));
        }
        // `source` of an I/O error skips the error that it wraps.
        cause = match error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref)
        {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

fn explain(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "the certificate was issued by an unknown authority; name a file with the certificate of that authority in sslrootcert=FILE".to_owned()
        }
        rustls::Error::InvalidCertificate(CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }) => {
            "the certificate is for a different host name than the one in the URL".to_owned()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tls(is_verified: bool, root: Option<&str>) -> Option<Tls> {
        Some(Tls {
            is_verified,
            root: root.map(PathBuf::from),
        })
    }

    #[test]
    fn parameters_of_both_servers_are_parsed() {
        let url = "postgres://u@h/d";
        for (query, rest, expected) in [
            ("", "", None),
            ("?application_name=x", "?application_name=x", None),
            ("?sslmode=disable", "", None),
            ("?sslmode=require", "", tls(false, None)),
            ("?ssl-mode=REQUIRED&a=b", "?a=b", tls(false, None)),
            ("?sslmode=verify-full", "", tls(true, None)),
            (
                "?a=b&sslmode=verify-full&sslrootcert=/etc/my%20ca.pem",
                "?a=b",
                tls(true, Some("/etc/my ca.pem")),
            ),
            (
                "?ssl-mode=VERIFY_IDENTITY&ssl-ca=ca.pem",
                "",
                tls(true, Some("ca.pem")),
            ),
        ] {
            assert_eq!(
                split(&format!("{url}{query}")).unwrap(),
                (format!("{url}{rest}"), expected),
                "{query}"
            );
        }
    }

    #[test]
    fn insecure_or_unusable_parameters_are_rejected() {
        let mode = "sslmode is \"prefer\", but must be disable, require or verify-full (with MySQL also DISABLED, REQUIRED or VERIFY_IDENTITY)";
        let certificate = "sslrootcert has no effect without sslmode=verify-full";
        for (query, message) in [
            ("sslmode=prefer", mode),
            ("sslrootcert=ca.pem", certificate),
            ("sslmode=require&sslrootcert=ca.pem", certificate),
        ] {
            let error = split(&format!("mysql://u@h/d?{query}")).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("empty.pem");
        std::fs::write(&file, "").unwrap();
        assert!(
            certificates(&file)
                .unwrap_err()
                .to_string()
                .ends_with("it contains no certificate in PEM")
        );
        assert!(
            certificates(&folder.path().join("none.pem"))
                .unwrap_err()
                .to_string()
                .contains("none.pem cannot be used: ")
        );
    }
}
