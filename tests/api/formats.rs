//! Formats, malformed bodies, and unknown paths (compatibility 3).

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{Client, MANAGER, Response, World};
use serde_json::{Value, json};

#[test]
fn suffix_or_accept_header_selects_the_format() {
    let world = World::new();
    let alice = world.as_user("alice");
    assert_eq!(
        alice
            .get("/users/current.xml")
            .assert_status(200)
            .content_type(),
        "application/xml; charset=utf-8"
    );
    assert!(
        alice
            .clone()
            .with("Accept", "application/json")
            .get("/users/current")
            .assert_status(200)
            .json()["user"]
            .is_object()
    );
    assert_eq!(
        alice
            .clone()
            .with("Accept", "application/xml")
            .get("/users/current")
            .assert_status(200)
            .content_type(),
        "application/xml; charset=utf-8"
    );
    for path in ["/users/current.yaml", "/issues.jsonx", "/search.html"] {
        let response = alice.get(path).assert_status(406);
        assert!(response.errors()[0].contains(".json"), "{response:?}");
    }
}

#[test]
fn errors_use_the_requested_format() {
    let world = World::new();
    let alice = world.as_user("alice");
    for path in [
        "/issues/999.json",
        "/issues/999.xml",
        "/nowhere.json",
        "/nowhere.xml",
        "/projects/nothing.json",
    ] {
        assert_eq!(
            alice.get(path).assert_status(404).errors().len(),
            1,
            "{path}"
        );
    }
    for (path, reason) in [
        ("/issues/999", "404 Not Found"),
        ("/nowhere", "404 Not Found"),
        ("/issues?a=1&a[b]=2", "400 Bad Request"),
    ] {
        let (path, query) = path
            .split_once('?')
            .map_or((path, String::new()), |(path, query)| {
                (path, format!("?{query}"))
            });
        let (status, phrase) = reason.split_once(' ').unwrap();
        let xml = alice
            .get(&format!("{path}.xml{query}"))
            .assert_status(status.parse().unwrap());
        // A 404 has the root of all other errors.
        let text = match status {
            "404" => "?><errors type=\"array\"><error>".to_owned(),
            _ => format!(
                "<hash><status type=\"integer\">{status}</status><error>{phrase}</error><errors type=\"array\"><error>"
            ),
        };
        assert!(xml.body.contains(&text), "{xml:?}");
        let json = alice.get(&format!("{path}.json{query}"));
        assert_eq!(
            (
                json.json()["status"].to_string(),
                json.json()["error"].as_str().unwrap()
            ),
            (status.to_owned(), phrase)
        );
        assert_eq!(xml.errors(), json.errors());
    }
    alice
        .send(Method::POST, "/issues/1.json", None, Vec::new())
        .assert_status(404);
    assert_eq!(
        world
            .anonymous()
            .get("/issues.xml")
            .assert_status(401)
            .errors()
            .len(),
        1
    );
}

#[test]
fn internal_page_routes_are_not_reachable() {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    let issue = world.issue("one").create();
    let alice = world.as_user("alice");
    for path in [
        "/-pages/search",
        "/-pages",
        &format!("/-pages/issues/{issue}"),
        "/-pages/-pages/search",
        "/-pages/",
    ] {
        for path in [
            format!("{path}.json"),
            format!("{path}.xml?q=a"),
            path.to_owned(),
        ] {
            alice.get(&path).assert_status(404);
            alice
                .clone()
                .with("Accept", "application/json")
                .get(&path)
                .assert_status(404);
        }
    }
}

#[test]
fn ids_in_paths_have_no_sign() {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    let issue = world.issue("one").create();
    let alice = world.as_user("alice");
    let body = json!({"time_entry": {"project_id": "one", "activity_id": 8, "hours": 1}});
    let entry = alice
        .post("/time_entries.json", body)
        .assert_status(201)
        .json_path("/time_entry/id");
    for (before, number) in [
        ("/issues/", issue.to_string()),
        ("/projects/", "1".to_owned()),
        ("/time_entries/", entry.to_string()),
    ] {
        alice
            .get(&format!("{before}{number}.json"))
            .assert_status(200);
        for sign in ["+", "%2B", "-", "%20"] {
            alice
                .get(&format!("{before}{sign}{number}.json"))
                .assert_status(404);
        }
    }
    assert_eq!(alice.get("/issues.json?project_id=%2B1").status, 404);
}

fn post_issue(alice: &Client<'_>, content_type: &str, body: &[u8]) -> Response {
    alice.send(
        Method::POST,
        "/issues.json",
        Some(content_type),
        body.to_vec(),
    )
}

#[test]
fn malformed_bodies_are_reported_with_position() {
    let world = World::new();
    world.project("one").member("alice", MANAGER).create();
    let alice = world.as_user("alice");
    for (content_type, body) in [
        ("application/json", &b"{\"issue\": {\"subject\": }"[..]),
        ("application/json", b"{\"issue\": \"\xff\"}"),
        ("application/xml", b"<issue><subject>x</issue>"),
        (
            "application/xml",
            b"<!DOCTYPE a [<!ENTITY b \"c\">]><issue><subject>&b;</subject></issue>",
        ),
        ("application/x-www-form-urlencoded", b"issue[subject]=%ff"),
    ] {
        let response = post_issue(&alice, content_type, body).assert_status(400);
        assert_eq!(response.errors().len(), 1, "{response:?}");
        assert_eq!(response.json()["status"], 400);
    }
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    post_issue(&alice, "application/json", deep.as_bytes()).assert_status(400);
    let response =
        post_issue(&alice, "application/json", b"{\"issue\": \"text\"}").assert_status(400);
    assert!(
        response.errors()[0].contains("issue must be an object"),
        "{response:?}"
    );
    post_issue(&alice, "", b"{}").assert_status(406);
    for body in ["", "null", "[]", "7", "{}", "{\"issue\":null}"] {
        assert_eq!(
            post_issue(&alice, "application/json", body.as_bytes())
                .assert_status(422)
                .errors()[0],
            "Subject cannot be blank",
            "{body}"
        );
    }
    post_issue(&alice, "text/plain", b"whatever").assert_status(422);
}

#[test]
fn body_over_the_limit_is_rejected() {
    let world = World::new();
    let response = world
        .as_user("alice")
        .send(
            Method::POST,
            "/issues.json",
            Some("application/json"),
            vec![b' '; 1024 * 1024 + 1],
        )
        .assert_status(413);
    assert!(
        response.errors()[0].contains("1048576 bytes"),
        "{response:?}"
    );
}

#[test]
fn malformed_query_strings_are_rejected() {
    let world = World::new();
    let alice = world.as_user("alice");
    alice.get("/search.json?q=%ff").assert_status(400);
    alice.get("/search.json?q=%zz").assert_status(400);
    alice.get("/issues.json?a=1&a[b]=2").assert_status(400);
    alice
        .get(&format!("/search.json?q={}", "x".repeat(57 * 1024)))
        .assert_status(400);
    let many: String = (0..2000).map(|n| format!("&p{n}=1")).collect();
    alice
        .get(&format!("/issues.json?a=1{many}"))
        .assert_status(400);
    alice.get("/issues/%ff.json").assert_status(400);
}

#[test]
fn health_endpoints_need_no_credentials() {
    let world = World::new();
    assert_eq!(
        world.anonymous().get("/healthz").assert_status(200).body,
        "ok\n"
    );
    world.project("one").create();
    assert!(world.app.search.wait_until(
        world.app.store.last_change(),
        std::time::Duration::from_secs(10)
    ));
    world
        .anonymous()
        .get("/readyz")
        .assert_status(200)
        .assert_json_path("/index", "ok");
}

#[test]
fn unchanged_response_returns_304() {
    let world = World::new();
    world.project("one").create();
    let alice = world.as_user("alice");
    let tag = alice
        .get("/projects/one.json")
        .assert_status(200)
        .header("etag")
        .to_owned();
    alice
        .with("If-None-Match", &tag)
        .get("/projects/one.json")
        .assert_status(304);
}

fn error_responses(
    world: &World,
    admin: &Client<'_>,
    bob: &Client<'_>,
    suffix: &str,
) -> [(u16, Response); 9] {
    let stale = json!({"wiki_page": {"text": "b", "version": 9}});
    [
        (401, world.anonymous().get(&format!("/issues.{suffix}"))),
        (
            401,
            world
                .anonymous()
                .with("X-Redmine-API-Key", "unknown")
                .get(&format!("/users/current.{suffix}")),
        ),
        (403, bob.get(&format!("/projects/secret.{suffix}"))),
        (404, bob.get(&format!("/issues/99.{suffix}"))),
        (
            406,
            bob.send(
                Method::POST,
                &format!("/uploads.{suffix}"),
                Some("text/plain"),
                b"x".to_vec(),
            ),
        ),
        (
            409,
            bob.put(&format!("/projects/open/wiki/Start.{suffix}"), stale),
        ),
        (
            412,
            admin
                .clone()
                .with("X-Redmine-Switch-User", "nobody")
                .get(&format!("/issues.{suffix}")),
        ),
        (422, admin.delete(&format!("/users/1.{suffix}"))),
        (422, admin.delete(&format!("/versions/1.{suffix}"))),
    ]
}

#[test]
fn errors_without_a_body_in_redmine_have_none_with_the_compatibility_switch() {
    let world = World::with_projects();
    let version = json!({"version": {"name": "1.0"}});
    world
        .as_user("alice")
        .post("/projects/open/versions.json", version)
        .assert_status(201);
    world.issue("open").field("fixed_version_id", 1).create();
    world
        .as_user("alice")
        .put(
            "/projects/open/wiki/Start.json",
            json!({"wiki_page": {"text": "a"}}),
        )
        .assert_status(201);
    let admin = world.as_user("admin");
    let bob = world.as_user("bob");
    for suffix in ["json", "xml"] {
        for (status, response) in error_responses(&world, &admin, &bob, suffix) {
            assert_eq!(response.assert_status(status).errors().len(), 1, "{status}");
        }
    }
    world.set(
        quarry::domain::administration::setting::Setting::RedmineCompatibility,
        "1",
    );
    for suffix in ["json", "xml"] {
        for (status, response) in error_responses(&world, &admin, &bob, suffix) {
            let response = response.assert_status(status);
            assert_eq!(
                (response.body.as_str(), response.content_type()),
                ("", ""),
                "{status} {suffix}"
            );
        }
    }
    assert!(
        world
            .anonymous()
            .get("/issues.json")
            .header("www-authenticate")
            .starts_with("Basic ")
    );
    // Errors of Redmine with a body keep it, and so do those of pages.
    assert_eq!(
        bob.get("/nowhere.json").assert_status(404).errors().len(),
        1
    );
    assert_eq!(bob.get("/issues.yaml").assert_status(406).errors().len(), 1);
    assert_eq!(
        bob.post("/issues.json", "{")
            .assert_status(400)
            .errors()
            .len(),
        1
    );
    assert_eq!(
        bob.post("/issues.json", json!({"issue": {"project_id": 1}}))
            .assert_status(422)
            .errors()
            .len(),
        1
    );
    assert!(
        !quarry_world::browser::Browser::logged_in(&world, "bob")
            .get("/issues/99")
            .assert_status(404)
            .body
            .is_empty()
    );
}

fn delete_membership(world: &World, inherited: &Value) -> Response {
    world
        .as_user("alice")
        .delete(&format!("/memberships/{inherited}.json"))
        .assert_status(422)
}

#[test]
fn inherited_membership_cannot_be_deleted_and_says_why_unless_the_compatibility_switch_is_on() {
    let world = World::with_projects();
    world
        .as_user("admin")
        .post(
            "/groups.json",
            json!({"group": {"name": "Quality", "user_ids": [5]}}),
        )
        .assert_status(201);
    let membership = json!({"membership": {"user_id": 7, "role_ids": [4]}});
    world
        .as_user("alice")
        .post("/projects/open/memberships.json", membership)
        .assert_status(201);
    let list = world
        .as_user("alice")
        .get("/projects/open/memberships.json")
        .assert_status(200);
    let inherited = list
        .array("/memberships")
        .iter()
        .find(|item| item["user"]["id"] == 5)
        .unwrap()["id"]
        .clone();
    assert_eq!(delete_membership(&world, &inherited).errors().len(), 1);
    world.set(
        quarry::domain::administration::setting::Setting::RedmineCompatibility,
        "1",
    );
    assert_eq!(delete_membership(&world, &inherited).body, "");
}

#[test]
fn missing_records_that_a_body_names_are_404_with_the_body_of_the_framework() {
    let world = World::with_projects();
    world.set(Setting::RedmineCompatibility, "1");
    let project = json!({"project": {"name": "T", "identifier": "tt-1", "tracker_ids": [99]}});
    let issue =
        json!({"issue": {"project_id": 1, "subject": "watch", "watcher_user_ids": [2, 99]}});
    for response in [
        world.as_user("admin").post("/projects.json", project),
        world.as_user("alice").post("/issues.json", issue),
        world.as_user("alice").get("/projects.json?query_id=99"),
    ] {
        response
            .assert_status(404)
            .assert_json_path("/error", "Not Found");
    }
}
