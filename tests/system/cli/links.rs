//! Hosts of absolute links.

use quarry_world::process::{Service, message, quarry, run};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

/// Returns the `Location` of an upload up to its path, for a request with these headers.
fn base(service: &Service, key: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let head = "POST /uploads.json?filename=a.txt HTTP/1.1\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n";
    write!(
        stream,
        "{head}X-Service-API-Key: {key}\r\nContent-Length: 1\r\n{headers}\r\nx"
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let location = response
        .lines()
        .find_map(|line| line.strip_prefix("location: "))
        .unwrap_or_else(|| panic!("{response}"));
    location.split_once("/attachments/").unwrap().0.to_owned()
}

fn start(folder: &Path, more: &[&str]) -> (Service, String) {
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder).args(more));
    message(&run(folder, &["setting", "set", "rest_api_enabled", "1"]));
    let key = message(&run(folder, &["user", "key", "admin"]));
    (service, key)
}

const EVIL: &str =
    "Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n";

#[test]
fn host_header_does_not_affect_links() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (service, key) = start(folder, &[]);
    assert_eq!(
        base(&service, &key, EVIL),
        format!("http://{}", service.address)
    );
    message(&run(
        folder,
        &["setting", "set", "host_name", "example.net/quarry"],
    ));
    assert_eq!(base(&service, &key, EVIL), "http://example.net/quarry");
    message(&run(folder, &["setting", "set", "protocol", "https"]));
    assert_eq!(base(&service, &key, EVIL), "https://example.net/quarry");
}

#[test]
fn trusted_proxy_determines_the_host_of_links() {
    let folder = tempfile::tempdir().unwrap();
    let (service, key) = start(folder.path(), &["--trusted-proxies", "127.0.0.0/8, ::1"]);
    let forwarded = "Host: projects.example.net\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n";
    assert_eq!(
        base(&service, &key, forwarded),
        "https://projects.example.net"
    );
    assert_eq!(
        base(&service, &key, "Host: projects.example.net\r\n"),
        "http://projects.example.net"
    );
    message(&run(
        folder.path(),
        &["setting", "set", "host_name", "example.net"],
    ));
    assert_eq!(
        base(&service, &key, forwarded),
        "http://example.net",
        "the setting is stronger"
    );
}

#[test]
fn invalid_proxy_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        folder.path(),
        &["serve", "--trusted-proxies", "10.0.0.0/8,proxy"],
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.starts_with(
            "quarry: --trusted-proxies is \"10.0.0.0/8,proxy\", but must be IP addresses and ranges"
        ),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(2));
}
