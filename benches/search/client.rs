//! An HTTP client over one keep-alive connection, so that little but the service is measured.

use quarry_world::connection::{Connection, request};
use std::time::Instant;

pub struct Client {
    connection: Connection,
    /// The headers of each request.
    headers: String,
}

impl Client {
    pub fn connect(address: &str, key: &str) -> Client {
        Client {
            connection: Connection::open(address).expect("the service listens"),
            headers: format!("X-Service-API-Key: {key}\r\nContent-Type: application/json\r\n"),
        }
    }

    /// Searches; returns the total count.
    pub fn search(&mut self, words: &str) -> u64 {
        let query = words
            .replace('<', "%3C")
            .replace('>', "%3E")
            .replace(' ', "+");
        let path = format!("/search.json?q={query}&limit=25");
        let body = self.send(&request("GET", &path, &self.headers, b""));
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
        let request = request("POST", "/issues.json", &self.headers, issue.as_bytes());
        self.send(&request);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// Returns the body of the response.
    fn send(&mut self, request: &[u8]) -> String {
        let response = self.connection.send(request);
        let response = response.expect("the service responds");
        let body = String::from_utf8(response.body).expect("responses are UTF-8");
        assert!(
            matches!(response.status, 200 | 201),
            "{} {body}",
            response.status
        );
        body
    }
}
