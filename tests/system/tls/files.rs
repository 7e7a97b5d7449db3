//! A certificate in files.

use super::client::Client;
use super::{Certificate, Encrypted, HOST, replace};
use quarry_world::process::{message, run};
use quarry_world::wait::{TIMEOUT, until};
use rustix::fs::{CWD, FileType, Mode};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

#[test]
fn pages_are_served_over_tls_with_secure_cookies_and_hsts() {
    let encrypted = Encrypted::start(&[]);
    let client = encrypted.connect();
    assert_eq!(client.protocol(), Some(&b"http/1.1"[..]));
    assert_eq!(client.certificate(), encrypted.certificate.bytes);
    let response = client.get("/login", &[]);
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(
        response.contains("\r\nstrict-transport-security: max-age=2592000\r\n"),
        "{response}"
    );
    let cookie = response
        .lines()
        .find(|line| line.starts_with("set-cookie: "))
        .unwrap();
    assert!(
        cookie.starts_with("set-cookie: __Host-") && cookie.contains("; Secure"),
        "{cookie}"
    );
    for path in ["/healthz", "/nothing", "/issues.json"] {
        let response = encrypted.connect().get(path, &[]);
        assert!(
            response.contains("\r\nstrict-transport-security: "),
            "{response}"
        );
    }
}

#[test]
fn healthcheck_takes_the_options_of_tls_and_compares_the_certificate() {
    let encrypted = Encrypted::start(&[]);
    let nowhere = tempfile::tempdir().unwrap();
    let address = encrypted.service.address.clone();
    let check = |options: &[String], more: &[&str]| {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let arguments = [&["healthcheck"], &options[..], more].concat();
        run(nowhere.path(), &arguments)
    };
    let listen = ["--listen", &address];
    assert_eq!(
        message(&check(&encrypted.certificate.options(), &listen)),
        "ok"
    );
    // The same in a configuration file.
    let toml = nowhere.path().join("other.toml");
    let [_, certificate, _, key] = encrypted.certificate.options();
    std::fs::write(
        &toml,
        format!("listen = {address:?}\ntls_certificate = {certificate:?}\ntls_key = {key:?}\n"),
    )
    .unwrap();
    let config = ["--config", toml.to_str().unwrap()];
    assert_eq!(message(&check(&[], &config)), "ok");
    // The service of this certificate is another one.
    let other = Certificate::create(nowhere.path());
    let refused = check(&other.options(), &listen);
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        error.contains("its certificate is not that in the file"),
        "{error}"
    );
}

#[test]
fn hsts_can_be_forgotten() {
    let encrypted = Encrypted::start(&["--hsts", "0"]);
    let response = encrypted.connect().get("/healthz", &[]);
    assert!(
        response.contains("\r\nstrict-transport-security: max-age=0\r\n"),
        "{response}"
    );
}

#[test]
fn what_a_trusted_proxy_says_about_tls_counts() {
    let encrypted = Encrypted::start(&["--trusted-proxies", "127.0.0.1"]);
    let plain = encrypted
        .connect()
        .get("/login", &["X-Forwarded-Proto: http"]);
    assert!(!plain.contains("__Host-"), "{plain}");
    let secure = encrypted.connect().get("/login", &[]);
    assert!(secure.contains("__Host-"), "{secure}");
}

#[test]
fn request_without_tls_is_told_so() {
    let encrypted = Encrypted::start(&[]);
    let mut stream = TcpStream::connect(&encrypted.service.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    write!(stream, "GET /secret HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(
        response.starts_with("HTTP/1.1 400 Bad Request\r\n"),
        "{response}"
    );
    assert!(
        response.ends_with("speaks HTTPS only; write https:// in place of http://.\n"),
        "{response}"
    );
    for bytes in [
        &b"\x00\x01\x02"[..],
        b"\x16\x03\x01garbage that is no handshake",
        b"",
    ] {
        let mut stream = TcpStream::connect(&encrypted.service.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut rest = Vec::new();
        // The connection may be reset.
        let _ = stream.read_to_end(&mut rest);
        assert!(!rest.starts_with(b"HTTP"), "{rest:?}");
    }
    assert!(encrypted.connect().get("/healthz", &[]).ends_with("ok\n"));
}

#[test]
fn new_files_are_used_without_a_restart_and_bad_ones_are_not() {
    let encrypted = Encrypted::start(&[]);
    let old = encrypted.certificate.bytes.clone();
    let mut open = TcpStream::connect(&encrypted.service.address).unwrap();
    replace(&encrypted.certificate.certificate, "no certificate\n");
    hang_up(encrypted.service.id());
    let old_is_in_use = || encrypted.connect().certificate() == old;
    for _ in 0..3 {
        assert!(old_is_in_use());
    }
    let new = Certificate::create(encrypted.folder.path());
    assert_ne!(new.bytes, old);
    until(TIMEOUT, "the new certificate is in use", || {
        encrypted.connect().certificate() == new.bytes
    });
    let newest = Certificate::create(encrypted.folder.path());
    hang_up(encrypted.service.id());
    until(TIMEOUT, "the newest certificate is in use", || {
        encrypted.connect().certificate() == newest.bytes
    });
    // The key of another certificate.
    let other = tempfile::tempdir().unwrap();
    let other = Certificate::create(other.path());
    std::fs::copy(&other.key, &newest.key).unwrap();
    hang_up(encrypted.service.id());
    assert_eq!(encrypted.connect().certificate(), newest.bytes);
    assert!(open.write_all(b"x").is_ok(), "open connections stay");
    encrypted.service.terminate();
    let (_, log) = encrypted.service.ended();
    let problem = "the new certificate cannot be used; the old one stays";
    assert!(
        log.contains(problem) && log.contains("the certificate was loaded again"),
        "{log}"
    );
    assert!(!log.contains("PRIVATE KEY"), "{log}");
}

/// Sends SIGHUP.
fn hang_up(process: u32) {
    let sent = Command::new("kill")
        .args(["-HUP", &process.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn slow_handshakes_end() {
    let encrypted = Encrypted::start(&["--limit", "header_timeout=1"]);
    for bytes in [&b""[..], b"\x16", b"\x16\x03\x01\x02\x00\x01"] {
        let mut stream = TcpStream::connect(&encrypted.service.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(bytes).unwrap();
        let mut rest = Vec::new();
        // The service closes the connection, with or without an alert.
        let _ = stream.read_to_end(&mut rest);
    }
}

#[test]
fn connection_of_client_that_does_not_read_is_closed() {
    let encrypted = Encrypted::start(&["--limit", "transfer_timeout=1"]);
    let mut client = encrypted.connect();
    // Responses that are smaller than what TLS accepts in advance.
    let request = "GET /login HTTP/1.1\r\nHost: x\r\n\r\n";
    let error = loop {
        if let Err(error) = client.send(request.as_bytes()) {
            break error;
        }
    };
    let is_closed = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    assert!(is_closed.contains(&error.kind()), "{error}");
}

#[test]
fn unfinished_handshakes_give_way_to_other_connections() {
    let encrypted = Encrypted::start(&[
        "--limit",
        "max_connections=3",
        "--limit",
        "header_timeout=0",
    ]);
    let mut held: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = TcpStream::connect(&encrypted.service.address).unwrap();
            stream.write_all(b"\x16\x03\x01\x02\x00\x01").unwrap();
            stream
        })
        .collect();
    for _ in 0..5 {
        assert!(encrypted.connect().get("/healthz", &[]).ends_with("ok\n"));
    }
    let first = &mut held[0];
    first.set_read_timeout(Some(TIMEOUT)).unwrap();
    let closed = first.read(&mut [0; 1]);
    assert!(!matches!(closed, Ok(1..)), "{closed:?}");
}

#[test]
fn shutdown_does_not_wait_for_handshakes() {
    let encrypted = Encrypted::start(&["--limit", "header_timeout=0"]);
    let mut held = TcpStream::connect(&encrypted.service.address).unwrap();
    held.write_all(b"\x16\x03\x01").unwrap();
    assert!(encrypted.connect().get("/healthz", &[]).ends_with("ok\n"));
    encrypted.service.terminate();
    let (status, log) = encrypted.service.ended();
    assert!(status.success());
    assert!(!log.contains("were not finished in time"), "{log}");
}

#[test]
fn unusable_files_are_startup_errors_that_show_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = Certificate::create(folder.path());
    let other = tempfile::tempdir().unwrap();
    let other = Certificate::create(other.path());
    let path = |path: &std::path::Path| path.display().to_string();
    let file = path(&certificate.certificate);
    let key = path(&certificate.key);
    let missing = path(&folder.path().join("missing.pem"));
    for (file, key, problem) in [
        (&file, &path(&other.key), "do not fit together"),
        (&key, &key, "has no certificate in PEM"),
        (&file, &file, "the private key"),
        (&missing, &key, "cannot be read"),
    ] {
        let data = folder.path().join("data");
        let arguments = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--tls-certificate",
            file,
            "--tls-key",
            key,
        ];
        let output = run(&data, &arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(
            message.contains(problem) && !message.contains("BEGIN"),
            "{message}"
        );
    }
    for (arguments, problem) in [
        (vec!["--tls-key", &key], "need each other"),
        (
            vec![
                "--tls-certificate",
                &file,
                "--tls-key",
                &key,
                "--acme-domains",
                HOST,
            ],
            "`acme_domains` gets a certificate itself",
        ),
        (
            vec!["--acme-domains", HOST, "--acme-challenge", "http-01"],
            "needs `http_listen`",
        ),
        (vec!["--acme-domains", "a b"], "host names"),
        (
            vec!["--http-listen", "127.0.0.1:0"],
            "--http-listen needs a certificate",
        ),
        (vec!["--hsts", "60"], "--hsts needs a certificate"),
        (
            vec![
                "--listen",
                "unix:/tmp/x.sock",
                "--tls-certificate",
                &file,
                "--tls-key",
                &key,
            ],
            "cannot have a certificate",
        ),
        (vec!["--listen", "unix:relative.sock"], "absolute path"),
        (vec!["--socket-mode", "0888"], "octal"),
    ] {
        let output = run(
            &folder.path().join("data"),
            &[&["serve"], &arguments[..]].concat(),
        );
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && message.contains(problem),
            "{message}"
        );
    }
}

/// Creates a named pipe to which no process writes.
fn create_pipe(path: &Path) {
    let mode = Mode::RUSR | Mode::WUSR;
    rustix::fs::mknodat(CWD, path, FileType::Fifo, mode, 0).unwrap();
}

#[test]
fn named_pipes_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    create_pipe(&pipe);
    let pipe = pipe.display().to_string();
    let certificate = Certificate::create(folder.path());
    let file = certificate.certificate.display().to_string();
    for arguments in [
        vec!["--tls-certificate", &file, "--tls-key", &pipe],
        vec!["--tls-certificate", &pipe, "--tls-key", &file],
        vec!["--acme-domains", HOST, "--acme-ca-file", &pipe],
        vec!["--metrics-token-file", &pipe],
        vec![
            "--store",
            "postgres://a@127.0.0.1:1/b",
            "--store-password-file",
            &pipe,
        ],
        vec![
            "--store",
            &format!("postgres://a@127.0.0.1:1/b?sslmode=verify-full&sslrootcert={pipe}"),
        ],
    ] {
        let data = folder.path().join("data");
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        let output = run(&data, &[&listen, &arguments[..]].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && message.contains("it is not a regular file"),
            "{arguments:?}: {message}"
        );
    }
}

#[test]
fn reload_of_named_pipes_keeps_the_certificate() {
    let encrypted = Encrypted::start(&[]);
    let file = &encrypted.certificate.certificate;
    std::fs::remove_file(file).unwrap();
    create_pipe(file);
    hang_up(encrypted.service.id());
    let new = encrypted.folder.path().join("new");
    std::fs::create_dir(&new).unwrap();
    let new = Certificate::create(&new);
    for _ in 0..3 {
        assert!(encrypted.connect().get("/healthz", &[]).ends_with("ok\n"));
    }
    std::fs::rename(&new.key, &encrypted.certificate.key).unwrap();
    std::fs::rename(&new.certificate, file).unwrap();
    hang_up(encrypted.service.id());
    until(TIMEOUT, "the new certificate is in use", || {
        encrypted.connect().certificate() == new.bytes
    });
}

#[test]
fn nothing_speaks_of_hsts_without_tls() {
    let folder = tempfile::tempdir().unwrap();
    let service = quarry_world::process::Service::start(
        quarry_world::process::quarry(&["serve", "--data"]).arg(folder.path()),
    );
    let mut response = String::new();
    let mut stream = service.send("/login", &["X-Forwarded-Proto: https"]);
    stream.read_to_string(&mut response).unwrap();
    assert!(
        !response.contains("strict-transport-security"),
        "{response}"
    );
    assert!(Client::connect(&service.address, HOST).is_err());
}
