//! Formats, bodies that do not fit, and addresses that lead nowhere (contract 1).

use crate::world::{MANAGER, World};
use axum::http::Method;

#[test]
fn the_suffix_or_accept_says_the_format() {
    let world = World::new();
    let alice = world.as_user("alice");
    assert_eq!(alice.get("/users/current.xml").expect(200).content_type, "application/xml; charset=utf-8");
    assert!(alice.clone().with("Accept", "application/json").get("/users/current").expect(200).json()["user"].is_object());
    assert_eq!(
        alice.clone().with("Accept", "application/xml").get("/users/current").expect(200).content_type,
        "application/xml; charset=utf-8"
    );
    for path in ["/users/current.yaml", "/issues.jsonx", "/search.html"] {
        let answer = alice.get(path).expect(406);
        assert!(answer.errors()[0].contains(".json"), "{answer:?}");
    }
}

#[test]
fn errors_come_in_the_format_that_was_asked_for() {
    let world = World::new();
    let alice = world.as_user("alice");
    for path in ["/issues/999.json", "/issues/999.xml", "/nowhere.json", "/nowhere.xml", "/projects/nothing.json"] {
        assert_eq!(alice.get(path).expect(404).errors().len(), 1, "{path}");
    }
    for (path, reason) in [("/issues/999", "404 Not Found"), ("/nowhere", "404 Not Found"), ("/issues?a=1&a[b]=2", "400 Bad Request")] {
        let (path, query) = path.split_once('?').map_or((path, String::new()), |(path, query)| (path, format!("?{query}")));
        let (status, phrase) = reason.split_once(' ').unwrap();
        let xml = alice.get(&format!("{path}.xml{query}")).expect(status.parse().unwrap());
        let said = format!("<hash><status type=\"integer\">{status}</status><error>{phrase}</error><errors type=\"array\"><error>");
        assert!(xml.body.contains(&said), "{xml:?}");
        let json = alice.get(&format!("{path}.json{query}"));
        assert_eq!((json.json()["status"].to_string(), json.json()["error"].as_str().unwrap()), (status.to_owned(), phrase));
        assert_eq!(xml.errors(), json.errors());
    }
    let _ = alice.send(Method::POST, "/issues/1.json", None, Vec::new()).expect(404);
    assert_eq!(world.anonymous().get("/issues.xml").expect(401).errors().len(), 1);
}

#[test]
fn the_routes_of_pages_are_no_addresses() {
    let world = World::new();
    world.project("one", true, &[("alice", MANAGER)]);
    let issue = world.issue("one", "");
    let alice = world.as_user("alice");
    for path in ["/-pages/search", "/-pages", &format!("/-pages/issues/{issue}"), "/-pages/-pages/search", "/-pages/"] {
        for path in [format!("{path}.json"), format!("{path}.xml?q=a"), path.to_owned()] {
            let _ = alice.get(&path).expect(404);
            let _ = alice.clone().with("Accept", "application/json").get(&path).expect(404);
        }
    }
}

#[test]
fn a_number_in_an_address_has_no_sign() {
    let world = World::new();
    world.project("one", true, &[("alice", MANAGER)]);
    let issue = world.issue("one", "");
    let alice = world.as_user("alice");
    let body = r#"{"time_entry":{"project_id":"one","activity_id":8,"hours":1}}"#;
    let entry = alice.post("/time_entries.json", body).expect(201).json()["time_entry"]["id"].clone();
    for (before, number) in [("/issues/", issue.to_string()), ("/projects/", "1".to_owned()), ("/time_entries/", entry.to_string())] {
        let _ = alice.get(&format!("{before}{number}.json")).expect(200);
        for sign in ["+", "%2B", "-", "%20"] {
            let _ = alice.get(&format!("{before}{sign}{number}.json")).expect(404);
        }
    }
    assert_eq!(alice.get("/issues.json?project_id=%2B1").status, 404);
}

#[test]
fn bodies_that_cannot_be_read_are_named_with_their_position() {
    let world = World::new();
    world.project("one", true, &[("alice", MANAGER)]);
    let alice = world.as_user("alice");
    let post = |content_type: &str, body: &[u8]| alice.send(Method::POST, "/issues.json", Some(content_type), body.to_vec());
    for (content_type, body) in [
        ("application/json", &b"{\"issue\": {\"subject\": }"[..]),
        ("application/json", b"{\"issue\": \"\xff\"}"),
        ("application/xml", b"<issue><subject>x</issue>"),
        ("application/xml", b"<!DOCTYPE a [<!ENTITY b \"c\">]><issue><subject>&b;</subject></issue>"),
        ("application/x-www-form-urlencoded", b"issue[subject]=%ff"),
    ] {
        let answer = post(content_type, body).expect(400);
        assert_eq!(answer.errors().len(), 1, "{answer:?}");
        assert_eq!(answer.json()["status"], 400);
    }
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let _ = post("application/json", deep.as_bytes()).expect(400);
    let answer = post("application/json", b"{\"issue\": \"text\"}").expect(400);
    assert!(answer.errors()[0].contains("issue must be an object"), "{answer:?}");
    let _ = post("", b"{}").expect(406);
    for body in ["", "null", "[]", "7", "{}", "{\"issue\":null}"] {
        assert_eq!(post("application/json", body.as_bytes()).expect(422).errors()[0], "Subject cannot be blank", "{body}");
    }
    let _ = post("text/plain", b"whatever").expect(422);
}

#[test]
fn a_body_over_the_limit_is_refused() {
    let world = World::new();
    let answer =
        world.as_user("alice").send(Method::POST, "/issues.json", Some("application/json"), vec![b' '; 1024 * 1024 + 1]).expect(413);
    assert!(answer.errors()[0].contains("1048576 bytes"), "{answer:?}");
}

#[test]
fn query_strings_that_cannot_be_read_are_refused() {
    let world = World::new();
    let alice = world.as_user("alice");
    let _ = alice.get("/search.json?q=%ff").expect(400);
    let _ = alice.get("/search.json?q=%zz").expect(400);
    let _ = alice.get("/issues.json?a=1&a[b]=2").expect(400);
    let _ = alice.get(&format!("/search.json?q={}", "x".repeat(33 * 1024))).expect(400);
    let many: String = (0..2000).map(|n| format!("&p{n}=1")).collect();
    let _ = alice.get(&format!("/issues.json?a=1{many}")).expect(400);
    let _ = alice.get("/issues/%ff.json").expect(400);
}

#[test]
fn health_is_told_to_everybody() {
    let world = World::new();
    assert_eq!(world.anonymous().get("/healthz").expect(200).body, "ok\n");
    world.project("one", true, &[]);
    assert!(world.app.search.wait_until(world.app.store.last_change(), std::time::Duration::from_secs(10)));
    assert_eq!(world.anonymous().get("/readyz").expect(200).json()["index"], "ok");
}

#[test]
fn an_unchanged_answer_is_not_sent_twice() {
    let world = World::new();
    world.project("one", true, &[]);
    let alice = world.as_user("alice");
    let tag = alice.get("/projects/one.json").expect(200).tag;
    let _ = alice.with("If-None-Match", &tag).get("/projects/one.json").expect(304);
}
