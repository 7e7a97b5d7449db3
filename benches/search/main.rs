//! How long does a search take, and how large may a world be? The real program over HTTP, beside the same words put straight to
//! the index engine and to SQLite's full-text search, on worlds made from a seed out of the words of real reports.
//!
//! `cargo bench --bench search` makes 100,000 documents and prints tables: searches of one to five words by viewers who see 5, 500 and
//! 5,000 projects; how fast and how large the index is, and how much memory the service takes; how soon a write is found; what a rebuild
//! does to searches; and what was promised. `-- --documents 100000,200000,1000000 --seconds 5 --json FILE` makes more, measures each line
//! longer, and writes everything as JSON. `--only searches`, `--only rebuild` and `--only writes` leave the rest out.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that goes wrong shall stop")]
#![allow(clippy::disallowed_methods, reason = "real time is what is measured")]

mod bare;
mod client;
mod fresh;
mod fulltext;
mod load;
mod measure;
mod records;
mod service;
mod table;
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
    let mut options = Options { documents: vec![100_000], time: Duration::from_secs(2), json: None, only: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} wants a value"));
        match argument.as_str() {
            "--documents" => {
                let number = |text: &str| text.parse().ok().filter(|many| *many >= 10_000);
                let numbers = value().split(',').map(number).collect::<Option<_>>();
                options.documents = numbers.expect("--documents wants numbers from 10000, with commas between them");
            }
            "--seconds" => {
                let seconds = value().parse().ok().filter(|seconds| (1..=600).contains(seconds));
                options.time = Duration::from_secs(seconds.expect("--seconds wants a number from 1 to 600"));
            }
            "--only" => {
                let said = value();
                let part = Part::ALL.iter().find(|(name, _)| *name == said).map(|(_, part)| *part);
                options.only = Some(part.expect("--only wants searches, rebuild or writes"));
            }
            "--json" => options.json = Some(value()),
            "--bench" => {}
            other => panic!("{other} is not known: --documents N,N --seconds N --only PART --json FILE"),
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
    let words = words::Words::read();
    let mut outcomes = Vec::new();
    for documents in options.documents {
        let outcome = measure::measure(documents, &words, options.time, options.only);
        table::print(&outcome);
        outcomes.push(table::json(&outcome));
    }
    if let Some(file) = options.json {
        std::fs::write(&file, format!("{:#}\n", serde_json::Value::from(outcomes))).expect("the file can be written");
    }
}
