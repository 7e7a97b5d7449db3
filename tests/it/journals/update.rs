//! `PUT /journals/:id` (contract 4.8)

use super::{journals, put, world};
use crate::world::{MANAGER, REPORTER};
use axum::http::Method;

#[test]
fn a_note_is_changed_and_found_at_once() {
    let world = world();
    let id = world.issue("open", "");
    put(&world, "alice", id, "\"notes\":\"zeppelin\"");
    let found = |word: &str| world.as_user("bob").get(&format!("/search.json?q={word}")).expect(200).json()["total_count"].clone();
    assert_eq!((found("zeppelin"), found("balloon")), (1.into(), 0.into()));
    let answer = world.as_user("alice").put("/journals/1.json", "{\"journal\":{\"notes\":\"balloon\"}}").expect(200).json();
    assert_eq!((answer["journal"]["notes"].as_str(), answer["journal"]["issue"]["id"].as_i64()), (Some("balloon"), Some(id)));
    assert_eq!((found("zeppelin"), found("balloon")), (0.into(), 1.into()));
    let xml = b"<journal><notes>airship</notes></journal>".to_vec();
    let answer = world.as_user("admin").send(Method::PATCH, "/journals/1.xml", Some("application/xml"), xml).expect(200);
    assert!(answer.body.contains("<journal id=\"1\"><user id=\"2\" name=\"alice Tester\"/><notes>airship</notes>"), "{answer:?}");
    let answer = world.as_user("alice").put("/journals/1.json", "{\"journal\":{\"private_notes\":true}}").expect(200).json();
    assert_eq!(answer["journal"]["private_notes"], true);
    assert_eq!((journals(&world, "carol", id).len(), journals(&world, "bob", id).len()), (0, 1));
}

#[test]
fn an_emptied_note_is_gone_unless_something_else_was_changed() {
    let world = world();
    let id = world.issue("open", "");
    put(&world, "alice", id, "\"notes\":\"only a note\"");
    put(&world, "alice", id, "\"notes\":\"and more\",\"subject\":\"Better\"");
    let empty = |journal: i64| world.as_user("alice").put(&format!("/journals/{journal}.json"), "{\"journal\":{\"notes\":\" \"}}");
    assert_eq!(empty(1).expect(204).body, "");
    let _ = empty(1).expect(404);
    assert_eq!(empty(2).expect(200).json()["journal"]["notes"], "");
    let left = journals(&world, "alice", id);
    assert_eq!((left.len(), left[0]["id"].as_i64()), (1, Some(2)));
    assert_eq!(world.as_user("alice").get("/search.json?q=note").expect(200).json()["total_count"], 0);
}

#[test]
fn what_says_nothing_changes_nothing() {
    let world = world();
    let id = world.issue("open", "");
    put(&world, "alice", id, "\"notes\":\"as it was\"");
    for body in
        ["{}", "{\"journal\":{}}", "{\"journal\":null}", "{\"journal\":{\"user_id\":1,\"issue_id\":7,\"created_on\":\"2000-01-01\"}}"]
    {
        let answer = world.as_user("alice").put("/journals/1.json", body).expect(200).json();
        assert_eq!((answer["journal"]["notes"].as_str(), answer["journal"]["user"]["id"].as_i64()), (Some("as it was"), Some(2)), "{body}");
    }
    let refused = world.as_user("alice").put("/journals/1.json", "{\"journal\":{\"notes\":[1]}}").expect(422);
    assert_eq!(refused.errors(), ["Notes is invalid (one value is expected, not a list)"]);
    let _ = world.as_user("alice").put("/journals/1.json", "{\"journal\":{\"notes\":\"a\\u0000b\"}}").expect(422);
    let _ = world.as_user("alice").put("/journals/1.json", "{\"journal\":1}").expect(400);
    let _ = world.as_user("alice").get("/journals/1.json").expect(404);
}

#[test]
fn rights_decide_and_what_is_hidden_is_not_there() {
    let world = world();
    let (id, hidden) = (world.issue("open", ""), world.issue("secret", ""));
    put(&world, "alice", id, "\"notes\":\"for all\"");
    put(&world, "alice", id, "\"notes\":\"for few\",\"private_notes\":true");
    put(&world, "alice", hidden, "\"notes\":\"elsewhere\"");
    let put =
        |login: &str, journal: i64| world.as_user(login).put(&format!("/journals/{journal}.json"), "{\"journal\":{\"notes\":\"mine\"}}");
    for login in ["bob", "carol", "dave"] {
        let _ = put(login, 1).expect(403);
        assert_eq!(put(login, 3).expect(404).body, put(login, 9999).expect(404).body);
    }
    let _ = put("bob", 2).expect(403);
    assert_eq!(put("carol", 2).expect(404).body, put("carol", 9999).expect(404).body);
    let body = "{\"journal\":{\"notes\":\"mine\"}}";
    let _ = world.anonymous().put("/journals/1.json", body).expect(401);
    for path in ["/journals/x.json", "/journals/0.json", "/journals/99999999999999999999.xml"] {
        let _ = world.as_user("alice").put(path, body).expect(404);
    }
    assert_eq!(journals(&world, "alice", id)[0]["notes"], "for all");
}

/// The change of a custom field that only managers see is all that the entry says.
#[test]
fn an_entry_of_which_nothing_is_shown_is_not_there() {
    let world = world();
    let id = world.issue("open", "");
    world.sql(&format!(
        "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, visible) VALUES (1, 'IssueCustomField', 'Hidden', 'string', 1, 0);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES (1, 1);
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (1, {});
         INSERT INTO role_permissions (role_id, name) VALUES ({}, 'edit_issue_notes');",
        MANAGER.0, REPORTER.0
    ));
    put(&world, "alice", id, r#""custom_fields":[{"id":1,"value":"hushed"}]"#);
    assert_eq!((journals(&world, "alice", id).len(), journals(&world, "carol", id).len()), (1, 0));
    let body = r#"{"journal":{"notes":"seen"}}"#;
    let answer = world.as_user("carol").put("/journals/1.json", body).expect(404);
    assert_eq!(answer.body, world.as_user("carol").put("/journals/9999.json", body).expect(404).body);
    let _ = world.as_user("alice").put("/journals/1.json", body).expect(200);
    // With the note, carol is shown the entry, and may change it.
    assert_eq!(world.as_user("carol").put("/journals/1.json", body).expect(200).json()["journal"]["notes"], "seen");
}
