//! Hidden records do not affect responses. Two worlds differ only in what carol may not see; all
//! her responses must be equal byte for byte. Sums have no hidden hours, and visible ones on hidden
//! issues.

use super::{field, ids, log, logged, show, update};
use quarry::domain::index_feed::kind::Kind;
use quarry::store::transaction::changes;
use quarry_world::{REPORTER, World};
use serde_json::{Value, json};

/// Carol sees only her own time, and no private issues. Issue 1 is public, 2 is its child, 3 is its
/// private child. The entries 1, 2 and 3 are hers: on issue 1, on issue 3, and on the project.
fn worlds(with_hidden: bool) -> World {
    let world = World::with_projects();
    world.sql(&format!(
        "UPDATE roles SET time_entries_visibility = 'own' WHERE id = {REPORTER}"
    ));
    field(&world, 1, "Hidden", "string", "visible = 0");
    world.issue("open").create();
    world.issue("open").parent(1).create();
    world
        .issue("open")
        .parent(1)
        .private()
        .subject("hushed")
        .create();
    logged(
        &world,
        "carol",
        json!({"issue_id": 1, "hours": 1, "spent_on": "2026-11-01"}),
    );
    logged(
        &world,
        "carol",
        json!({"project_id": 1, "hours": 2, "spent_on": "2026-11-02", "activity_id": 9}),
    );
    logged(
        &world,
        "carol",
        json!({"project_id": 1, "hours": 3, "spent_on": "2026-11-03"}),
    );
    update(&world, "alice", 2, json!({"issue_id": 3})).assert_status(200);
    if with_hidden {
        for (login, issue, hours) in [("alice", 1, 10), ("bob", 2, 20), ("alice", 3, 40)] {
            logged(
                &world,
                login,
                json!({"issue_id": issue, "hours": hours, "comments": "psst"}),
            );
        }
        logged(
            &world,
            "alice",
            json!({"project_id": 2, "hours": 80, "spent_on": "2024-01-01"}),
        );
        world.sql("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('TimeEntry', 1, 1, 'psst')");
    }
    world
}

/// Requests whose responses depend on hidden records for users who see them.
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

fn send(world: &World, login: &str, question: &str) -> (u16, String, String) {
    let response = world.as_user(login).get(question);
    (
        response.status,
        response.body.clone(),
        response.header("warning").to_owned(),
    )
}

#[test]
fn hidden_time_does_not_affect_responses() {
    let full = worlds(true);
    let bare = worlds(false);
    let mut telling = 0;
    for question in QUESTIONS {
        let with = send(&full, "carol", question);
        let without = send(&bare, "carol", question);
        assert_eq!(with, without, "{question}");
        telling += usize::from(send(&full, "alice", question) != send(&bare, "alice", question));
    }
    assert!(
        telling > QUESTIONS.len() - 8,
        "the requests must differ for a viewer who sees everything: {telling}"
    );
}

#[test]
fn hidden_issue_of_own_entry_is_not_disclosed_and_blocks_nothing() {
    let world = worlds(true);
    world.sql(&format!(
        "INSERT INTO role_permissions (role_id, name) VALUES ({REPORTER}, 'edit_own_time_entries')"
    ));
    assert_eq!(show(&world, 2)["issue"]["id"], 3);
    let entry = update(&world, "carol", 2, json!({"hours": 2.5}))
        .assert_status(200)
        .json_path("/time_entry");
    assert_eq!((entry.get("issue"), &entry["hours"]), (None, &json!(2.5)));
    assert_eq!(
        show(&world, 2)["issue"]["id"],
        3,
        "what is not mentioned stays"
    );
    for issue in [3, 99] {
        update(&world, "carol", 2, json!({"issue_id": issue}))
            .assert_status(422)
            .assert_errors(&["Issue is invalid"]);
    }
    // The entry can move to another project and loses its issue there.
    world
        .project("other")
        .private()
        .member("carol", REPORTER)
        .member("alice", quarry_world::MANAGER)
        .create();
    let entry = update(&world, "carol", 2, json!({"project_id": "other"}))
        .assert_status(200)
        .json_path("/time_entry");
    assert_eq!(entry["project"]["name"], "other");
    assert_eq!(show(&world, 2).get("issue"), None);
    let message = log(&world, "carol", json!({"issue_id": 3, "hours": 1}))
        .assert_status(422)
        .errors();
    let missing = log(&world, "carol", json!({"issue_id": 99, "hours": 1}));
    assert_eq!(message, missing.errors());
}

fn sums(world: &World, login: &str, id: i64) -> (Option<f64>, Option<f64>) {
    let issue: Value = world
        .as_user(login)
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json_path("/issue");
    (
        issue["spent_hours"].as_f64(),
        issue["total_spent_hours"].as_f64(),
    )
}

#[test]
fn sums_count_the_hours_that_the_viewer_may_see_also_on_hidden_issues() {
    let world = worlds(true);
    assert_eq!(sums(&world, "alice", 1), (Some(11.0), Some(73.0)));
    assert_eq!(
        sums(&world, "bob", 1),
        (Some(11.0), Some(73.0)),
        "with the private issue"
    );
    assert_eq!(sums(&world, "carol", 1), (Some(1.0), Some(3.0)), "her own");
    assert_eq!(sums(&world, "carol", 2), (Some(0.0), Some(0.0)));
    assert_eq!(sums(&world, "dave", 1), (Some(11.0), Some(73.0)));
    world.sql("DELETE FROM role_permissions WHERE role_id = 1 AND name = 'view_time_entries'");
    assert_eq!(sums(&world, "dave", 1), (None, None));
    assert_eq!(ids(&world, "carol", ""), [3, 2, 1]);
}

#[test]
fn issue_of_an_archived_project_is_invalid() {
    let world = World::with_projects();
    let issue = world.issue("secret").create();
    super::logged(&world, "alice", json!({"project_id": "open", "hours": 1}));
    world.sql("UPDATE projects SET status = 9 WHERE identifier = 'secret'");
    for login in ["alice", "admin"] {
        let fields = json!({"issue_id": issue, "project_id": "open", "hours": 1});
        super::log(&world, login, fields)
            .assert_status(422)
            .assert_errors(&["Issue is invalid"]);
        let archived = super::log(&world, login, json!({"issue_id": issue, "hours": 1}));
        let missing = super::log(&world, login, json!({"issue_id": 99, "hours": 1}));
        assert_eq!(archived.assert_status(422).errors(), missing.errors());
        super::update(&world, login, 1, json!({"issue_id": issue}))
            .assert_status(422)
            .assert_errors(&["Issue is invalid"]);
    }
}

fn id_and_total(issue: &Value) -> (i64, f64) {
    (
        issue["id"].as_i64().unwrap(),
        issue["total_spent_hours"].as_f64().unwrap(),
    )
}

fn order(world: &World, login: &str) -> Vec<(i64, f64)> {
    let list = world
        .as_user(login)
        .get("/issues.json?sort=total_spent_hours:desc")
        .assert_status(200);
    list.array("/issues")
        .iter()
        .map(id_and_total)
        .collect::<Vec<_>>()
}

#[test]
fn issues_are_sorted_by_total_spent_hours_with_those_of_hidden_subtasks() {
    let world = World::with_projects();
    for subject in ["parent", "other"] {
        world.issue("open").subject(subject).create();
    }
    world.issue("open").parent(1).private().create();
    logged(&world, "alice", json!({"issue_id": 2, "hours": 5}));
    logged(&world, "alice", json!({"issue_id": 3, "hours": 10}));
    assert_eq!(order(&world, "bob"), [(1, 10.0), (2, 5.0)]);
    world.sql("UPDATE projects SET status = 9 WHERE id = 2");
    world.sql("UPDATE issues SET project_id = 2 WHERE id = 3; UPDATE time_entries SET project_id = 2 WHERE issue_id = 3");
    world.write(|db| changes::record(db, Kind::Issue, 3i64));
    assert_eq!(
        order(&world, "admin"),
        [(2, 5.0), (1, 0.0)],
        "those of archived projects are hidden themselves"
    );
}

#[test]
fn comment_of_time_on_a_hidden_issue_is_hidden_except_for_own_time() {
    let world = World::with_projects();
    world.issue("open").create();
    world.issue("open").private().author("alice").create();
    for (login, issue, comments) in [
        ("alice", 1, "a public remark"),
        ("alice", 2, "a hushed remark"),
        ("carol", 1, "a remark of my own"),
    ] {
        let fields = json!({"issue_id": issue, "hours": 1, "comments": comments});
        logged(&world, login, fields);
    }
    update(&world, "alice", 3, json!({"issue_id": 2})).assert_status(200);
    let paths = [
        "/time_entries.json",
        "/time_entries.xml",
        "/time_entries/2.json",
        "/projects/open/time_entries.json",
    ];
    for path in paths {
        let hours = world.as_user("carol").get(path).assert_status(200);
        assert!(!hours.body.contains("hushed"), "{path}: {hours:?}");
        let all = world.as_user("alice").get(path).assert_status(200);
        all.assert_contains("hushed");
    }
    // Nobody takes a hidden comment over, or the time off the issue.
    world.sql("INSERT INTO role_permissions (role_id, name) SELECT id, 'edit_time_entries' FROM roles WHERE id = 5");
    for change in [
        json!({"user_id": 4}),
        json!({"issue_id": ""}),
        json!({"issue_id": 1}),
    ] {
        let errors = update(&world, "carol", 2, change)
            .assert_status(422)
            .errors();
        assert!(
            errors.contains(&"Issue is invalid".to_owned()),
            "{errors:?}"
        );
    }
    update(&world, "carol", 2, json!({"hours": 2})).assert_status(200);
    let list = world.as_user("carol").get("/time_entries.json");
    list.assert_contains("a public remark")
        .assert_contains("a remark of my own");
    for (filter, expected) in [
        ("~hushed", vec![]),
        ("!~hushed", vec![1, 2, 3]),
        ("~remark", vec![1, 3]),
        ("!~remark", vec![2]),
        ("*", vec![1, 3]),
        ("!*", vec![2]),
    ] {
        let mut found = ids(&world, "carol", &format!("comments={filter}"));
        found.sort_unstable();
        assert_eq!(found, expected, "{filter}");
    }
}
