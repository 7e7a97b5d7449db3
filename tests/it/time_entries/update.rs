//! `PUT /time_entries/:id`

use super::{ids, logged, put, show, world};
use crate::world::{DEVELOPER, MANAGER, World};
use axum::http::Method;
use serde_json::json;

fn own(world: &World) {
    world.sql(&format!("INSERT INTO role_permissions (role_id, name) VALUES ({DEVELOPER}, 'edit_own_time_entries')"));
}

#[test]
fn an_entry_is_changed_and_answered_whole() {
    let world = world();
    let issue = world.issue("open", "");
    logged(&world, "bob", &format!("\"issue_id\":{issue},\"hours\":1,\"comments\":\"a\""));
    let changed =
        put(&world, "alice", 1, "\"hours\":\"2:15\",\"comments\":\"b\",\"spent_on\":\"2026-01-31\",\"activity_id\":9").expect(200);
    let entry = changed.json()["time_entry"].clone();
    assert_eq!((&entry["hours"], &entry["comments"], &entry["spent_on"]), (&json!(2.25), &json!("b"), &json!("2026-01-31")));
    assert_eq!(
        (&entry["activity"]["name"], &entry["user"]["id"], &entry["issue"]["id"]),
        (&json!("Development"), &json!(3), &json!(issue))
    );
    assert_eq!(show(&world, 1), entry);
    let body = b"<time_entry><comments/></time_entry>".to_vec();
    let xml = world.as_user("alice").send(Method::PATCH, "/time_entries/1.xml", Some("application/xml"), body).expect(200).body;
    assert!(xml.contains("<hours>2.25</hours><comments/>"), "{xml}");
    assert_eq!(put(&world, "alice", 1, "\"id\":9,\"author_id\":2,\"created_on\":\"2001-01-01\"").expect(200).json()["time_entry"]["id"], 1);
    assert_eq!(ids(&world, "alice", "author_id=3"), [1]);
}

#[test]
fn it_takes_the_permission_to_edit_all_or_own() {
    let world = world();
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    logged(&world, "alice", "\"project_id\":1,\"hours\":1");
    logged(&world, "alice", "\"project_id\":2,\"hours\":1");
    for login in ["bob", "carol", "dave"] {
        let _ = put(&world, login, 1, "\"hours\":2").expect(403);
        let _ = put(&world, login, 3, "\"hours\":2").expect(403);
    }
    let _ = world.anonymous().put("/time_entries/1.json", "{}").expect(401);
    own(&world);
    let _ = put(&world, "bob", 1, "\"hours\":2").expect(200);
    let _ = put(&world, "bob", 2, "\"hours\":2").expect(403);
    let _ = put(&world, "alice", 99, "\"hours\":2").expect(404);
    let _ = put(&world, "bob", 99, "\"hours\":2").expect(404);
    let _ = world.as_user("alice").put("/time_entries/x.json", "{}").expect(404);
    // Whoever sees only own time edits only own time.
    world.sql(&format!("UPDATE roles SET time_entries_visibility = 'own' WHERE id = {MANAGER}"));
    let _ = put(&world, "alice", 1, "\"hours\":3").expect(403);
    let _ = put(&world, "alice", 2, "\"hours\":3").expect(200);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    let _ = put(&world, "bob", 1, "\"hours\":3").expect(403);
    let _ = put(&world, "admin", 1, "\"hours\":3").expect(403);
    assert_eq!((show(&world, 2)["hours"].clone(), show(&world, 3)["hours"].clone()), (json!(3.0), json!(1.0)));
}

#[test]
fn an_entry_moves_with_its_issue_or_to_a_project() {
    let world = world();
    let (open, secret) = (world.issue("open", ""), world.issue("secret", ""));
    let place = |id: i64| (show(&world, id)["project"]["id"].clone(), show(&world, id).get("issue").map(|issue| issue["id"].clone()));
    logged(&world, "alice", &format!("\"issue_id\":{open},\"hours\":1"));
    assert_eq!(put(&world, "alice", 1, "\"project_id\":2").expect(422).errors(), ["Issue is invalid"]);
    assert_eq!(put(&world, "alice", 1, "\"project_id\":99").expect(422).errors(), ["Project is invalid"]);
    assert_eq!(put(&world, "alice", 1, "\"issue_id\":99").expect(422).errors(), ["Issue is invalid"]);
    assert_eq!(put(&world, "alice", 1, &format!("\"project_id\":1,\"issue_id\":{secret}")).expect(422).errors(), ["Issue is invalid"]);
    let _ = put(&world, "alice", 1, &format!("\"issue_id\":{secret}")).expect(200);
    assert_eq!(place(1), (json!(2), Some(json!(secret))));
    let _ = put(&world, "alice", 1, "\"issue_id\":\"\"").expect(200);
    assert_eq!(place(1), (json!(2), None));
    let _ = put(&world, "alice", 1, "\"project_id\":\"open\"").expect(200);
    assert_eq!(place(1), (json!(1), None));
    let _ = put(&world, "alice", 1, &format!("\"project_id\":\"secret\",\"issue_id\":{secret}")).expect(200);
    assert_eq!(place(1), (json!(2), Some(json!(secret))));
    let _ = put(&world, "alice", 1, "\"project_id\":1,\"issue_id\":null").expect(200);
    assert_eq!(place(1), (json!(1), None));
}

#[test]
fn nobody_moves_time_to_where_none_can_be_logged() {
    let world = world();
    let secret = world.issue("secret", "");
    own(&world);
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    // The private project is there, the other is not: the answers are the same.
    for project in ["2", "\"secret\"", "99", "\"nowhere\""] {
        assert_eq!(put(&world, "bob", 1, &format!("\"project_id\":{project}")).expect(422).errors(), ["Project is invalid"]);
    }
    for issue in [secret, 99] {
        assert_eq!(put(&world, "bob", 1, &format!("\"issue_id\":{issue}")).expect(422).errors(), ["Issue is invalid"]);
    }
    let readable = world.project("readable", true, &[("alice", MANAGER)]);
    let issue = world.issue("readable", "");
    assert_eq!(put(&world, "bob", 1, &format!("\"project_id\":{readable}")).expect(422).errors(), ["Project is invalid"]);
    assert_eq!(put(&world, "bob", 1, &format!("\"issue_id\":{issue}")).expect(422).errors(), ["Issue is invalid"]);
}

#[test]
fn what_is_wrong_is_said_and_leaves_no_trace() {
    let world = world();
    logged(&world, "alice", "\"project_id\":1,\"hours\":1,\"comments\":\"a\"");
    let before = show(&world, 1);
    let cases: &[(&str, &[&str])] = &[
        ("\"hours\":\"\"", &["Hours cannot be blank"]),
        ("\"hours\":0", &["Hours is invalid"]),
        ("\"hours\":{}", &["Hours is invalid (one value is expected, not an object)"]),
        ("\"activity_id\":\"\"", &["Activity cannot be blank", "Activity is not included in the list"]),
        ("\"activity_id\":99", &["Activity is not included in the list"]),
        ("\"spent_on\":\"zz\"", &["Date cannot be blank", "Date is not a valid date"]),
        ("\"user_id\":99", &["User is invalid"]),
        ("\"hours\":2,\"comments\":\"a\\u0000b\"", &["Comment is invalid (it contains a NUL character)"]),
    ];
    for (fields, sentences) in cases {
        assert_eq!(put(&world, "alice", 1, fields).expect(422).errors(), *sentences, "{fields}");
    }
    let _ = world.as_user("alice").put("/time_entries/1.json", "{").expect(400);
    let _ = world.as_user("alice").put("/time_entries/1.json", "{\"time_entry\":1}").expect(400);
    for body in ["{}", "{\"time_entry\":{\"hours\":1.0,\"comments\":\"a\",\"nonsense\":1}}", "{\"time_entry\":null}", "[]"] {
        world.sql("UPDATE time_entries SET updated_on = 0");
        let entry = world.as_user("alice").put("/time_entries/1.json", body).expect(200).json()["time_entry"].clone();
        assert_eq!(entry["updated_on"], "1970-01-01T00:00:00Z", "what changes nothing is no change: {body}");
    }
    let mut after = show(&world, 1);
    after["updated_on"] = before["updated_on"].clone();
    assert_eq!(after, before);
}
