//! Compares SQLite, PostgreSQL, and two nodes with the database of PostgreSQL, in one run.
//!
//! A database of its own is created on the server and dropped at the end. All nodes are in this
//! process, and the server is on this machine: two nodes share its processors. The last table has
//! the time until an issue that one node has created is found by the other.

use super::clients::{self, CLIENTS, Measurement};
use super::options::Options;
use super::proxy;
use super::world::World;
use postgres::{Client, NoTls};
use quarry::config::ServerConfig;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::{Duration, Instant};

/// The requests. Those without a format are pages, which are requested with a session cookie.
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
/// Number of issues whose visibility on the other node is measured.
const ROUNDS: usize = 100;
/// Maximum number of connections of a node to the server.
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
    let config = |url: &str| ServerConfig {
        url: url.to_owned(),
        password_file: None,
        max_connections: CONNECTIONS,
        files: None,
    };
    let sqlite = World::generate(options.issues, None, None);
    let generated = World::generate(options.issues, Some(config(&database.url)), None);
    database.analyze();
    let first = generated.another_node(config(&url));
    println!(
        "{} issues, generated in {:.1} s (SQLite) and {:.1} s (PostgreSQL); {CLIENTS} connections, {} s each; \
         {} µs for each way to the server",
        options.issues,
        sqlite.generation_seconds,
        generated.generation_seconds,
        options.seconds,
        options.delay
    );
    let second = first.another_node(config(&url));
    generated.close();
    println!(
        "index built from SQLite in {:.1} s, from PostgreSQL in {:.1} s\n",
        sqlite.index_seconds, second.index_seconds
    );
    let one = [first.address.as_str()];
    let two = [first.address.as_str(), second.address.as_str()];
    println!(
        "| request | clients | SQLite, PostgreSQL, two nodes: responses a second | p50, ms | p99, ms | processor time of nodes and clients, µs |"
    );
    println!("|---|---|---|---|---|---|");
    let chosen = |name: &str| {
        let only = options.only.as_deref();
        only.is_none_or(|only| name.contains(only))
    };
    for (name, path) in REQUESTS.into_iter().filter(|(name, _)| chosen(name)) {
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
    if chosen("create") {
        print_row(
            "create",
            CLIENTS,
            create(&sqlite, &[&sqlite.address]),
            create(&first, &one),
            create(&first, &two),
        );
        print_visibility(&first, &second);
    }
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
    let all = [sqlite, postgres, nodes];
    let row = |decimals: usize, figure: fn(&Measurement) -> f64| {
        let figures = all
            .each_ref()
            .map(|all| format!("{:.decimals$}", figure(all)));
        figures.join(" / ")
    };
    println!(
        "| {name} | {clients} | {} | {} | {} | {} |",
        row(0, |measurement| measurement.rate),
        row(2, |measurement| measurement.p50),
        row(2, |measurement| measurement.p99),
        row(0, |measurement| measurement.work),
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
            let mut writer = clients::Client::connect(&first.address, first.key(2));
            let mut reader = clients::Client::connect(&second.address, second.key(2));
            let search = format!("/search.json?q={word}");
            let empty = reader.send(&search, None).1;
            let created = writer.send(&first.post_path(&mut random), Some(&body));
            assert_eq!(created.0, 201);
            let start = Instant::now();
            while reader.send(&search, None).1 <= empty {}
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "\ncreated on one node, found on the other: p50 {:.1} ms, slowest of {ROUNDS} {:.1} ms",
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

impl Database {
    /// Collects the statistics of the tables. A server does it by itself, about a minute later.
    fn analyze(&self) {
        let mut client = Client::connect(&self.url, NoTls).expect("the server answers");
        client
            .batch_execute("ANALYZE")
            .expect("the user owns the tables");
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
