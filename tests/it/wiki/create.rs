//! `PUT /projects/:project_id/wiki/:title`, the first time

use super::{found, page, put, titles, world, write};
use axum::http::Method;
use serde_json::json;

#[test]
fn the_first_put_makes_the_page_and_the_wiki() {
    let world = world();
    let answer = put(&world, "bob", "1/wiki/launch%20pad", json!({"text": "a\nb zeppelin", "comments": "first"})).expect(201);
    assert_eq!(answer.location, "/projects/open/wiki/Launch_pad");
    let body = "{\"wiki_page\":{\"title\":\"Launch_pad\",\"text\":\"a\\nb zeppelin\",\"version\":1,\"author\":{\"id\":3,\"name\":\"bob Tester\"},\
                \"comments\":\"first\",\"created_on\":\"2026-11-20T12:00:00Z\",\"updated_on\":\"2026-11-20T12:00:00Z\"}}";
    assert_eq!(answer.body, body);
    assert_eq!(found(&world, "zeppelin"), ["Wiki: Launch_pad"]);
    let answer = put(&world, "alice", "open/wiki/%C3%A4hre", json!({"text": "x"})).expect(201);
    assert_eq!(answer.location, "/projects/open/wiki/%C3%84hre");
}

#[test]
fn xml_and_forms_do_the_same() {
    let world = world();
    let alice = world.as_user("alice");
    let xml = b"<wiki_page><text>from xml</text><comments>c</comments></wiki_page>".to_vec();
    let answer = alice.send(Method::PUT, "/projects/open/wiki/Xml.xml", Some("application/xml"), xml).expect(201);
    assert!(answer.body.contains("<title>Xml</title><text>from xml</text><version>1</version>"), "{}", answer.body);
    let form = b"wiki_page[text]=from+a+form".to_vec();
    let answer = alice.send(Method::PATCH, "/projects/open/wiki/Form.json", Some("application/x-www-form-urlencoded"), form).expect(201);
    assert_eq!(answer.json()["wiki_page"]["text"], "from a form");
}

#[test]
fn what_is_missing_or_too_long_is_named() {
    let world = world();
    let errors = |title: &str, fields| put(&world, "alice", &format!("open/wiki/{title}"), fields).expect(422).errors();
    assert_eq!(errors("A", json!({})), ["Text cannot be blank"]);
    assert_eq!(errors("A", json!({"comments": "no text"})), ["Text cannot be blank"]);
    assert_eq!(errors("A", json!({"text": ""})), ["Text field cannot be blank"]);
    assert_eq!(errors("A", json!({"text": " \n"})), ["Text field cannot be blank"]);
    assert_eq!(errors("A", json!({"text": "a\u{0}b"})), ["Text is invalid (it contains a NUL character)"]);
    assert_eq!(errors("A", json!({"text": ["a"]})), ["Text is invalid (one value is expected, not a list)"]);
    assert_eq!(errors("A", json!({"text": "t", "comments": "ä".repeat(1025)})), ["Comment is too long (maximum is 1024 characters)"]);
    assert_eq!(errors(&"x".repeat(256), json!({"text": "t"})), ["Title is too long (maximum is 255 characters)"]);
    assert_eq!(errors("%3A", json!({"text": "t"})), ["Title cannot be blank"]);
    assert_eq!(errors("a%00b", json!({"text": "t"})), ["Title is invalid (it contains a control character)"]);
    assert_eq!(errors("A", json!({"text": "t", "parent_title": "Nope"})), ["Parent title is invalid (this wiki has no such page)"]);
    assert_eq!(errors("A", json!({"text": "t", "parent_title": "A"})), ["Parent title is invalid (this wiki has no such page)"]);
    assert_eq!(
        errors("%2C", json!({"comments": "c".repeat(1025), "parent_title": "Nope"})),
        [
            "Text cannot be blank",
            "Comment is too long (maximum is 1024 characters)",
            "Title cannot be blank",
            "Parent title is invalid (this wiki has no such page)"
        ]
    );
    let alice = world.as_user("alice");
    for body in ["{}", "[]", "7", r#"{"wiki_page":null}"#] {
        let _ = alice.put("/projects/open/wiki/A.json", body).expect(422);
    }
    for body in ["{", r#"{"wiki_page":"x"}"#, r#"{"wiki_page":["x"]}"#] {
        let _ = alice.put("/projects/open/wiki/A.json", body).expect(400);
    }
    assert_eq!(titles(&world), [""; 0]);
    // What just fits, and what is written as nothing.
    let title = "x".repeat(255);
    let fields = json!({"text": "t", "comments": "ä".repeat(1024), "version": null, "parent_title": "", "title": ""});
    let _ = put(&world, "alice", &format!("open/wiki/{title}"), fields).expect(201);
}

#[test]
fn a_title_with_a_dot_is_no_address() {
    let world = world();
    for path in ["dots.in.title.json", "dots%2Ein%2Etitle.json", "we%3Aird%2C%3Ftitle.dot.json"] {
        let _ = world.as_user("alice").put(&format!("/projects/open/wiki/{path}"), r#"{"wiki_page":{"text":"t"}}"#).expect(404);
    }
    let _ = world.as_user("alice").post("/projects/open/wiki/Posted.json", r#"{"wiki_page":{"text":"t"}}"#).expect(404);
    let _ = world.as_user("alice").put("/projects/open/wiki/Wiki/1.json", r#"{"wiki_page":{"text":"t"}}"#).expect(404);
    assert_eq!(titles(&world), [""; 0]);
    // Other signs are left out of the title.
    let answer = put(&world, "alice", "open/wiki/a%2Fb%7Cc", json!({"text": "t"})).expect(201);
    assert_eq!(answer.json()["wiki_page"]["title"], "Abc");
    let answer = put(&world, "alice", "open/wiki/index", json!({"text": "a page like others"})).expect(201);
    assert_eq!(answer.location, "/projects/open/wiki/Index");
    assert_eq!(page(&world, "open/wiki/Index")["text"], "a page like others");
}

#[test]
fn the_body_may_name_the_title() {
    let world = world();
    let answer = put(&world, "bob", "open/wiki/Ren", json!({"text": "t", "title": "named in the body"})).expect(201);
    assert_eq!(answer.location, "/projects/open/wiki/Named_in_the_body");
    let _ = world.as_user("dave").get("/projects/open/wiki/Ren.json").expect(404);
    let errors = put(&world, "bob", "open/wiki/Ren", json!({"text": "t", "title": "NAMED in the body"})).expect(422).errors();
    assert_eq!(errors, ["Title has already been taken"]);
}

#[test]
fn who_saw_a_version_of_what_is_not_there_is_told_so() {
    let world = world();
    for version in [json!(1), json!("7"), json!("abc"), json!(-1)] {
        let _ = put(&world, "alice", "open/wiki/Gone", json!({"text": "t", "version": version})).expect(409);
    }
    assert_eq!(titles(&world), [""; 0]);
    // Version 0 is that of a page that is not there yet: it is made once only.
    let _ = put(&world, "alice", "open/wiki/Gone", json!({"text": "mine", "version": 0})).expect(201);
    let _ = put(&world, "alice", "open/wiki/Gone", json!({"text": "yours", "version": 0})).expect(409);
    assert_eq!(
        (page(&world, "open/wiki/Gone")["version"].as_i64(), page(&world, "open/wiki/Gone")["text"].as_str()),
        (Some(1), Some("mine"))
    );
}

#[test]
fn what_may_not_be_set_is_passed_over() {
    let world = world();
    let fields = json!({"text": "t", "author": {"id": 1}, "author_id": 1, "id": 77, "created_on": "2000-01-01T00:00:00Z", "protected": true,
                        "updated_on": "2000-01-01T00:00:00Z", "parent_id": 1, "wiki_id": 9, "is_start_page": true});
    let answer = put(&world, "bob", "open/wiki/A", fields).expect(201).json();
    assert_eq!(answer["wiki_page"]["author"]["id"], 3);
    assert_eq!(answer["wiki_page"]["created_on"], "2026-11-20T12:00:00Z");
    let _ = put(&world, "bob", "open/wiki/A", json!({"text": "not protected"})).expect(200);
    let _ = world.as_user("bob").get("/projects/open/wiki.json").expect(404);
}

#[test]
fn rights_decide() {
    let world = world();
    let body = r#"{"wiki_page":{"text":"t"}}"#;
    for login in ["carol", "dave"] {
        let _ = world.as_user(login).put("/projects/open/wiki/A.json", body).expect(403);
        let _ = world.as_user(login).put("/projects/secret/wiki/A.xml", body).expect(403);
    }
    let _ = world.anonymous().put("/projects/open/wiki/A.json", body).expect(401);
    let _ = world.as_user("alice").put("/projects/missing/wiki/A.json", body).expect(404);
    // The page beside all others is protected from the beginning.
    let _ = put(&world, "bob", "open/wiki/sidebar", json!({"text": "s"})).expect(403);
    let _ = put(&world, "bob", "open/wiki/Side", json!({"text": "s", "title": "Sidebar"})).expect(403);
    write(&world, "open/wiki/Sidebar", "s");
    let _ = put(&world, "bob", "open/wiki/Sidebar", json!({"text": "s2"})).expect(403);
    assert_eq!(titles(&world), ["Sidebar"]);
}
