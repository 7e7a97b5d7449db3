//! `PUT /issues/:id` (contract 4.5)

use super::{world, write};
use quarry::domain::setting::Setting;

#[test]
fn a_change_answers_the_issue_as_it_is_then() {
    let world = world();
    let id = write(&world, "alice", "open", ",\"assigned_to_id\":3");
    let put = |login: &str, body: &str| world.as_user(login).put(&format!("/issues/{id}.json"), body).expect(200).json()["issue"].clone();
    let issue = put("alice", r#"{"issue":{"subject":"Better","status_id":5,"notes":"done"}}"#);
    assert_eq!((issue["subject"].as_str(), issue["status"]["name"].as_str()), (Some("Better"), Some("Closed")));
    assert_eq!(issue["closed_on"], "2026-11-20T12:00:00Z");
    let issue = put("alice", r#"{"issue":{"status_id":4,"assigned_to_id":null}}"#);
    assert!(issue["closed_on"].is_null() && issue.get("assigned_to").is_none(), "{issue}");
}

#[test]
fn the_workflow_decides_silently() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let put = |login: &str, body: &str| world.as_user(login).put(&format!("/issues/{id}.json"), body).expect(200).json()["issue"].clone();
    assert_eq!(put("bob", r#"{"issue":{"status_id":6}}"#)["status"]["id"], 1);
    assert_eq!(put("bob", r#"{"issue":{"status_id":2}}"#)["status"]["id"], 2);
    assert_eq!(put("carol", r#"{"issue":{"status_id":5,"subject":"Mine now"}}"#)["subject"], "A thing");
}

#[test]
fn what_is_wrong_changes_nothing() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let put = |login: &str, body: &str| world.as_user(login).put(&format!("/issues/{id}.json"), body);
    let refused = put("alice", r#"{"issue":{"subject":"","status_id":5,"notes":"half"}}"#).expect(422);
    assert_eq!(refused.errors(), ["Subject cannot be blank"]);
    let issue = world.as_user("alice").get(&format!("/issues/{id}.json")).expect(200).json()["issue"].clone();
    assert_eq!((issue["subject"].as_str(), issue["status"]["id"].as_i64()), (Some("A thing"), Some(1)));
    assert_eq!(world.as_user("alice").get("/search.json?q=half").expect(200).json()["total_count"], 0);
    for body in ["{}", "{\"issue\":{}}", "{\"issue\":null}", r#"{"issue":{"subject":"A thing"}}"#] {
        assert_eq!(put("alice", body).expect(200).json()["issue"], issue, "{body}");
    }
    let _ = put("alice", "{").expect(400);
}

#[test]
fn rights_decide() {
    let world = world();
    let hidden = write(&world, "alice", "secret", "");
    let body = r#"{"issue":{"notes":"hello"}}"#;
    let _ = world.as_user("dave").put(&format!("/issues/{hidden}.json"), body).expect(403);
    let _ = world.as_user("dave").put("/issues/999.json", body).expect(404);
    let _ = world.anonymous().put(&format!("/issues/{hidden}.json"), body).expect(401);
}

#[test]
fn to_the_letter_a_change_answers_204() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    world.set(Setting::RedmineCompatibility, "1");
    let answer = world.as_user("alice").put(&format!("/issues/{id}.json"), r#"{"issue":{"subject":"x"}}"#).expect(204);
    assert_eq!((answer.body.as_str(), answer.content_type.as_str()), ("", ""));
    let _ = world.as_user("alice").delete(&format!("/issues/{id}.json")).expect(204);
}
