//! The certificates that the configuration names.

use super::finding::Finding;
use crate::cli::serve::acme;
use crate::cli::serve::certificates::{self as files, MAX_SIZE};
use jiff::Timestamp;
use quarry_config::{CertificateSource, Config, regular_file};
use quarry_store::tls;
use std::path::{Path, PathBuf};
use x509_parser::pem::Pem;

/// A certificate that expires within this number of days is a warning.
const WARNING_DAYS: i64 = 30;
/// The key of the configuration for the certificate of the service.
const TLS_CERTIFICATE: &str = "tls_certificate";

/// Checks each file with certificates.
pub fn check(config: &Config, now: Timestamp, findings: &mut Vec<Finding>) {
    for (key, path) in configured_files(config) {
        match certificates(&path) {
            Err(problem) => findings.push(Finding::error(
                "certificate-unusable",
                format!(
                    "the file of `{key}`, {}, cannot be used: {problem}",
                    path.display()
                ),
                "Name a PEM file with certificates.",
            )),
            Ok(certificates) => {
                check_ends(key, &path, &certificates, now, findings);
                if key == TLS_CERTIFICATE {
                    check_key(config, findings);
                }
            }
        }
    }
}

/// Checks that the certificate of the service can be used with its private key.
fn check_key(config: &Config, findings: &mut Vec<Finding>) {
    let Some(CertificateSource::Files { certificate, key }) =
        config.tls.as_ref().map(|tls| &tls.certificate)
    else {
        return;
    };
    if let Err(error) = files::check(certificate, key) {
        findings.push(Finding::error(
            "certificate-key",
            format!("the files of `tls_certificate` and `tls_key` cannot be used: {error:#}"),
            "Name a certificate and the private key that it was issued for, both readable by the user of the service.",
        ));
    }
}

/// Returns the keys of the configuration that name files with certificates.
fn configured_files(config: &Config) -> Vec<(&'static str, PathBuf)> {
    let mut files = Vec::new();
    let imap = config.mail_imap.as_ref();
    if let Some(path) = imap.and_then(|server| server.ca_file.clone()) {
        files.push(("mail_imap_ca_file", path));
    }
    match config.tls.as_ref().map(|tls| &tls.certificate) {
        Some(CertificateSource::Files { certificate, .. }) => {
            files.push((TLS_CERTIFICATE, certificate.clone()));
        }
        Some(CertificateSource::Acme(acme)) => {
            files.extend(acme.ca_file.clone().map(|path| ("acme_ca_file", path)));
            files.extend(latest_ordered(&config.data).map(|path| ("acme_domains", path)));
        }
        None => {}
    }
    let store = config.server.as_ref();
    let tls = store.and_then(|server| tls::split(&server.url).ok()?.1);
    if let Some(path) = tls.and_then(|tls| tls.root) {
        files.push(("sslrootcert", path));
    }
    files
}

/// Returns the file with the latest certificate that was ordered by ACME; `None` if there is none yet.
fn latest_ordered(data: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(data.join(acme::FOLDER)).ok()?;
    let ordered = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(acme::CERTIFICATE)
    });
    let latest =
        ordered.max_by_key(|entry| entry.metadata().and_then(|file| file.modified()).ok())?;
    Some(latest.path())
}

/// A certificate: its subject, and its expiry in seconds since 1970.
struct Certificate {
    subject: String,
    end: i64,
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, String> {
    let bytes = regular_file::read(path, MAX_SIZE).map_err(|error| error.to_string())?;
    let mut certificates = Vec::new();
    for pem in Pem::iter_from_buffer(&bytes) {
        let pem = pem.map_err(|error| error.to_string())?;
        if pem.label != "CERTIFICATE" {
            continue;
        }
        let certificate = pem.parse_x509().map_err(|error| error.to_string())?;
        certificates.push(Certificate {
            subject: certificate.subject().to_string(),
            end: certificate.validity().not_after.timestamp(),
        });
    }
    if certificates.is_empty() {
        return Err("it has no certificate".to_owned());
    }
    Ok(certificates)
}

fn check_ends(
    key: &str,
    path: &Path,
    certificates: &[Certificate],
    now: Timestamp,
    findings: &mut Vec<Finding>,
) {
    let now = now.as_second();
    let soon = now + WARNING_DAYS * 24 * 3600;
    let describe = |certificate: &Certificate| {
        let end = Timestamp::from_second(certificate.end).unwrap_or(Timestamp::MAX);
        format!("{} until {end}", certificate.subject)
    };
    let select = |is_meant: &dyn Fn(i64) -> bool| -> Vec<String> {
        let meant = certificates
            .iter()
            .filter(|certificate| is_meant(certificate.end));
        meant.map(describe).collect()
    };
    let expired = select(&|end| end < now);
    let ending = select(&|end| end >= now && end < soon);
    let file = path.display();
    if !expired.is_empty() {
        let problem = format!("certificates in {file} of `{key}` have expired");
        let action = "Replace them; connections that need them are refused.";
        findings.push(Finding::error("certificate-expired", problem, action).with_details(expired));
    }
    if !ending.is_empty() {
        let problem = format!("certificates in {file} of `{key}` end within {WARNING_DAYS} days");
        findings.push(
            Finding::warning("certificate-ends", problem, "Replace them.").with_details(ending),
        );
    }
}
