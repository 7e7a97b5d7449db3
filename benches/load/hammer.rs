//! Many connections that ask as fast as they are answered.

use rand::SeedableRng;
use rand::rngs::StdRng;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// What one measurement gave.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Answers a second, over all connections.
    pub rate: f64,
    /// Median in milliseconds.
    pub p50: f64,
    /// 99th percentile in milliseconds.
    pub p99: f64,
    /// Bytes of a typical body.
    pub bytes: usize,
    /// Microseconds that all cores together worked for one answer, those who ask included; not a number where the system does not tell.
    pub work: f64,
}

/// Asks over so many connections for so long. The first tenth of the time warms up and is not counted. Each answer must have the
/// status. Without one, reading must be answered 200, and writing, which then goes on beside and is not counted, 201.
pub fn hammer<A: Address>(
    address: &str,
    key: &str,
    clients: usize,
    time: Duration,
    question: impl Fn(&mut StdRng) -> A + Sync,
    status: Option<u16>,
) -> Figures {
    let (begun, worked) = (Instant::now(), worked());
    let answered = std::sync::atomic::AtomicUsize::new(0);
    let answers: Vec<(Vec<f64>, usize)> = std::thread::scope(|scope| {
        let one = |client: usize| {
            let (question, answered) = (&question, &answered);
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(client as u64);
                let mut connection = Connection::open(address, key);
                let (mut taken, mut bytes) = (Vec::new(), 0);
                while begun.elapsed() < time {
                    let (path, body) = question(&mut random).split();
                    let beside = status.is_none() && body.is_some();
                    let asked = Instant::now();
                    let (found, length) = connection.ask(&path, body.as_deref());
                    answered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    assert_eq!(found, status.unwrap_or(if beside { 201 } else { 200 }), "{path}");
                    if begun.elapsed() > time / 10 && !beside {
                        taken.push(asked.elapsed().as_secs_f64() * 1e3);
                        bytes = bytes.max(length);
                    }
                }
                (taken, bytes)
            })
        };
        let threads: Vec<_> = (0..clients).map(one).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let work = (self::worked() - worked) * 1e6 / answered.into_inner().max(1) as f64;
    let bytes = answers.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
    let mut taken: Vec<f64> = answers.into_iter().flat_map(|(taken, _)| taken).collect();
    taken.sort_by(f64::total_cmp);
    let at = |part: usize| taken.get(taken.len() * part / 100).copied().unwrap_or(f64::NAN);
    Figures { rate: taken.len() as f64 / (time.as_secs_f64() * 0.9), p50: at(50), p99: at(99), bytes, work }
}

/// How many seconds all cores have worked for this process; they are counted in hundredths.
fn worked() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let hundredths = |place: usize| fields.get(place).and_then(|text| text.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (hundredths(11) + hundredths(12)) / 100.0
}

/// Where to ask, and what to send there.
pub trait Address {
    /// Path and body.
    fn split(self) -> (String, Option<String>);
}

impl Address for String {
    fn split(self) -> (String, Option<String>) {
        (self, None)
    }
}

impl Address for (String, Option<String>) {
    fn split(self) -> (String, Option<String>) {
        self
    }
}

/// A connection that is kept.
struct Connection {
    stream: BufReader<TcpStream>,
    key: String,
}

impl Connection {
    fn open(address: &str, key: &str) -> Connection {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream: BufReader::new(stream), key: key.to_owned() }
    }

    /// The status, and how long the body is.
    fn ask(&mut self, path: &str, body: Option<&str>) -> (u16, usize) {
        let (method, body) = (if body.is_some() { "POST" } else { "GET" }, body.unwrap_or_default());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: bench\r\nX-Service-API-Key: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let (mut line, mut status, mut length) = (String::new(), 0, 0);
        loop {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            let trimmed = line.trim_end();
            if status == 0 {
                status = trimmed.split(' ').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
            } else if let Some(value) = trimmed.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            } else if trimmed.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        (status, length)
    }
}
