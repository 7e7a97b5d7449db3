//! `PUT /attachments/:id`, `PATCH /attachments/:id`

use super::{file, upload, world};
use axum::http::Method;
use quarry::domain::kind::Kind;

#[test]
fn a_file_is_described_anew() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let (alice, address) = (world.as_user("alice"), format!("/attachments/{id}.json"));
    let shown = alice.put(&address, "{\"attachment\":{\"filename\":\"zeppelin.bin\",\"description\":\"new\"}}").expect(200).json();
    assert_eq!((&shown["attachment"]["filename"], &shown["attachment"]["description"]), (&"zeppelin.bin".into(), &"new".into()));
    assert_eq!(shown, alice.get(&address).expect(200).json());
    let found = || alice.get("/search.json?attachments=1&q=zeppelin").expect(200).json()["total_count"].clone();
    assert_eq!(found(), 1);
    let body = b"<attachment><filename>\"q\"/b.txt</filename><description></description></attachment>".to_vec();
    let answer = alice.send(Method::PATCH, &format!("/attachments/{id}.xml"), Some("application/xml"), body).expect(200);
    assert!(answer.body.contains("<filename>b.txt</filename>") && answer.body.contains("<description></description>"), "{answer:?}");
    assert_eq!(found(), 0);
    let shown =
        alice.put(&address, "{\"attachment\":{\"content_type\":\"text/x\",\"id\":9,\"filesize\":9,\"author_id\":1}}").expect(200).json();
    let shown = &shown["attachment"];
    assert_eq!((&shown["id"], &shown["filesize"], &shown["author"]["id"]), (&id.into(), &1.into(), &3.into()));
    assert_eq!(shown["content_type"], "text/x");
    let issue = alice.get("/issues/1.json").expect(200).json();
    assert_eq!(issue["issue"]["updated_on"], issue["issue"]["created_on"]);
}

#[test]
fn what_cannot_be_is_named() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let (alice, address) = (world.as_user("alice"), format!("/attachments/{id}.json"));
    let long = format!("{{\"attachment\":{{\"filename\":\"\",\"description\":\"{}\"}}}}", "x".repeat(256));
    let wanted = ["File cannot be blank", "Description is too long (maximum is 255 characters)"];
    assert_eq!(alice.put(&address, &long).expect(422).errors(), wanted);
    for body in ["{\"attachment\":{\"filename\":null}}", "{\"attachment\":{\"filename\":\"a/\"}}", "{\"attachment\":{\"filename\":[1]}}"] {
        assert_eq!(alice.put(&address, body).expect(422).errors().len(), 1, "{body}");
    }
    let _ = alice.put(&address, "{\"attachment\":{\"content_type\":\"a\\nb\"}}").expect(422);
    let _ = alice.put(&address, "{\"attachment\":{\"description\":\"a\\u0000\"}}").expect(422);
    for body in ["{\"attachment\":\"x\"}", "{\"attachment\":[1]}", "{", "\u{0}"] {
        let _ = alice.put(&address, body).expect(400);
    }
    for body in ["", "{}", "{\"attachment\":null}", "{\"attachment\":{}}", "{\"other\":1}"] {
        let _ = alice.put(&address, body).expect(200);
    }
    assert_eq!(alice.get(&address).expect(200).json()["attachment"]["filename"], "a.txt");
    let _ = alice.put("/attachments/99.json", "{\"attachment\":{\"filename\":\"b\"}}").expect(404);
}

#[test]
fn who_may_edit_the_record_may_edit_its_files() {
    let world = world();
    let issue = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let secret = file(&world, "alice", Kind::Issue, 2, "a.txt", "x");
    let released = file(&world, "alice", Kind::Project, 1, "a.txt", "x");
    let body = "{\"attachment\":{\"description\":\"mine\"}}";
    let put = |login: &str, id: i64| world.as_user(login).put(&format!("/attachments/{id}.json"), body).status;
    assert_eq!(["admin", "alice", "bob", "carol", "dave"].map(|login| put(login, issue)), [200, 200, 200, 403, 403]);
    assert_eq!(["admin", "alice", "bob", "carol", "dave"].map(|login| put(login, secret)), [200, 200, 403, 403, 403]);
    assert_eq!(["admin", "alice", "bob", "carol", "dave"].map(|login| put(login, released)), [200, 200, 200, 403, 403]);
    upload(&world, "carol", "a.txt", "x");
    assert_eq!(["carol", "admin", "alice"].map(|login| put(login, released + 1)), [200, 200, 403]);
    let _ = world.anonymous().put(&format!("/attachments/{issue}.json"), body).expect(401);
}
