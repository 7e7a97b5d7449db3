//! Concurrent clients that send requests as fast as responses arrive.

use quarry_world::connection::{Connection, request};
use quarry_world::process_usage;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::{Duration, Instant};

/// Connections at once.
pub const CLIENTS: usize = 8;

/// Result of one measurement.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Responses a second, over all connections.
    pub rate: f64,
    /// Median in milliseconds.
    pub p50: f64,
    /// 99th percentile in milliseconds.
    pub p99: f64,
    /// Bytes of the longest body.
    pub bytes: usize,
    /// Processor microseconds for one response, clients included; NaN where there is no `/proc`.
    pub work: f64,
}

fn percentile(latencies: &[f64], part: usize) -> f64 {
    latencies
        .get(latencies.len() * part / 100)
        .copied()
        .unwrap_or(f64::NAN)
}

/// Sends requests with this header over the connections, which take the addresses in turn, for the
/// time; the first tenth is not counted. Each response must have the status. Without a status, reads
/// must return 200; writes must return 201 and are not counted.
pub fn run<A: BenchRequest>(
    addresses: &[&str],
    credentials: &str,
    clients: usize,
    time: Duration,
    request: impl Fn(&mut StdRng) -> A + Sync,
    status: Option<u16>,
) -> Measurement {
    let start = Instant::now();
    let processor_seconds = processor_seconds();
    let responses = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<(Vec<f64>, usize)> = std::thread::scope(|scope| {
        let spawn_client = |client: usize| {
            let request = &request;
            let responses = &responses;
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(client as u64);
                let mut client = Client::connect(addresses[client % addresses.len()], credentials);
                let mut latencies = Vec::new();
                let mut bytes = 0;
                while start.elapsed() < time {
                    let (path, body) = request(&mut random).split();
                    let uncounted = status.is_none() && body.is_some();
                    let sent_at = Instant::now();
                    let (response_status, length) = client.send(&path, body.as_deref());
                    responses.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    assert_eq!(
                        response_status,
                        status.unwrap_or(if uncounted { 201 } else { 200 }),
                        "{path}"
                    );
                    if start.elapsed() > time / 10 && !uncounted {
                        latencies.push(sent_at.elapsed().as_secs_f64() * 1e3);
                        bytes = bytes.max(length);
                    }
                }
                (latencies, bytes)
            })
        };
        let threads: Vec<_> = (0..clients).map(spawn_client).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let work = (self::processor_seconds() - processor_seconds) * 1e6
        / responses.into_inner().max(1) as f64;
    let bytes = results.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
    let mut latencies: Vec<f64> = results
        .into_iter()
        .flat_map(|(latencies, _)| latencies)
        .collect();
    latencies.sort_by(f64::total_cmp);
    Measurement {
        rate: latencies.len() as f64 / (time.as_secs_f64() * 0.9),
        p50: percentile(&latencies, 50),
        p99: percentile(&latencies, 99),
        bytes,
        work,
    }
}

/// Returns the processor seconds of this process.
fn processor_seconds() -> f64 {
    process_usage::processor_seconds(std::process::id()).unwrap_or(f64::NAN)
}

/// A path, and a body for a POST.
pub trait BenchRequest {
    /// Returns path and body.
    fn split(self) -> (String, Option<String>);
}

impl BenchRequest for String {
    fn split(self) -> (String, Option<String>) {
        (self, None)
    }
}

impl BenchRequest for (String, Option<String>) {
    fn split(self) -> (String, Option<String>) {
        self
    }
}

/// A connection with the credentials of a user.
pub struct Client {
    connection: Connection,
    /// The headers of each request.
    headers: String,
}

impl Client {
    /// Connects, to send this header with each request.
    pub fn connect(address: &str, credentials: &str) -> Client {
        Client {
            connection: Connection::open(address).unwrap(),
            headers: format!("{credentials}\r\nContent-Type: application/json\r\n"),
        }
    }

    /// Sends a request; returns the status and the length of the body.
    pub fn send(&mut self, path: &str, body: Option<&str>) -> (u16, usize) {
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.unwrap_or_default().as_bytes();
        let request = request(method, path, &self.headers, body);
        let response = self.connection.send(&request).unwrap();
        (response.status, response.body.len())
    }
}
