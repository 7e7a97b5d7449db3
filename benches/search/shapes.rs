//! Queries with groups and qualifiers, compared with the same words alone.

use super::client::Client;
use super::load::Latencies;
use super::service::Service;
use super::world::{VIEWERS, World};
use std::time::{Duration, Instant};

/// Number of different queries of a shape.
const QUERIES: usize = 2_000;
/// Placeholders for words that are adjacent in an issue.
const PLACEHOLDERS: [&str; 4] = ["{1}", "{2}", "{3}", "{4}"];
/// Shapes of queries; they are compared with the words that they have.
const SHAPES: [&str; 34] = [
    "({1} OR {2}) {3}",
    "({1} {2}) OR ({3} {4})",
    "{1} {2} -({3} OR {4})",
    "{1} AND ({2} OR ({3} AND NOT {4}))",
    "({1} is:open) OR ({2} type:wiki)",
    "{1} {2} in:title",
    "{1} {2} in:text",
    "{1} {2} in:notes",
    "{1} {2} is:open",
    "{1} {2} is:overdue",
    "{1} {2} is:watched",
    "{1} {2} is:unread",
    "{1} {2} due:<today",
    "{1} {2} start:2024",
    "{1} {2} closed:>=2024",
    "{1} {2} updated:-300w..today",
    "{1} {2} done:>=50",
    "{1} {2} estimated:>4",
    "{1} {2} spent:>2",
    "{1} {2} parent:none",
    "{1} {2} blocks:any",
    "{1} {2} has:notes",
    "{1} {2} has:due",
    "{1} {2} has:spent",
    "{1} {2} watcher:me",
    "{1} {2} commenter:user12",
    "{1} {2} involves:user12",
    "{1} {2} mentions:me",
    "{1} {2} was:New",
    "{1} {2} was:New by:user12",
    "{1} {2} changed:status on:>=2020",
    "{1} {2} -(status:Closed OR status:Rejected)",
    "{1} {2} (assignee:user12 OR author:user13)",
    "{1} {2} sort:date",
];
/// A page of prefixes that match many terms.
pub const HOSTILE_PREFIXES: &str = "th* ti.ui* an*";

/// Latencies of a shape, and of the same words alone.
pub struct Shape {
    pub shape: &'static str,
    pub with: Latencies,
    pub words: Latencies,
}

impl Shape {
    pub fn p50_ratio(&self) -> f64 {
        self.with.p50() / self.words.p50()
    }
}

/// Sends the queries of each shape, and their words alone, in turn: one client of the viewer who sees
/// all.
pub fn measure(world: &World, service: &Service, time: Duration) -> Vec<Shape> {
    let viewer = VIEWERS.len() - 1;
    let queries: Vec<Vec<String>> = (1..=4)
        .map(|words| world.queries(viewer, words, QUERIES))
        .collect();
    let mut client = Client::connect(&service.address, &world.keys[viewer]);
    let mut measure_shape = |shape: &'static str| {
        let is_used = |place: &&&str| shape.contains(**place);
        let count = PLACEHOLDERS.iter().filter(is_used).count();
        let queries = &queries[count - 1];
        let start = Instant::now();
        let (mut with, mut words) = (Vec::new(), Vec::new());
        for query in queries.iter().cycle() {
            if start.elapsed() >= time * 2 {
                break;
            }
            words.push(latency(&mut client, query));
            with.push(latency(&mut client, &fill(shape, query)));
        }
        Shape {
            shape,
            with: Latencies::new(with, time),
            words: Latencies::new(words, time),
        }
    };
    SHAPES.iter().map(|shape| measure_shape(shape)).collect()
}

/// Returns the latencies of a page of prefixes, for the viewer who sees all.
pub fn measure_prefixes(world: &World, service: &Service, time: Duration) -> Latencies {
    let mut client = Client::connect(&service.address, &world.keys[VIEWERS.len() - 1]);
    let start = Instant::now();
    let mut latencies = Vec::new();
    while start.elapsed() < time {
        // A word that occurs nowhere keeps responses from being the same.
        let query = format!("{HOSTILE_PREFIXES} -zz{}", latencies.len());
        latencies.push(latency(&mut client, &query));
    }
    Latencies::new(latencies, start.elapsed())
}

fn latency(client: &mut Client, query: &str) -> f64 {
    let start = Instant::now();
    client.search(query);
    start.elapsed().as_secs_f64() * 1e3
}

/// Puts the words of a query into a shape, in their order.
fn fill(shape: &str, query: &str) -> String {
    query
        .split(' ')
        .zip(PLACEHOLDERS)
        .fold(shape.to_owned(), |shape, (word, place)| {
            shape.replace(place, word)
        })
}
