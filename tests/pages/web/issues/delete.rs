//! Deleting an issue from its page.

use quarry_world::browser::{Browser, form_field};
use quarry_world::{Response, World};
use serde_json::json;

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").subject("To go").create();
    world
}

/// Sends the confirmation of a deletion, as a browser does.
fn confirm(browser: &Browser<'_>, id: i64, fields: &[(&str, &str)]) -> Response {
    let path = format!("/issues/{id}/delete");
    let page = browser.get(&path).assert_status(200);
    let confirmed = form_field(&page, &path, "confirmed").unwrap();
    let mut fields = fields.to_vec();
    fields.push(("confirmed", &confirmed));
    browser.submit(&page, &path, &fields)
}

fn log_time(world: &World, issue: i64, hours: f64) {
    let entry = json!({"time_entry": {"issue_id": issue, "hours": hours, "activity_id": 8}});
    world
        .as_user("alice")
        .post("/time_entries.json", entry)
        .assert_status(201);
}

#[test]
fn confirmation_says_what_goes_with_the_issue() {
    let world = world();
    world.issue("open").parent(1).create();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues/1").assert_contains("/issues/1/delete");
    let files: [(&str, &[u8]); 2] = [("a.txt", b"one"), ("b.txt", b"two")];
    alice
        .submit_files(&page, "/issues/1", &[], &files)
        .assert_status(303);
    let page = alice
        .get("/issues/1/delete")
        .assert_status(200)
        .assert_contains("To go")
        .assert_contains("This also deletes 1 subtask, all notes and relations and 2 files.");
    assert!(!page.body.contains("Time entries"));
    let deleted = confirm(&alice, 1, &[]).assert_status(303);
    assert_eq!(deleted.location(), "/projects/open/issues");
    for id in [1, 2] {
        alice.get(&format!("/issues/{id}")).assert_status(404);
    }
}

#[test]
fn time_entries_are_deleted_kept_or_moved() {
    let world = world();
    let target = world.issue("open").subject("The heir").create();
    let secret = world.issue("secret").create().to_string();
    for id in 3..=4 {
        assert_eq!(world.issue("open").create(), id + 1);
    }
    for id in [1, 4, 5] {
        log_time(&world, id, 1.5);
    }
    let alice = Browser::logged_in(&world, "alice");
    world.count_hits("alice", "heir");
    alice
        .get("/issues/1/delete")
        .assert_contains("Time entries, 1.5 h in all");
    let refused = [
        &[("todo", "reassign")][..],
        &[("todo", "reassign"), ("reassign_to_id", "999")],
        &[("todo", "reassign"), ("reassign_to_id", secret.as_str())],
        &[("todo", "reassign"), ("reassign_to_id", "1")],
    ];
    for fields in refused {
        confirm(&alice, 1, fields)
            .assert_status(422)
            .assert_contains("value=\"reassign\" checked");
    }
    let fields = [("todo", "reassign"), ("reassign_to_id", "heir")];
    confirm(&alice, 1, &fields).assert_status(303);
    confirm(&alice, 4, &[("todo", "nullify")]).assert_status(303);
    confirm(&alice, 5, &[("todo", "destroy")]).assert_status(303);
    let entries = world.as_user("alice").get("/time_entries.json");
    let issues: Vec<Option<i64>> = entries
        .array("/time_entries")
        .iter()
        .map(|entry| entry["issue"]["id"].as_i64())
        .collect();
    assert_eq!(issues.len(), 2, "{issues:?}");
    assert!(issues.contains(&Some(target)) && issues.contains(&None));
}

#[test]
fn deletion_needs_its_permission_also_for_subtasks() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/issues/1").assert_status(200);
    assert!(!page.body.contains("/issues/1/delete"));
    bob.get("/issues/1/delete").assert_status(403);
    bob.submit(&page, "/issues/1/delete", &[])
        .assert_status(403);
    bob.post("/issues/1/delete", &[]).assert_status(403);
    let secret = world.issue("secret").create();
    bob.get(&format!("/issues/{secret}/delete"))
        .assert_status(404);
    bob.submit(&page, &format!("/issues/{secret}/delete"), &[])
        .assert_status(404);
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'delete_issues')");
    world.issue("open").private().parent(1).create();
    let confirmation = bob.get("/issues/1/delete").assert_status(200);
    assert!(
        !confirmation.body.contains("subtask"),
        "{}",
        confirmation.body
    );
    bob.submit(&page, "/issues/1/delete", &[])
        .assert_status(422)
        .assert_contains("subtasks that you cannot see or delete");
    assert_eq!(world.show_issue("alice", 1, "")["subject"], "To go");
}

#[test]
fn what_was_added_after_the_confirmation_is_not_deleted_unseen() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let path = "/issues/1/delete";
    let page = alice.get(path).assert_status(200);
    let confirmed = form_field(&page, path, "confirmed").unwrap();
    log_time(&world, 1, 3.0);
    for fields in [&[("confirmed", confirmed.as_str())][..], &[]] {
        alice
            .submit(&page, path, fields)
            .assert_status(409)
            .assert_contains("Nothing is deleted yet")
            .assert_contains("Time entries, 3 h in all");
    }
    let page = alice.get("/issues/bulk_delete?ids=1").assert_status(200);
    let many = form_field(&page, "/issues/bulk_delete", "confirmed").unwrap();
    world.issue("open").parent(1).create();
    let fields = [("ids", "1"), ("confirmed", many.as_str())];
    alice
        .submit(&page, "/issues/bulk_delete", &fields)
        .assert_status(409)
        .assert_contains("1 subtask is deleted with them.");
    assert_eq!(world.show_issue("alice", 1, "")["subject"], "To go");
}
