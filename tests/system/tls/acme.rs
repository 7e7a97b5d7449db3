//! Certificates from Pebble, the test server of Let's Encrypt, which Debian has.

use super::Certificate;
use super::client::Client;
use crate::monitoring::{Samples, get};
use quarry_world::environment::not_installed;
use quarry_world::ports::free_address;
use quarry_world::process::{Service, quarry};
use quarry_world::wait::{TIMEOUT, until};
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const DOMAIN: &str = "projects.quarry.test";
/// Seconds for which certificates are valid; they are renewed when a third of it is left.
const VALIDITY: u32 = 15;

/// An authority and a name server that leads every name to this machine; both are killed on drop.
struct Pebble {
    children: Vec<Child>,
    directory: String,
    ca_file: PathBuf,
}

fn port(address: &str) -> &str {
    address.rsplit_once(':').unwrap().1
}

fn spawn(command: &mut Command) -> Child {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns an address that is free for UDP and TCP.
fn free_dns_address() -> String {
    loop {
        let address = free_address();
        if UdpSocket::bind(&address).is_ok() {
            return address;
        }
    }
}

impl Pebble {
    /// Starts an authority that connects to these ports for its challenges.
    fn start(folder: &Path, http: &str, https: &str) -> Pebble {
        let own = folder.join("pebble");
        std::fs::create_dir(&own).unwrap();
        let certificate = Certificate::create_for(&own, "localhost");
        let listen = free_address();
        let management = free_address();
        let dns = free_dns_address();
        let config = serde_json::json!({"pebble": {
            "listenAddress": listen,
            "managementListenAddress": management,
            "certificate": certificate.certificate,
            "privateKey": certificate.key,
            "httpPort": port(http).parse::<u16>().unwrap(),
            "tlsPort": port(https).parse::<u16>().unwrap(),
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
            "certificateValidityPeriod": VALIDITY,
        }});
        let file = own.join("config.json");
        std::fs::write(&file, config.to_string()).unwrap();
        let name_server = spawn(Command::new("pebble-challtestsrv").args([
            "-defaultIPv4",
            "127.0.0.1",
            "-defaultIPv6",
            "",
            "-dns01",
            &dns,
            "-http01",
            "",
            "-https01",
            "",
            "-tlsalpn01",
            "",
            "-management",
            &free_address(),
        ]));
        let authority = spawn(
            Command::new("pebble")
                .arg("-config")
                .arg(&file)
                .args(["-dnsserver", &dns])
                .env("PEBBLE_VA_NOSLEEP", "1"),
        );
        for address in [&listen, &dns] {
            until(TIMEOUT, "the authority and its name server listen", || {
                TcpStream::connect(address).is_ok()
            });
        }
        Pebble {
            children: vec![name_server, authority],
            directory: format!("https://localhost:{}/dir", port(&listen)),
            ca_file: certificate.certificate,
        }
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        for child in &mut self.children {
            // It may have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn is_installed() -> bool {
    let found = Command::new("pebble").arg("-h").output().is_ok();
    if !found {
        not_installed("pebble", "pebble");
    }
    found
}

fn start(folder: &Path, pebble: &Pebble, http: &str, https: &str, challenge: &str) -> Service {
    Service::start_at(&mut command(folder, pebble, http, challenge), https)
}

fn command(folder: &Path, pebble: &Pebble, http: &str, challenge: &str) -> Command {
    let mut command = quarry(&["serve", "--data"]);
    command.arg(folder.join("data"));
    command.args(["--acme-domains", DOMAIN, "--acme-email", "ops@example.net"]);
    command.args([
        "--acme-directory",
        &pebble.directory,
        "--acme-challenge",
        challenge,
    ]);
    command.arg("--acme-ca-file").arg(&pebble.ca_file);
    command.args(["--http-listen", http]);
    command
}

fn certificate(service: &Service) -> Option<Vec<u8>> {
    let client = Client::connect(&service.address, DOMAIN).ok()?;
    Some(client.certificate())
}

fn is_ordered_kept_and_renewed(challenge: &str) {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let http = free_address();
    let https = free_address();
    let pebble = Pebble::start(folder.path(), &http, &https);
    let service = start(folder.path(), &pebble, &http, &https, challenge);
    until(TIMEOUT, "a certificate was ordered", || {
        certificate(&service).is_some()
    });
    let first = certificate(&service).unwrap();
    let client = Client::connect(&service.address, DOMAIN).unwrap();
    let response = client.get("/healthz", &[]);
    assert!(response.ends_with("ok\n"), "{response}");
    let own = folder.path().join("data/acme");
    assert_eq!(mode(&own), 0o700);
    let stored = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&own).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let is_complete = |file: &PathBuf| file.extension().is_none_or(|end| end != "new");
    until(TIMEOUT, "account and certificate are stored", || {
        stored().len() == 2 && stored().iter().all(is_complete)
    });
    let files = stored();
    assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
    until(TIMEOUT, "the certificate was renewed", || {
        certificate(&service).is_some_and(|certificate| certificate != first)
    });
    service.terminate();
    let (_, log) = service.ended();
    assert!(log.contains("a new certificate is in use"), "{log}");
    assert!(!log.contains("PRIVATE KEY"), "{log}");

    let gone = Pebble {
        children: Vec::new(),
        directory: pebble.directory.clone(),
        ca_file: pebble.ca_file.clone(),
    };
    drop(pebble);
    // Without the authority the stored certificate is used.
    let service = start(folder.path(), &gone, &http, &https, challenge);
    until(TIMEOUT, "the stored certificate is in use", || {
        certificate(&service).is_some()
    });
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn certificate_is_ordered_by_tls_alpn_01_kept_and_renewed() {
    is_ordered_kept_and_renewed("tls-alpn-01");
}

#[test]
fn certificate_is_ordered_by_http_01_kept_and_renewed() {
    is_ordered_kept_and_renewed("http-01");
}

#[test]
fn failed_orders_are_logged_and_the_service_goes_on() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let http = free_address();
    let https = free_address();
    // The authority connects to ports at which nobody listens.
    let pebble = Pebble::start(folder.path(), &free_address(), &free_address());
    let metrics = free_address();
    let mut command = command(folder.path(), &pebble, &http, "http-01");
    command.args(["--metrics-listen", &metrics]);
    let service = Service::start_at(&mut command, &https);
    until(TIMEOUT, "an order has failed", || {
        let text = get(&metrics, "/metrics", &[]).1;
        let failures = Samples::parse(&text).sum("quarry_tls_certificate_failures_total", &[]);
        failures >= 1.0
    });
    assert!(certificate(&service).is_none());
    assert!(TcpStream::connect(&service.address).is_ok());
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success());
    assert!(
        log.contains("no certificate was issued; the next attempt follows"),
        "{log}"
    );
}
