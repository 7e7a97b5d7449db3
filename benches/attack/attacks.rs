//! The attacks: what each connection sends, again and again.

use crate::world::World;
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
