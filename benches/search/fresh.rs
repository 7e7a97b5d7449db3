//! From write to found, at so many writes a second while somebody searches without a pause: an issue with a word that was never
//! used before is written over one connection, and then searched over another. Every one must be found by the first search; how many
//! are not is said.

use super::client::Client;
use super::load::{Load, Times};
use super::service::Service;
use super::words::{Words, never_used};
use super::world::{PROJECTS, World};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Connections that write.
const WRITERS: usize = 16;
/// At more writes a second than this not every one is looked for by itself.
const LOOKED_FOR: usize = 200;

pub struct Fresh {
    /// How many writes a second there should be.
    pub wanted: usize,
    /// From sending a write to its answer; the rate is what was reached.
    pub written: Times,
    /// From sending a write to the answer of the search that finds it.
    pub found: Times,
    /// How many of those were not found by the first search.
    pub late: usize,
    /// What somebody else searched meanwhile.
    pub beside: Times,
}

/// Says that it is done, also when somebody breaks down: then nobody may go on searching for ever.
struct Done<'d>(&'d AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Writes so many issues a second for so long.
pub fn measure(world: &World, service: &Service, words: &Words, wanted: usize, time: Duration) -> Fresh {
    let key = &world.keys[2];
    let all = never_used(wanted as u64);
    let (found, late, done) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicBool::new(false));
    let questions = world.questions(2, 2, 5_000);
    let every = wanted.div_ceil(LOOKED_FOR);
    let (written, beside) = std::thread::scope(|scope| {
        let until_done = Done(&done);
        let beside = scope.spawn(|| {
            let load = Load { clients: 1, rate: None };
            let ask = |client: &mut Client, turn: usize| assert!(client.search(&questions[turn % questions.len()]) > 0);
            load.run(|_| !done.load(Ordering::Relaxed), |_| Client::connect(&service.address, key), ask)
        });
        let open = |writer: usize| {
            let random = StdRng::seed_from_u64(writer as u64);
            (Client::connect(&service.address, key), Client::connect(&service.address, key), random)
        };
        let taken = Mutex::new(Vec::new());
        let whole = Load { clients: WRITERS, rate: Some(wanted as f64) }.run(
            |so_far| so_far < time,
            open,
            |(writer, reader, random), turn| {
                let word = never_used(((wanted * 1_000_000 + turn) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let (project, subject) = (random.random_range(1..=PROJECTS), format!("{} {word} {all}", words.title(random)));
                let issue = serde_json::json!({"issue": {"project_id": project, "tracker_id": 1,
                    "subject": subject.chars().rev().take(250).collect::<Vec<_>>().into_iter().rev().collect::<String>(),
                    "description": words.note(random)}});
                let took = writer.write(&issue.to_string());
                taken.lock().expect("nobody breaks down").push(took);
                if turn.is_multiple_of(every) {
                    let begun = std::time::Instant::now();
                    if reader.search(&word) != 1 {
                        late.fetch_add(1, Ordering::Relaxed);
                        while reader.search(&word) != 1 {}
                    }
                    found.lock().expect("nobody breaks down").push(took + begun.elapsed().as_secs_f64() * 1e3);
                }
            },
        );
        drop(until_done);
        let taken = taken.into_inner().expect("nobody breaks down");
        let over = Duration::from_secs_f64(whole.count() as f64 / whole.rate);
        (Times::new(taken, over), beside.join().expect("the searches go on"))
    });
    let mut reader = Client::connect(&service.address, key);
    assert_eq!(reader.search(&all), written.count() as u64, "every issue that was written is found");
    let found = Times::new(found.into_inner().expect("nobody breaks down"), time);
    Fresh { wanted, written, found, late: late.into_inner(), beside }
}
