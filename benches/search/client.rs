//! An HTTP client over one keep-alive connection, so that little but the service is measured.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

pub struct Client {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Client {
    pub fn connect(address: &str, key: &str) -> Client {
        let stream = TcpStream::connect(address).expect("the service listens");
        stream.set_nodelay(true).expect("the socket takes options");
        Client {
            stream: BufReader::new(stream),
            head: format!("Host: {address}\r\nX-Service-API-Key: {key}\r\n\r\n"),
        }
    }

    /// Searches; returns the total count.
    pub fn search(&mut self, words: &str) -> u64 {
        let words = words.replace(' ', "+");
        let request = format!(
            "GET /search.json?q={words}&limit=25 HTTP/1.1\r\n{}",
            self.head
        );
        self.stream
            .get_mut()
            .write_all(request.as_bytes())
            .expect("the service reads");
        let body = self.read_response();
        // The first one is that of the search, those of alternatives follow.
        let total = body
            .find("\"total_count\":")
            .map(|at| &body[at + 14..])
            .expect("the response has a total_count");
        total[..total.find(',').unwrap_or(total.len())]
            .parse()
            .expect("the total is a number")
    }

    /// Creates an issue; returns the latency in milliseconds.
    pub fn write(&mut self, issue: &str) -> f64 {
        let start = Instant::now();
        let head = self.head.trim_end();
        let length = issue.len();
        let request = format!(
            "POST /issues.json HTTP/1.1\r\n{head}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{issue}"
        );
        self.stream
            .get_mut()
            .write_all(request.as_bytes())
            .expect("the service reads");
        self.read_response();
        start.elapsed().as_secs_f64() * 1e3
    }

    fn read_response(&mut self) -> String {
        let mut line = String::new();
        let mut length = 0;
        self.stream
            .read_line(&mut line)
            .expect("the service responds");
        let status = std::mem::take(&mut line);
        loop {
            line.clear();
            self.stream
                .read_line(&mut line)
                .expect("the service responds");
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().expect("a number")
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream
            .read_exact(&mut body)
            .expect("the service responds");
        let body = String::from_utf8(body).expect("responses are UTF-8");
        assert!(
            status.starts_with("HTTP/1.1 200") || status.starts_with("HTTP/1.1 201"),
            "{status}{body}"
        );
        body
    }
}
