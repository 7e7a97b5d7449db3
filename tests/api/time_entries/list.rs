//! `GET /time_entries`, `GET /projects/:id/time_entries`

use super::{ids, logged};
use axum::http::Method;
use quarry_world::{REPORTER, World};
use serde_json::json;

/// A world with six entries: 1 bob on issue 1, 2 alice on it, 3 bob on the project, 4 alice on
/// issue 2 of the private project, 5 carol, 6 bob in the child project.
pub fn filled() -> World {
    let world = World::with_projects();
    let child = world
        .project("child")
        .member("bob", quarry_world::DEVELOPER)
        .create();
    world.sql(&format!(
        "UPDATE projects SET parent_id = 1 WHERE id = {child}"
    ));
    world.issue("open").create();
    world
        .issue("secret")
        .field("status_id", 1)
        .field("tracker_id", 2)
        .create();
    logged(
        &world,
        "bob",
        json!({"issue_id": 1, "hours": 2.5, "spent_on": "2024-01-11", "activity_id": 9, "comments": "debugging the engine"}),
    );
    logged(
        &world,
        "alice",
        json!({"issue_id": 1, "hours": 1, "spent_on": "2024-01-12", "comments": "review"}),
    );
    logged(
        &world,
        "bob",
        json!({"project_id": 1, "hours": 3.25, "spent_on": "2024-01-15", "activity_id": 9}),
    );
    logged(
        &world,
        "alice",
        json!({"issue_id": 2, "hours": 4, "spent_on": "2024-02-01"}),
    );
    logged(
        &world,
        "carol",
        json!({"project_id": 1, "hours": 0.75, "spent_on": "2024-02-02"}),
    );
    logged(
        &world,
        "bob",
        json!({"project_id": "child", "hours": "1:20", "spent_on": "2024-02-02", "activity_id": 9}),
    );
    world
}

#[test]
fn users_see_visible_time_entries_only() {
    let world = filled();
    for (login, seen) in [
        ("admin", vec![6, 5, 4, 3, 2, 1]),
        ("alice", vec![6, 5, 4, 3, 2, 1]),
        ("bob", vec![6, 5, 3, 2, 1]),
    ] {
        assert_eq!(ids(&world, login, ""), seen, "{login}");
    }
    world
        .anonymous()
        .get("/time_entries.json")
        .assert_status(401);
    assert_eq!(ids(&world, "dave", ""), [6, 5, 3, 2, 1]);
    world.sql(&format!(
        "UPDATE roles SET time_entries_visibility = 'own' WHERE id IN (1, {REPORTER})"
    ));
    assert_eq!(ids(&world, "carol", ""), [5]);
    assert_eq!(ids(&world, "dave", ""), [0_i64; 0]);
    world.sql("DELETE FROM role_permissions WHERE role_id = 1 AND name = 'view_time_entries'");
    world
        .as_user("dave")
        .get("/time_entries.json")
        .assert_status(403);
    world
        .as_user("dave")
        .get("/projects/open/time_entries.json")
        .assert_status(403);
    assert_eq!(
        ids(&world, "alice", ""),
        [5, 4, 3, 2, 1],
        "she is no member of the project below"
    );
    world.sql("UPDATE projects SET status = 9 WHERE id = 2");
    assert_eq!(ids(&world, "alice", ""), [5, 3, 2, 1]);
}

#[test]
fn list_format_in_json_and_xml() {
    let world = filled();
    let json = world
        .as_user("alice")
        .get("/time_entries.json?limit=1&offset=3")
        .assert_status(200);
    let entry = r#"{"id":3,"project":{"id":1,"name":"open"},"user":{"id":3,"name":"bob Tester"},"activity":{"id":9,"name":"Development"},"hours":3.25,"comments":null,"spent_on":"2024-01-15","created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(
        json.body,
        format!("{{\"time_entries\":[{entry}],\"total_count\":6,\"offset\":3,\"limit\":1}}")
    );
    let xml = world
        .as_user("alice")
        .get("/projects/open/time_entries.xml?limit=1")
        .assert_status(200)
        .body;
    let begins = "<time_entries total_count=\"5\" offset=\"0\" limit=\"1\" type=\"array\"><time_entry><id>6</id><project id=\"3\" name=\"child\"/>";
    assert!(xml.contains(begins), "{xml}");
    assert!(xml.contains("<hours>1.33</hours>"), "{xml}");
    let past = world
        .as_user("alice")
        .get("/time_entries.json?offset=99")
        .assert_status(200)
        .body;
    assert_eq!(
        past,
        "{\"time_entries\":[],\"total_count\":6,\"offset\":99,\"limit\":25}"
    );
    assert_eq!(
        world
            .as_user("alice")
            .get("/time_entries.json?user_id=5&nometa=1")
            .assert_status(200)
            .body,
        "{\"time_entries\":[]}"
    );
}

#[test]
fn project_limits_the_list() {
    let world = filled();
    assert_eq!(ids(&world, "alice", "project_id=1"), [6, 5, 3, 2, 1]);
    assert_eq!(
        ids(&world, "alice", "project_id=open&subproject_id=!*"),
        [5, 3, 2, 1]
    );
    assert_eq!(ids(&world, "alice", "project_id=secret"), [4]);
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=project_id&op[project_id]=!&v[project_id][]=1"
        ),
        [6, 4]
    );
    for (login, path, expected) in [
        ("alice", "/time_entries.json?project_id=99", 404),
        ("alice", "/time_entries.json?project_id=1|2", 404),
        ("alice", "/time_entries.json?project_id=", 422),
        ("bob", "/time_entries.json?project_id=2", 403),
        ("bob", "/projects/secret/time_entries.json", 403),
        ("alice", "/projects/nowhere/time_entries.xml", 404),
        ("alice", "/projects/1/time_entries.xml", 200),
    ] {
        assert_eq!(
            world.as_user(login).get(path).status,
            expected,
            "{login} {path}"
        );
    }
    world.sql("UPDATE settings SET value = '0' WHERE name = 'display_subprojects_issues'");
    world.set(
        quarry::domain::administration::setting::Setting::DisplaySubprojectsIssues,
        "0",
    );
    assert_eq!(ids(&world, "alice", "project_id=1"), [5, 3, 2, 1]);
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'time_tracking'");
    assert_eq!(
        world
            .as_user("alice")
            .get("/projects/1/time_entries.json")
            .status,
        403
    );
    for (method, path) in [
        (Method::PUT, "/time_entries.json"),
        (Method::DELETE, "/projects/1/time_entries.json"),
    ] {
        world
            .as_user("alice")
            .send(method, path, None, Vec::new())
            .assert_status(404);
    }
}

#[test]
fn every_column_is_sortable() {
    let world = filled();
    for (sort, wanted) in [
        ("", [6, 5, 4, 3, 2, 1]),
        ("spent_on", [1, 2, 3, 4, 5, 6]),
        ("spent_on:desc", [5, 6, 4, 3, 2, 1]),
        ("spent_on:desc,id:desc", [6, 5, 4, 3, 2, 1]),
        ("hours", [5, 2, 6, 1, 3, 4]),
        ("hours:desc", [4, 3, 1, 6, 2, 5]),
        ("user", [2, 4, 1, 3, 6, 5]),
        ("author:desc", [5, 1, 3, 6, 2, 4]),
        ("activity", [2, 4, 5, 1, 3, 6]),
        ("project", [6, 1, 2, 3, 5, 4]),
        ("issue", [3, 5, 6, 1, 2, 4]),
        ("created_on", [1, 2, 3, 4, 5, 6]),
        ("bogus", [1, 2, 3, 4, 5, 6]),
        ("comments", [1, 2, 3, 4, 5, 6]),
        ("id:desc", [6, 5, 4, 3, 2, 1]),
        ("activity:desc,user,hours:desc", [3, 1, 6, 4, 2, 5]),
    ] {
        assert_eq!(
            ids(&world, "alice", &format!("sort={sort}")),
            wanted,
            "{sort}"
        );
    }
}

#[test]
fn saved_query_is_available_to_permitted_users() {
    let world = filled();
    let filters = r#"{"user_id":{"operator":"=","values":["3"]},"spent_on":{"operator":">=","values":["2024-01-15"]}}"#;
    world.sql(&format!(
        "INSERT INTO queries (id, type, name, user_id, visibility, filters_json, sort_criteria_json) VALUES \
         (1, 'TimeEntryQuery', 'bob', 2, 2, '{filters}', '[[\"hours\",\"asc\"]]'), (2, 'TimeEntryQuery', 'own', 3, 0, '{{}}', '[]'), \
         (3, 'IssueQuery', 'issues', 2, 2, '{{}}', '[]')"
    ));
    assert_eq!(ids(&world, "alice", "query_id=1"), [6, 3]);
    assert_eq!(
        ids(
            &world,
            "alice",
            "query_id=1&sort=hours:desc&project_id=1&subproject_id=!*"
        ),
        [3]
    );
    for query in ["2", "3", "99", "x"] {
        world
            .as_user("alice")
            .get(&format!("/time_entries.json?query_id={query}"))
            .assert_status(404);
    }
}

fn create_issue(world: &World, status: i64, tracker: i64) -> i64 {
    let id = world.issue("open").field("tracker_id", tracker).create();
    world.edit(id, move |issue| issue.status = status.into());
    id
}

#[test]
fn entries_sort_by_their_issue_week_and_group() {
    let world = World::with_projects();
    let first = create_issue(&world, 4, 1);
    let second = create_issue(&world, 2, 3);
    let hidden = create_issue(&world, 1, 1);
    world.edit(hidden, |issue| issue.private = true);
    for (issue, day, created) in [
        (first, "2026-11-15", 3),
        (second, "2026-11-16", 1),
        (hidden, "2026-11-22", 2),
        (second, "2026-11-16", 0),
    ] {
        let entry = super::logged(
            &world,
            "alice",
            json!({"issue_id": issue, "hours": 1, "spent_on": day}),
        );
        world.sql(&format!(
            "UPDATE time_entries SET created_on = {created} WHERE id = {}",
            entry["id"]
        ));
    }
    assert_eq!(
        super::ids(&world, "alice", "sort=issue.status"),
        [3, 2, 4, 1]
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=issue.tracker:desc"),
        [2, 4, 1, 3]
    );
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 4");
    assert_eq!(
        super::ids(&world, "bob", "sort=issue.status:desc"),
        [1, 2, 4, 3],
        "a hidden issue counts as none"
    );
    world.sql(
        "INSERT INTO versions (id, project_id, name, status, due_date, created_on) VALUES
            (1, 1, 'one', 'open', '2026-12-01', 0), (2, 1, 'two', 'open', NULL, 0)",
    );
    world.edit(first, |issue| issue.version = Some(1.into()));
    world.edit(hidden, |issue| issue.version = Some(2.into()));
    let without = super::logged(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 1, "spent_on": "2026-11-14"}),
    );
    assert_eq!(without["id"], 5);
    assert_eq!(
        super::ids(&world, "alice", "sort=issue.fixed_version"),
        [1, 2, 4, 5, 3],
        "without an issue as without a version"
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=issue.fixed_version:desc"),
        [3, 2, 4, 5, 1]
    );
    assert_eq!(
        super::ids(&world, "bob", "sort=issue.fixed_version"),
        [1, 2, 3, 4, 5]
    );
    world.sql("DELETE FROM time_entries WHERE id = 5");
    assert_eq!(
        super::ids(&world, "alice", "sort=tweek,id:desc"),
        [1, 4, 3, 2],
        "Sunday ends the week"
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=spent_on"),
        [1, 4, 2, 3],
        "on one day by creation"
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=spent_on:desc"),
        [3, 2, 4, 1],
        "in the same direction"
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=id&group_by=issue"),
        [1, 2, 4, 3]
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=id,issue:desc&group_by=issue"),
        [3, 2, 4, 1]
    );
    assert_eq!(
        super::ids(&world, "alice", "sort=id:desc&group_by=hours"),
        [4, 3, 2, 1],
        "hours make no groups"
    );
    world.sql(
        "INSERT INTO queries (id, type, name, user_id, visibility, filters_json, group_by) \
         VALUES (1, 'TimeEntryQuery', 'grouped', 2, 2, '{}', 'issue')",
    );
    assert_eq!(
        super::ids(&world, "alice", "query_id=1&sort=id"),
        [1, 2, 4, 3],
        "the group of a saved query leads, too"
    );
    assert_eq!(
        super::ids(&world, "alice", "query_id=1&sort=id&group_by=hours"),
        [1, 2, 3, 4]
    );
}
