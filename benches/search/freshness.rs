//! Measures the time from a write until a search finds it, at a rate of writes, while another
//! client searches without a pause. Each issue has a unique word; it is created over one connection
//! and searched over another. Reports how many the first search misses.

use super::client::Client;
use super::load::{Latencies, Load};
use super::records::PROJECTS;
use super::service::Service;
use super::words::{Words, unique_word};
use super::world::World;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Number of connections that write.
const WRITERS: usize = 16;
/// At higher rates, only this many writes a second are searched for one by one.
const MAX_CHECKED_PER_SECOND: usize = 200;

pub struct Freshness {
    /// Writes a second that the clients attempt.
    pub target_rate: usize,
    /// Latencies of the writes; the rate is the one reached.
    pub written: Latencies,
    /// From sending a write until the response of the search that finds it.
    pub found: Latencies,
    /// Number of writes that the first search did not find.
    pub missed: usize,
    /// Searches of another client meanwhile.
    pub other_searches: Latencies,
}

/// Sets the flag when it is dropped, so that a panic of one thread ends the others.
struct StopOnDrop<'d>(&'d AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Creates issues at the rate for the time.
pub fn measure(
    world: &World,
    service: &Service,
    words: &Words,
    target_rate: usize,
    time: Duration,
) -> Freshness {
    let key = &world.keys[2];
    let marker = unique_word(target_rate as u64);
    let found = Mutex::new(Vec::new());
    let missed = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let queries = world.queries(2, 2, 5_000);
    let every = target_rate.div_ceil(MAX_CHECKED_PER_SECOND);
    let (written, other_searches) = std::thread::scope(|scope| {
        let until_stop = StopOnDrop(&stop);
        let other_searches = scope.spawn(|| {
            let load = Load {
                clients: 1,
                rate: None,
            };
            let search = |client: &mut Client, index: usize| {
                assert!(client.search(&queries[index % queries.len()]) > 0)
            };
            load.run(
                |_| !stop.load(Ordering::Relaxed),
                |_| Client::connect(&service.address, key),
                search,
            )
        });
        let open = |writer: usize| {
            let random = StdRng::seed_from_u64(writer as u64);
            (
                Client::connect(&service.address, key),
                Client::connect(&service.address, key),
                random,
            )
        };
        let taken = Mutex::new(Vec::new());
        let run = Load { clients: WRITERS, rate: Some(target_rate as f64) }.run(
            |elapsed| elapsed < time,
            open,
            |(writer, reader, random), index| {
                let word = unique_word(((target_rate * 1_000_000 + index) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let project = random.random_range(1..=PROJECTS);
                let subject = format!("{} {word} {marker}", words.title(random));
                let issue = serde_json::json!({"issue": {"project_id": project, "tracker_id": 1,
                    "subject": subject.chars().rev().take(250).collect::<Vec<_>>().into_iter().rev().collect::<String>(),
                    "description": words.note(random)}});
                let took = writer.write(&issue.to_string());
                taken.lock().expect("no thread panicked").push(took);
                if index.is_multiple_of(every) {
                    let start = std::time::Instant::now();
                    if reader.search(&word) != 1 {
                        missed.fetch_add(1, Ordering::Relaxed);
                        while reader.search(&word) != 1 {}
                    }
                    found.lock().expect("no thread panicked").push(took + start.elapsed().as_secs_f64() * 1e3);
                }
            },
        );
        drop(until_stop);
        let taken = taken.into_inner().expect("no thread panicked");
        let over = Duration::from_secs_f64(run.count() as f64 / run.rate);
        (
            Latencies::new(taken, over),
            other_searches.join().expect("the searches finish"),
        )
    });
    let mut reader = Client::connect(&service.address, key);
    assert_eq!(
        reader.search(&marker),
        written.count() as u64,
        "every created issue is found"
    );
    let found = Latencies::new(found.into_inner().expect("no thread panicked"), time);
    Freshness {
        target_rate,
        written,
        found,
        missed: missed.into_inner(),
        other_searches,
    }
}
