//! Visibility of journals and their details (compatibility 6.2)

use super::{journals, update};
use quarry::domain::ids::IssueId;
use quarry::domain::issues::journal::{Journal, JournalDetail};
use quarry::store::issues::journals as kept;
use quarry_world::{World, user};
use serde_json::{Value, json};

fn enter(world: &World, issue: i64, details: Vec<JournalDetail>) {
    let now = world.app.clock.now();
    world.write(move |db| {
        let user = user("alice");
        let journal = Journal {
            issue: IssueId(issue),
            user,
            notes: Some(String::new()),
            created_on: now,
            details,
            ..Journal::default()
        };
        kept::insert(db, &journal).map(drop)
    });
}

fn id_text(id: Option<i64>) -> Option<String> {
    id.map(|id| id.to_string())
}

fn detail(
    property: &'static str,
    name: &'static str,
    old: Option<i64>,
    new: Option<i64>,
) -> JournalDetail {
    JournalDetail {
        property: property.to_owned(),
        name: name.to_owned(),
        old_value: id_text(old),
        new_value: id_text(new),
    }
}

fn names(world: &World, login: &str, issue: i64) -> Vec<String> {
    let entries = journals(world, login, issue);
    let details = entries
        .iter()
        .flat_map(|entry| entry["details"].as_array().unwrap());
    details
        .map(|detail| detail["name"].as_str().unwrap().to_owned())
        .collect()
}

fn notes(world: &World, id: i64, login: &str) -> Vec<String> {
    journals(world, login, id)
        .iter()
        .map(|entry| entry["notes"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn private_notes_are_visible_to_permitted_users_and_their_author() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    update(
        &world,
        "alice",
        id,
        json!({"notes": "for all", "subject": "Better"}),
    );
    update(
        &world,
        "alice",
        id,
        json!({"notes": "for few", "private_notes": true}),
    );
    update(
        &world,
        "bob",
        id,
        json!({"notes": "by bob", "private_notes": true}),
    );
    assert_eq!(notes(&world, id, "alice"), ["for all", "for few", "by bob"]);
    assert_eq!(notes(&world, id, "bob"), ["for all", "for few", "by bob"]);
    for login in ["carol", "dave"] {
        assert_eq!(notes(&world, id, login), ["for all"], "{login}");
    }
    let first = &journals(&world, "carol", id)[0];
    assert_eq!(first["user"]["id"], 2);
    assert_eq!(first["private_notes"], false);
    assert_eq!(
        first["details"][0],
        json!({"property": "attr", "name": "subject", "old_value": "A thing", "new_value": "Better"})
    );
    let xml = world
        .as_user("carol")
        .get(&format!("/issues/{id}.xml?include=journals"))
        .assert_status(200)
        .body;
    let expected = "<journals type=\"array\"><journal id=\"1\"><user id=\"2\" name=\"alice Tester\"/><notes>for all</notes>\
                <created_on>2026-11-20T12:00:00Z</created_on><updated_on>2026-11-20T12:00:00Z</updated_on><private_notes>false</private_notes><details type=\"array\">\
                <detail property=\"attr\" name=\"subject\"><old_value>A thing</old_value><new_value>Better</new_value></detail></details></journal></journals>";
    assert!(xml.contains(expected), "{xml}");
}

#[test]
fn details_about_hidden_records_are_hidden() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let seen = world.issue("open").create();
    let hidden = world.issue("secret").create();
    let open = 1;
    let secret = 2;
    let gone = 9999;
    enter(
        &world,
        id,
        vec![
            detail("relation", "relates", None, Some(hidden)),
            detail("relation", "blocks", Some(seen), None),
        ],
    );
    enter(
        &world,
        id,
        vec![
            detail("attr", "parent_id", Some(hidden), Some(seen)),
            detail("attr", "child_id", None, Some(seen)),
        ],
    );
    enter(
        &world,
        id,
        vec![detail("attr", "project_id", Some(secret), Some(open))],
    );
    enter(
        &world,
        id,
        vec![
            detail("cf", "77", None, Some(5)),
            detail("relation", "precedes", None, Some(gone)),
        ],
    );
    assert_eq!(
        names(&world, "alice", id),
        ["relates", "blocks", "parent_id", "child_id", "project_id"]
    );
    assert_eq!(names(&world, "bob", id), ["blocks", "child_id"]);
    assert_eq!(
        journals(&world, "bob", id).len(),
        2,
        "empty journals are omitted"
    );
}

#[test]
fn custom_field_details_are_limited_to_the_roles_of_the_field() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, visible) VALUES \
         (1, 'IssueCustomField', 'Secret', 'string', 1, 0), (2, 'IssueCustomField', 'Build', 'string', 1, 1); \
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (1, 4);",
    );
    enter(
        &world,
        id,
        vec![
            detail("cf", "1", None, Some(5)),
            detail("cf", "2", None, Some(6)),
            detail("cf", "3", None, Some(7)),
        ],
    );
    enter(&world, id, vec![detail("cf", "1", Some(5), None)]);
    assert_eq!(names(&world, "bob", id), ["1", "2", "1"]);
    assert_eq!(names(&world, "admin", id), ["1", "2", "1"]);
    for login in ["alice", "carol", "dave"] {
        assert_eq!(
            (names(&world, login, id), journals(&world, login, id).len()),
            (vec!["2".to_owned()], 1),
            "{login}"
        );
    }
}

fn note_values(world: &World, id: i64, login: &str) -> Vec<Value> {
    journals(world, login, id)
        .iter()
        .map(|entry| entry["notes"].clone())
        .collect::<Vec<_>>()
}

#[test]
fn journal_order_follows_the_viewers_preference() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    for note in ["one", "two"] {
        update(&world, "alice", id, json!({"notes": note}));
    }
    assert_eq!(note_values(&world, id, "bob"), ["one", "two"]);
    world.sql(
        "UPDATE users SET preferences_json = '{\"comments_sorting\":\"desc\"}' WHERE login = 'bob'",
    );
    assert_eq!(note_values(&world, id, "bob"), ["two", "one"]);
    assert_eq!(note_values(&world, id, "carol"), ["one", "two"]);
}
