//! Copying, deleting and watching many issues, whole lists, and the limits of taking a change back.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, form_field};
use quarry_world::{Response, World};
use serde_json::json;

/// Three issues of `open`, and one of `secret` that only the administrator sees (4).
fn world() -> World {
    let world = World::with_projects();
    for _ in 0..3 {
        world.issue("open").create();
    }
    world
        .issue("secret")
        .field("subject", "Kryptonite")
        .create();
    world
}

fn priority(world: &World, id: i64) -> i64 {
    let issue = world.as_user("admin").get(&format!("/issues/{id}.json"));
    issue.integer("/issue/priority/id")
}

/// Gives issues another priority. Returns the page with the result.
fn change_priority(browser: &Browser<'_>, ids: &str) -> Response {
    let page = browser.get("/issues").assert_status(200);
    let values = [("ids", ids), ("issue[priority_id]", "3"), ("do", "save")];
    let saved = browser.submit(&page, "/issues/bulk_edit", &values);
    browser
        .get(saved.assert_status(303).location())
        .assert_status(200)
}

/// Makes the change older. Returns its time.
fn age(world: &World, result: &Response, seconds: i64) -> String {
    let microseconds = seconds * 1_000_000;
    world.sql(&format!(
        "UPDATE issues SET updated_on = updated_on - {microseconds}; UPDATE journals SET created_on = created_on - {microseconds}"
    ));
    let at = form_field(result, "/issues/bulk_edit/undo", "at").unwrap();
    (at.parse::<i64>().unwrap() - microseconds).to_string()
}

fn undo(browser: &Browser<'_>, result: &Response) -> Response {
    let field = |name: &str| form_field(result, "/issues/bulk_edit/undo", name).unwrap();
    let fields = [("ids", &*field("ids")), ("at", &*field("at"))];
    let undone = browser.submit(result, "/issues/bulk_edit/undo", &fields);
    browser
        .get(undone.assert_status(303).location())
        .assert_status(200)
}

#[test]
fn bar_offers_only_what_the_roles_of_the_user_permit() {
    let world = world();
    let bar = |login: &str| {
        let page = Browser::logged_in(&world, login).get("/projects/open/issues");
        let body = page.assert_status(200).body;
        ["edit", "copy", "watch", "delete"]
            .map(|action| body.contains(&format!(r#"name="do" value="{action}""#)))
    };
    assert_eq!(bar("admin"), [true; 4]);
    world.sql(
        "DELETE FROM role_permissions WHERE name IN ('edit_issues', 'edit_own_issues', 'copy_issues', 'delete_issues')",
    );
    assert_eq!(bar("alice"), [false, false, true, false]);
}

#[test]
fn issues_are_copied_with_other_values_into_another_project() {
    let world = world();
    world.set(Setting::CrossProjectIssueRelations, "1");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin
        .get("/issues/bulk_copy?ids=1,2&back_url=/projects/open/issues")
        .assert_status(200);
    let page = page
        .assert_contains("Copy 2 issues")
        .assert_contains("Link each copy with its original")
        .assert_contains(r#"href="/projects/open/issues">Cancel"#);
    let values = [
        ("ids", "1,2"),
        ("issue[project_id]", "secret"),
        ("issue[priority_id]", "3"),
        ("link_copy", "1"),
    ];
    let preview = admin.submit(&page, "/issues/bulk_copy", &values);
    preview
        .assert_status(200)
        .assert_contains("All 2 issues can be copied.");
    world
        .as_user("admin")
        .get("/issues/5.json")
        .assert_status(404);
    let mut values = values.to_vec();
    values.push(("do", "save"));
    let saved = admin.submit(&page, "/issues/bulk_copy", &values);
    let list = saved.assert_status(303).location().to_owned();
    // A preview may use up ids.
    let ids = list.strip_prefix("/issues?status_id=*&issue_id=").unwrap();
    let first: i64 = ids.split(',').next().unwrap().parse().unwrap();
    assert_eq!(ids, format!("{first},{}", first + 1));
    admin.get(&list).assert_contains("2 issues were copied.");
    for (copy, original) in [(first, 1), (first + 1, 2)] {
        let issue = world.show_issue("admin", copy, "relations");
        assert_eq!(issue["project"]["name"], json!("secret"));
        assert_eq!(issue["priority"]["id"], json!(3));
        let relation = &issue["relations"][0];
        assert_eq!(relation["relation_type"], json!("copied_to"));
        assert_eq!(relation["issue_id"], json!(original));
    }
}

#[test]
fn copies_that_lack_a_requested_value_are_not_made() {
    let world = world();
    world.sql("DELETE FROM role_permissions WHERE name = 'copy_issues'");
    world.sql("INSERT INTO role_permissions (role_id, name) SELECT DISTINCT role_id, 'copy_issues' FROM role_permissions WHERE name = 'edit_issues'");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/issues/bulk_copy?ids=1,4").assert_status(200);
    let page = page.assert_contains("Copy 1 issue");
    for project in ["secret", "nowhere"] {
        let values = [("ids", "1"), ("issue[project_id]", project), ("do", "save")];
        let refused = bob.submit(&page, "/issues/bulk_copy", &values);
        bob.get(refused.assert_status(303).location())
            .assert_contains("No issue was copied. Not copied: #1");
    }
    // A status that a new issue cannot have.
    world.sql("DELETE FROM workflow_transitions");
    let values = [("ids", "1"), ("issue[status_id]", "5"), ("do", "save")];
    bob.submit(&page, "/issues/bulk_copy", &values)
        .assert_status(303);
    bob.submit(&page, "/issues/bulk_copy", &[("ids", "4"), ("do", "save")])
        .assert_status(303);
    world
        .as_user("admin")
        .get("/issues/5.json")
        .assert_status(404);
    world.sql("DELETE FROM role_permissions WHERE name = 'copy_issues'");
    bob.get("/issues/bulk_copy?ids=1").assert_status(404);
}

#[test]
fn subtask_that_is_copied_with_its_parent_has_one_copy() {
    let world = world();
    world.edit(2, |issue| issue.parent = Some(1.into()));
    world.edit(3, |issue| issue.parent = Some(1.into()));
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/issues/bulk_copy?ids=1,2").assert_status(200);
    // Without its parent, a copy in another project has none.
    let values = [
        ("ids", "3"),
        ("issue[project_id]", "secret"),
        ("do", "save"),
    ];
    admin
        .submit(&page, "/issues/bulk_copy", &values)
        .assert_status(303);
    assert_eq!(world.show_issue("admin", 5, "")["parent"], json!(null));
    let values = [("ids", "1,2"), ("copy_subtasks", "1"), ("do", "save")];
    admin
        .submit(&page, "/issues/bulk_copy", &values)
        .assert_status(303);
    let list = world
        .as_user("admin")
        .get("/projects/open/issues.json?status_id=*");
    assert_eq!(list.integer("/total_count"), 6);
    assert_eq!(world.show_issue("admin", 7, "")["parent"]["id"], json!(6));
}

#[test]
fn copy_whose_subtask_fails_leaves_nothing_behind() {
    let world = world();
    let carol = quarry_world::user("carol");
    world.edit(2, move |issue| {
        issue.parent = Some(1.into());
        issue.assignee = Some(carol.into());
    });
    world.sql(&format!(
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = {carol}); DELETE FROM members WHERE user_id = {carol}"
    ));
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/issues/bulk_copy?ids=1,3").assert_status(200);
    let values = [("ids", "1,3"), ("copy_subtasks", "1"), ("do", "save")];
    let saved = admin.submit(&page, "/issues/bulk_copy", &values);
    admin
        .get(saved.assert_status(303).location())
        .assert_contains("1 issue was copied. Not copied: #1 (Subtask #2 could not be copied");
    let list = world
        .as_user("admin")
        .get("/projects/open/issues.json?status_id=*");
    assert_eq!(list.integer("/total_count"), 4);
}

#[test]
fn all_issues_of_a_list_are_selected_for_every_action() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get("/projects/open/issues?limit=2")
        .assert_status(200)
        .assert_contains("All 3 that match")
        .assert_contains(r#"action="/issues/bulk?limit=2&#38;project_id="#);
    for action in ["edit", "copy", "delete"] {
        let values = [
            ("do", action),
            ("all", "1"),
            ("back_url", "/issues?limit=2"),
        ];
        let chosen = bob.submit(&page, "/issues/bulk?limit=2&project_id=open", &values);
        assert_eq!(
            chosen.assert_status(303).location(),
            format!(
                "/issues/bulk_{action}?limit=2&project_id=open&all=1&back_url=%2Fissues%3Flimit%3D2"
            )
        );
    }
    bob.get("/issues/bulk_edit?project_id=open&all=1")
        .assert_contains("Change 3 issues");
    let watched = bob.submit(
        &page,
        "/issues/bulk?limit=2&project_id=open",
        &[("do", "watch"), ("all", "1")],
    );
    bob.get(watched.assert_status(303).location())
        .assert_contains("You are now watching 3 issues.");
    // Filters of others do not select anything more.
    let hidden = bob.submit(
        &page,
        "/issues/bulk?issue_id=4",
        &[("do", "watch"), ("all", "1")],
    );
    bob.get(hidden.assert_status(303).location())
        .assert_contains("You are now watching 0 issues.");
    for path in [
        "/issues/bulk_edit?all=1&issue_id=4",
        "/issues/bulk_edit?all=1&project_id=secret",
        "/issues/bulk_delete?all=1&query_id=99",
    ] {
        bob.get(path).assert_status(404);
    }
    let none = bob.submit(&page, "/issues/bulk", &[("back_url", "//evil.test/")]);
    assert_eq!(none.assert_status(303).location(), "/issues");
}

#[test]
fn too_many_ids_are_cut_and_the_page_says_so() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let ids: Vec<String> = (1..=10_000).map(|id| id.to_string()).collect();
    let page = alice.get("/issues").assert_status(200);
    let ids = ids.join(",");
    let fields = [("ids", ids.as_str()), ("issue[priority_id]", "3")];
    let preview = alice.submit(&page, "/issues/bulk_edit", &fields);
    preview
        .assert_status(200)
        .assert_contains("Only the first 500 are included")
        .assert_contains("496 of the selected issues are left out")
        .assert_contains("All 4 issues can change.");
    for ids in ["-1", "0", "x", "1e3", "99999999999999999999", ""] {
        alice
            .get(&format!("/issues/bulk_edit?ids={ids}"))
            .assert_status(404);
    }
    alice
        .get("/issues/bulk_edit?ids[]=1&ids[]=1&ids[]=01")
        .assert_status(200)
        .assert_contains("Change 1 issue");
}

#[test]
fn deleting_asks_about_the_issues_that_may_be_deleted() {
    let world = world();
    world.sql(
        "UPDATE role_permissions SET name = 'delete_issues' WHERE name = 'edit_issues' AND role_id NOT IN (SELECT role_id FROM role_permissions WHERE name = 'delete_issues')",
    );
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get("/issues/bulk_delete?ids=1,4&back_url=/projects/open/issues")
        .assert_status(200);
    let page = page
        .assert_contains("Delete 1 issue?")
        .assert_contains("1 of the selected issues is left out");
    let fields = [("ids", "1,4"), ("back_url", "/projects/open/issues")];
    let deleted = bob.submit(&page, "/issues/bulk_delete", &fields);
    assert_eq!(
        deleted.assert_status(303).location(),
        "/projects/open/issues"
    );
    let admin = world.as_user("admin");
    admin.get("/issues/1.json").assert_status(404);
    admin.get("/issues/4.json").assert_status(200);
}

#[test]
fn issues_with_the_values_already_are_told_apart() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    change_priority(&alice, "1").assert_contains("1 issue was changed.");
    let page = alice.get("/issues").assert_status(200);
    let fields = [("ids", "1,2"), ("issue[priority_id]", "3")];
    alice
        .submit(&page, "/issues/bulk_edit", &fields)
        .assert_contains("All 2 issues can change. 1 of them has these values already.")
        .assert_contains("Change 1 issue</button>");
    change_priority(&alice, "1,2")
        .assert_contains("1 issue was changed; 1 had these values already.");
}

#[test]
fn form_changes_only_what_it_has() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues").assert_status(200);
    for (name, value) in [
        ("issue[subject]", "Other"),
        ("issue[description]", "Other"),
        ("issue[deleted_attachment_ids][]", "1"),
        ("issue[watcher_user_ids][]", "1"),
        ("issue[lock_version]", "1"),
    ] {
        let fields = [("ids", "1"), (name, value), ("do", "save")];
        alice
            .submit(&page, "/issues/bulk_edit", &fields)
            .assert_status(422)
            .assert_contains("Change something first.");
    }
}

#[test]
fn change_is_taken_back_once_and_within_ten_minutes() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let undo = |result: &Response, at: &str| {
        let fields = [("ids", "1,2"), ("at", at)];
        let undone = alice.submit(result, "/issues/bulk_edit/undo", &fields);
        alice.get(undone.assert_status(303).location())
    };
    let result = change_priority(&alice, "1,2");
    let at = age(&world, &result, 540);
    undo(&result, &at).assert_contains("The change of 2 issues was undone; notes stay.");
    assert_eq!((priority(&world, 1), priority(&world, 2)), (2, 2));
    undo(&result, &at)
        .assert_contains("Nothing was undone. Not undone: #1 (it has been changed meanwhile)");
    let result = change_priority(&alice, "1,2");
    let at = age(&world, &result, 660);
    let page = alice.get(&format!("/issues/bulk_edit/result?ids=1,2&at={at}"));
    assert!(!page.assert_status(200).body.contains(">Undo<"));
    undo(&result, &at).assert_contains("within 10 minutes only");
    assert_eq!(priority(&world, 1), 3);
}

#[test]
fn former_values_are_restored_even_if_they_could_not_be_chosen_any_more() {
    let world = world();
    let time = "1795000000000000";
    world.sql(&format!(
        "INSERT INTO versions (id, project_id, name, status, created_on, updated_on) SELECT 1, id, 'One', 'open', {time}, {time}
             FROM projects WHERE identifier = 'open';
         INSERT INTO issue_categories (id, project_id, name) SELECT 1, id, 'Engine' FROM projects WHERE identifier = 'open';
         UPDATE issues SET assigned_to_id = 3, category_id = 1, fixed_version_id = 1 WHERE id IN (1, 2)"
    ));
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues").assert_status(200);
    let values = [
        ("ids", "1,2"),
        ("issue[assigned_to_id]", "__none__"),
        ("issue[category_id]", "__none__"),
        ("issue[fixed_version_id]", "__none__"),
        ("issue[status_id]", "5"),
        ("issue[priority_id]", "3"),
        ("do", "save"),
    ];
    let saved = alice.submit(&page, "/issues/bulk_edit", &values);
    let result = alice
        .get(saved.assert_status(303).location())
        .assert_contains("2 issues were changed.");
    let row = |id: i64| {
        let issue = world.as_user("admin").get(&format!("/issues/{id}.json"));
        [
            "assigned_to",
            "category",
            "fixed_version",
            "status",
            "priority",
        ]
        .map(|name| issue.json()["issue"][name]["id"].as_i64())
    };
    assert_eq!(row(1), [None, None, None, Some(5), Some(3)]);
    world.sql(
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 3);
         DELETE FROM members WHERE user_id = 3;
         UPDATE versions SET status = 'closed';
         UPDATE enumerations SET active = 0 WHERE id = 2;
         DELETE FROM workflow_transitions WHERE new_status_id = 1;",
    );
    undo(&alice, &result).assert_contains("The change of 2 issues was undone; notes stay.");
    assert_eq!(row(1), [Some(3), Some(1), Some(1), Some(1), Some(2)]);
    assert_eq!(row(2), row(1));
}

#[test]
fn former_values_are_restored_where_the_workflow_makes_the_field_read_only() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues").assert_status(200);
    let values = [
        ("ids", "1,2"),
        ("issue[status_id]", "5"),
        ("issue[priority_id]", "3"),
        ("do", "save"),
    ];
    let saved = alice.submit(&page, "/issues/bulk_edit", &values);
    let result = alice.get(saved.assert_status(303).location());
    world.sql(
        "INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule)
             SELECT trackers.id, roles.id, 1, 'priority_id', 'readonly' FROM trackers, roles",
    );
    undo(&alice, &result).assert_contains("The change of 2 issues was undone; notes stay.");
    assert_eq!((priority(&world, 1), priority(&world, 2)), (2, 2));
}

#[test]
fn values_that_were_deleted_meanwhile_are_not_restored() {
    for (field, value, table, name) in [
        ("issue[status_id]", "5", "issue_statuses", "status"),
        ("issue[priority_id]", "3", "enumerations", "priority"),
    ] {
        let world = world();
        let former = if name == "status" { 1 } else { 2 };
        let alice = Browser::logged_in(&world, "alice");
        let page = alice.get("/issues").assert_status(200);
        let values = [("ids", "1"), (field, value), ("do", "save")];
        let saved = alice.submit(&page, "/issues/bulk_edit", &values);
        let result = alice.get(saved.assert_status(303).location());
        world.sql(&format!(
            "UPDATE issues SET {name}_id = {value} WHERE {name}_id = {former}"
        ));
        world.sql(
            "UPDATE trackers SET default_status_id = 2;
             DELETE FROM workflow_transitions WHERE old_status_id = 1 OR new_status_id = 1",
        );
        world.sql(&format!("DELETE FROM {table} WHERE id = {former}"));
        let reason = format!("Not undone: #1 (its former {name} was deleted)");
        undo(&alice, &result).assert_contains(&reason);
    }
}

#[test]
fn change_is_not_taken_back_without_the_right_to_edit() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let result = change_priority(&alice, "1,2");
    // The change of somebody else.
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/issues").assert_status(200);
    let at = form_field(&result, "/issues/bulk_edit/undo", "at").unwrap();
    let fields = [("ids", "1,2"), ("at", at.as_str())];
    let undone = admin.submit(&page, "/issues/bulk_edit/undo", &fields);
    admin
        .get(undone.assert_status(303).location())
        .assert_contains("Nothing was undone.");
    world.sql("DELETE FROM role_permissions WHERE name IN ('edit_issues', 'edit_own_issues')");
    undo(&alice, &result)
        .assert_contains("Nothing was undone. Not undone: #1 (it cannot be edited)");
    assert_eq!(priority(&world, 1), 3);
}

#[test]
fn issues_move_with_a_tracker_and_category_of_the_other_project() {
    let world = world();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/issues/bulk_edit?ids=1,2").assert_status(200);
    let values = [
        ("ids", "1,2"),
        ("issue[project_id]", "secret"),
        ("do", "save"),
    ];
    let saved = admin.submit(&page, "/issues/bulk_edit", &values);
    let result = admin.get(saved.assert_status(303).location());
    let project = |id: i64| world.show_issue("admin", id, "")["project"]["name"].clone();
    assert_eq!((project(1), project(2)), (json!("secret"), json!("secret")));
    undo(&admin, &result).assert_contains("The change of 2 issues was undone");
    assert_eq!(project(1), json!("open"));
}
