//! The address that redirects HTTP to HTTPS.

use super::Encrypted;
use quarry_world::ports::free_address;
use quarry_world::process::{message, run};
use std::io::{Read, Write};
use std::net::TcpStream;

fn response(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn http_is_redirected_to_the_host_name_of_the_settings() {
    let address = free_address();
    let encrypted = Encrypted::start(&["--http-listen", &address]);
    let without_name = response(&address, "/issues");
    assert!(without_name.starts_with("HTTP/1.1 400 "), "{without_name}");
    let data = encrypted.folder.path().join("data");
    message(&run(
        &data,
        &["setting", "set", "host_name", "projects.example.net"],
    ));
    for (path, location) in [
        (
            "/issues?status_id=*",
            "https://projects.example.net/issues?status_id=*",
        ),
        ("/", "https://projects.example.net/"),
        (
            "//evil.example/x",
            "https://projects.example.net/evil.example/x",
        ),
        ("http://evil.example/y", "https://projects.example.net/y"),
    ] {
        let response = response(&address, path);
        assert!(response.starts_with("HTTP/1.1 308 "), "{response}");
        assert!(
            response.contains(&format!("\r\nlocation: {location}\r\n")),
            "{response}"
        );
    }
    let challenge = response(&address, "/.well-known/acme-challenge/x");
    assert!(challenge.starts_with("HTTP/1.1 404 "), "{challenge}");
}
