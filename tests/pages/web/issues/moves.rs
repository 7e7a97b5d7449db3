//! Moving an issue to another project.

use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, MANAGER, REPORTER, World};

fn world() -> World {
    let world = World::with_projects();
    world
        .project("other")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .member("carol", REPORTER)
        .create();
    world.sql(
        "INSERT INTO issue_categories (id, project_id, name) VALUES (1, 1, 'Engine'), (2, 1, 'Hull'), (3, 3, 'Engine');
         INSERT INTO versions (id, project_id, name, status, created_on, updated_on) VALUES (1, 1, 'Release one', 'open', 0, 0);
         INSERT INTO custom_fields (id, type, name, field_format, is_for_all, visible) VALUES (1, 'IssueCustomField', 'Serial number', 'string', 0, 1), (2, 'IssueCustomField', 'Nobody sees', 'string', 0, 0);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT f.id, t.id FROM custom_fields f, trackers t;
         INSERT INTO custom_fields_projects (custom_field_id, project_id) VALUES (1, 1), (2, 1)",
    );
    world
}

#[test]
fn page_says_what_stays_and_what_is_lost() {
    let world = world();
    let id = world
        .issue("open")
        .field("category_id", 1)
        .field("fixed_version_id", 1)
        .create();
    world.sql("INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', 1, 1, 'P-100'), ('Issue', 1, 2, 'Q-200')");
    world.issue("open").parent(id).create();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get(&format!("/issues/{id}/move"))
        .assert_status(200)
        .assert_contains("other");
    assert!(!page.body.contains("secret") && !page.body.contains("<h2>To"));
    let page = bob
        .get(&format!("/issues/{id}/move?issue%5Bproject_id%5D=3"))
        .assert_status(200);
    let (lost, kept) = page
        .body
        .split_once("<h3>Will be lost</h3>")
        .unwrap()
        .1
        .split_once("<h3>Will be kept</h3>")
        .unwrap();
    assert!(lost.contains("Target version Release one") && lost.contains("Serial number: P-100"));
    assert!(kept.contains("Category Engine") && kept.contains("1 subtask"));
    assert!(!page.body.contains("Q-200"), "{}", page.body);
}

#[test]
fn issue_moves_with_its_subtasks() {
    let world = world();
    let id = world.issue("open").create();
    let child = world.issue("open").parent(id).create();
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/issues/{id}/move");
    let page = bob
        .get(&format!("{path}?issue%5Bproject_id%5D=3"))
        .assert_status(200);
    let moved = bob
        .submit(
            &page,
            &path,
            &[("issue[project_id]", "3"), ("issue[tracker_id]", "2")],
        )
        .assert_status(303);
    assert_eq!(moved.location(), format!("/issues/{id}"));
    for id in [id, child] {
        let issue = world.show_issue("alice", id, "");
        assert_eq!(issue["project"]["id"], 3, "{issue}");
    }
    assert_eq!(world.show_issue("alice", id, "")["tracker"]["id"], 2);
    bob.get(&format!("/issues/{id}"))
        .assert_contains("The issue is in other now.");
}

#[test]
fn project_that_the_viewer_may_not_add_issues_to_is_refused() {
    let world = world();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/issues/{id}/move");
    let page = bob.get(&path).assert_status(200);
    let answers = ["2", "1", "999", "secret", "x", ""].map(|project| {
        let fields = [("issue[project_id]", project)];
        bob.submit(&page, &path, &fields).assert_status(422).body
    });
    assert!(answers[0].contains("is not included in the list") && !answers[0].contains("secret"));
    bob.get(&format!("{path}?issue%5Bproject_id%5D=2"))
        .assert_status(200)
        .assert_contains("is not included in the list");
    let issue = world.show_issue("alice", id, "");
    assert_eq!(issue["project"]["id"], 1);
    let carol = Browser::logged_in(&world, "carol");
    carol.get(&path).assert_status(403);
    carol
        .submit(&page, &path, &[("issue[project_id]", "3")])
        .assert_status(403);
    let secret = world.issue("secret").create();
    bob.get(&format!("/issues/{secret}/move"))
        .assert_status(404);
    world.sql("UPDATE projects SET status = 5 WHERE id = 3");
    bob.submit(&page, &path, &[("issue[project_id]", "3")])
        .assert_status(403);
}

#[test]
fn hidden_subtask_prevents_the_move_without_being_named() {
    let world = world();
    let id = world.issue("open").create();
    let hidden = world.issue("open").private().parent(id).create();
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/issues/{id}/move");
    let page = bob
        .get(&format!("{path}?issue%5Bproject_id%5D=3"))
        .assert_status(200)
        .assert_contains("subtasks that you cannot see");
    assert!(!page.body.contains(&format!("#{hidden}")));
    bob.submit(&page, &path, &[("issue[project_id]", "3")])
        .assert_status(422)
        .assert_contains("subtasks that you cannot see");
}

#[test]
fn required_field_of_the_other_project_is_asked_for() {
    let world = world();
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, visible, is_required) VALUES (7, 'IssueCustomField', 'Dock', 'string', 0, 1, 1);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT 7, t.id FROM trackers t;
         INSERT INTO custom_fields_projects (custom_field_id, project_id) VALUES (7, 3)",
    );
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/issues/{id}/move");
    let page = bob.get(&path).assert_status(200);
    bob.submit(&page, &path, &[("issue[project_id]", "3")])
        .assert_status(422)
        .assert_contains("Dock cannot be blank")
        .assert_contains("name=\"issue[custom_field_values][7]\"");
    let fields = [
        ("issue[project_id]", "3"),
        ("issue[custom_field_values][7]", "North"),
    ];
    bob.submit(&page, &path, &fields).assert_status(303);
    assert_eq!(world.show_issue("alice", id, "")["project"]["id"], 3);
}
