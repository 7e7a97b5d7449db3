//! `POST /time_entries`, `POST /projects/:id/time_entries`, `POST /issues/:id/time_entries`

use super::{field, log, logged, show, world};
use crate::world::{MANAGER, World};
use axum::http::Method;
use serde_json::json;

#[test]
fn time_is_logged_and_answered_whole() {
    let world = world();
    let issue = world.issue("open", "");
    let fields = format!("\"issue_id\":{issue},\"hours\":1.25,\"comments\":\"ä <b>\",\"spent_on\":\"2024-02-29\",\"activity_id\":9");
    let answer = log(&world, "bob", &fields).expect(201);
    assert_eq!(answer.location, "http://quarry.test/time_entries/1");
    let entry = r#"{"id":1,"project":{"id":1,"name":"open"},"issue":{"id":1},"user":{"id":3,"name":"bob Tester"},"activity":{"id":9,"name":"Development"},"hours":1.25,"comments":"ä \u003cb\u003e","spent_on":"2024-02-29","created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(answer.body, format!("{{\"time_entry\":{entry}}}"));
    assert_eq!(world.as_user("carol").get("/time_entries/1.json").expect(200).body, answer.body);
    let body = b"<time_entry><project_id>open</project_id><hours>3</hours><activity_id>8</activity_id></time_entry>".to_vec();
    let answer = world.as_user("carol").send(Method::POST, "/time_entries.xml", Some("application/xml"), body).expect(201);
    let entry = "<time_entry><id>2</id><project id=\"1\" name=\"open\"/><user id=\"4\" name=\"carol Tester\"/><activity id=\"8\" name=\"Design\"/>\
                 <hours>3.0</hours><comments/><spent_on>2026-11-20</spent_on>";
    assert!(answer.body.contains(entry), "{}", answer.body);
    assert_eq!(answer.location, "http://quarry.test/time_entries/2");
}

#[test]
fn the_path_says_where() {
    let world = world();
    let (open, secret) = (world.issue("open", ""), world.issue("secret", ""));
    let post = |login: &str, path: &str| {
        let body = format!("{{\"time_entry\":{{\"hours\":1,\"activity_id\":8,\"project_id\":2,\"issue_id\":{open}}}}}");
        world.as_user(login).post(path, &body)
    };
    let entry = post("bob", "/issues/1/time_entries.json").expect(201).json()["time_entry"].clone();
    assert_eq!(
        (&entry["project"]["id"], &entry["issue"]["id"]),
        (&json!(1), &json!(open)),
        "what the body says of the place does not count"
    );
    let entry = post("bob", "/projects/open/time_entries.json").expect(201).json()["time_entry"].clone();
    assert_eq!((&entry["project"]["id"], &entry["issue"]["id"]), (&json!(1), &json!(open)));
    let _ = post("bob", "/projects/1/time_entries.xml").expect(201);
    assert_eq!(post("alice", "/projects/2/time_entries.json").expect(422).errors(), ["Issue is invalid"]);
    let _ = post("bob", "/projects/secret/time_entries.json").expect(403);
    let _ = post("bob", "/projects/nowhere/time_entries.json").expect(404);
    let _ = post("bob", &format!("/issues/{secret}/time_entries.json")).expect(403);
    let _ = post("bob", "/issues/99/time_entries.json").expect(404);
    let _ = post("bob", "/issues/x/time_entries.json").expect(404);
    let _ = post("dave", &format!("/issues/{open}/time_entries.json")).expect(403);
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let _ = world.as_user("alice").send(method, &format!("/issues/{open}/time_entries.json"), None, Vec::new()).expect(404);
    }
}

#[test]
fn hours_are_read_in_every_notation() {
    let world = world();
    let cases = [
        ("2", 2.0),
        ("\"2h30\"", 2.5),
        ("\"1:30\"", 1.5),
        ("\"90m\"", 1.5),
        ("\"1,5\"", 1.5),
        ("\"1h 30m\"", 1.5),
        ("\"2 hours\"", 2.0),
        ("0.005", 0.01),
        ("\"20m\"", 0.33),
        ("24.1", 24.1),
    ];
    for (hours, shown) in cases {
        assert_eq!(logged(&world, "alice", &format!("\"project_id\":1,\"hours\":{hours}"))["hours"], shown, "{hours}");
    }
    let issue = world.issue("open", "");
    for _ in 0..3 {
        logged(&world, "alice", &format!("\"issue_id\":{issue},\"hours\":\"20m\",\"spent_on\":\"2024-01-01\""));
    }
    let issue = world.as_user("alice").get(&format!("/issues/{issue}.json")).expect(200).json()["issue"].clone();
    assert_eq!(issue["spent_hours"], 1.0, "what is shown in round numbers is summed up as it was said");
}

#[test]
fn what_is_wrong_is_said_in_order() {
    let world = world();
    let (open, secret) = (world.issue("open", ""), world.issue("secret", ""));
    let long = "x".repeat(1025);
    let none = ["Activity cannot be blank", "Project cannot be blank", "Hours cannot be blank", "Project is invalid"];
    let cases: &[(String, &[&str])] = &[
        ("\"activity_id\":\"\"".to_owned(), &none),
        ("\"hours\":1".to_owned(), &["Project cannot be blank", "Project is invalid"]),
        ("\"project_id\":1".to_owned(), &["Hours cannot be blank"]),
        ("\"project_id\":1,\"hours\":\"\"".to_owned(), &["Hours cannot be blank"]),
        ("\"project_id\":1,\"hours\":null".to_owned(), &["Hours cannot be blank"]),
        ("\"project_id\":1,\"hours\":0".to_owned(), &["Hours is invalid"]),
        ("\"project_id\":1,\"hours\":0.001".to_owned(), &["Hours is invalid"]),
        ("\"project_id\":1,\"hours\":-1".to_owned(), &["Hours is invalid"]),
        ("\"project_id\":1,\"hours\":\"abc\"".to_owned(), &["Hours is invalid"]),
        ("\"project_id\":1,\"hours\":[1]".to_owned(), &["Hours is invalid (one value is expected, not a list)"]),
        ("\"project_id\":1,\"hours\":1,\"activity_id\":99".to_owned(), &["Activity is not included in the list"]),
        ("\"project_id\":1,\"hours\":1,\"activity_id\":\"abc\"".to_owned(), &["Activity is not included in the list"]),
        ("\"project_id\":1,\"hours\":1,\"activity_id\":2".to_owned(), &["Activity is not included in the list"]),
        ("\"project_id\":99,\"hours\":1".to_owned(), &["Project is invalid"]),
        ("\"project_id\":\"nowhere\",\"hours\":1".to_owned(), &["Project is invalid"]),
        ("\"issue_id\":99,\"hours\":1".to_owned(), &["Project cannot be blank", "Project is invalid", "Issue is invalid"]),
        ("\"issue_id\":\"x\",\"project_id\":1,\"hours\":1".to_owned(), &["Issue is invalid"]),
        (format!("\"issue_id\":{open},\"project_id\":2,\"hours\":1"), &["Issue is invalid"]),
        (format!("\"issue_id\":{secret},\"project_id\":1,\"hours\":1"), &["Issue is invalid"]),
        ("\"project_id\":1,\"hours\":1,\"spent_on\":\"\"".to_owned(), &["Date cannot be blank"]),
        ("\"project_id\":1,\"hours\":1,\"spent_on\":\"2024-02-30\"".to_owned(), &["Date cannot be blank", "Date is not a valid date"]),
        ("\"project_id\":1,\"hours\":1,\"spent_on\":20240230".to_owned(), &["Date cannot be blank", "Date is not a valid date"]),
        (format!("\"project_id\":1,\"hours\":1,\"comments\":\"{long}\""), &["Comment is too long (maximum is 1024 characters)"]),
    ];
    for (fields, sentences) in cases {
        assert_eq!(log(&world, "alice", fields).expect(422).errors(), *sentences, "{fields}");
    }
    logged(&world, "alice", &format!("\"project_id\":1,\"hours\":1,\"comments\":\"{}\"", "ä".repeat(1024)));
    let alice = world.as_user("alice");
    for body in ["{}", "{\"time_entry\":{}}", "{\"time_entry\":null}", "[]", ""] {
        assert_eq!(alice.post("/time_entries.json", body).expect(422).errors(), none, "{body}");
    }
    for body in ["{bad", "{\"time_entry\":\"x\"}", "{\"time_entry\":[1]}", "\u{0}"] {
        let _ = alice.post("/time_entries.json", body).expect(400);
    }
    let _ = alice.send(Method::POST, "/time_entries.xml", Some("application/xml"), b"<time_entry><hours>".to_vec()).expect(400);
    assert_eq!(super::ids(&world, "alice", ""), [1], "what was refused left no trace");
}

#[test]
fn it_takes_the_permission_in_the_project() {
    let world = world();
    let secret = world.issue("secret", "");
    let fields = "\"project_id\":1,\"hours\":1";
    let _ = world.anonymous().post("/time_entries.json", "{\"time_entry\":{\"project_id\":1,\"hours\":1}}").expect(401);
    let _ = log(&world, "dave", fields).expect(403);
    let _ = log(&world, "dave", "\"hours\":1").expect(403);
    let _ = log(&world, "bob", "\"project_id\":\"secret\",\"hours\":1").expect(403);
    let hidden = log(&world, "bob", &format!("\"issue_id\":{secret},\"hours\":1")).expect(422).errors();
    assert_eq!(hidden, ["Issue is invalid"], "nothing is said of where a hidden issue is");
    logged(&world, "carol", fields);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    let _ = log(&world, "alice", fields).expect(403);
    let _ = log(&world, "admin", fields).expect(403);
    world.sql("UPDATE projects SET status = 9 WHERE id = 1");
    let _ = log(&world, "admin", fields).expect(403);
    world.sql("UPDATE projects SET status = 1 WHERE id = 1; DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'time_tracking'");
    let _ = log(&world, "admin", fields).expect(403);
}

#[test]
fn what_cannot_be_set_is_passed_over() {
    let world = world();
    let fields =
        "\"project_id\":1,\"hours\":1,\"id\":77,\"author_id\":1,\"created_on\":\"2001-01-01\",\"updated_on\":\"2001-01-01\",\"tyear\":3";
    let entry = logged(&world, "bob", fields);
    assert_eq!((&entry["id"], &entry["created_on"]), (&json!(1), &json!("2026-11-20T12:00:00Z")));
    assert_eq!(super::ids(&world, "alice", "author_id=3"), [1]);
}

#[test]
fn custom_fields_are_kept_and_judged() {
    let world = world();
    field(&world, 1, "Billable", "bool", "default_value = '1'");
    field(&world, 2, "Kind", "list", "possible_values_json = '[\"a\",\"b\"]', multiple = 1");
    field(&world, 3, "Hushed", "string", "visible = 0");
    field(&world, 4, "Fixed", "string", "editable = 0");
    world.sql(&format!("INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (3, {MANAGER})"));
    let of = |entry: &serde_json::Value| {
        entry["custom_fields"].as_array().unwrap().iter().map(|field| field["value"].clone()).collect::<Vec<_>>()
    };
    let custom = r#""custom_fields":[{"id":2,"value":["a","b"]},{"id":3,"value":"psst"},{"id":4,"value":"no"},{"id":99,"value":"no"}]"#;
    let entry = logged(&world, "alice", &format!("\"project_id\":1,\"hours\":1,{custom}"));
    assert_eq!(of(&entry), [json!("1"), json!(["a", "b"]), json!("psst"), json!(null)]);
    let seen = world.as_user("carol").get("/time_entries/1.json").expect(200);
    assert!(!seen.body.contains("psst") && !seen.body.contains("Hushed"));
    let entry = logged(&world, "bob", &format!("\"project_id\":1,\"hours\":1,{custom}"));
    assert_eq!(of(&entry), [json!("1"), json!(["a", "b"]), json!(null)]);
    assert_eq!(of(&show(&world, 2))[2], json!(null), "what one may not see one cannot set");
    let wrong = log(&world, "alice", r#""project_id":1,"hours":1,"custom_field_values":{"2":"c"}"#).expect(422).errors();
    assert_eq!(wrong, ["Kind is not included in the list"]);
    world.sql("UPDATE custom_fields SET is_required = 1 WHERE id = 2");
    assert_eq!(log(&world, "alice", r#""project_id":1,"hours":1"#).expect(422).errors(), ["Kind cannot be blank"]);
    let xml = world.as_user("bob").get("/time_entries/1.xml").expect(200).body;
    let kind = "<custom_field id=\"2\" name=\"Kind\" multiple=\"true\"><value type=\"array\"><value>a</value><value>b</value></value></custom_field>";
    assert!(xml.contains(kind), "{xml}");
}

#[test]
fn who_is_nobody_anywhere_logs_nothing() {
    let world = World::new();
    let _ = log(&world, "dave", "\"hours\":1").expect(403);
    assert_eq!(log(&world, "admin", "\"hours\":1").expect(422).errors()[0], "Project cannot be blank");
}
