//! How long does a search take? The service over HTTP beside the same words put straight to the index engine, on the
//! demonstration world and on a large one made from its vocabulary.
//!
//! `cargo bench --bench search` prints a table (p50 and p99 of each, and the ratio of the medians, all from this run; `with rows`
//! is the median of the bare query with 25 rows and 25 excerpts besides), then how long it takes from write to found, and then lets criterion watch the medians. `QUARRY_BENCH_DOCUMENTS` says how large the large world is (200000).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that goes wrong shall stop")]
#![allow(clippy::disallowed_methods, reason = "real time is what is measured")]

mod bare;
mod client;
mod fresh;
mod worlds;

use bare::Bare;
use client::Client;
use criterion::Criterion;
use std::time::{Duration, Instant};
use worlds::World;

/// How often each question of the table is asked.
const ASKED: usize = 400;

fn main() {
    let documents = std::env::var("QUARRY_BENCH_DOCUMENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(200_000);
    // `cargo test --benches` and `--no-run` must not build large worlds.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let demo = World::demonstration();
    let large = World::large(&demo, documents);
    let mut criterion = Criterion::default().configure_from_args().sample_size(50).measurement_time(Duration::from_secs(4));
    println!(
        "{:<28}{:>6}{:>16}{:>10}{:>8}{:>10}{:>8}{:>8}{:>10}{:>8}",
        "world", "words", "viewer", "http p50", "p99", "bare p50", "p99", "ratio", "with rows", "ratio"
    );
    for world in [&demo, &large] {
        let bare = Bare::over(world);
        for words in 1..=3 {
            let questions = world.questions(words, ASKED);
            let (bare_p50, bare_p99) = times(&questions, |question| bare.ask(question));
            let (shown_p50, _) = times(&questions, |question| bare.ask_and_show(question));
            for (viewer, key) in [("3 projects", &world.few), ("all projects", &world.all)] {
                let mut client = Client::connect(&world.address, key);
                let (p50, p99) = times(&questions, |question| client.search(question));
                let name = format!("{} ({} docs)", world.name, world.documents);
                println!(
                    "{name:<28}{words:>6}{viewer:>16}{p50:>10.2}{p99:>8.2}{bare_p50:>10.2}{bare_p99:>8.2}{:>8.2}{shown_p50:>10.2}{:>8.2}",
                    p50 / bare_p50,
                    p50 / shown_p50
                );
            }
        }
    }
    fresh::measure(&demo);
    for world in [&demo, &large] {
        let bare = Bare::over(world);
        for words in 1..=3 {
            let questions = world.questions(words, ASKED);
            let mut group = criterion.benchmark_group(format!("search {}, {words} words", world.name));
            let mut turn = questions.iter().cycle();
            group.bench_function("bare", |bencher| bencher.iter(|| turn.next().map(|question| bare.ask(question))));
            for (viewer, key) in [("3 projects", &world.few), ("all projects", &world.all)] {
                let mut client = Client::connect(&world.address, key);
                group.bench_function(viewer, |bencher| bencher.iter(|| turn.next().map(|question| client.search(question))));
            }
            group.finish();
        }
    }
    criterion.final_summary();
}

/// Median and 99th percentile in milliseconds; the first tenth warms up and is not counted.
fn times(questions: &[String], mut ask: impl FnMut(&str) -> u64) -> (f64, f64) {
    let mut found = 0;
    let mut taken: Vec<f64> = Vec::with_capacity(questions.len());
    for (place, question) in questions.iter().enumerate() {
        let begun = Instant::now();
        found += ask(question);
        if place >= questions.len() / 10 {
            taken.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    assert!(found > 0, "the questions find something");
    taken.sort_by(f64::total_cmp);
    (taken[taken.len() / 2], taken[taken.len() * 99 / 100])
}
