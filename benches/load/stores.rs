//! Compares SQLite, PostgreSQL, and two nodes with the database of PostgreSQL, in one run.
//!
//! A database of its own is created on the server and dropped at the end. All nodes are in this
//! process, and the server is on this machine: two nodes share its processors. The last table has
//! the time until an issue that one node has created is found by the other.

use super::clients::{self, Measurement};
use super::world::World;
use super::{CLIENTS, Options, proxy};
use postgres::{Client, NoTls};
use quarry::config::ServerConfig;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::{Duration, Instant};

/// The requests. Those without a format are pages, which are asked with a session.
const REQUESTS: [(&str, &str); 9] = [
    ("one issue", "/issues/{id}.json"),
    (
        "issue with everything",
        "/issues/{id}.json?include=journals,relations,attachments,watchers,children",
    ),
    ("list of 25", "/issues.json?limit=25"),
    (
        "newest changes",
        "/issues.json?limit=25&sort=updated_on:desc",
    ),
    ("search", "/search.json?q=pump+leak"),
    ("page of an issue", "/issues/{id}"),
    ("page of the list", "/issues"),
    ("page of a search", "/search?q=pump+leak"),
    ("my page", "/my/page"),
];
/// How often one node waits for an issue of the other.
const ROUNDS: usize = 100;
/// How many connections to the server a node has.
const CONNECTIONS: usize = 20;

/// Runs the comparison. `server` is the URL of a database, from which another one is created.
pub fn compare(server: &str, options: &Options) {
    let database = Database::create(server);
    let url = if options.delay == 0 {
        database.url.clone()
    } else {
        let delay = Duration::from_micros(options.delay);
        let port = proxy::start(database.address.clone(), delay);
        database
            .url
            .replace(&database.address, &format!("127.0.0.1:{port}"))
    };
    let sqlite = World::generate(options.issues, None);
    let first = World::generate(
        options.issues,
        Some(ServerConfig {
            url,
            password_file: None,
            max_connections: CONNECTIONS,
        }),
    );
    println!(
        "{} issues, generated in {:.1} s (SQLite) and {:.1} s (PostgreSQL); {CLIENTS} connections, {} s each; \
         {} µs for each way to the server\n",
        options.issues,
        sqlite.generation_seconds,
        first.generation_seconds,
        options.seconds,
        options.delay
    );
    let second = first.another_node();
    let one = [first.address.as_str()];
    let two = [first.address.as_str(), second.address.as_str()];
    println!(
        "| request | | SQLite /s | PostgreSQL /s | two nodes /s | SQLite p50 ms | PostgreSQL p50 ms | two nodes p50 ms | p99 ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, path) in REQUESTS {
        for clients in [1, CLIENTS] {
            let measure = |world: &World, addresses: &[&str]| {
                let credentials = if path.contains(".json") {
                    world.key(2)
                } else {
                    world.session()
                };
                let time = Duration::from_secs(options.seconds);
                let request = |random: &mut StdRng| world.path(path, 2, random);
                clients::run(addresses, credentials, clients, time, request, None)
            };
            print_row(
                name,
                clients,
                measure(&sqlite, &[&sqlite.address]),
                measure(&first, &one),
                measure(&first, &two),
            );
        }
    }
    let create = |world: &World, addresses: &[&str]| {
        let time = Duration::from_secs(options.seconds);
        let post = |random: &mut StdRng| (world.post_path(random), Some(world.body(random)));
        clients::run(addresses, world.key(2), CLIENTS, time, post, Some(201))
    };
    print_row(
        "create",
        CLIENTS,
        create(&sqlite, &[&sqlite.address]),
        create(&first, &one),
        create(&first, &two),
    );
    print_visibility(&first, &second);
    second.close();
    first.close();
    sqlite.close();
}

fn print_row(
    name: &str,
    clients: usize,
    sqlite: Measurement,
    postgres: Measurement,
    nodes: Measurement,
) {
    println!(
        "| {name} | {clients} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2}, {:.2}, {:.2} |",
        sqlite.rate,
        postgres.rate,
        nodes.rate,
        sqlite.p50,
        postgres.p50,
        nodes.p50,
        sqlite.p99,
        postgres.p99,
        nodes.p99
    );
}

/// Prints how long it takes until an issue that `first` has created is found by `second`, from the
/// answer of the one to the answer of the other.
fn print_visibility(first: &World, second: &World) {
    let mut random = StdRng::seed_from_u64(0);
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|round| {
            let word = format!("zebra{round}");
            let body = format!("{{\"issue\":{{\"subject\":\"{word}\"}}}}");
            let mut writer = clients::Connection::open(&first.address, first.key(2));
            let mut reader = clients::Connection::open(&second.address, second.key(2));
            let created = writer.send(&first.post_path(&mut random), Some(&body));
            assert_eq!(created.0, 201);
            let start = Instant::now();
            let empty = reader.send("/search.json?q=nothingatall", None).1;
            while reader.send(&format!("/search.json?q={word}"), None).1 <= empty {}
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "\ncreated on one node, found on the other: p50 {:.1} ms, p99 {:.1} ms, {ROUNDS} of {ROUNDS}",
        times[ROUNDS / 2],
        times[ROUNDS - 1]
    );
}

/// A database of its own, dropped at the end.
struct Database {
    server: String,
    name: String,
    url: String,
    /// Host and port of the server.
    address: String,
}

impl Database {
    fn create(server: &str) -> Database {
        let name = format!("quarry_bench_{}", std::process::id());
        let mut client = Client::connect(server, NoTls).expect("the server answers");
        client
            .batch_execute(&format!("CREATE DATABASE {name}"))
            .expect("the user may create databases");
        let before = server.rsplit_once('/').expect("a URL with a database").0;
        let authority = before.rsplit_once("//").map_or(before, |(_, rest)| rest);
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        Database {
            url: format!("{before}/{name}"),
            address: host.to_owned(),
            server: server.to_owned(),
            name,
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        if let Ok(mut client) = Client::connect(&self.server, NoTls) {
            let _ = client.batch_execute(&sql);
        }
    }
}
