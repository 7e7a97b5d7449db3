//! The certificate of the service in PEM files, which are reloaded when they change.

use anyhow::Context;
use metrics::{counter, gauge};
use quarry_config::regular_file;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;

/// Time between checks whether the files have changed.
const INTERVAL: Duration = Duration::from_secs(5);
/// Maximum size of a file with certificates or a key in bytes.
pub const MAX_SIZE: u64 = 16 << 20;

/// Inode, size and modification time of each file, to detect changes.
type Versions = [Option<(u64, u64, i64, i64)>; 2];

/// The files, and the last usable certificate.
#[derive(Debug)]
pub struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
}

impl CertificateFiles {
    /// Loads the files.
    pub fn load(certificate: &Path, key: &Path) -> anyhow::Result<Arc<CertificateFiles>> {
        let loaded = load(certificate, key)?;
        Ok(Arc::new(CertificateFiles {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            current: RwLock::new(Arc::new(loaded)),
        }))
    }

    /// Spawns a task that reloads the files when they change, and at SIGHUP, until the runtime ends. If
    /// they cannot be used, an error is logged and the old certificate stays in use. From here on, SIGHUP
    /// does not end the process.
    pub fn spawn_reload(self: &Arc<Self>) -> io::Result<()> {
        let hang_up = signal(SignalKind::hangup())?;
        let files = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = files.reload(hang_up).await {
                tracing::error!(error = %error, "changes of the certificate are not noticed");
            }
        });
        Ok(())
    }

    async fn reload(self: Arc<Self>, mut hang_up: Signal) -> io::Result<()> {
        let files = Arc::clone(&self);
        let mut seen = spawn_blocking(move || files.versions()).await?;
        loop {
            let is_requested = tokio::select! {
                _ = hang_up.recv() => true,
                () = tokio::time::sleep(INTERVAL) => false,
            };
            // The file system may be slow, such as that of another machine.
            let files = Arc::clone(&self);
            seen = spawn_blocking(move || files.reload_changed(seen, is_requested)).await?;
        }
    }

    /// Reloads the files if they are not those that were `seen`, or it is requested. Returns their
    /// versions.
    fn reload_changed(&self, seen: Versions, is_requested: bool) -> Versions {
        let versions = self.versions();
        if versions == seen && !is_requested {
            return seen;
        }
        match load(&self.certificate, &self.key) {
            Ok(loaded) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(loaded);
                tracing::info!("the certificate was loaded again");
            }
            Err(error) => {
                let error = format!("{error:#}");
                record_failure();
                tracing::error!(
                    error,
                    "the new certificate cannot be used; the old one stays"
                );
            }
        }
        versions
    }

    fn versions(&self) -> Versions {
        let version = |metadata: Metadata| {
            (
                metadata.ino(),
                metadata.size(),
                metadata.mtime(),
                metadata.mtime_nsec(),
            )
        };
        [&self.certificate, &self.key].map(|file| std::fs::metadata(file).ok().map(version))
    }
}

impl ResolvesServerCert for CertificateFiles {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current))
    }
}

/// Checks that the files can be used, and belong together.
pub fn check(certificate: &Path, key: &Path) -> anyhow::Result<()> {
    load(certificate, key).map(drop)
}

/// Returns the first certificate of a file: that of the service.
pub fn load_first(certificate: &Path) -> anyhow::Result<CertificateDer<'static>> {
    Ok(load_chain(certificate)?.swap_remove(0))
}

/// Returns the certificates of a file; at least one.
fn load_chain(certificate: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let name = certificate.display();
    let problem = || format!("the certificate {name} cannot be read");
    let pem = regular_file::read(certificate, MAX_SIZE).with_context(problem)?;
    let chain = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<Vec<_>, _>>()
        .with_context(problem)?;
    anyhow::ensure!(!chain.is_empty(), "{name} has no certificate in PEM");
    Ok(chain)
}

fn load(certificate: &Path, key: &Path) -> anyhow::Result<CertifiedKey> {
    let name = certificate.display();
    let chain = load_chain(certificate)?;
    let problem = || format!("the private key {} cannot be read", key.display());
    let pem = regular_file::read(key, MAX_SIZE).with_context(problem)?;
    let private_key = PrivateKeyDer::from_pem_slice(&pem).with_context(problem)?;
    let expiry = expiry(&chain[0]);
    let loaded = CertifiedKey::from_der(chain, private_key, &ring::default_provider())
        .with_context(|| format!("{name} and {} do not fit together", key.display()))?;
    if let Some(expiry) = expiry {
        record_expiry(expiry);
    }
    Ok(loaded)
}

/// Returns the expiry of a certificate in seconds since 1970; `None` if it is malformed.
pub fn expiry(certificate: &[u8]) -> Option<i64> {
    let (_, certificate) = x509_parser::parse_x509_certificate(certificate).ok()?;
    Some(certificate.validity().not_after.timestamp())
}

/// Counts a certificate that could not be used or ordered.
pub fn record_failure() {
    counter!("quarry_tls_certificate_failures_total").increment(1);
}

/// Records in the metrics when the certificate in use expires.
pub fn record_expiry(expiry: i64) {
    gauge!("quarry_tls_certificate_expiry_timestamp_seconds").set(expiry as f64);
}
