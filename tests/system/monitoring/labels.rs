//! The values of labels are bounded, whatever clients send.

use super::Watched;
use quarry_world::wait::TIMEOUT;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// Number of odd requests.
const REQUESTS: usize = 10_000;
/// Number of kinds of odd requests.
const KINDS: usize = 12;

/// Returns an odd request; no other number has the same one.
fn odd_request(number: usize) -> String {
    let (method, path, host) = match number % KINDS {
        0 => ("GET".to_owned(), format!("/page-{number}"), "x".to_owned()),
        1 => (
            "GET".to_owned(),
            format!("/issues/{number}0000.json"),
            "x".to_owned(),
        ),
        2 => (
            format!("M{number}"),
            "/issues.json".to_owned(),
            "x".to_owned(),
        ),
        3 => (
            "GET".to_owned(),
            "/healthz".to_owned(),
            format!("host-{number}.example"),
        ),
        4 => (
            "GET".to_owned(),
            format!("/issues.x{number}"),
            "x".to_owned(),
        ),
        5 => (
            "GET".to_owned(),
            format!("/projects/p-{number}/wiki/W{number}.json"),
            "x".to_owned(),
        ),
        6 => (
            "DELETE".to_owned(),
            format!("/-pages/{number}"),
            "x".to_owned(),
        ),
        7 => (
            "GET".to_owned(),
            format!("/issues/%22%0a{number}%7b%7d.json"),
            "x".to_owned(),
        ),
        8 => (
            "HEAD".to_owned(),
            format!("/healthz?{number}"),
            "x".to_owned(),
        ),
        9 => ("OPTIONS".to_owned(), format!("*{number}"), "x".to_owned()),
        10 => (
            "GET".to_owned(),
            format!("http://h{number}.example/issues/1.json"),
            "y".to_owned(),
        ),
        _ => (
            "PUT".to_owned(),
            format!("/metrics/{number}"),
            "x".to_owned(),
        ),
    };
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\nContent-Length: 0\r\n\r\n"
    )
}

/// Sends requests over as few connections as the service allows.
fn send_all(address: &str, numbers: impl Iterator<Item = usize>) -> usize {
    let connect = || {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        BufReader::new(stream)
    };
    let mut connection = connect();
    let mut answered = 0;
    for number in numbers {
        let request = odd_request(number);
        connection.get_mut().write_all(request.as_bytes()).unwrap();
        let mut length = 0;
        let mut closes = false;
        let mut status = String::new();
        loop {
            let mut line = String::new();
            if connection.read_line(&mut line).unwrap() == 0 {
                closes = true;
                break;
            }
            let line = line.trim_end().to_ascii_lowercase();
            if status.is_empty() {
                status.clone_from(&line);
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
            closes |= line == "connection: close";
            if line.is_empty() {
                break;
            }
        }
        assert!(status.starts_with("http/1.1 "), "{request} {status}");
        answered += 1;
        if closes {
            connection = connect();
        } else if !request.starts_with("HEAD") {
            let mut body = vec![0; length];
            connection.read_exact(&mut body).unwrap();
        }
    }
    answered
}

#[test]
fn ten_thousand_odd_requests_add_no_series() {
    let watched = Watched::start_with(&["--log", "off"]);
    // Jobs run meanwhile.
    let series = || {
        let names = watched.samples().0.into_keys();
        names
            .filter(|series| !series.starts_with("quarry_job_"))
            .collect::<BTreeSet<_>>()
    };
    let address = watched.service.address.as_str();
    assert_eq!(send_all(address, 0..4 * KINDS), 4 * KINDS);
    // The first scrape is counted in the second one.
    series();
    let before = series();
    let answered: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let numbers = (4 * KINDS..4 * KINDS + REQUESTS).skip(thread).step_by(4);
                scope.spawn(move || send_all(address, numbers))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    assert_eq!(answered, REQUESTS);
    let after = series();
    let added: Vec<_> = after.difference(&before).collect();
    assert!(added.is_empty(), "{added:#?}");
    let text = watched.text();
    for part in ["page-", "host-", "example", "M48", "W53"] {
        assert!(!text.contains(part), "{part}");
    }
    let methods = r#"method="other""#;
    assert!(text.contains(methods), "{text}");
}
