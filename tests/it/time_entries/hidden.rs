//! What a viewer may not see shapes no answer. Two worlds are alike but for what carol may not see; she is asked everything in
//! both, and the answers must be the same to the letter. Nobody infers from sums how long others have worked.

use super::{field, ids, log, logged, put, show, world};
use crate::world::{REPORTER, World};
use serde_json::{Value, json};

/// Carol sees only her own time, and not the issues that are private. Issue 1 is open, 2 is below it, 3 is private and below it.
/// The entries 1, 2 and 3 are hers: on issue 1, on issue 3, and on the project.
fn worlds(with_hidden: bool) -> World {
    let world = world();
    world.sql(&format!("UPDATE roles SET time_entries_visibility = 'own' WHERE id = {REPORTER}"));
    field(&world, 1, "Hidden", "string", "visible = 0");
    world.issue("open", "");
    world.issue("open", ",\"parent_issue_id\":1");
    world.issue("open", ",\"parent_issue_id\":1,\"is_private\":true,\"subject\":\"hushed\"");
    logged(&world, "carol", "\"issue_id\":1,\"hours\":1,\"spent_on\":\"2026-11-01\"");
    logged(&world, "carol", "\"project_id\":1,\"hours\":2,\"spent_on\":\"2026-11-02\",\"activity_id\":9");
    logged(&world, "carol", "\"project_id\":1,\"hours\":3,\"spent_on\":\"2026-11-03\"");
    if with_hidden {
        let _ = put(&world, "alice", 2, "\"issue_id\":3").expect(200);
        for (login, issue, hours) in [("alice", 1, 10), ("bob", 2, 20), ("alice", 3, 40)] {
            logged(&world, login, &format!("\"issue_id\":{issue},\"hours\":{hours},\"comments\":\"psst\""));
        }
        logged(&world, "alice", "\"project_id\":2,\"hours\":80,\"spent_on\":\"2024-01-01\"");
        world.sql("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('TimeEntry', 1, 1, 'psst')");
    }
    world
}

/// Questions whose answers depend on what is hidden, for those who see it.
const QUESTIONS: &[&str] = &[
    "/time_entries.json",
    "/time_entries.xml",
    "/time_entries/1.json",
    "/time_entries/2.json",
    "/time_entries/2.xml",
    "/projects/open/time_entries.json",
    "/time_entries.json?issue_id=3",
    "/time_entries.json?issue_id=*",
    "/time_entries.json?issue_id=!*",
    "/time_entries.json?issue_id=~1",
    "/time_entries.json?issue_id=~3",
    "/time_entries.json?issue.subject=hushed",
    "/time_entries.json?issue.subject=!~hushed",
    "/time_entries.json?issue.status_id=!99",
    "/time_entries.json?issue.status_id=open",
    "/time_entries.json?issue.parent_id=1",
    "/time_entries.json?issue.parent_id=!*",
    "/time_entries.json?issue.tracker_id=1",
    "/time_entries.json?sort=issue",
    "/time_entries.json?sort=issue:desc",
    "/time_entries.json?sort=cf_1:desc",
    "/time_entries.json?cf_1=psst",
    "/time_entries.json?user_id=2|3",
    "/time_entries.json?hours=%3E%3D10",
    "/time_entries.json?comments=~psst",
    "/time_entries.json?limit=1&offset=2",
    "/issues/1.json",
    "/issues/2.json",
    "/issues/1.xml",
    "/issues.json?sort=spent_hours:desc",
    "/issues.json?spent_time=%3E%3D5",
    "/issues.json?spent_time=*",
    "/projects/open/issues.json",
];

#[test]
fn the_answers_are_the_same_as_if_it_were_not_there() {
    let (full, bare) = (worlds(true), worlds(false));
    let mut telling = 0;
    for question in QUESTIONS {
        let ask = |world: &World, login: &str| {
            let answer = world.as_user(login).get(question);
            (answer.status, answer.body, answer.warning)
        };
        let (with, without) = (ask(&full, "carol"), ask(&bare, "carol"));
        assert_eq!(with, without, "{question}");
        telling += usize::from(ask(&full, "alice") != ask(&bare, "alice"));
    }
    assert!(telling > QUESTIONS.len() - 6, "the questions must tell something to whoever sees all: {telling}");
}

#[test]
fn a_hidden_issue_of_one_s_own_entry_is_neither_named_nor_in_the_way() {
    let world = worlds(true);
    world.sql(&format!("INSERT INTO role_permissions (role_id, name) VALUES ({REPORTER}, 'edit_own_time_entries')"));
    assert_eq!(show(&world, 2)["issue"]["id"], 3);
    let entry = put(&world, "carol", 2, "\"hours\":2.5").expect(200).json()["time_entry"].clone();
    assert_eq!((entry.get("issue"), &entry["hours"]), (None, &json!(2.5)));
    assert_eq!(show(&world, 2)["issue"]["id"], 3, "what is not mentioned stays");
    for issue in [3, 99] {
        assert_eq!(put(&world, "carol", 2, &format!("\"issue_id\":{issue}")).expect(422).errors(), ["Issue is invalid"]);
    }
    // As an entry without an issue it can go to another project, and is without one there.
    world.project("other", false, &[("carol", REPORTER), ("alice", crate::world::MANAGER)]);
    let entry = put(&world, "carol", 2, "\"project_id\":\"other\"").expect(200).json()["time_entry"].clone();
    assert_eq!(entry["project"]["name"], "other");
    assert_eq!(show(&world, 2).get("issue"), None);
    let told = log(&world, "carol", "\"issue_id\":3,\"hours\":1").expect(422).errors();
    assert_eq!(told, ["Issue is invalid"]);
}

#[test]
fn sums_tell_of_no_time_that_one_may_not_see() {
    let world = worlds(true);
    let sums = |login: &str, id: i64| {
        let issue: Value = world.as_user(login).get(&format!("/issues/{id}.json")).expect(200).json()["issue"].clone();
        (issue["spent_hours"].as_f64(), issue["total_spent_hours"].as_f64())
    };
    assert_eq!(sums("alice", 1), (Some(11.0), Some(73.0)));
    assert_eq!(sums("bob", 1), (Some(11.0), Some(31.0)), "without the private issue");
    assert_eq!(sums("carol", 1), (Some(1.0), Some(1.0)));
    assert_eq!(sums("carol", 2), (Some(0.0), Some(0.0)));
    assert_eq!(sums("dave", 1), (Some(11.0), Some(31.0)));
    world.sql("DELETE FROM role_permissions WHERE role_id = 1 AND name = 'view_time_entries'");
    assert_eq!(sums("dave", 1), (None, None));
    assert_eq!(ids(&world, "carol", ""), [3, 2, 1]);
}
