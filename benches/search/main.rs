//! Measures searches over HTTP against the real program, and compares them with the same queries
//! given to tantivy and to SQLite's FTS5 directly. The documents are generated from a seed, with
//! the words of real bug reports.
//!
//! `cargo bench --bench search` generates 100,000 documents and prints tables: searches of one to
//! five words by viewers who see 5, 500 and 5,000 projects; queries with groups and qualifiers, and their
//! words alone; speed of indexing, size of the index and memory of the service; time from a write
//! until it is found; searches during a rebuild; and the promises of `docs/performance.md`. Options:
//! `-- --documents 100000,200000,1000000` (sizes), `--seconds 5` (for each line), `--json FILE`, and
//! `--only searches`, `--only shapes`, `--only rebuild` or `--only writes`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that goes wrong must stop"
)]
#![allow(clippy::disallowed_methods, reason = "real time is what is measured")]

mod client;
mod freshness;
mod fts5_baseline;
mod load;
mod measure;
mod records;
mod service;
mod shapes;
mod table;
mod tantivy_baseline;
mod words;
mod world;

use measure::Part;
use std::time::Duration;

struct Options {
    documents: Vec<usize>,
    time: Duration,
    json: Option<String>,
    only: Option<Part>,
}

fn options() -> Options {
    let mut options = Options {
        documents: vec![100_000],
        time: Duration::from_secs(1),
        json: None,
        only: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .unwrap_or_else(|| panic!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--documents" => {
                let sizes = value()
                    .split(',')
                    .map(|text| text.parse().ok().filter(|documents| *documents >= 10_000))
                    .collect::<Option<_>>();
                options.documents = sizes
                    .expect("--documents needs numbers of at least 10000, separated by commas");
            }
            "--seconds" => {
                let seconds = value()
                    .parse()
                    .ok()
                    .filter(|seconds| (1..=600).contains(seconds));
                options.time =
                    Duration::from_secs(seconds.expect("--seconds needs a number from 1 to 600"));
            }
            "--only" => {
                let wanted = value();
                let part = Part::ALL
                    .iter()
                    .find(|(name, _)| *name == wanted)
                    .map(|(_, part)| *part);
                options.only =
                    Some(part.expect("--only needs searches, shapes, rebuild or writes"));
            }
            "--json" => options.json = Some(value()),
            "--bench" => {}
            other => panic!(
                "unknown option {other}; use --documents N,N --seconds N --only PART --json FILE"
            ),
        }
    }
    options
}

fn main() {
    // `cargo test --benches` must not build large worlds.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let options = options();
    let words = words::Words::load();
    let mut outcomes = Vec::new();
    for documents in options.documents {
        let outcome = measure::measure(documents, &words, options.time, options.only);
        table::print(&outcome);
        outcomes.push(table::json(&outcome));
    }
    if let Some(file) = options.json {
        std::fs::write(&file, format!("{:#}\n", serde_json::Value::from(outcomes)))
            .expect("the file can be written");
    }
}
