//! TLS of the service itself, and the Unix socket, with the real program.

mod acme;
mod client;
mod files;
mod redirect;
mod socket;

use client::Client;
use quarry_world::process::{Service, quarry};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::path::{Path, PathBuf};

/// The host name in certificates.
pub const HOST: &str = "quarry.example.net";

/// A certificate and its key in files.
pub struct Certificate {
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// The certificate as it is sent.
    pub bytes: Vec<u8>,
}

impl Certificate {
    /// Creates the files in a folder, in place of earlier ones.
    pub fn create(folder: &Path) -> Certificate {
        Certificate::create_for(folder, HOST)
    }

    /// Like [`Certificate::create`], for another host name.
    pub fn create_for(folder: &Path, host: &str) -> Certificate {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed([host.to_owned()]).unwrap();
        let certificate = folder.join("certificate.pem");
        let key = folder.join("key.pem");
        replace(&certificate, &cert.pem());
        replace(&key, &signing_key.serialize_pem());
        Certificate {
            certificate,
            key,
            bytes: cert.der().to_vec(),
        }
    }

    /// Returns the options of the service.
    pub fn options(&self) -> [String; 4] {
        [
            "--tls-certificate".to_owned(),
            self.certificate.display().to_string(),
            "--tls-key".to_owned(),
            self.key.display().to_string(),
        ]
    }
}

/// Replaces a file at once, as tools that renew certificates do.
pub fn replace(path: &Path, text: &str) {
    let new = path.with_extension("new");
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, path).unwrap();
}

/// A service with a certificate in files.
pub struct Encrypted {
    pub folder: tempfile::TempDir,
    pub service: Service,
    pub certificate: Certificate,
}

impl Encrypted {
    pub fn start(arguments: &[&str]) -> Encrypted {
        let folder = tempfile::tempdir().unwrap();
        let certificate = Certificate::create(folder.path());
        let mut command = quarry(&["serve", "--data"]);
        command.arg(folder.path().join("data"));
        let service = Service::start(command.args(certificate.options()).args(arguments));
        Encrypted {
            folder,
            service,
            certificate,
        }
    }

    /// Returns a new connection.
    pub fn connect(&self) -> Client {
        Client::connect(&self.service.address, HOST).unwrap()
    }
}
