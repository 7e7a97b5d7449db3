//! Where absolute links lead.

use super::process::{Service, quarry, run, told};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

/// The header `Location` of an upload, up to its path, for a request with these headers.
fn base(service: &Service, key: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let head = "POST /uploads.json?filename=a.txt HTTP/1.1\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n";
    write!(stream, "{head}X-Service-API-Key: {key}\r\nContent-Length: 1\r\n{headers}\r\nx").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let location = answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_else(|| panic!("{answer}"));
    location.split_once("/attachments/").unwrap().0.to_owned()
}

fn start(folder: &Path, more: &[&str]) -> (Service, String) {
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder).args(more));
    told(&run(folder, &["setting", "set", "rest_api_enabled", "1"]));
    let key = told(&run(folder, &["user", "key", "admin"]));
    (service, key)
}

const EVIL: &str = "Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n";

#[test]
fn the_host_header_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (service, key) = start(folder, &[]);
    assert_eq!(base(&service, &key, EVIL), format!("http://{}", service.address));
    told(&run(folder, &["setting", "set", "host_name", "example.net/quarry"]));
    assert_eq!(base(&service, &key, EVIL), "http://example.net/quarry");
    told(&run(folder, &["setting", "set", "protocol", "https"]));
    assert_eq!(base(&service, &key, EVIL), "https://example.net/quarry");
}

#[test]
fn a_trusted_proxy_says_where_the_client_found_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let (service, key) = start(folder.path(), &["--trusted-proxies", "127.0.0.0/8, ::1"]);
    let forwarded = "Host: 127.0.0.1\r\nX-Forwarded-Host: projects.example.net\r\nX-Forwarded-Proto: https\r\n";
    assert_eq!(base(&service, &key, forwarded), "https://projects.example.net");
    assert_eq!(base(&service, &key, "Host: projects.example.net\r\n"), "http://projects.example.net");
    told(&run(folder.path(), &["setting", "set", "host_name", "example.net"]));
    assert_eq!(base(&service, &key, forwarded), "http://example.net", "the setting is stronger");
}

#[test]
fn a_wrong_proxy_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["serve", "--trusted-proxies", "10.0.0.0/8,proxy"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("quarry: --trusted-proxies is \"10.0.0.0/8,proxy\", but must be IP addresses and ranges"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
