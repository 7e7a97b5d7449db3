//! `PUT /projects/:project_id/wiki/:title`, again

use super::{found, page, put, world, write};
use crate::world::{REPORTER, World};
use quarry::domain::ids::ProjectId;
use quarry::domain::permission::{Permission, PermissionSet};
use quarry::domain::project::ProjectStatus;
use quarry::domain::role::Builtin;
use quarry::domain::setting::Setting;
use quarry::store::wiki::{self, NewPage, NewVersion};
use quarry::store::{projects, roles};
use serde_json::json;

#[test]
fn a_new_text_is_a_new_version() {
    let world = world();
    write(&world, "open/wiki/Wiki", "obsolete zeppelin");
    let answer = put(&world, "bob", "open/wiki/wiki", json!({"text": "modern rocket", "comments": "", "version": 1})).expect(200);
    let wanted = json!({"wiki_page": {"title": "Wiki", "text": "modern rocket", "version": 2, "author": {"id": 3, "name": "bob Tester"},
                        "comments": "", "created_on": "2026-11-20T12:00:00Z", "updated_on": "2026-11-20T12:00:00Z"}});
    assert_eq!((answer.json(), answer.location.as_str()), (wanted.clone(), ""));
    assert_eq!(page(&world, "open/wiki/Wiki"), wanted["wiki_page"]);
    assert_eq!((found(&world, "zeppelin").len(), found(&world, "rocket")), (0, vec!["Wiki: Wiki".to_owned()]));
}

#[test]
fn the_same_text_makes_no_version() {
    let world = world();
    write(&world, "open/wiki/Wiki", "text");
    for fields in
        [json!({"text": "text"}), json!({"text": "text", "comments": "why", "version": 99}), json!({"text": "text", "version": "abc"})]
    {
        let answer = put(&world, "bob", "open/wiki/Wiki", fields).expect(200).json();
        assert_eq!((answer["wiki_page"]["version"].as_i64(), answer["wiki_page"]["author"]["id"].as_i64()), (Some(1), Some(2)));
        assert!(answer["wiki_page"]["comments"].is_null());
    }
}

#[test]
fn who_saw_another_version_is_told_which_one_there_is() {
    let world = world();
    write(&world, "open/wiki/Wiki", "one");
    let _ = put(&world, "alice", "open/wiki/Wiki", json!({"text": "two", "version": 1})).expect(200);
    for version in [json!(1), json!(0), json!(3), json!(-1), json!("abc"), json!(2.5), json!("99999999999999999999"), json!(true)] {
        let answer = put(&world, "bob", "open/wiki/Wiki", json!({"text": "three", "version": version})).expect(409);
        let sentence = "The page was changed since the version that you saw: it is in version 2 now; read it again and send your text with its version";
        assert_eq!(answer.errors(), [sentence]);
    }
    let xml = b"<wiki_page><text>three</text><version>1</version></wiki_page>".to_vec();
    let answer =
        world.as_user("bob").send(axum::http::Method::PUT, "/projects/open/wiki/Wiki.xml", Some("application/xml"), xml).expect(409);
    assert_eq!(answer.errors().len(), 1);
    assert_eq!(page(&world, "open/wiki/Wiki")["text"], "two");
    for (version, text) in [(json!(null), "three"), (json!(""), "four"), (json!("4"), "five")] {
        let _ = put(&world, "bob", "open/wiki/Wiki", json!({"text": text, "version": version})).expect(200);
    }
    assert_eq!(page(&world, "open/wiki/Wiki")["version"], 5);
}

#[test]
fn a_text_is_demanded() {
    let world = world();
    write(&world, "open/wiki/Wiki", "text");
    for fields in [json!({}), json!({"text": ""}), json!({"text": null}), json!({"comments": "c"}), json!({"parent_title": "Wiki"})] {
        let errors = put(&world, "alice", "open/wiki/Wiki", fields).expect(422).errors();
        assert_eq!(errors[0], "Text field cannot be blank");
    }
    let errors = put(&world, "alice", "open/wiki/Wiki", json!({"text": "t", "comments": "c".repeat(1025)})).expect(422).errors();
    assert_eq!(errors, ["Comment is too long (maximum is 1024 characters)"]);
    assert_eq!(page(&world, "open/wiki/Wiki")["version"], 1);
}

#[test]
fn a_page_stands_below_another_one() {
    let world = world();
    for title in ["Root", "Kid", "Grand_kid", "Other"] {
        write(&world, &format!("open/wiki/{title}"), "text");
    }
    write(&world, "secret/wiki/Hidden", "text");
    let place = |title: &str, parent: serde_json::Value| {
        put(&world, "bob", &format!("open/wiki/{title}"), json!({"text": "text", "parent_title": parent}))
    };
    assert_eq!(place("Kid", json!("root")).expect(200).json()["wiki_page"]["parent"], json!({"title": "Root"}));
    let _ = place("Grand_kid", json!("kid")).expect(200);
    for (title, parent) in [("Root", "Grand kid"), ("Root", "Root"), ("Kid", "Grand_kid")] {
        assert_eq!(place(title, json!(parent)).expect(422).errors(), ["Parent title is invalid (a page cannot stand below itself)"]);
    }
    for parent in [json!("Nope"), json!("Hidden"), json!(":")] {
        assert_eq!(place("Kid", parent).expect(422).errors(), ["Parent title is invalid (this wiki has no such page)"]);
    }
    assert_eq!(place("Kid", json!({"a": 1})).expect(422).errors(), ["Parent title is invalid (one value is expected, not an object)"]);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Root");
    // What is not mentioned stays; nothing clears it.
    let _ = put(&world, "bob", "open/wiki/Kid", json!({"text": "text two"})).expect(200);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Root");
    assert_eq!(place("Kid", json!("")).expect(200).json()["wiki_page"].get("parent"), None);
    assert_eq!(place("Grand_kid", json!(null)).expect(200).json()["wiki_page"].get("parent"), None);
}

fn protected(world: &World) {
    world.write(|db| {
        let wiki = wiki::of_project(db, ProjectId(1))?.unwrap().id;
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let version = NewVersion { version: 1, author: None, comments: None, updated_on: now, text: "law" };
        wiki::insert_page(db, &NewPage { wiki, title: "Law", parent: None, protected: true, created_on: now, versions: &[version] })
    });
}

#[test]
fn rights_decide() {
    let world = world();
    write(&world, "open/wiki/Wiki", "text");
    write(&world, "secret/wiki/Hidden", "text");
    protected(&world);
    let body = r#"{"wiki_page":{"text":"mine"}}"#;
    for (login, path, status) in [
        ("carol", "open/wiki/Wiki.json", 403),
        ("dave", "open/wiki/Wiki.xml", 403),
        ("dave", "secret/wiki/Hidden.json", 403),
        ("bob", "secret/wiki/Hidden.json", 403),
        ("bob", "open/wiki/Law.json", 403),
        ("alice", "open/wiki/Law.json", 200),
        ("bob", "open/wiki/Wiki.json", 200),
    ] {
        let _ = world.as_user(login).put(&format!("/projects/{path}"), body).expect(status);
    }
    let _ = world.anonymous().put("/projects/open/wiki/Wiki.json", body).expect(401);
    world.write(|db| projects::set_status(db, ProjectId(1), ProjectStatus::Closed));
    let _ = world.as_user("alice").put("/projects/open/wiki/Wiki.json", r#"{"wiki_page":{"text":"too late"}}"#).expect(403);
    assert_eq!(page(&world, "open/wiki/Wiki")["text"], "mine");
}

#[test]
fn who_may_write_without_reading_learns_only_that_it_is_done() {
    let world = world();
    write(&world, "open/wiki/Wiki", "a secret");
    world.write(|db| roles::set_permissions(db, REPORTER, PermissionSet::NONE.with(Permission::EditWikiPages)));
    let answer = put(&world, "carol", "open/wiki/Wiki", json!({"text": "a report", "version": 9})).expect(409);
    assert!(!answer.body.contains("version 1"), "{answer:?}");
    let answer = put(&world, "carol", "open/wiki/Wiki", json!({"text": "a secret"})).expect(200);
    assert_eq!(answer.body, "");
    let answer = put(&world, "carol", "open/wiki/New", json!({"text": "a report"})).expect(201);
    assert_eq!((answer.body.as_str(), answer.location.as_str()), ("", "/projects/open/wiki/New"));
}

#[test]
fn somebody_who_is_not_logged_in_may_be_allowed_to_write() {
    let world = world();
    world.set(Setting::LoginRequired, "0");
    world.write(|db| {
        let allowed = [Permission::ViewWikiPages, Permission::EditWikiPages];
        let role = db.catalogue().builtin_role(Builtin::Anonymous).unwrap().id;
        roles::set_permissions(db, role, allowed.into_iter().collect())
    });
    let body = r#"{"wiki_page":{"text":"by nobody known"}}"#;
    let made = world.anonymous().put("/projects/open/wiki/Wiki.json", body).expect(201).json();
    assert_eq!((made["wiki_page"]["text"].as_str(), made["wiki_page"].get("author")), (Some("by nobody known"), None));
    let xml = world.anonymous().get("/projects/open/wiki/Wiki.xml").expect(200).body;
    assert!(xml.contains("<version>1</version><comments/>"), "{xml}");
}

#[test]
fn to_the_letter_a_change_answers_204_and_a_new_page_201() {
    let world = world();
    world.set(Setting::RedmineCompatibility, "1");
    assert_eq!(put(&world, "alice", "open/wiki/Wiki", json!({"text": "one"})).expect(201).json()["wiki_page"]["text"], "one");
    assert_eq!(put(&world, "alice", "open/wiki/Wiki", json!({"text": "two"})).expect(204).body, "");
    assert_eq!(world.as_user("alice").delete("/projects/open/wiki/Wiki.json").expect(204).body, "");
}
