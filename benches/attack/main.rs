//! Measures what expensive requests of some clients cost another one, and how much memory they take.
//!
//! `cargo bench --bench attack` generates 50,000 issues and a wiki page of 1 MB and starts the
//! program. Each line is one attack: the 99th percentile of the latency of another client without
//! and with it, and the resident memory at rest and at its peak. Options: `-- --issues 100000`,
//! `--seconds 8` (for each line), `--only diff` (lines whose name contains the text).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that goes wrong must stop"
)]
#![allow(clippy::disallowed_methods, reason = "real time is what is measured")]

mod attacks;
mod world;

use attacks::{ATTACKS, Attack};
use quarry_world::connection::{Connection, request};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use world::World;

/// The requests of the other client, one after the other.
const REQUESTS: [&str; 4] = [
    "/issues.json?limit=25",
    "/issues/17.json",
    "/search.json?q=pump+valve&limit=10",
    "/projects/lab.json",
];
/// Its pause between two requests.
const PAUSE: Duration = Duration::from_millis(10);

struct Options {
    issues: i64,
    seconds: u64,
    only: Option<String>,
}

fn options() -> Options {
    let mut options = Options {
        issues: 50_000,
        seconds: 8,
        only: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = |name: &str| {
            let value = arguments.next().and_then(|text| text.parse::<u64>().ok());
            value.unwrap_or_else(|| panic!("{name} needs a number"))
        };
        match argument.as_str() {
            "--issues" => options.issues = number("--issues").cast_signed(),
            "--seconds" => options.seconds = number("--seconds"),
            "--only" => options.only = arguments.next(),
            _ => {}
        }
    }
    options
}

fn main() {
    // `cargo test --benches` and `--no-run` must not build worlds.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let options = options();
    let world = World::start(options.issues);
    let time = Duration::from_secs(options.seconds);
    println!(
        "{} issues, {} s for each line\n",
        options.issues, options.seconds
    );
    println!(
        "| attack | p99 ms without | p50 ms with | p99 ms with | slowest ms | MiB at rest | MiB at peak | answers |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    // The first requests fill caches.
    latencies(&world, Duration::from_secs(2));
    for attack in ATTACKS {
        let is_chosen = options.only.as_ref();
        if is_chosen.is_none_or(|only| attack.name.contains(only.as_str())) {
            measure(&world, attack, time);
        }
    }
}

/// Prints one line.
fn measure(world: &World, attack: &Attack, time: Duration) {
    let without = latencies(world, time / 2);
    let (rest, _) = world.memory();
    world.reset_peak();
    let is_running = AtomicBool::new(true);
    let (refused, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let with = std::thread::scope(|scope| {
        for connection in 0..attack.connections {
            let (is_running, refused, answered) = (&is_running, &refused, &answered);
            scope.spawn(move || {
                let requests = (attack.requests)(world, connection);
                while is_running.load(Ordering::Relaxed) {
                    for status in attacks::send(world, &requests) {
                        let count = if status == 200 || status == 201 {
                            answered
                        } else {
                            refused
                        };
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        let with = latencies(world, time);
        is_running.store(false, Ordering::Relaxed);
        with
    });
    let (_, peak) = world.memory();
    println!(
        "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {rest:.0} | {peak:.0} | {} of {} |",
        attack.name,
        percentile(&without, 99),
        percentile(&with, 50),
        percentile(&with, 99),
        percentile(&with, 100),
        answered.load(Ordering::Relaxed),
        answered.load(Ordering::Relaxed) + refused.load(Ordering::Relaxed),
    );
    // What is queued ends before the next line.
    std::thread::sleep(Duration::from_secs(2));
}

/// Returns the latencies of the other client in milliseconds, in order.
fn latencies(world: &World, time: Duration) -> Vec<f64> {
    let start = Instant::now();
    let mut connection = Connection::open(&world.service.address).expect("the service listens");
    let mut found = Vec::new();
    for path in REQUESTS.iter().cycle() {
        if start.elapsed() >= time {
            break;
        }
        let sent = Instant::now();
        let response = connection.send(&request("GET", path, &world.users[0].0, b""));
        assert_eq!(
            response.expect("the service responds").status,
            200,
            "{path}"
        );
        found.push(sent.elapsed().as_secs_f64() * 1e3);
        std::thread::sleep(PAUSE);
    }
    found.sort_by(f64::total_cmp);
    found
}

fn percentile(latencies: &[f64], part: usize) -> f64 {
    let index = (latencies.len() * part / 100).min(latencies.len().saturating_sub(1));
    latencies.get(index).copied().unwrap_or(f64::NAN)
}
