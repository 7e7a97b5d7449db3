//! TLS connections to the source, with a password outside the URL.

use super::servers::{self, Certificate};
use quarry_world::process::quarry;
use quarry_world::wait::{TIMEOUT, until};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::path::{Path, PathBuf};

/// A certificate authority and a certificate for one host only.
pub struct Authority {
    /// The file with the certificate of the authority.
    pub file: PathBuf,
    pub issued: Certificate,
}

/// Creates an authority that issues a certificate for a host.
pub fn authority(folder: &Path, name: &str, host: &str) -> Authority {
    let ca_key = KeyPair::generate().unwrap();
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params
        .distinguished_name
        .push(rcgen::DnType::CommonName, name);
    let file = folder.join(format!("{name}.pem"));
    std::fs::write(&file, params.self_signed(&ca_key).unwrap().pem()).unwrap();
    let issuer = Issuer::new(params, ca_key);
    let certificate = CertificateParams::new(vec![host.to_owned()])
        .unwrap()
        .signed_by(&key, &issuer)
        .unwrap();
    Authority {
        file,
        issued: Certificate {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        },
    }
}

/// Returns the error of an import; where it connects, the database has no Redmine.
fn error_output(url: &str, variable: Option<&str>, file: Option<&Path>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quarry(&["import", "redmine", "--database", url, "--data"]);
    command.arg(folder.path().join("data"));
    if let Some(password) = variable {
        command.env("QUARRY_IMPORT_PASSWORD", password);
    }
    if let Some(file) = file {
        command.arg("--database-password-file").arg(file);
    }
    let output = command.output().unwrap();
    assert!(
        !output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.lines().count() == 1 && !stderr.contains("secret") && !stderr.contains("wrong-one"),
        "{stderr}"
    );
    stderr
}

const REACHED: &str = "is not the database of a Redmine: it has no table schema_migrations";
const REFUSED: &str = "the database rejects the user or the password: ";

fn write_password_file(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("password");
    std::fs::write(&path, text).unwrap();
    path
}

/// `url` has no parameters; `plain` is the error without TLS.
fn check(url: &str, plain: &str, folder: &Path, authorities: &[Authority; 2]) {
    let ours =
        |parameters: &str| error_output(&format!("{url}?{parameters}"), Some("secret"), None);
    let [known, unknown] = authorities
        .each_ref()
        .map(|authority| authority.file.display());
    until(TIMEOUT, "the database answers", || {
        ours("sslmode=require").contains(REACHED)
    });
    assert!(
        ours("sslmode=disable").contains(plain),
        "{}",
        ours("sslmode=disable")
    );
    assert!(ours(&format!("sslmode=verify-full&sslrootcert={known}")).contains(REACHED));
    assert!(ours(&format!("ssl-mode=VERIFY_IDENTITY&ssl-ca={known}")).contains(REACHED));
    for parameters in [
        "sslmode=verify-full".to_owned(),
        format!("sslmode=verify-full&sslrootcert={unknown}"),
    ] {
        let expected = "quarry: no TLS connection to the database can be established: the certificate was issued by an unknown authority; ";
        assert!(
            ours(&parameters).starts_with(expected),
            "{}",
            ours(&parameters)
        );
    }
    let elsewhere = url.replace("127.0.0.1", "localhost");
    let other_host_output = error_output(
        &format!("{elsewhere}?sslmode=verify-full&sslrootcert={known}"),
        Some("secret"),
        None,
    );
    assert!(
        other_host_output
            .contains("the certificate is for a different host name than the one in the URL"),
        "{other_host_output}"
    );
    // Order of password sources: file, environment, URL.
    let url = format!("{url}?sslmode=require");
    assert!(
        error_output(
            &url,
            None,
            Some(&write_password_file(folder, "secret\nand more\n"))
        )
        .contains(REACHED)
    );
    assert!(
        error_output(
            &url,
            Some("wrong-one"),
            Some(&write_password_file(folder, "secret\r\n"))
        )
        .contains(REACHED)
    );
    assert!(
        error_output(
            &url,
            Some("secret"),
            Some(&write_password_file(folder, "wrong-one"))
        )
        .contains(REFUSED)
    );
    assert!(error_output(&url.replace('@', ":wrong-one@"), Some("secret"), None).contains(REACHED));
    assert!(error_output(&url.replace('@', ":secret@"), None, None).contains(REACHED));
    assert!(error_output(&url.replace('@', ":wrong-one@"), None, None).contains(REFUSED));
    assert!(
        error_output(&url, None, Some(&write_password_file(folder, "\n")))
            .contains("cannot be used: its first line is empty")
    );
    assert!(error_output(&url, None, Some(&folder.join("none"))).contains("none cannot be used: "));
}

#[test]
fn tls_to_postgresql() {
    let folder = tempfile::tempdir().unwrap();
    let authorities = ["known", "unknown"].map(|name| authority(folder.path(), name, "127.0.0.1"));
    let Some(server) = servers::postgres_with(Some(&authorities[0].issued)) else {
        return;
    };
    let url = format!("postgres://redmine@127.0.0.1:{}/postgres", server.port);
    check(&url, "no pg_hba.conf entry", folder.path(), &authorities);
}

#[test]
fn tls_to_mariadb() {
    let folder = tempfile::tempdir().unwrap();
    let authorities = ["known", "unknown"].map(|name| authority(folder.path(), name, "127.0.0.1"));
    let Some(server) = servers::mariadb_with(Some(&authorities[0].issued)) else {
        return;
    };
    let url = format!("mysql://root@127.0.0.1:{}/redmine", server.port);
    check(&url, "Access denied for user", folder.path(), &authorities);
}

#[test]
fn server_without_tls_is_rejected() {
    let Some(server) = servers::postgres() else {
        return;
    };
    let url = format!(
        "postgres://redmine@127.0.0.1:{}/postgres?sslmode=require",
        server.port
    );
    let expected = "quarry: no TLS connection to the database can be established: the server does not support TLS\n";
    until(TIMEOUT, "the database answers", || {
        error_output(&url, Some("secret"), None) == expected
    });
}
