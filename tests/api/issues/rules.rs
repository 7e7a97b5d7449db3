//! Effects of writing an issue: subtasks, moves, closing, custom fields, workflow rules
//! (compatibility 6.4 to 6.6).

use quarry::domain::administration::setting::Setting;
use quarry_world::{DEVELOPER, MANAGER, World, insert_category, insert_version};
use serde_json::{Value, json};

pub fn show(world: &World, id: i64) -> Value {
    world
        .as_user("alice")
        .get(&format!(
            "/issues/{id}.json?include=journals,relations,watchers"
        ))
        .assert_status(200)
        .json_path("/issue")
}

pub fn update(world: &World, login: &str, id: i64, fields: Value) -> Value {
    let body = json!({"issue": fields});
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), &body)
        .assert_status(200)
        .json_path("/issue")
}

pub fn errors(world: &World, id: i64, fields: Value) -> Vec<String> {
    let body = json!({"issue": fields});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), &body)
        .assert_status(422)
        .errors()
}

pub fn details(issue: &Value) -> Vec<String> {
    let journals = issue["journals"].as_array().unwrap();
    let all = journals
        .iter()
        .flat_map(|journal| journal["details"].as_array().unwrap());
    all.map(|detail| {
        format!(
            "{} {} {}",
            detail["name"].as_str().unwrap(),
            detail["old_value"],
            detail["new_value"]
        )
    })
    .collect()
}

#[test]
fn move_keeps_what_exists_in_the_target_project() {
    let world = World::with_projects();
    world
        .project("other")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    let open = quarry::domain::ids::ProjectId(1);
    let other = quarry::domain::ids::ProjectId(3);
    let now = world.app.clock.now();
    let (tank, tank_there) = world.write(move |db| {
        let ours = insert_category(db, open, "Tank", None)?;
        insert_version(db, open, "1.0", now)?;
        Ok((ours, insert_category(db, other, "Tank", None)?))
    });
    let id = world
        .issue("open")
        .field("category_id", tank.0)
        .field("fixed_version_id", 1)
        .create();
    let part = world
        .issue("open")
        .parent(id)
        .field("category_id", tank.0)
        .create();
    let friend = world.issue("open").create();
    let body = json!({"relation": {"issue_to_id": friend}});
    world
        .as_user("alice")
        .post(&format!("/issues/{id}/relations.json"), &body)
        .assert_status(201);
    let moved = update(&world, "alice", id, json!({"project_id": "other"}));
    assert_eq!(moved["project"]["id"], 3);
    assert_eq!(moved["category"]["id"], tank_there.0);
    assert!(moved.get("fixed_version").is_none(), "{moved}");
    let below = show(&world, part);
    assert_eq!(below["project"]["id"], 3);
    assert_eq!(below["category"]["id"], tank_there.0);
    assert_eq!(below["parent"]["id"], id);
    assert!(
        show(&world, id).get("relations").is_none(),
        "issues of several projects are not related"
    );
    // Without permission in the target, nothing is moved.
    assert_eq!(
        update(&world, "bob", id, json!({"project_id": "secret"}))["project"]["id"],
        3
    );
    assert_eq!(
        update(&world, "alice", id, json!({"project_id": 99}))["project"]["id"],
        3
    );
    let found = world
        .as_user("bob")
        .get("/projects/other/search.json?q=thing")
        .assert_status(200)
        .json();
    assert_eq!(found["total_count"], 2, "the search follows");
}

#[test]
fn closing_an_issue_closes_its_duplicates() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let same = world.issue("open").create();
    let same_again = world.issue("open").create();
    for (from, to) in [(same, issue), (same_again, same)] {
        let body = json!({"relation": {"issue_to_id": to, "relation_type": "duplicates"}});
        world
            .as_user("alice")
            .post(&format!("/issues/{from}/relations.json"), &body)
            .assert_status(201);
    }
    update(&world, "alice", issue, json!({"status_id": 6}));
    for id in [issue, same, same_again] {
        let issue = show(&world, id);
        assert_eq!(issue["status"]["id"], 6, "{issue}");
        assert_eq!(
            details(&issue).last().map(String::as_str),
            Some("status_id \"1\" \"6\"")
        );
    }
}

#[test]
fn workflow_field_rules_are_enforced() {
    let world = World::with_projects();
    for (status, field, rule) in [
        (1, "due_date", "readonly"),
        (2, "assigned_to_id", "required"),
    ] {
        world.sql(&format!(
            "INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule)
             SELECT 1, id, {status}, '{field}', '{rule}' FROM roles WHERE id IN (3, 4, 5)"
        ));
    }
    let id = world.issue("open").field("due_date", "2030-01-01").create();
    assert!(show(&world, id)["due_date"].is_null());
    assert_eq!(
        errors(&world, id, json!({"status_id": 2})),
        ["Assignee cannot be blank"]
    );
    let issue = update(
        &world,
        "alice",
        id,
        json!({"status_id": 2, "assigned_to_id": "me", "due_date": "2030-01-01"}),
    );
    assert_eq!(issue["assigned_to"]["id"], 2);
    assert_eq!(issue["due_date"], "2030-01-01");
}

#[test]
fn stale_lock_version_is_rejected() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    update(
        &world,
        "alice",
        id,
        json!({"lock_version": 0, "subject": "first"}),
    );
    let sentences = errors(&world, id, json!({"lock_version": 0, "subject": "second"}));
    assert!(
        sentences[0].starts_with("Lock version is out of date"),
        "{sentences:?}"
    );
    assert_eq!(show(&world, id)["subject"], "first");
}

fn bulk_path(ids: [i64; 2], suffix: &str) -> String {
    format!("/issues{suffix}?ids[]={}&ids[]={}", ids[0], ids[1])
}

#[test]
fn bulk_delete_is_all_or_nothing() {
    let world = World::with_projects();
    let ids = [world.issue("open").create(), world.issue("open").create()];
    let alice = world.as_user("alice");
    world
        .as_user("bob")
        .delete(&bulk_path(ids, ".json"))
        .assert_status(403);
    alice
        .delete(&format!("{}&ids[]=999", bulk_path(ids, ".json")))
        .assert_status(404);
    alice.delete("/issues.json").assert_status(404);
    alice
        .delete(&format!("{}&todo=maybe", bulk_path(ids, ".json")))
        .assert_status(422);
    alice
        .get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", 2);
    alice.delete(&bulk_path(ids, ".xml")).assert_status(200);
    alice
        .get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

#[test]
fn validation_errors_are_listed_in_order() {
    let world = World::with_projects();
    let body = json!({"issue": {
        "project_id": "open",
        "subject": "",
        "priority_id": "x",
        "done_ratio": 400,
        "estimated_hours": "x",
        "start_date": "abc",
        "due_date": "2024-02-30",
        "fixed_version_id": 99,
        "category_id": 99,
        "assigned_to_id": 99,
        "parent_issue_id": "q",
    }});
    let sentences = [
        "Subject cannot be blank",
        "Priority cannot be blank",
        "% Done is not included in the list",
        "Estimated time is invalid",
        "Start date is not a valid date",
        "Due date is not a valid date",
        "Target version is not included in the list",
        "Category is not included in the list",
        "Assignee is invalid",
        "Parent task is invalid",
    ];
    world
        .as_user("alice")
        .post("/issues.json", body)
        .assert_status(422)
        .assert_errors(&sentences);
    let body = json!({"issue": {"project_id": "open", "subject": "x", "start_date": "2024-05-10", "due_date": "2024-05-01"}});
    world
        .as_user("alice")
        .post("/issues.json", body)
        .assert_status(422)
        .assert_errors(&["Due date must be greater than start date"]);
}

#[test]
fn done_ratio_can_follow_the_status() {
    let world = World::with_projects();
    world.set(Setting::IssueDoneRatio, "issue_status");
    let id = world.issue("open").field("done_ratio", 30).create();
    assert_eq!(
        show(&world, id)["done_ratio"],
        30,
        "without a ratio of the status, that of the issue applies"
    );
}

#[test]
fn category_must_exist_in_the_target_project() {
    let world = World::with_projects();
    world.project("other").member("alice", MANAGER).create();
    let tank =
        world.write(|db| insert_category(db, quarry::domain::ids::ProjectId(1), "Tank", None));
    let id = world.issue("open").field("category_id", tank.0).create();
    let fields = json!({"project_id": "other", "category_id": tank.0});
    assert_eq!(
        errors(&world, id, fields),
        ["Category is not included in the list"]
    );
    assert_eq!(show(&world, id)["project"]["id"], 1);
}

#[test]
fn locked_author_cannot_be_assigned() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    world.sql("UPDATE users SET status = 3 WHERE id = 4");
    assert_eq!(
        errors(&world, id, json!({"assigned_to_id": 4})),
        ["Assignee is invalid"]
    );
}
