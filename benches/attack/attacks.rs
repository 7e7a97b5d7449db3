//! The attacks: what each connection sends, again and again.

use crate::world::{WORDS, World};
use quarry_world::connection::{Connection, request};

/// Requests that are sent at once on one connection, before their responses are read.
pub type Requests = Vec<Vec<u8>>;

/// Expensive requests on several connections.
pub struct Attack {
    pub name: &'static str,
    pub connections: usize,
    /// Returns what a connection sends.
    pub requests: fn(&World, usize) -> Requests,
}

/// Five users with a session read a page, each on several connections.
macro_rules! users {
    ($name:literal, $count:literal, $path:literal) => {
        Attack {
            name: $name,
            connections: $count,
            requests: |world, connection| {
                vec![request(
                    "GET",
                    $path,
                    &world.users[1 + connection % 5].1,
                    b"",
                )]
            },
        }
    };
}

pub const ATTACKS: &[Attack] = &[
    users!(
        "differences of 1 MB, 5 users",
        15,
        "/projects/lab/wiki/Long/diff?version=2&version_from=1"
    ),
    users!("the long page, 5 users", 15, "/projects/lab/wiki/Long"),
    users!("iCal of everything, 5 users", 15, "/issues/calendar.ics"),
    users!("CSV of everything, 5 users", 15, "/issues.csv?status_id=*"),
    users!("NDJSON of everything, 5 users", 15, "/issues.ndjson"),
    users!(
        "Gantt, 5 users",
        15,
        "/issues/gantt?months=12&year=2025&month=6"
    ),
    users!(
        "calendar, 5 users",
        15,
        "/issues/calendar?year=2025&month=11"
    ),
    users!("activity, 5 users", 15, "/activity"),
    users!(
        "grouped list, 5 users",
        15,
        "/issues?group_by=subject&limit=100"
    ),
    Attack {
        name: "prefixes after identifiers, 8 anonymous addresses",
        connections: 8,
        requests: |_, connection| {
            (0..10)
                .map(|digit| {
                    let path = format!("/search.json?q=ABC-{digit}*&limit=100");
                    let address = format!("X-Forwarded-For: 192.0.2.{connection}\r\n");
                    request("GET", &path, &address, b"")
                })
                .collect()
        },
    },
    Attack {
        name: "trees of 96 nodes, 8 users",
        connections: 8,
        requests: |world, connection| vec![search(world, connection, &tree(connection))],
    },
    Attack {
        name: "words and phrases of joined parts, 8 users",
        connections: 8,
        requests: |world, connection| {
            let joined =
                ["pumpValve7", "valve.tank_leak", "0x7f-engine"].map(|word| word.repeat(12));
            let query = format!("\"{}\" {}", joined.join("/"), joined.join(" "));
            vec![search(world, connection, &query)]
        },
    },
    Attack {
        name: "lists on twelve connections of one user",
        connections: 12,
        requests: |world, connection| {
            let path = format!(
                "/issues.json?limit=100&offset={}&subject=~leak",
                connection * 100
            );
            vec![request("GET", &path, &world.users[1].0, b"")]
        },
    },
    Attack {
        name: "bodies of 5 MB of JSON, 12 users",
        connections: 12,
        requests: |world, connection| {
            let text = "\\u0041".repeat(850_000);
            let body = format!("{{\"issue\":{{\"subject\":\"x\",\"description\":\"{text}\"}}}}");
            vec![create(world, connection, "json", &body)]
        },
    },
    Attack {
        name: "bodies of 5 MB of XML, 12 users",
        connections: 12,
        requests: |world, connection| {
            let text = "&lt;".repeat(1_250_000);
            let body =
                format!("<issue><subject>x</subject><description>{text}</description></issue>");
            vec![create(world, connection, "xml", &body)]
        },
    },
    Attack {
        name: "300 connections of one address, each with 20 requests",
        connections: 300,
        requests: |_, _| {
            let headers = "X-Forwarded-For: 192.0.2.99\r\n";
            vec![request("GET", "/issues.json?limit=100", headers, b""); 20]
        },
    },
];

/// Returns a query of 80 words and 16 qualifiers in groups that are nested five levels deep.
fn tree(connection: usize) -> String {
    let qualifiers = ["-was:New", "watcher:me", "has:notes", "-involves:me"];
    let word = |index: usize| WORDS[(index * 7 + connection) % WORDS.len()];
    let branch = |branch: usize| {
        let words: Vec<&str> = (0..4).map(|index| word(branch * 4 + index)).collect();
        let qualifier = qualifiers[branch % qualifiers.len()];
        format!(
            "({} OR ({} AND NOT ({} OR ({} AND ({qualifier} OR -{})))))",
            words[0], words[1], words[2], words[3], words[0]
        )
    };
    let branches: Vec<String> = (0..16).map(branch).collect();
    branches.join(" OR ")
}

/// Returns a search by a user of this connection.
fn search(world: &World, connection: usize, query: &str) -> Vec<u8> {
    let query = query.replace(' ', "+").replace('"', "%22");
    let path = format!("/search.json?q={query}&limit=100");
    request("GET", &path, &world.users[1 + connection].0, b"")
}

/// Returns a request of a user of this connection that creates an issue.
fn create(world: &World, connection: usize, format: &str, body: &str) -> Vec<u8> {
    let key = &world.users[1 + connection].0;
    let headers = format!("{key}Content-Type: application/{format}\r\n");
    let path = format!("/projects/lab/issues.{format}");
    request("POST", &path, &headers, body.as_bytes())
}

/// Sends the requests of a connection at once and returns the statuses of the responses; 0 for one
/// that does not come.
pub fn send(world: &World, requests: &Requests) -> Vec<u16> {
    let Ok(mut connection) = Connection::open(&world.service.address) else {
        return vec![0];
    };
    if connection.write(&requests.concat()).is_err() {
        return vec![0];
    }
    requests
        .iter()
        .map(|_| connection.read().map_or(0, |response| response.status))
        .collect()
}
