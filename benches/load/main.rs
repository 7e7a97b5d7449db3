//! Measures the REST API under load, and compares each request with a constant response of the same
//! size from the same server in the same run.
//!
//! `cargo bench --bench load` generates 1,000,000 issues in 5,000 projects. Options: `-- --issues
//! 200000`, `--seconds 5` (for each line), `--json FILE`, and `--only "list of 25"` or `--only
//! create` for one request alone. Each line has responses a second, p50 and p99 in milliseconds,
//! processor microseconds for a response, and how many times faster the constant response is: in
//! responses a second and, for machines under other load, in processor time.
//!
//! `--store postgres://…` compares SQLite, a database of that server and two nodes with it instead,
//! see [`stores`]. `--delay 150` delays each direction between nodes and server by this many
//! microseconds, and `--only page` selects the requests whose name contains the text.
//!
//! `--notices` measures what notices add to a write, and how fast mails are sent, see [`notices`].
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that goes wrong must stop"
)]
#![allow(clippy::disallowed_methods, reason = "real time is what is measured")]

mod clients;
mod notices;
mod options;
mod proxy;
mod stores;
mod world;

use clients::{CLIENTS, Measurement};
use options::Options;
use rand::RngExt;
use std::fmt::Write;
use std::time::Duration;
use world::{VIEWERS, World};

/// The allocator of the program.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Requests, and how many times slower constant_rate the constant response each may be; `None`
/// without a promise.
const REQUESTS: &[(&str, &str, Option<f64>)] = &[
    ("one issue", "/issues/{id}.json", Some(4.0)),
    ("list of 25", "/issues.json?limit=25", Some(7.0)),
    (
        "list of 100 at 40,000",
        "/issues.json?limit=100&offset=40000&status_id=*",
        None,
    ),
    (
        "by assignee",
        "/issues.json?limit=25&assigned_to_id={user}",
        None,
    ),
    (
        "by status",
        "/issues.json?limit=25&status_id={status}",
        None,
    ),
    ("by text", "/issues.json?limit=25&subject=~pump", None),
    (
        "by any three letters",
        "/issues.json?limit=25&subject=~{letters}",
        None,
    ),
    (
        "newest changes",
        "/issues.json?limit=25&sort=updated_on:desc",
        None,
    ),
    ("total alone", "/issues.json?limit=1&status_id=*", None),
];

fn main() {
    // `cargo test --benches` and `--no-run` must not build large worlds.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let options = Options::from_arguments();
    if let Some(store) = &options.store {
        return stores::compare(store, &options);
    }
    if options.notices {
        return notices::measure(&options);
    }
    let world = World::generate(options.issues, None, None);
    let time = Duration::from_secs(options.seconds);
    println!(
        "{} issues, {} projects, generated in {:.1} s; {CLIENTS} connections, {} s each\n",
        options.issues,
        world::PROJECTS,
        world.generation_seconds,
        options.seconds
    );
    println!(
        "| request | viewer sees | responses/s | p50 ms | p99 ms | bytes | µs | constant/s | constant is faster by | in work | at bound |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for (viewer, projects) in VIEWERS.iter().enumerate() {
        for (name, path, bound) in REQUESTS {
            if options.only.as_ref().is_some_and(|only| only != name) {
                continue;
            }
            let measurement = clients::run(
                &[&world.address],
                world.key(viewer),
                CLIENTS,
                time,
                |random| world.path(path, viewer, random),
                None,
            );
            print_row(
                &mut rows,
                name,
                &format!("{projects} projects"),
                &world,
                measurement,
                *bound,
                time,
            );
        }
    }
    if options.only.as_ref().is_none_or(|only| only == "create") {
        let post =
            |random: &mut rand::rngs::StdRng| (world.post_path(random), Some(world.body(random)));
        let measurement = clients::run(
            &[&world.address],
            world.key(2),
            CLIENTS,
            time,
            post,
            Some(201),
        );
        print_row(
            &mut rows,
            "create, eight writers",
            "all projects",
            &world,
            measurement,
            None,
            time,
        );
    }
    if options.only.is_some() {
        return world.close();
    }
    // A write invalidates cached ids.
    for (name, path) in [
        ("list of 25, among writes", "/issues.json?limit=25"),
        (
            "by text, among writes",
            "/issues.json?limit=25&subject=~pump",
        ),
    ] {
        let mixed = |random: &mut rand::rngs::StdRng| match random.random_range(0..20) {
            0 => (world.post_path(random), Some(world.body(random))),
            _ => (path.to_owned(), None),
        };
        let measurement = clients::run(&[&world.address], world.key(2), CLIENTS, time, mixed, None);
        print_row(
            &mut rows,
            name,
            "all projects",
            &world,
            measurement,
            None,
            time,
        );
    }
    if let Some(file) = options.json {
        std::fs::write(&file, format!("[{}]\n", rows.join(",\n")))
            .expect("the file can be written");
    }
    world.close();
}

fn print_row(
    rows: &mut Vec<String>,
    name: &str,
    viewer: &str,
    world: &World,
    measurement: Measurement,
    bound: Option<f64>,
    time: Duration,
) {
    let path = format!("/constant/{}.json", measurement.bytes);
    let constant = clients::run(
        &[&world.address],
        world.key(2),
        CLIENTS,
        time.min(Duration::from_secs(1)),
        |_| (path.clone(), None),
        None,
    );
    let factor = constant.rate / measurement.rate;
    let bound_text = bound.map_or(String::new(), |bound| format!("{bound}×"));
    let Measurement {
        rate,
        p50,
        p99,
        bytes,
        work,
    } = measurement;
    let constant_rate = constant.rate;
    let in_work = work / constant.work;
    println!(
        "| {name} | {viewer} | {rate:.0} | {p50:.2} | {p99:.2} | {bytes} | {work:.1} | {constant_rate:.0} | {factor:.1}× | {in_work:.1}× | {bound_text} |"
    );
    let mut json = String::new();
    let _ = write!(
        json,
        "{{\"request\":\"{name}\",\"viewer\":\"{viewer}\",\"rate\":{rate:.1},\"p50_ms\":{p50:.3},\"p99_ms\":{p99:.3},\"bytes\":{bytes},\"work_us\":{work:.2},\"constant_rate\":{constant_rate:.1},\"factor\":{factor:.2},\"factor_in_work\":{in_work:.2}}}"
    );
    rows.push(json);
}
