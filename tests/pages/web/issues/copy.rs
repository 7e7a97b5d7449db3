//! Copying issues.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, MANAGER, Response, World};

fn copy(browser: &Browser<'_>, id: i64, fields: &[(&str, &str)]) -> Response {
    let path = format!("/issues/{id}/copy");
    let page = browser.get(&path).assert_status(200);
    browser.submit(&page, &path, fields)
}

/// Returns the id of the issue that a redirect leads to.
#[track_caller]
fn id_of(response: &Response) -> i64 {
    let location = response.location();
    location.strip_prefix("/issues/").unwrap().parse().unwrap()
}

#[test]
fn form_is_filled_and_the_copy_is_a_new_issue_of_the_viewer() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .author("bob")
        .subject("The pump leaks")
        .description("When it starts")
        .field("due_date", "2026-12-24")
        .field("assigned_to_id", 3)
        .field("estimated_hours", 4.5)
        .create();
    world.edit(id, |issue| issue.status = 5.into());
    let alice = Browser::logged_in(&world, "alice");
    alice
        .get(&format!("/issues/{id}/copy"))
        .assert_status(200)
        .assert_contains("value=\"The pump leaks\"")
        .assert_contains("When it starts</textarea>")
        .assert_contains("value=\"2026-12-24\"")
        .assert_contains("value=\"3\" selected")
        .assert_contains("value=\"4.5\"");
    let fields = [
        ("issue[project_id]", "1"),
        ("issue[tracker_id]", "1"),
        ("issue[subject]", "The other pump leaks"),
        ("issue[assigned_to_id]", "3"),
        ("link_copy", "1"),
    ];
    let copied = id_of(&copy(&alice, id, &fields).assert_status(303));
    let issue = world.show_issue("alice", copied, "relations,journals");
    assert_eq!(issue["subject"], "The other pump leaks");
    assert_eq!(issue["author"]["id"], 2);
    assert_eq!(issue["status"]["id"], 1);
    assert_eq!(issue["assigned_to"]["id"], 3);
    assert_eq!(issue["relations"][0]["relation_type"], "copied_to");
    assert_eq!(issue["relations"][0]["issue_id"], id);
    assert_eq!(issue["journals"][0]["details"][0]["name"], "copied_from");
    let original = world.show_issue("alice", id, "journals");
    assert_eq!(original["journals"][0]["details"][0]["name"], "copied_to");
    assert_eq!(original["subject"], "The pump leaks");
}

#[test]
fn files_watchers_and_visible_subtasks_are_copied_on_request() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let child = world
        .issue("open")
        .subject("First part")
        .parent(id)
        .create();
    world
        .issue("open")
        .subject("Deep part")
        .parent(child)
        .create();
    world
        .issue("open")
        .subject("Hidden part")
        .private()
        .parent(id)
        .create();
    world.sql("INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 1, 3), ('Issue', 1, 6)");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(&format!("/issues/{id}")).assert_status(200);
    let files: [(&str, &[u8]); 1] = [("a.txt", b"one")];
    alice
        .submit_files(&page, &format!("/issues/{id}"), &[], &files)
        .assert_status(303);
    let plain = [("issue[project_id]", "1"), ("issue[subject]", "Plain copy")];
    let plain = id_of(&copy(&alice, id, &plain).assert_status(303));
    let issue = world.show_issue("alice", plain, "attachments,children,watchers,relations");
    let count = |name: &str| issue[name].as_array().map_or(0, Vec::len);
    assert_eq!(
        (count("attachments"), count("children"), count("relations")),
        (0, 0, 0)
    );
    let fields = [
        ("issue[project_id]", "1"),
        ("issue[subject]", "Whole copy"),
        ("copy_attachments", "1"),
        ("copy_subtasks", "1"),
        ("copy_watchers", "1"),
    ];
    // bob does not see the hidden part, so it stays.
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'copy_issues'), (4, 'add_issue_watchers'), (4, 'view_issue_watchers')");
    let bob = Browser::logged_in(&world, "bob");
    let whole = id_of(&copy(&bob, id, &fields).assert_status(303));
    let issue = world.show_issue("admin", whole, "attachments,children,watchers");
    assert_eq!(issue["attachments"][0]["filename"], "a.txt");
    assert_eq!(issue["attachments"][0]["author"]["id"], 3);
    let children = issue["children"].as_array().unwrap();
    assert_eq!(children.len(), 1, "{children:?}");
    assert_eq!(children[0]["subject"], "First part");
    assert_eq!(children[0]["children"][0]["subject"], "Deep part");
    let watchers: Vec<i64> = issue["watchers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["id"].as_i64().unwrap())
        .collect();
    assert!(
        watchers.contains(&3) && !watchers.contains(&6),
        "{watchers:?}"
    );
    // The files of the copy are its own.
    let file = issue["attachments"][0]["id"].as_i64().unwrap();
    world
        .as_user("admin")
        .delete("/attachments/1.json")
        .assert_status(200);
    world
        .as_user("admin")
        .get(&format!("/attachments/download/{file}/a.txt"))
        .assert_status(200)
        .assert_contains("one");
}

#[test]
fn copy_into_another_project_takes_its_subtasks_along() {
    let world = World::with_projects();
    world
        .project("other")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    world.sql("INSERT INTO issue_categories (id, project_id, name) VALUES (1, 1, 'Engine'), (3, 3, 'Engine')");
    let id = world.issue("open").create();
    world
        .issue("open")
        .subject("First part")
        .field("category_id", 1)
        .field("assigned_to_id", 4)
        .parent(id)
        .create();
    world.set(Setting::CrossProjectIssueRelations, "0");
    let alice = Browser::logged_in(&world, "alice");
    let fields = [
        ("issue[project_id]", "3"),
        ("issue[subject]", "Copy"),
        ("copy_subtasks", "1"),
        ("link_copy", "1"),
    ];
    let copied = id_of(&copy(&alice, id, &fields).assert_status(303));
    let issue = world.show_issue("alice", copied, "children,relations");
    assert_eq!(issue["project"]["id"], 3);
    assert_eq!(issue["relations"].as_array().map_or(0, Vec::len), 0);
    let child = issue["children"][0]["id"].as_i64().unwrap();
    let child = world.show_issue("alice", child, "");
    assert_eq!(child["project"]["id"], 3);
    assert_eq!(child["category"]["id"], 3);
    assert!(child.get("assigned_to").is_none(), "{child}");
}

#[test]
fn copy_of_a_private_issue_stays_private_where_the_viewer_may_not_decide() {
    let world = World::with_projects();
    let id = world.issue("open").private().create();
    world.edit(id, |issue| issue.assignee = Some(3.into()));
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'copy_issues')");
    let bob = Browser::logged_in(&world, "bob");
    let fields = [
        ("issue[project_id]", "1"),
        ("issue[subject]", "Copy"),
        ("issue[is_private]", "0"),
    ];
    let copied = id_of(&copy(&bob, id, &fields).assert_status(303));
    assert_eq!(world.show_issue("admin", copied, "")["is_private"], true);
}

#[test]
fn copying_needs_its_permission_and_keeps_what_was_typed() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let secret = world.issue("secret").create();
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/issues/{id}/copy");
    let page = bob.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains(&path));
    bob.get(&path).assert_status(403);
    bob.submit(&page, &path, &[("issue[subject]", "x")])
        .assert_status(403);
    bob.get(&format!("/issues/{secret}/copy"))
        .assert_status(404);
    let alice = Browser::logged_in(&world, "alice");
    let fields = [
        ("issue[project_id]", "1"),
        ("issue[subject]", ""),
        ("issue[description]", "typed"),
        ("copy_attachments", "0"),
    ];
    copy(&alice, id, &fields)
        .assert_status(422)
        .assert_contains("Subject cannot be blank")
        .assert_contains("typed</textarea>");
    let refresh = [
        ("issue[project_id]", "2"),
        ("issue[subject]", "Kept"),
        ("do", "refresh"),
    ];
    copy(&alice, id, &refresh)
        .assert_status(200)
        .assert_contains("value=\"Kept\"");
    assert_eq!(
        world
            .as_user("admin")
            .total_count("/issues.json?status_id=*"),
        2
    );
}

#[test]
fn copy_below_its_original_is_made_once() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.issue("open").subject("Part").parent(id).create();
    let alice = Browser::logged_in(&world, "alice");
    let parent = id.to_string();
    let fields = [
        ("issue[project_id]", "1"),
        ("issue[subject]", "Copy"),
        ("issue[parent_issue_id]", parent.as_str()),
        ("copy_subtasks", "1"),
        ("link_copy", "1"),
    ];
    let copied = id_of(&copy(&alice, id, &fields).assert_status(303));
    let issue = world.show_issue("alice", copied, "children,relations");
    assert_eq!(issue["parent"]["id"], id);
    assert_eq!(issue["children"].as_array().map_or(0, Vec::len), 1);
    assert_eq!(issue["relations"].as_array().map_or(0, Vec::len), 0);
    assert_eq!(
        world
            .as_user("admin")
            .total_count("/issues.json?status_id=*"),
        4
    );
}
