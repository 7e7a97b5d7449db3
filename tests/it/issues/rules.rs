//! Effects of writing an issue: subtasks, moves, closing, custom fields, workflow rules
//! (compatibility 6.4 to 6.6).

use crate::world::{DEVELOPER, MANAGER, World, insert_category, insert_version};
use quarry::domain::setting::Setting;
use serde_json::{Value, json};

fn show(world: &World, id: i64) -> Value {
    world
        .as_user("alice")
        .get(&format!(
            "/issues/{id}.json?include=journals,relations,watchers"
        ))
        .assert_status(200)
        .json_path("/issue")
}

fn put(world: &World, login: &str, id: i64, fields: Value) -> Value {
    let body = json!({"issue": fields});
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), &body)
        .assert_status(200)
        .json_path("/issue")
}

fn errors(world: &World, id: i64, fields: Value) -> Vec<String> {
    let body = json!({"issue": fields});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), &body)
        .assert_status(422)
        .errors()
}

fn details(issue: &Value) -> Vec<String> {
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
fn parent_values_are_computed_from_subtasks() {
    let world = World::with_projects();
    let parent = world.issue("open").create();
    let subtask = || world.issue("open").parent(parent);
    let one = subtask()
        .field("estimated_hours", "4h")
        .field("start_date", "2024-03-01")
        .field("due_date", "2024-03-10")
        .field("priority_id", 4)
        .create();
    let two = subtask()
        .field("estimated_hours", 2)
        .field("start_date", "2024-03-05")
        .create();
    let issue = show(&world, parent);
    assert_eq!(issue["start_date"], "2024-03-01");
    assert_eq!(issue["due_date"], "2024-03-10");
    assert_eq!(issue["priority"]["id"], 4);
    assert_eq!(issue["total_estimated_hours"], 6.0);
    assert_eq!(
        details(&issue),
        [
            format!("child_id null \"{one}\""),
            format!("child_id null \"{two}\"")
        ]
    );
    put(
        &world,
        "alice",
        parent,
        json!({"done_ratio": 90, "priority_id": 1, "start_date": "2020-01-01"}),
    );
    put(&world, "alice", one, json!({"status_id": 5}));
    let issue = show(&world, parent);
    assert_eq!(issue["done_ratio"], 66);
    assert_eq!(issue["priority"]["id"], 2);
    assert_eq!(issue["start_date"], "2024-03-01");
    // Closed and deleted subtasks do not count; an open subtask keeps the parent open.
    assert_eq!(
        put(&world, "alice", parent, json!({"status_id": 5}))["status"]["id"],
        1
    );
    world
        .as_user("alice")
        .delete(&format!("/issues/{one}.json"))
        .assert_status(200);
    assert_eq!(show(&world, parent)["done_ratio"], 0);
    put(&world, "alice", two, json!({"parent_issue_id": ""}));
    assert_eq!(
        put(&world, "alice", parent, json!({"status_id": 5}))["status"]["id"],
        5
    );
}

#[test]
fn parent_must_not_be_itself_hidden_or_closed() {
    let world = World::with_projects();
    let top = world.issue("open").create();
    let middle = world.issue("open").create();
    put(
        &world,
        "alice",
        middle,
        json!({"parent_issue_id": format!("#{top}")}),
    );
    let hidden = world.issue("secret").author("admin").create();
    for wrong in [
        json!(top),
        json!(middle),
        json!(9999),
        json!("x"),
        json!(hidden),
    ] {
        assert_eq!(
            errors(&world, top, json!({"parent_issue_id": wrong})),
            ["Parent task is invalid"],
            "{wrong}"
        );
    }
    let closed = world.issue("open").create();
    put(&world, "alice", closed, json!({"status_id": 5}));
    let sentence = "An open issue cannot be attached to a closed parent task";
    assert_eq!(
        errors(&world, middle, json!({"parent_issue_id": closed})),
        [sentence]
    );
    // Without permission the field is ignored.
    assert!(
        put(&world, "carol", middle, json!({"parent_issue_id": closed}))["parent"]["id"] == top
    );
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
    let moved = put(&world, "alice", id, json!({"project_id": "other"}));
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
        put(&world, "bob", id, json!({"project_id": "secret"}))["project"]["id"],
        3
    );
    assert_eq!(
        put(&world, "alice", id, json!({"project_id": 99}))["project"]["id"],
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
    put(&world, "alice", issue, json!({"status_id": 6}));
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
    let issue = put(
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
    put(
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

#[test]
fn author_becomes_watcher_if_permitted() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .author("bob")
        .field("watcher_user_ids", json!([2]))
        .create();
    assert_eq!(
        show(&world, id)["watchers"],
        json!([]),
        "developers may not add watchers"
    );
    put(&world, "bob", id, json!({"notes": "mine"}));
    put(&world, "alice", id, json!({"notes": "mine too"}));
    assert_eq!(
        show(&world, id)["watchers"],
        json!([{"id": 2, "name": "alice Tester"}])
    );
    let id = world
        .issue("open")
        .field("watcher_user_ids", json!([3, "4", 3]))
        .create();
    assert_eq!(
        show(&world, id)["watchers"],
        json!([{"id": 3, "name": "bob Tester"}, {"id": 4, "name": "carol Tester"}])
    );
    let post = |watcher: i64| {
        let body =
            json!({"issue": {"project_id": "open", "subject": "x", "watcher_user_ids": [watcher]}});
        world.as_user("alice").post("/issues.json", &body)
    };
    post(99).assert_status(404);
    post(6)
        .assert_status(422)
        .assert_errors(&["Watchers is invalid"]);
}

#[test]
fn bulk_delete_is_all_or_nothing() {
    let world = World::with_projects();
    let ids = [world.issue("open").create(), world.issue("open").create()];
    let alice = world.as_user("alice");
    let both = |suffix: &str| format!("/issues{suffix}?ids[]={}&ids[]={}", ids[0], ids[1]);
    world
        .as_user("bob")
        .delete(&both(".json"))
        .assert_status(403);
    alice
        .delete(&format!("{}&ids[]=999", both(".json")))
        .assert_status(404);
    alice.delete("/issues.json").assert_status(404);
    alice
        .delete(&format!("{}&todo=maybe", both(".json")))
        .assert_status(422);
    alice
        .get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", 2);
    alice.delete(&both(".xml")).assert_status(200);
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
fn blocked_parents_and_subtasks_do_not_deadlock() {
    let world = World::with_projects();
    let new = || world.issue("open").create();
    let relate = |from: i64, to: i64, kind: &str| {
        let body = json!({"relation": {"issue_to_id": to, "relation_type": kind}});
        world
            .as_user("alice")
            .post(&format!("/issues/{from}/relations.json"), &body)
            .assert_status(201);
    };
    for kind in ["precedes", "blocks", "follows", "blocked"] {
        let [top, above, one, below] = [new(), new(), new(), new()];
        put(&world, "alice", above, json!({"parent_issue_id": top}));
        put(&world, "alice", below, json!({"parent_issue_id": one}));
        relate(top, below, kind);
        assert_eq!(
            errors(&world, one, json!({"parent_issue_id": above})),
            ["Parent task is invalid"],
            "{kind}"
        );
        assert!(show(&world, one).get("parent").is_none());
    }
    let [parent, part] = [new(), new()];
    relate(parent, part, "relates");
    assert_eq!(
        put(&world, "alice", part, json!({"parent_issue_id": parent}))["parent"]["id"],
        parent
    );
}

#[test]
fn hidden_subtasks_are_not_moved_into_visible_projects() {
    let world = World::with_projects();
    world.project("own").member("bob", MANAGER).create();
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 4");
    let top = world.issue("open").author("bob").create();
    let part = world.issue("open").parent(top).create();
    let hidden = world.issue("open").parent(part).private().create();
    let bob = world.as_user("bob");
    let body = json!({"issue": {"project_id": "own", "subject": "Moved"}});
    let rejected = bob
        .put(&format!("/issues/{top}.json"), body)
        .assert_status(422);
    assert_eq!(
        rejected.errors(),
        ["Project cannot be changed because the issue has subtasks that you cannot see"]
    );
    assert_eq!(
        [top, part, hidden].map(|id| show(&world, id)["project"]["id"].as_i64()),
        [Some(1); 3]
    );
    assert_eq!(
        show(&world, top)["subject"],
        "A thing",
        "nothing else was changed either"
    );
    bob.get(&format!("/issues/{hidden}.json"))
        .assert_status(403);
    // Subtasks visible to the viewer move along, independent of their author.
    world.edit(hidden, |issue| issue.private = false);
    put(&world, "bob", top, json!({"project_id": "own"}));
    let own = [top, part, hidden].map(|id| {
        world
            .as_user("bob")
            .get(&format!("/issues/{id}.json"))
            .assert_status(200)
            .json()["issue"]["project"]["id"]
            .as_i64()
    });
    assert_eq!(own, [Some(3); 3]);
}

#[test]
fn hidden_parent_is_neither_disclosed_nor_removed() {
    let world = World::with_projects();
    let hidden = world.issue("open").create();
    let part = world.issue("open").parent(hidden).create();
    world.edit(hidden, |issue| issue.private = true);
    world.sql(
        "INSERT OR IGNORE INTO role_permissions (role_id, name) VALUES (4, 'manage_subtasks')",
    );
    for id in [hidden, 9999] {
        let body = json!({"issue": {"parent_issue_id": id}});
        let response = world
            .as_user("bob")
            .put(&format!("/issues/{part}.json"), &body)
            .assert_status(422);
        assert_eq!(response.errors(), ["Parent task is invalid"], "{id}");
    }
    assert!(
        put(&world, "bob", part, json!({"parent_issue_id": ""}))
            .get("parent")
            .is_none(),
        "not seen"
    );
    assert_eq!(
        show(&world, part)["parent"]["id"],
        hidden,
        "and still there"
    );
    assert!(
        put(&world, "alice", part, json!({"parent_issue_id": ""}))
            .get("parent")
            .is_none()
    );
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

#[test]
fn users_hidden_from_the_viewer_cannot_be_watchers() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let body = |watcher: i64| json!({"issue": {"project_id": "open", "subject": "A thing", "watcher_user_ids": [watcher]}});
    let post = |watcher: i64| world.as_user("alice").post("/issues.json", body(watcher));
    // Bob is a member here.
    post(3).assert_status(201);
    let rejected: Vec<String> = [1, 5, 6, 9999]
        .into_iter()
        .map(|unknown| post(unknown).assert_status(404).body)
        .collect();
    assert!(
        rejected.iter().all(|text| *text == rejected[0]),
        "the administrator, who is a member of nothing, who is locked, nobody"
    );
    let id = world.issue("open").create();
    for unknown in [5, 6, 9999] {
        world
            .as_user("alice")
            .delete(&format!("/issues/{id}/watchers/{unknown}.json"))
            .assert_status(404);
    }
}

#[test]
fn hours_are_bounded() {
    let world = World::with_projects();
    let parent = world.issue("open").create();
    let create = |hours: &str| {
        let body = format!(
            r#"{{"issue":{{"project_id":"open","subject":"x","parent_issue_id":{parent},"estimated_hours":{hours}}}}}"#
        );
        world.as_user("alice").post("/issues.json", &body)
    };
    create("1e308")
        .assert_status(422)
        .assert_errors(&["Estimated time is invalid"]);
    create("1000000001")
        .assert_status(422)
        .assert_errors(&["Estimated time is invalid"]);
    create("1000000000").assert_status(201);
    create("1e9").assert_status(201);
    let issue = world
        .as_user("alice")
        .get(&format!("/issues/{parent}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(issue["total_estimated_hours"], 2e9);
    let body = r#"{"time_entry":{"project_id":"open","activity_id":8,"hours":1e308}}"#;
    world
        .as_user("alice")
        .post("/time_entries.json", body)
        .assert_status(422)
        .assert_errors(&["Hours is invalid"]);
}

#[test]
fn derived_values_match_a_full_recomputation() {
    let world = World::with_projects();
    let mut chain = vec![world.issue("open").create()];
    for level in 1..=5 {
        let above = chain[chain.len() - 1];
        chain.push(
            world
                .issue("open")
                .parent(above)
                .field("estimated_hours", level)
                .create(),
        );
        // Each level has a finished sibling, and below it an issue without estimate.
        let sibling = world
            .issue("open")
            .parent(above)
            .field("estimated_hours", 10 - level)
            .create();
        world
            .issue("open")
            .parent(sibling)
            .field("done_ratio", 100)
            .create();
    }
    let deepest = chain[5];
    let done = |id: i64| show(&world, id)["done_ratio"].as_i64().unwrap();
    // From the bottom: 5 hours, half done, next to 5 finished hours; then the same with the own
    // hours of each level.
    let expected = |own: f64, ratio: f64| {
        let mut below = own;
        let mut ratio = ratio;
        let mut found = Vec::new();
        for level in (1..=5).rev() {
            let sibling = f64::from(10 - level);
            ratio = ((below * ratio + sibling * 100.0) / (below + sibling) + 1e-9).floor();
            below += sibling + f64::from(level - 1);
            found.insert(0, ratio as i64);
        }
        found
    };
    let put = |fields: Value| {
        world
            .as_user("alice")
            .put(&format!("/issues/{deepest}.json"), json!({"issue": fields}))
            .assert_status(200);
        chain[..5].iter().map(|id| done(*id)).collect::<Vec<i64>>()
    };
    assert_eq!(put(json!({"done_ratio": 50})), expected(5.0, 50.0));
    // Changed hours change the weights on every level.
    assert_eq!(put(json!({"estimated_hours": 50})), expected(50.0, 50.0));
    assert_eq!(
        put(json!({"estimated_hours": 50, "done_ratio": 0})),
        expected(50.0, 0.0)
    );
}

/// If no derived value changes, no ancestor is read or written.
#[test]
fn note_does_not_update_ancestors() {
    let world = World::with_projects();
    let top = world.issue("open").create();
    let middle = world.issue("open").parent(top).create();
    let below = world
        .issue("open")
        .parent(middle)
        .field("done_ratio", 40)
        .create();
    world.edit(top, |issue| issue.done_ratio = 7);
    let put = |fields: Value| {
        world
            .as_user("alice")
            .put(&format!("/issues/{below}.json"), json!({"issue": fields}))
    };
    put(json!({"notes": "a note"})).assert_status(200);
    assert_eq!(show(&world, top)["done_ratio"], 7);
    put(json!({"done_ratio": 60})).assert_status(200);
    assert_eq!(
        (
            &show(&world, middle)["done_ratio"],
            &show(&world, top)["done_ratio"]
        ),
        (&json!(60), &json!(60))
    );
}
