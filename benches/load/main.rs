//! How many requests does the service answer, and how fast? The REST API under load, on worlds of many issues, beside a constant
//! answer of the same size from the same server in the same run.
//!
//! `cargo bench --bench load` measures 100,000 issues in 5,000 projects; `-- --issues 1000000 --seconds 5 --json FILE` more, longer, and
//! writes the table as JSON; `--only "list of 25"` asks nothing else, `--only create` only writes. Each line: requests a second, p50
//! and p99 in milliseconds, how many microseconds of work an answer is, and how much less than the constant answer that is: in
//! answers, and, for machines that do other things beside, in work.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that goes wrong shall stop")]
#![allow(clippy::disallowed_methods, reason = "real time is what is measured")]

mod hammer;
mod world;

use hammer::{Figures, hammer};
use rand::RngExt;
use std::fmt::Write;
use std::time::Duration;
use world::{VIEWERS, World};

/// That of the program.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Connections at once.
const CLIENTS: usize = 8;

struct Options {
    issues: i64,
    seconds: u64,
    only: Option<String>,
    json: Option<String>,
}

fn options() -> Options {
    let mut options = Options { issues: 100_000, seconds: 3, only: None, json: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--issues" => options.issues = arguments.next().and_then(|text| text.parse().ok()).expect("--issues wants a number"),
            "--seconds" => options.seconds = arguments.next().and_then(|text| text.parse().ok()).expect("--seconds wants a number"),
            "--only" => options.only = arguments.next(),
            "--json" => options.json = arguments.next(),
            _ => {}
        }
    }
    options
}

/// What is asked, and how many times slower than the constant answer it may be; `None` where nothing was promised.
const QUESTIONS: &[(&str, &str, Option<f64>)] = &[
    ("one issue", "/issues/{id}.json", Some(3.0)),
    ("list of 25", "/issues.json?limit=25", Some(6.0)),
    ("list of 100 at 40,000", "/issues.json?limit=100&offset=40000&status_id=*", None),
    ("by assignee", "/issues.json?limit=25&assigned_to_id={user}", None),
    ("by status", "/issues.json?limit=25&status_id={status}", None),
    ("by text", "/issues.json?limit=25&subject=~pump", None),
    ("by any three letters", "/issues.json?limit=25&subject=~{letters}", None),
    ("newest changes", "/issues.json?limit=25&sort=updated_on:desc", None),
    ("total alone", "/issues.json?limit=1&status_id=*", None),
];

fn main() {
    // `cargo test --benches` and `--no-run` must not build large worlds.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let options = options();
    let world = World::of(options.issues);
    let time = Duration::from_secs(options.seconds);
    println!(
        "{} issues, {} projects, made in {:.1} s; {CLIENTS} connections, {} s each\n",
        options.issues,
        world::PROJECTS,
        world.made_in,
        options.seconds
    );
    println!(
        "| request | viewer sees | answers/s | p50 ms | p99 ms | bytes | µs | constant/s | constant is faster by | in work | at most |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for (place, projects) in VIEWERS.iter().enumerate() {
        for (name, path, most) in QUESTIONS {
            if options.only.as_ref().is_some_and(|only| only != name) {
                continue;
            }
            let figures = hammer(&world.address, world.key(place), CLIENTS, time, |random| world.path(path, place, random), None);
            row(&mut rows, name, &format!("{projects} projects"), &world, figures, *most, time);
        }
    }
    if options.only.as_ref().is_none_or(|only| only == "create") {
        let post = |random: &mut rand::rngs::StdRng| (world.post_path(random), Some(world.body(random)));
        let figures = hammer(&world.address, world.key(2), CLIENTS, time, post, Some(201));
        row(&mut rows, "create, eight writers", "all projects", &world, figures, None, time);
    }
    if options.only.is_some() {
        return world.close();
    }
    // What is remembered of totals is worth nothing after a write.
    for (name, path) in
        [("list of 25, among writes", "/issues.json?limit=25"), ("by text, among writes", "/issues.json?limit=25&subject=~pump")]
    {
        let mixed = |random: &mut rand::rngs::StdRng| match random.random_range(0..20) {
            0 => (world.post_path(random), Some(world.body(random))),
            _ => (path.to_owned(), None),
        };
        let figures = hammer(&world.address, world.key(2), CLIENTS, time, mixed, None);
        row(&mut rows, name, "all projects", &world, figures, None, time);
    }
    if let Some(file) = options.json {
        std::fs::write(&file, format!("[{}]\n", rows.join(",\n"))).expect("the file can be written");
    }
    world.close();
}

fn row(rows: &mut Vec<String>, name: &str, viewer: &str, world: &World, figures: Figures, most: Option<f64>, time: Duration) {
    let path = format!("/constant/{}.json", figures.bytes);
    let constant = hammer(&world.address, world.key(2), CLIENTS, time.min(Duration::from_secs(1)), |_| (path.clone(), None), None);
    let factor = constant.rate / figures.rate;
    let most_said = most.map_or(String::new(), |most| format!("{most}×"));
    let Figures { rate, p50, p99, bytes, work } = figures;
    let (than, in_work) = (constant.rate, work / constant.work);
    println!(
        "| {name} | {viewer} | {rate:.0} | {p50:.2} | {p99:.2} | {bytes} | {work:.1} | {than:.0} | {factor:.1}× | {in_work:.1}× | {most_said} |"
    );
    let mut json = String::new();
    let _ = write!(
        json,
        "{{\"request\":\"{name}\",\"viewer\":\"{viewer}\",\"rate\":{rate:.1},\"p50_ms\":{p50:.3},\"p99_ms\":{p99:.3},\"bytes\":{bytes},\"work_us\":{work:.2},\"constant_rate\":{than:.1},\"factor\":{factor:.2},\"factor_in_work\":{in_work:.2}}}"
    );
    rows.push(json);
}
