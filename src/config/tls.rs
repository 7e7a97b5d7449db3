//! The keys about TLS: certificates from files, or from an authority by ACME.

use super::address::parse_address;
use super::error::ConfigError;
use super::key::Key;
use super::sources::ConfigValues;
use std::path::PathBuf;

/// The directory of Let's Encrypt.
pub const DEFAULT_DIRECTORY: &str = "https://acme-v02.api.letsencrypt.org/directory";
/// Default of `hsts` in seconds: 30 days.
pub const DEFAULT_HSTS: &str = "2592000";
/// The challenge that needs no second port.
pub const DEFAULT_CHALLENGE: &str = "tls-alpn-01";

/// TLS of the service itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsConfig {
    /// Source of the certificate.
    pub certificate: CertificateSource,
    /// Seconds for which browsers use only HTTPS for this host name; 0 tells them to forget it.
    pub hsts: u32,
    /// Address and port where HTTP is redirected to HTTPS; `None` for no such address.
    pub http_listen: Option<String>,
}

/// Source of the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateSource {
    /// PEM files.
    Files {
        /// The certificate, followed by those of intermediate authorities.
        certificate: PathBuf,
        /// The private key.
        key: PathBuf,
    },
    /// An ACME authority.
    Acme(AcmeConfig),
}

/// An ACME authority, and the host names to certify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcmeConfig {
    /// The host names; at least one.
    pub domains: Vec<String>,
    /// The mail address for the authority.
    pub email: Option<String>,
    /// The URL of its directory.
    pub directory: String,
    /// Challenge that proves control of the host names.
    pub challenge: AcmeChallenge,
    /// The authorities that certify the server of the directory, in place of those of the system.
    pub ca_file: Option<PathBuf>,
}

/// How the service proves that a host name is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcmeChallenge {
    /// A response over HTTP, at port 80.
    Http01,
    /// A certificate in a TLS handshake, at port 443.
    TlsAlpn01,
}

/// Loads the keys. Returns `None` if no certificate is configured.
pub fn load(values: &ConfigValues) -> Result<Option<TlsConfig>, ConfigError> {
    let certificate = values.find(Key::TlsCertificate).map(PathBuf::from);
    let key = values.find(Key::TlsKey).map(PathBuf::from);
    let acme = load_acme(values)?;
    let http_listen = values.parse(
        Key::HttpListen,
        "off",
        "an address and a port, such as 0.0.0.0:80, or off",
        |value| match value {
            "off" => Some(None),
            value => parse_address(value).map(Some),
        },
    )?;
    let certificate = match (certificate, key, acme) {
        (None, None, None) => {
            check_no_tls_keys(values, http_listen.is_some())?;
            return Ok(None);
        }
        (Some(certificate), Some(key), None) => CertificateSource::Files { certificate, key },
        (None, None, Some(acme)) => CertificateSource::Acme(acme),
        (_, _, Some(_)) => return Err(ConfigError::TwoCertificates),
        _ => return Err(ConfigError::CertificateWithoutKey),
    };
    if let CertificateSource::Acme(acme) = &certificate
        && acme.challenge == AcmeChallenge::Http01
        && http_listen.is_none()
    {
        return Err(ConfigError::ChallengeWithoutHttp);
    }
    let hsts = values.parse(
        Key::Hsts,
        DEFAULT_HSTS,
        "a whole number of seconds",
        |value| value.parse().ok(),
    )?;
    Ok(Some(TlsConfig {
        certificate,
        hsts,
        http_listen,
    }))
}

/// Fails for keys that mean nothing without a certificate.
fn check_no_tls_keys(values: &ConfigValues, has_http_listen: bool) -> Result<(), ConfigError> {
    let http_listen = values.first(Key::HttpListen).filter(|_| has_http_listen);
    match http_listen.or_else(|| values.first(Key::Hsts)) {
        Some(value) => Err(ConfigError::WithoutCertificate {
            origin: value.origin.clone(),
        }),
        None => Ok(()),
    }
}

fn load_acme(values: &ConfigValues) -> Result<Option<AcmeConfig>, ConfigError> {
    let domains = values.parse(
        Key::AcmeDomains,
        "",
        "host names with commas between them, such as projects.example.net",
        parse_domains,
    )?;
    let directory = values.parse(
        Key::AcmeDirectory,
        DEFAULT_DIRECTORY,
        "a URL that starts with https:// and has no user",
        parse_directory,
    )?;
    let email = values.parse(Key::AcmeEmail, "", "a mail address", |value| {
        let is_address = value.contains('@') && !value.contains([' ', ',', '<']);
        match value {
            "" => Some(None),
            _ => is_address.then(|| Some(value.to_owned())),
        }
    })?;
    let challenge = values.parse(
        Key::AcmeChallenge,
        DEFAULT_CHALLENGE,
        "tls-alpn-01 or http-01",
        |value| match value {
            "tls-alpn-01" => Some(AcmeChallenge::TlsAlpn01),
            "http-01" => Some(AcmeChallenge::Http01),
            _ => None,
        },
    )?;
    if domains.is_empty() {
        check_no_acme_keys(values)?;
        return Ok(None);
    }
    Ok(Some(AcmeConfig {
        domains,
        email,
        directory,
        challenge,
        ca_file: values.find(Key::AcmeCaFile).map(PathBuf::from),
    }))
}

/// Fails for keys that mean nothing without the host names of a certificate, unless a source with precedence
/// has switched ACME off by an empty value.
fn check_no_acme_keys(values: &ConfigValues) -> Result<(), ConfigError> {
    if values.first(Key::AcmeDomains).is_some() {
        return Ok(());
    }
    let keys = [
        Key::AcmeEmail,
        Key::AcmeDirectory,
        Key::AcmeChallenge,
        Key::AcmeCaFile,
    ];
    match keys
        .iter()
        .filter_map(|key| values.first(*key))
        .find(|value| !value.text.is_empty())
    {
        Some(value) => Err(ConfigError::WithoutDomains {
            origin: value.origin.clone(),
        }),
        None => Ok(()),
    }
}

/// Parses the URL of an authority, which identifies accounts by their keys, not by a password.
fn parse_directory(value: &str) -> Option<String> {
    let rest = value.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    (!host.is_empty() && !host.contains('@')).then(|| value.to_owned())
}

fn parse_domains(value: &str) -> Option<Vec<String>> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() <= 253
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
    };
    let names = value
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_ascii_lowercase);
    let names: Vec<String> = names.collect();
    names.iter().all(|name| is_name(name)).then_some(names)
}
