//! Managing issue statuses in the browser.

use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::QueryId;
use quarry::domain::ids::StatusId;
use quarry::domain::query::saved::QueryKind;
use quarry::store::administration::issue_statuses;
use quarry::store::lists::queries;
use quarry_world::browser::Browser;
use quarry_world::{IssueBuilder, World};

/// The status `In Progress`, which no tracker has as its default.
const DELETE: &str = "/issue_statuses/2/delete";

fn issues_in(world: &World, status: i64) -> i64 {
    world
        .app
        .read(|db| issue_statuses::count_issues(db, StatusId(status)))
        .unwrap()
}

/// Creates an issue in the project `secret`, and gives it a status without the workflow.
fn with_status(
    world: &World,
    status: i64,
    build: impl FnOnce(IssueBuilder<'_>) -> IssueBuilder<'_>,
) -> i64 {
    let id = build(world.issue("secret")).create();
    world.edit(id, move |issue| issue.status = StatusId(status));
    id
}

#[test]
fn status_is_created_changed_moved_and_deleted() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get("/issue_statuses/new").assert_status(200);
    let invalid = [
        ("issue_status[name]", "Closed"),
        ("issue_status[default_done_ratio]", "101"),
        ("issue_status[description]", "Kept text"),
    ];
    admin
        .submit(&form, "/issue_statuses/new", &invalid)
        .assert_status(422)
        .assert_contains("Name has already been taken")
        .assert_contains("must be a whole number from 0 to 100")
        .assert_contains("value=\"Kept text\"");
    let valid = [
        ("issue_status[name]", "Verified"),
        ("issue_status[is_closed]", "1"),
    ];
    let created = admin
        .submit(&form, "/issue_statuses/new", &valid)
        .assert_status(303);
    assert_eq!(created.header("location"), "/issue_statuses");
    admin
        .get("/issue_statuses")
        .assert_status(200)
        .assert_contains("The status was created.")
        .assert_contains("href=\"/issue_statuses/7/edit\">Verified");
    admin
        .submit(
            &form,
            "/issue_statuses/7/edit",
            &[("issue_status[position]", "1")],
        )
        .assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    assert_eq!(catalogue.statuses[0].name, "Verified", "only it moves");
    assert!(catalogue.statuses[0].is_closed, "the rest stays");
    admin
        .get("/issue_statuses/7/delete")
        .assert_status(200)
        .assert_contains("No issue has this status.");
    admin
        .submit(&form, "/issue_statuses/7/delete", &[])
        .assert_status(303);
    admin.get("/issue_statuses/7/edit").assert_status(404);
}

#[test]
fn status_in_use_is_replaced_on_deletion() {
    let world = World::with_projects();
    world.sql("UPDATE trackers SET default_status_id = 2 WHERE id = 3");
    let issues: Vec<i64> = (0..3)
        .map(|_| with_status(&world, 2, |issue| issue.subject("quokka")))
        .collect();
    let other = world.issue("secret").create();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(DELETE).assert_status(200);
    for expected in [
        "3 issues get the new status.",
        "New issues of Support start with the new status.",
        "href=\"/issues?status_id=2\"",
        "<option value=\"\" selected>choose one</option>",
        "<option value=\"5\">Closed (closed)</option>",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    assert!(!page.body.contains("<option value=\"2\""), "{page:?}");
    for (replacement, message) in [
        ("", "The status is in use and cannot be deleted"),
        ("2", "Reassign to is invalid"),
        ("99", "Reassign to is invalid"),
        ("x", "Reassign to is invalid"),
    ] {
        admin
            .submit(&page, DELETE, &[("reassign_to_id", replacement)])
            .assert_status(422)
            .assert_contains(message);
    }
    assert_eq!(issues_in(&world, 2), 3);
    admin
        .submit(&page, DELETE, &[("reassign_to_id", "5")])
        .assert_status(303);
    admin.get(DELETE).assert_status(404);
    let alice = world.as_user("alice");
    for id in issues {
        let issue = alice.get(&format!("/issues/{id}.json")).assert_status(200);
        assert_eq!(issue.integer("/issue/status/id"), 5);
        assert_eq!(issue.json_path("/issue/closed_on"), "2026-11-20T12:00:00Z");
        let shown = world.show_issue("alice", id, "journals");
        assert_eq!(shown["journals"], serde_json::json!([]));
    }
    let open = alice
        .get(&format!("/issues/{other}.json"))
        .assert_status(200);
    assert_eq!(open.integer("/issue/status/id"), 1);
    let catalogue = world.app.store.catalogue().unwrap();
    assert_eq!(catalogue.trackers[2].default_status, StatusId(5));
    assert_eq!(
        world.count_hits("alice", "quokka+is:closed"),
        3,
        "the index has the new status"
    );
}

#[test]
fn issues_that_a_replacement_opens_have_no_closing_time() {
    let world = World::with_projects();
    let closed = with_status(&world, 5, |issue| issue);
    world.sql("UPDATE issues SET closed_on = 1795000000000000");
    let admin = Browser::logged_in(&world, "admin");
    let replace = |status: i64, by: &str| {
        let path = format!("/issue_statuses/{status}/delete");
        let page = admin.get(&path).assert_status(200);
        admin
            .submit(&page, &path, &[("reassign_to_id", by)])
            .assert_status(303);
        let alice = world.as_user("alice");
        alice
            .get(&format!("/issues/{closed}.json"))
            .json_path("/issue/closed_on")
    };
    assert_eq!(replace(5, "6"), "2026-11-18T11:06:40Z", "it stays closed");
    assert_eq!(replace(6, "4"), serde_json::Value::Null);
}

#[test]
fn keywords_of_commit_messages_set_the_replacement() {
    let world = World::new();
    world.set(
        Setting::CommitUpdateKeywords,
        "fixes status_id=5; rejects status_id=6",
    );
    let admin = Browser::logged_in(&world, "admin");
    let path = "/issue_statuses/5/delete";
    let page = admin
        .get(path)
        .assert_status(200)
        .assert_contains("In commit messages, fixes will set the new status.");
    admin
        .submit(&page, path, &[("reassign_to_id", "3")])
        .assert_status(303);
    assert_eq!(
        world.setting(Setting::CommitUpdateKeywords),
        "fixes status_id=3; rejects status_id=6"
    );
}

#[test]
fn parents_derive_from_replaced_statuses() {
    let world = World::with_projects();
    world.set(Setting::ParentIssueDoneRatio, "derived");
    let parent = world.issue("secret").create();
    with_status(&world, 2, |issue| issue.parent(parent));
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(DELETE).assert_status(200);
    admin
        .submit(&page, DELETE, &[("reassign_to_id", "5")])
        .assert_status(303);
    assert_eq!(world.show_issue("alice", parent, "")["done_ratio"], 100);
}

#[test]
fn only_administrators_manage_statuses() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get("/projects/open/issue_categories/new");
    for path in ["/issue_statuses/new", "/issue_statuses/2/edit", DELETE] {
        alice.get(path).assert_status(403);
        alice
            .submit(&form, path, &[("issue_status[name]", "Mine")])
            .assert_status(403);
    }
    assert_eq!(world.app.store.catalogue().unwrap().statuses.len(), 6);
}

/// Returns the filters of a saved query: names, operators and values.
pub fn filters(world: &World, id: i64) -> Vec<String> {
    let query = world
        .app
        .read(|db| queries::find(db, QueryKind::Issues, QueryId(id)))
        .unwrap()
        .unwrap();
    let filters = query.filters.unwrap().into_iter();
    filters
        .map(|filter| {
            let values = filter.values.join(",");
            format!("{} {} {values}", filter.name, filter.operator)
        })
        .collect()
}

#[test]
fn saved_queries_follow_a_deleted_status() {
    let world = World::with_projects();
    world.sql(
        r#"INSERT INTO queries (id, type, name, user_id, visibility, filters_json) VALUES
           (1, 'IssueQuery', 'a', 2, 0, '{"status_id": {"operator": "=", "values": ["2", "5"]}, "tracker_id": {"operator": "=", "values": ["2"]}}'),
           (2, 'IssueQuery', 'b', 2, 2, '{"status_id": {"operator": "!", "values": [2]}}'),
           (3, 'IssueQuery', 'c', 3, 0, '{"status_id": {"operator": "o", "values": [""]}}'),
           (4, 'IssueQuery', 'd', 3, 0, '{"status_id": {"operator": "=", "values": ["3"]}, "subject": {"operator": "~", "values": ["3"]}}'),
           (5, 'IssueQuery', 'e', 3, 0, 'nonsense')"#,
    );
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(DELETE).assert_status(200);
    admin
        .submit(&page, DELETE, &[("reassign_to_id", "5")])
        .assert_status(303);
    assert_eq!(filters(&world, 1), ["status_id = 5", "tracker_id = 2"]);
    assert_eq!(filters(&world, 2), ["status_id ! 5"]);
    assert_eq!(filters(&world, 3), ["status_id o "]);
    admin
        .submit(&page, "/issue_statuses/3/delete", &[])
        .assert_status(303);
    assert_eq!(filters(&world, 4), ["subject ~ 3"]);
    admin
        .submit(&page, "/trackers/2/delete", &[])
        .assert_status(303);
    assert_eq!(filters(&world, 1), ["status_id = 5"]);
}
