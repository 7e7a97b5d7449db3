//! `GET /projects/:id/roadmap` and `GET /versions/:id`.

use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::{Value, json};

const CLOSED: i64 = 5;

/// Creates a version and returns its id.
pub fn version(world: &World, project: &str, fields: Value) -> i64 {
    let body = json!({ "version": fields }).to_string();
    world
        .as_user("admin")
        .post(&format!("/projects/{project}/versions.json"), &body)
        .assert_status(201)
        .json()["version"]["id"]
        .as_i64()
        .unwrap()
}

/// Creates an issue that is planned for a version.
fn plan(world: &World, project: &str, version: i64, more: Value) -> i64 {
    let mut issue =
        json!({"project_id": project, "subject": "Planned", "fixed_version_id": version});
    for (name, value) in more.as_object().unwrap() {
        issue[name] = value.clone();
    }
    world
        .as_user("alice")
        .post("/issues.json", json!({ "issue": issue }).to_string())
        .assert_status(201)
        .json()["issue"]["id"]
        .as_i64()
        .unwrap()
}

fn world() -> World {
    World::with_projects()
}

#[test]
fn roadmap_shows_how_far_each_version_is() {
    let world = world();
    let late = version(
        &world,
        "open",
        json!({"name": "1.0", "due_date": "2026-11-17", "description": "The *first* one"}),
    );
    version(
        &world,
        "open",
        json!({"name": "2.0", "due_date": "2026-11-21"}),
    );
    version(&world, "open", json!({"name": "Someday"}));
    let done = plan(&world, "open", late, json!({"subject": "Done"}));
    plan(
        &world,
        "open",
        late,
        json!({"subject": "Half", "done_ratio": 50}),
    );
    let body = json!({"issue": {"status_id": CLOSED}}).to_string();
    world
        .as_user("alice")
        .put(&format!("/issues/{done}.json"), &body)
        .assert_status(200);
    let page = Browser::logged_in(&world, "dave")
        .get("/projects/open/roadmap")
        .assert_status(200);
    for text in [
        "3 days late",
        "1 day left",
        "The first one",
        "50 % closed",
        "75 % done",
        "1 open</a>",
        "1 closed</a>",
        "Half</a>",
        "No issues are planned for it.",
    ] {
        assert!(page.body.contains(text), "{text} is missing: {}", page.body);
    }
    let order = ["1.0</a>", "2.0</a>", "Someday</a>"].map(|name| page.body.find(name).unwrap());
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn closed_versions_are_shown_on_request() {
    let world = world();
    let old = version(&world, "open", json!({"name": "Old"}));
    let body = json!({"version": {"status": "closed"}}).to_string();
    world
        .as_user("admin")
        .put(&format!("/versions/{old}.json"), &body)
        .assert_status(200);
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/projects/open/roadmap").assert_status(200);
    assert!(!page.body.contains("Old</a>"));
    page.assert_contains("Show closed versions");
    alice
        .get("/projects/open/roadmap?completed=1")
        .assert_contains("Old</a>")
        .assert_contains("Hide closed versions");
}

#[test]
fn hidden_issues_do_not_count_in_a_version() {
    let world = world();
    let shared = version(
        &world,
        "open",
        json!({"name": "Shared", "sharing": "system"}),
    );
    plan(&world, "open", shared, json!({"subject": "Seen"}));
    plan(
        &world,
        "open",
        shared,
        json!({"subject": "Unseen", "is_private": true, "estimated_hours": 7}),
    );
    plan(
        &world,
        "secret",
        shared,
        json!({"subject": "Elsewhere", "estimated_hours": 9}),
    );
    let dave = Browser::logged_in(&world, "dave");
    for path in [
        "/projects/open/roadmap".to_owned(),
        format!("/versions/{shared}"),
    ] {
        let page = dave.get(&path).assert_status(200);
        assert!(
            page.body.contains("all 1</a>") && page.body.contains("Seen</a>"),
            "{}",
            page.body
        );
        for hidden in ["Unseen", "Elsewhere", "7 h", "9 h", "16 h"] {
            assert!(!page.body.contains(hidden), "{hidden} at {path}");
        }
    }
    Browser::logged_in(&world, "alice")
        .get(&format!("/versions/{shared}"))
        .assert_contains("all 3</a>")
        .assert_contains("16 h estimated");
    dave.get("/projects/secret/roadmap").assert_status(404);
    dave.get("/projects/nothing/roadmap").assert_status(404);
    dave.get("/versions/999").assert_status(404);
    // Past the end.
    dave.get("/projects/open/roadmap?page=9").assert_status(200);
}

#[test]
fn version_has_a_burn_up_chart_of_its_issues() {
    let world = world();
    let id = version(
        &world,
        "open",
        json!({"name": "1.0", "due_date": "2026-11-30"}),
    );
    let issues = [1, 2, 3, 4].map(|_| plan(&world, "open", id, json!({})));
    world.sql(&format!(
        "UPDATE issues SET created_on = created_on - 864000000000 WHERE id = {}; \
         UPDATE issues SET status_id = {CLOSED}, closed_on = created_on WHERE id = {}",
        issues[0], issues[1]
    ));
    quarry_world::complete_world::reindex(&world);
    Browser::logged_in(&world, "alice")
        .get(&format!("/versions/{id}"))
        .assert_status(200)
        .assert_contains("aria-label=\"4 issues since 10 Nov 2026, of which 1 are closed\"")
        .assert_contains(
            "<polyline class=\"scope\" points=\"0,120 0,120 0,90 300,90 300,0 300,0\"/>",
        )
        .assert_contains("<polyline class=\"done\" points=\"0,120 300,120 300,90 300,90\"/>")
        .assert_contains("<line class=\"due\" x1=\"600\"");
}
