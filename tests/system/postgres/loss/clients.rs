//! Clients that read and write while the server is lost, and record every response.

use super::KEY;
use ::postgres::Client;
use quarry_world::wait::{TIMEOUT, until};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
const READERS: usize = 3;
/// Maximum time until a response, whatever happens to the server.
const MAX_ANSWER: Duration = Duration::from_secs(120);

/// A response of a node.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// Whether the status is 503, with `Retry-After`.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503 && self.head.to_lowercase().contains("retry-after: ")
    }
}

/// Sends a request of the administrator; `None` if the connection breaks off.
pub fn send(address: &str, method: &str, path: &str, body: &str) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(TIMEOUT)).ok()?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {KEY}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    Some(Answer {
        status: head.split(' ').nth(1)?.parse().ok()?,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// The clients, and the responses that they received.
#[derive(Default)]
pub struct Clients {
    /// The ids of the created issues, by subject; 0 if the response had none.
    pub created: Mutex<HashMap<String, i64>>,
    /// The subjects whose creation was refused.
    pub refused: Mutex<Vec<String>>,
    /// Unexpected responses.
    wrong: Mutex<Vec<String>>,
    pub reads: AtomicUsize,
    pub unavailable: AtomicUsize,
    pub unknown: AtomicUsize,
    slowest: Mutex<Duration>,
    subjects: AtomicUsize,
}

impl Clients {
    /// Runs readers and writers while `work` runs.
    pub fn run<T>(&self, address: &str, work: impl FnOnce() -> T) -> T {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|threads| {
            for _ in 0..WRITERS {
                threads.spawn(|| {
                    while !is_over.load(Ordering::SeqCst) {
                        self.create(address);
                    }
                });
            }
            for _ in 0..READERS {
                threads.spawn(|| {
                    while !is_over.load(Ordering::SeqCst) {
                        self.read(address);
                    }
                });
            }
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            is_over.store(true, Ordering::SeqCst);
            outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Creates an issue with a subject of its own.
    pub fn create(&self, address: &str) {
        let subject = format!("word{}x", self.subjects.fetch_add(1, Ordering::SeqCst));
        let body = format!(r#"{{"issue": {{"project_id": "one", "subject": "{subject}"}}}}"#);
        let answer = self.timed(address, "POST", "/issues.json", &body);
        match answer {
            Some(answer) if answer.status == 201 => {
                let issue: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
                let id = issue["issue"]["id"].as_i64().unwrap();
                self.created.lock().unwrap().insert(subject, id);
            }
            Some(answer) if answer.is_unavailable() => {
                self.unavailable.fetch_add(1, Ordering::SeqCst);
                if answer.body.contains("nothing was changed") {
                    self.refused.lock().unwrap().push(subject);
                } else if answer.body.contains("check whether it is there") {
                    self.unknown.fetch_add(1, Ordering::SeqCst);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            // The change was saved, and the record could not be read for the reply.
            Some(answer) if answer.body.contains("The change is saved") => {
                self.created.lock().unwrap().insert(subject, 0);
            }
            answer => self.record_wrong(format!("create {subject}: {answer:?}")),
        }
    }

    fn read(&self, address: &str) {
        let created = self.created.lock().unwrap().clone();
        let known = created.into_iter().find(|(_, id)| *id != 0);
        let count = self.reads.fetch_add(1, Ordering::SeqCst);
        let path = match (count % 4, &known) {
            (0, Some((_, id))) => format!("/issues/{id}.json"),
            (1, Some((subject, _))) => format!("/search.json?q={subject}"),
            (2, _) => "/issues.xml?limit=5&sort=updated_on:desc".to_owned(),
            _ => "/projects/one".to_owned(),
        };
        match self.timed(address, "GET", &path, "") {
            Some(answer) if answer.status == 200 => {
                let is_issue = path.ends_with("json") && count.is_multiple_of(4);
                if is_issue && known.is_some_and(|(subject, _)| !answer.body.contains(&subject)) {
                    self.record_wrong(format!("{path}: {}", answer.body));
                }
            }
            Some(answer) if answer.is_unavailable() => {
                self.unavailable.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(20));
            }
            answer => self.record_wrong(format!("{path}: {answer:?}")),
        }
    }

    fn timed(&self, address: &str, method: &str, path: &str, body: &str) -> Option<Answer> {
        let start = Instant::now();
        let answer = send(address, method, path, body);
        let mut slowest = self.slowest.lock().unwrap();
        *slowest = slowest.max(start.elapsed());
        answer
    }

    fn record_wrong(&self, answer: String) {
        self.wrong.lock().unwrap().push(answer);
    }

    /// Waits until this many more issues are created.
    pub fn wait_for_creates(&self, count: usize) {
        let before = self.created.lock().unwrap().len();
        until(TIMEOUT, "issues are created", || {
            self.created.lock().unwrap().len() >= before + count
        });
    }

    /// Asserts that no response was unexpected, that each created issue is stored once, and that no
    /// refused one is stored.
    pub fn assert_true(&self, client: &mut Client) {
        let wrong = self.wrong.lock().unwrap();
        assert!(
            wrong.is_empty(),
            "{} wrong answers, such as {:?}",
            wrong.len(),
            &wrong[..wrong.len().min(3)]
        );
        let mut stored: HashMap<String, Vec<i64>> = HashMap::new();
        for row in client
            .query(
                "SELECT subject, id FROM issues WHERE subject LIKE 'word%'",
                &[],
            )
            .unwrap()
        {
            stored.entry(row.get(0)).or_default().push(row.get(1));
        }
        let created = self.created.lock().unwrap();
        for (subject, id) in created.iter() {
            let ids = stored.get(subject).map(Vec::as_slice).unwrap_or_default();
            assert!(
                ids.len() == 1 && (*id == 0 || ids[0] == *id),
                "{subject} was answered with {id}, and is stored as {ids:?}"
            );
        }
        for subject in self.refused.lock().unwrap().iter() {
            assert!(!stored.contains_key(subject), "{subject} was refused");
        }
        let slowest = *self.slowest.lock().unwrap();
        println!(
            "{} created, {} reads, {} answers 503, {} of them about an unknown outcome; slowest answer {slowest:?}",
            created.len(),
            self.reads.load(Ordering::SeqCst),
            self.unavailable.load(Ordering::SeqCst),
            self.unknown.load(Ordering::SeqCst),
        );
        assert!(slowest < MAX_ANSWER);
    }
}
