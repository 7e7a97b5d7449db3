//! What people choose to be told of.

use super::{clear, entries, reasons, told};
use quarry_world::{DEVELOPER, World, user};
use serde_json::json;

/// A world in which mail is on.
fn world() -> World {
    let world = World::with_projects();
    world.sql("DELETE FROM mail_status; INSERT INTO mail_status (id, is_on) VALUES (1, 1)");
    world
}

/// Sets which events a user wants to be told of.
fn choose(world: &World, login: &str, choice: &str) {
    let body = json!({"user": {"mail_notification": choice}});
    let path = format!("/users/{}.json", user(login).0);
    world.as_user("admin").put(&path, body).assert_status(200);
}

/// Returns the number of notices of a user whose mail is due.
fn mails(world: &World, login: &str) -> i64 {
    let id = user(login).0;
    world.database().value(&format!(
        "SELECT COUNT(*) FROM notices WHERE user_id = {id} AND mail_on IS NOT NULL"
    ))
}

#[test]
fn high_priority_tells_an_assignee_whom_others_with_the_role_may_not_join() {
    let world = world();
    // Developers see their own issues only. Bob and dave want to know of those with a high priority.
    world.sql("UPDATE roles SET issues_visibility = 'own' WHERE name = 'Developer'");
    world.sql("UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let members = json!({"membership": {"user_id": user("dave").0, "role_ids": [DEVELOPER.0]}});
    world
        .as_user("admin")
        .post("/projects/open/memberships.json", members)
        .assert_status(201);
    for login in ["bob", "dave"] {
        choose(&world, login, "only_owner");
        let body = json!({"user": {}, "pref": {"notify_about_high_priority_issues": true}});
        let path = format!("/users/{}.json", user(login).0);
        world.as_user("admin").put(&path, body).assert_status(200);
    }
    let priorities = world
        .as_user("alice")
        .get("/enumerations/issue_priorities.json");
    let urgent = priorities.integers("/issue_priorities", "id")[2];
    for assignee in ["bob", "dave"] {
        clear(&world);
        world
            .issue("open")
            .author("alice")
            .field("assigned_to_id", user(assignee).0)
            .field("priority_id", urgent)
            .create();
        for login in ["bob", "dave"] {
            let expected = if login == assignee {
                "high_priority"
            } else {
                ""
            };
            assert_eq!(reasons(&world, login), expected, "{login}");
        }
    }
}

#[test]
fn choice_decides_which_involvement_tells() {
    let world = world();
    let path = |id: i64| format!("/issues/{id}.json");
    for (choice, own, assigned, other) in [
        ("all", "author", "assigned", "project"),
        ("selected", "author", "assigned", ""),
        ("only_my_events", "author", "assigned", ""),
        ("only_assigned", "", "assigned", ""),
        ("only_owner", "author", "", ""),
        ("none", "author", "assigned", ""),
        ("", "author", "assigned", ""),
    ] {
        choose(&world, "bob", choice);
        let written = world.issue("open").author("bob").create();
        let assigned_to = world
            .issue("open")
            .author("alice")
            .field("assigned_to_id", user("bob").0)
            .create();
        let unrelated = world.issue("open").author("alice").create();
        for (id, expected) in [(written, own), (assigned_to, assigned), (unrelated, other)] {
            clear(&world);
            let note = json!({"issue": {"notes": "A note"}});
            world
                .as_user("alice")
                .put(&path(id), note)
                .assert_status(200);
            let reasons = reasons(&world, "bob");
            let first = reasons.split(' ').next().unwrap();
            assert_eq!(first, expected, "{choice}: {reasons}");
            let is_mailed = choice != "none" && !expected.is_empty();
            assert_eq!(mails(&world, "bob") == 1, is_mailed, "{choice}");
        }
    }
}

#[test]
fn all_events_of_chosen_projects_are_told() {
    let world = world();
    choose(&world, "bob", "selected");
    world.sql(&format!(
        "UPDATE members SET mail_notification = 1 WHERE user_id = {}; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
        user("bob").0
    ));
    let issue = json!({"issue": {"project_id": "open", "subject": "One"}});
    world
        .as_user("alice")
        .post("/issues.json", issue)
        .assert_status(201);
    assert_eq!(reasons(&world, "bob"), "project");
}

#[test]
fn own_events_are_mailed_on_request_and_never_in_the_inbox() {
    let world = world();
    let bob = world.as_user("bob");
    let issue = json!({"issue": {"project_id": "open", "subject": "One"}});
    bob.post("/issues.json", issue.clone()).assert_status(201);
    assert_eq!(mails(&world, "bob"), 0);
    bob.put(
        "/my/account.json",
        json!({"user": {}, "pref": {"no_self_notified": "0"}}),
    )
    .assert_status(200);
    bob.post("/issues.json", issue).assert_status(201);
    assert_eq!(mails(&world, "bob"), 1);
    assert_eq!(entries(&world, "bob").len(), 0);
}

#[test]
fn high_priority_is_told_to_members_who_want_that() {
    let world = world();
    let bob = world.as_user("bob");
    bob.put(
        "/my/account.json",
        json!({"user": {}, "pref": {"notify_about_high_priority_issues": true}}),
    )
    .assert_status(200);
    let alice = world.as_user("alice");
    let priorities = alice.get("/enumerations/issue_priorities.json");
    let ids = priorities.integers("/issue_priorities", "id");
    for id in &ids[..2] {
        let issue = json!({"issue": {"project_id": "open", "subject": "Calm", "priority_id": id}});
        alice.post("/issues.json", issue).assert_status(201);
    }
    assert_eq!(told(&world), [""; 0]);
    let issue = json!({"issue": {"project_id": "open", "subject": "Fire", "priority_id": ids[2]}});
    alice.post("/issues.json", issue).assert_status(201);
    assert_eq!(reasons(&world, "bob"), "high_priority");
    assert_eq!(told(&world), ["bob"]);
}

#[test]
fn muted_thread_tells_only_who_is_addressed() {
    let world = world();
    let id = world.issue("open").author("bob").create();
    world.sql(&format!(
        "INSERT INTO notice_threads (user_id, thread_kind, thread_id, is_muted) VALUES ({}, 0, {id}, 1)",
        user("bob").0
    ));
    let path = format!("/issues/{id}.json");
    let alice = world.as_user("alice");
    alice
        .put(&path, json!({"issue": {"notes": "A note"}}))
        .assert_status(200);
    assert_eq!(told(&world), [""; 0]);
    alice
        .put(&path, json!({"issue": {"notes": "But @bob"}}))
        .assert_status(200);
    assert_eq!(told(&world), ["bob"]);
}

#[test]
fn mail_is_due_at_once_for_who_is_addressed_and_otherwise_later() {
    let world = world();
    let id = world.issue("open").author("carol").create();
    let change = json!({"issue": {"notes": "A note", "assigned_to_id": user("bob").0}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), change)
        .assert_status(200);
    let delay = |login: &str| -> i64 {
        world.database().value(&format!(
            "SELECT mail_on - created_on FROM notices WHERE user_id = {}",
            user(login).0
        ))
    };
    assert_eq!(delay("bob"), 0);
    assert_eq!(delay("carol"), 120_000_000);
}
