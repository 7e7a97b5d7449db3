//! Certificates from an ACME authority, with the crate `rustls-acme`. They are ordered at the first
//! start, renewed when a third of their lifetime is left, and kept in the data folder.

use super::certificates::{MAX_SIZE, expiry, record_expiry, record_failure};
use anyhow::Context;
use futures_util::StreamExt;
use quarry_config::{AcmeChallenge, AcmeConfig, regular_file};
use quarry_store::data_folder::file_mode;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_acme::{
    AccountCache, AcmeState, CertCache, EventOk, ResolvesServerCertAcme, UseChallenge,
};
use sha2::{Digest, Sha256};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the folder with keys and certificates, in the data folder.
pub const FOLDER: &str = "acme";
/// How the names of files with certificates begin.
pub const CERTIFICATE: &str = "certificate";

/// Client that orders and renews certificates.
pub struct Acme {
    state: AcmeState<io::Error>,
    domains: String,
}

impl Acme {
    /// Creates a client with the files of earlier orders, which are in the data folder.
    pub fn new(config: &AcmeConfig, data: &Path) -> anyhow::Result<Acme> {
        let folder = data.join(FOLDER);
        file_mode::create_dir(&folder)
            .with_context(|| format!("the folder {} cannot be created", folder.display()))?;
        file_mode::restrict(&folder, |_| true);
        let challenge = match config.challenge {
            AcmeChallenge::Http01 => UseChallenge::Http01,
            AcmeChallenge::TlsAlpn01 => UseChallenge::TlsAlpn01,
        };
        let client = Arc::new(client_config(config)?);
        let contact = config.email.iter().map(|email| format!("mailto:{email}"));
        let state = rustls_acme::AcmeConfig::new_with_client_config(&config.domains, client)
            .contact(contact)
            .directory(&config.directory)
            .challenge_type(challenge)
            .cache(Files(folder))
            .state();
        Ok(Acme {
            state,
            domains: config.domains.join(", "),
        })
    }

    /// Returns the resolver of the certificate, which also answers challenges.
    pub fn resolver(&self) -> Arc<ResolvesServerCertAcme> {
        self.state.resolver()
    }

    /// Orders and renews certificates, until the runtime ends. Failures are logged, and tried again
    /// after 1, 2, 4 seconds and so on up to 18 hours.
    pub async fn run(mut self) {
        let domains = self.domains;
        while let Some(event) = self.state.next().await {
            match event {
                Ok(EventOk::DeployedCachedCert) => {
                    tracing::info!(domains, "the stored certificate is in use");
                }
                Ok(EventOk::DeployedNewCert) => {
                    tracing::info!(domains, "a new certificate is in use");
                }
                Ok(EventOk::CertCacheStore | EventOk::AccountCacheStore) => {}
                Err(error) => {
                    record_failure();
                    tracing::error!(domains, error = %error, "no certificate was issued; the next attempt follows");
                }
            }
        }
    }
}

fn client_config(config: &AcmeConfig) -> anyhow::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    match &config.ca_file {
        Some(file) => {
            let problem = || {
                format!(
                    "the file {} of `acme_ca_file` cannot be used",
                    file.display()
                )
            };
            let pem = regular_file::read(file, MAX_SIZE).with_context(problem)?;
            for certificate in CertificateDer::pem_slice_iter(&pem) {
                roots
                    .add(certificate.with_context(problem)?)
                    .with_context(problem)?;
            }
            anyhow::ensure!(!roots.is_empty(), "{}: it has no certificate", problem());
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

/// Cache in files that only the owner can read: the account key, and certificates with their keys.
struct Files(PathBuf);

impl Files {
    /// Returns the file for these names at this authority.
    fn path(&self, kind: &str, names: &[String], directory: &str) -> PathBuf {
        let mut hash = Sha256::new();
        for text in names.iter().map(String::as_str).chain([directory]) {
            hash.update(text);
            hash.update([0]);
        }
        let digest = hex::encode(hash.finalize());
        self.0.join(format!("{kind}-{}.pem", &digest[..32]))
    }

    fn load(&self, kind: &str, names: &[String], directory: &str) -> io::Result<Option<Vec<u8>>> {
        match std::fs::read(self.path(kind, names, directory)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces the file atomically.
    fn store(&self, kind: &str, names: &[String], directory: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(kind, names, directory);
        let new = path.with_extension("new");
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(new, path)
    }
}

#[async_trait::async_trait]
impl CertCache for Files {
    type EC = io::Error;

    async fn load_cert(
        &self,
        domains: &[String],
        directory: &str,
    ) -> Result<Option<Vec<u8>>, io::Error> {
        let bytes = self.load(CERTIFICATE, domains, directory)?;
        bytes.iter().for_each(|bytes| note_expiry(bytes));
        Ok(bytes)
    }

    async fn store_cert(
        &self,
        domains: &[String],
        directory: &str,
        bytes: &[u8],
    ) -> Result<(), io::Error> {
        note_expiry(bytes);
        self.store(CERTIFICATE, domains, directory, bytes)
    }
}

#[async_trait::async_trait]
impl AccountCache for Files {
    type EA = io::Error;

    async fn load_account(
        &self,
        contact: &[String],
        directory: &str,
    ) -> Result<Option<Vec<u8>>, io::Error> {
        self.load("account", contact, directory)
    }

    async fn store_account(
        &self,
        contact: &[String],
        directory: &str,
        bytes: &[u8],
    ) -> Result<(), io::Error> {
        self.store("account", contact, directory, bytes)
    }
}

fn note_expiry(pem: &[u8]) {
    let mut certificates = CertificateDer::pem_slice_iter(pem);
    if let Some(Ok(certificate)) = certificates.next()
        && let Some(expiry) = expiry(&certificate)
    {
        record_expiry(expiry);
    }
}
