//! The tree of subtasks on the page of an issue.

use quarry_world::World;
use quarry_world::browser::Browser;

#[test]
fn tree_has_status_assignee_and_progress_of_the_visible_subtasks() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let first = world
        .issue("open")
        .subject("First part")
        .field("assigned_to_id", 3)
        .parent(id)
        .create();
    let below = world
        .issue("open")
        .subject("Deep part")
        .parent(first)
        .create();
    let hidden = world
        .issue("open")
        .subject("Hidden part")
        .private()
        .parent(id)
        .create();
    let closed = world
        .issue("open")
        .subject("Closed part")
        .parent(id)
        .create();
    world.edit(closed, |issue| issue.status = 5.into());
    world.edit(below, |issue| issue.done_ratio = 50);
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(&format!("/issues/{id}")).assert_status(200);
    for expected in [
        "1 of 3 closed · 75 % done",
        "First part",
        "bob Tester",
        "class=\"depth1\"",
        "Deep part",
    ] {
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
    }
    assert!(
        !page.body.contains("Hidden part") && !page.body.contains(&format!("#{hidden}")),
        "{}",
        page.body
    );
    page.assert_contains("added <b>subtask</b>");
}

#[test]
fn subtask_is_unlinked_by_those_who_may_set_its_parent() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let child = world.issue("open").parent(id).create();
    let hidden = world.issue("open").private().parent(id).create();
    let stranger = world.issue("open").create();
    let path = format!("/issues/{id}/subtasks/{child}/unlink");
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains("/unlink"));
    carol.submit(&page, &path, &[]).assert_status(403);
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get(&format!("/issues/{id}"))
        .assert_status(200)
        .assert_contains(&path);
    for other in [hidden, stranger, 999] {
        bob.submit(&page, &format!("/issues/{id}/subtasks/{other}/unlink"), &[])
            .assert_status(404);
    }
    world.sql("INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) SELECT id, 4, 1, 'parent_issue_id', 'readonly' FROM trackers");
    bob.submit(&page, &path, &[]).assert_status(403);
    world.sql("DELETE FROM workflow_permissions");
    bob.post(&path, &[]).assert_status(403);
    let saved = bob.submit(&page, &path, &[]).assert_status(303);
    assert_eq!(saved.location(), format!("/issues/{id}"));
    assert!(world.show_issue("alice", child, "").get("parent").is_none());
    bob.get(&format!("/issues/{id}"))
        .assert_contains("removed <b>subtask</b>");
}
