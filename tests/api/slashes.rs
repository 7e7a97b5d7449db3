//! Paths with slashes that are repeated or at the end (compatibility 3.1).

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, password};
use quarry_world::{Client, MANAGER, Response, World};
use regex::Regex;

/// Paths, without the suffix of the format. The last ones lead nowhere.
const PATHS: &[&str] = &[
    "/issues",
    "/issues/1",
    "/projects",
    "/projects/one",
    "/projects/one/issues",
    "/projects/one/memberships",
    "/time_entries",
    "/users/current",
    "/search",
    "/openapi",
    "/healthz",
    "/metrics",
    "/-pages/issues",
    "/nowhere",
    "/issues/1/nowhere",
];

/// Returns spellings of a path with more slashes.
fn spellings(path: &str) -> Vec<String> {
    vec![
        format!("/{path}"),
        format!("{path}/"),
        format!("{path}//"),
        path.replace('/', "//"),
        format!("//{}///", path.replace('/', "///")),
    ]
}

/// Returns what depends neither on the id of the request nor on its time, which pages of a search show.
fn outcome(response: &Response) -> (u16, String, Vec<String>) {
    let names = ["content-type", "location", "warning", "cache-control"];
    let headers = names.iter().map(|name| {
        let value = response.headers.get(*name);
        value.map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
    });
    let time = Regex::new("· [0-9]+ ms").unwrap();
    let body = time.replace_all(&response.body, "").into_owned();
    (response.status, body, headers.collect())
}

fn world() -> World {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    world.issue("one").subject("Engine").create();
    world
}

#[test]
fn more_slashes_change_no_answer() {
    let world = world();
    let alice = world.as_user("alice");
    let pages = alice.clone().with("Accept", "text/html");
    for path in PATHS {
        for (client, path) in [
            (&alice, format!("{path}.json")),
            (&alice, format!("{path}.xml")),
            (&alice, format!("{path}.yaml")),
            (&pages, (*path).to_owned()),
        ] {
            let expected = outcome(&client.get(&format!("{path}?q=a//b/")));
            for spelling in spellings(&path) {
                let found = outcome(&client.get(&format!("{spelling}?q=a//b/")));
                assert_eq!(found, expected, "{spelling}");
            }
        }
    }
}

#[test]
fn more_slashes_change_no_method() {
    let world = world();
    let alice = world.as_user("alice");
    for method in ["POST", "PUT", "PATCH", "OPTIONS", "HEAD"] {
        let method: Method = method.parse().unwrap();
        for path in [
            "/issues.json",
            "/issues/1.json",
            "/projects/one/issues.json",
        ] {
            let send = |path: &str| {
                let body = b"{\"issue\": {\"subject\": \"\"}}".to_vec();
                alice.send(method.clone(), path, Some("application/json"), body)
            };
            let expected = outcome(&send(path));
            for spelling in spellings(path) {
                assert_eq!(outcome(&send(&spelling)), expected, "{method} {spelling}");
            }
        }
    }
    for spelling in spellings("/projects/one/issues.json") {
        let body = serde_json::json!({"issue": {"subject": "Brake"}});
        let created = alice.post(&spelling, body).assert_status(201);
        let id = created.json()["issue"]["id"].as_i64().unwrap();
        let location = created.header("location");
        assert_eq!(location, format!("http://quarry.test/issues/{id}"));
        alice
            .delete(&format!("//issues//{id}.json/"))
            .assert_status(200);
        alice.get(&format!("/issues/{id}.json")).assert_status(404);
    }
}

#[test]
fn encoded_slash_separates_no_segments() {
    let world = world();
    let alice = world.as_user("alice");
    for path in [
        "/issues%2F1.json",
        "/%2Fissues.json",
        "/projects/one%2Fissues.json",
        "/issues%2F.json",
        "/issues/1%2F.json",
    ] {
        alice.get(path).assert_status(404);
    }
}

#[test]
fn path_of_slashes_alone_is_the_start_page() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    let expected = browser.get("/");
    for path in ["//", "///", "/////////"] {
        let found = browser.get(path);
        assert_eq!(found.status, expected.status, "{path}");
        assert_eq!(
            found.headers.get("location"),
            expected.headers.get("location")
        );
    }
}

#[test]
fn no_path_redirects_to_another_host() {
    for world in [world(), world().with_base_path("/quarry")] {
        let stranger = Browser::new(&world);
        let base = world.app.config.base_path.as_str().to_owned();
        let alice = Browser::new(&world);
        let page = alice.get(&format!("{base}/login"));
        let login = [("username", "alice"), ("password", "alicealice")];
        alice
            .submit(&page, &format!("{base}/login"), &login)
            .assert_status(303);
        let mut redirects = 0;
        for path in [
            "//evil.test",
            "//evil.test/",
            "///evil.test//",
            "//evil.test/my/account",
            "//my/account",
            "///my//account//",
            "/quarry//evil.test",
            "//quarry//evil.test",
            "/quarry//my/account",
            "//quarry",
            "//quarry//",
            "//evil.test/quarry",
            "//",
        ] {
            for answer in [stranger.get(path), alice.get(path)] {
                let location = answer.headers.get("location");
                redirects += usize::from(location.is_some());
                let location = location.map_or("/", |value| value.to_str().unwrap());
                let is_own = location.starts_with('/') && !location.starts_with("//");
                assert!(
                    is_own && !location.contains("=%2F%2F"),
                    "{path}: {location}"
                );
                assert!(!answer.body.contains("\"//"), "{path}: {answer:?}");
            }
        }
        assert!(redirects > 2, "{redirects} answers were redirects");
    }
}

#[test]
fn paths_below_a_base_path_may_have_more_slashes() {
    let world = world().with_base_path("/quarry");
    let alice = world.as_user("alice");
    for path in ["/issues.json", "/projects/one/issues.xml", "/nowhere.json"] {
        let path = format!("/quarry{path}");
        let expected = outcome(&alice.get(&path));
        for spelling in spellings(&path) {
            assert_eq!(outcome(&alice.get(&spelling)), expected, "{spelling}");
        }
    }
    let browser = Browser::new(&world);
    for path in ["/quarry", "//quarry"] {
        let start = browser.get(path).assert_status(308);
        assert_eq!(start.header("location"), "/quarry/");
    }
    for path in ["/quarry/", "//quarry//", "/quarry///"] {
        let start = browser.get(path);
        assert_ne!(start.status, 308, "{path}");
        assert_ne!(start.status, 404, "{path}");
    }
    for path in ["//", "//issues.json", "/quarryissues/", "/quarry%2Fissues"] {
        alice.get(path).assert_status(404);
    }
}

/// Fails to log in at this address of the form.
fn guess(world: &World, path: &str) -> u16 {
    let browser = Browser::new(world);
    let page = browser.get("/login").assert_status(200);
    let fields = [("username", "alice"), ("password", "guess")];
    browser.submit(&page, path, &fields).status
}

#[test]
fn guesses_count_however_the_path_is_spelled() {
    for paths in [["//login", "/login/", "///login//"], ["/login"; 3]] {
        let world = World::new();
        world.set(Setting::FailedLoginsPerAccount, "2");
        let statuses = paths.map(|path| guess(&world, path));
        assert_eq!(statuses, [422, 422, 429], "{paths:?}");
        let form = Browser::new(&world).log_in("alice", &password("alice"), &[]);
        assert_eq!(form.status, 429, "{paths:?}");
    }
    let with_password = |client: Client<'_>, path: &str| client.basic("alice", "guess").get(path);
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "2");
    let statuses = [
        "//users/current.json",
        "/users//current.json/",
        "/issues.json",
    ]
    .map(|path| with_password(world.anonymous(), path).status);
    assert_eq!(statuses, [401, 401, 429]);
}
