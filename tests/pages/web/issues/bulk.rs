//! Changing many issues at once.

use quarry_world::World;
use quarry_world::browser::{Browser, form_field};
use std::time::Instant;

/// Three issues of `open` that bob may edit, and one of `secret` that he may not see (4).
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

fn status(world: &World, id: i64) -> i64 {
    world
        .as_user("admin")
        .get(&format!("/issues/{id}.json"))
        .integer("/issue/status/id")
}

#[test]
fn selected_issues_change_after_a_preview_and_can_be_taken_back() {
    let world = world();
    let bob = Browser::logged_in(&world, "alice");
    let page = bob.get("/issues").assert_status(200);
    let page = page.assert_contains(r#"form="bulk" name="ids[]" value="1""#);
    let form = bob.submit(
        &page,
        "/issues/bulk",
        &[
            ("do", "edit"),
            ("back_url", "/issues"),
            ("ids[]", "1"),
            ("ids[]", "2"),
        ],
    );
    assert_eq!(
        form.location(),
        "/issues/bulk_edit?ids=1,2&back_url=%2Fissues"
    );
    let page = bob.get(form.location()).assert_status(200);
    let page = page
        .assert_contains("Change 2 issues")
        .assert_contains("no change");
    let values = [
        ("ids", "1,2"),
        ("issue[priority_id]", "3"),
        ("issue[status_id]", ""),
        ("issue[notes]", "Both"),
    ];
    let preview = bob
        .submit(&page, "/issues/bulk_edit", &values)
        .assert_status(200);
    let preview = preview.assert_contains("All 2 issues can change.");
    let unchanged = world.as_user("alice").get("/issues/1.json");
    assert_eq!(unchanged.integer("/issue/priority/id"), 2, "a preview");
    let mut values = values.to_vec();
    values.push(("do", "save"));
    let saved = bob
        .submit(&preview, "/issues/bulk_edit", &values)
        .assert_status(303);
    let result = bob.get(saved.location()).assert_status(200);
    let result = result
        .assert_contains("2 issues were changed.")
        .assert_contains(">Undo<");
    for id in [1, 2] {
        let issue = world.as_user("alice").get(&format!("/issues/{id}.json"));
        assert_eq!(issue.integer("/issue/priority/id"), 3);
    }
    // Somebody else cannot take it back, and what has changed since stays.
    let at = form_field(&result, "/issues/bulk_edit/undo", "at").unwrap();
    let undo = [("ids", "1,2"), ("at", at.as_str())];
    let other = Browser::logged_in(&world, "admin");
    let other_page = other.get("/issues").assert_status(200);
    other
        .submit(&other_page, "/issues/bulk_edit/undo", &undo)
        .assert_status(303);
    let issue = world.as_user("alice").get("/issues/1.json");
    assert_eq!(issue.integer("/issue/priority/id"), 3);
    world.sql("UPDATE issues SET updated_on = updated_on + 1000000 WHERE id = 2");
    let undone = bob
        .submit(&result, "/issues/bulk_edit/undo", &undo)
        .assert_status(303);
    bob.get(undone.location())
        .assert_status(200)
        .assert_contains("#2 (it has been changed meanwhile)");
    let priority = |id: i64| {
        let issue = world.as_user("alice").get(&format!("/issues/{id}.json"));
        issue.integer("/issue/priority/id")
    };
    assert_eq!((priority(1), priority(2)), (2, 3));
}

#[test]
fn preview_says_which_issues_cannot_change_and_why() {
    let world = world();
    // Only open issues that are new can be closed by developers.
    world.sql("DELETE FROM workflow_transitions WHERE old_status_id = 2 AND new_status_id = 5");
    world.edit(3, |issue| issue.status = quarry::domain::ids::StatusId(2));
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues/bulk_edit?ids=1,2,3").assert_status(200);
    let values = [("ids", "1,2,3"), ("issue[status_id]", "5")];
    let preview = alice
        .submit(&page, "/issues/bulk_edit", &values)
        .assert_status(200);
    preview
        .assert_contains("2 of 3 can become Closed; 1 cannot.")
        .assert_contains("no transition from In Progress to Closed is possible for you now")
        .assert_contains("Change 2 issues");
    let values = [("ids", "1,2,3"), ("issue[status_id]", "5"), ("do", "save")];
    alice
        .submit(&page, "/issues/bulk_edit", &values)
        .assert_status(303);
    assert_eq!([1, 2, 3].map(|id| status(&world, id)), [5, 5, 2]);
}

#[test]
fn hidden_issues_are_like_missing_ones() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let with = |id: i64| {
        let page = bob.get(&format!("/issues/bulk_edit?ids=1,{id}"));
        let body = page.assert_status(200).body;
        assert!(!body.contains("Kryptonite"));
        let token = regex::Regex::new(r#"value="[0-9a-f]{64}""#).unwrap();
        let body = token.replace_all(&body, "").into_owned();
        body.replace(&format!("1,{id}"), "1,N")
    };
    assert_eq!(with(4), with(99));
    for path in [
        "/issues/bulk_edit?ids=4",
        "/issues/bulk_edit?ids=99",
        "/issues/bulk_edit",
        "/issues/bulk_edit?ids=x",
        "/issues/bulk_delete?ids=4",
        "/issues/bulk_delete?ids=99",
    ] {
        bob.get(path).assert_status(404);
    }
    let page = bob.get("/issues").assert_status(200);
    let values = [("ids", "4,99"), ("issue[priority_id]", "3"), ("do", "save")];
    let saved = bob.submit(&page, "/issues/bulk_edit", &values);
    bob.get(saved.assert_status(303).location())
        .assert_contains("No issue was changed.");
    assert_eq!(
        world
            .as_user("admin")
            .get("/issues/4.json")
            .integer("/issue/priority/id"),
        2
    );
    // Without the token nothing happens.
    bob.post("/issues/bulk_edit", &values).assert_status(403);
    let invalid = [("ids", "1"), ("issue[due_date]", "soon")];
    bob.submit(&page, "/issues/bulk_edit", &invalid)
        .assert_status(200)
        .assert_contains("Due date");
    bob.submit(&page, "/issues/bulk_edit", &[("ids", "1")])
        .assert_status(422)
        .assert_contains("Change something first.");
    let anonymous = Browser::new(&world);
    anonymous.get("/issues/bulk_edit?ids=1").assert_status(302);
}

#[test]
fn several_issues_are_watched_and_deleted() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues").assert_status(200);
    let watched = alice.submit(
        &page,
        "/issues/bulk",
        &[
            ("do", "watch"),
            ("ids[]", "1"),
            ("ids[]", "2"),
            ("ids[]", "99"),
        ],
    );
    alice
        .get(watched.assert_status(303).location())
        .assert_contains("You are now watching 2 issues.");
    let page = alice
        .get("/issues/bulk_delete?ids=1,2")
        .assert_status(200)
        .assert_contains("Delete 2 issues?");
    let deleted = alice.submit(&page, "/issues/bulk_delete", &[("ids", "1,2")]);
    alice
        .get(deleted.assert_status(303).location())
        .assert_contains("2 issues were deleted.");
    world
        .as_user("alice")
        .get("/issues/1.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/issues/3.json")
        .assert_status(200);
    // Without the permission nothing is deleted.
    let bob = Browser::logged_in(&world, "bob");
    world.sql("DELETE FROM role_permissions WHERE name = 'delete_issues'");
    let page = bob.get("/issues").assert_status(200);
    bob.submit(&page, "/issues/bulk_delete", &[("ids", "3")])
        .assert_status(404);
    world
        .as_user("alice")
        .get("/issues/3.json")
        .assert_status(200);
}

#[test]
fn all_issues_of_a_list_change_in_one_transaction() {
    let world = world();
    for _ in 0..497 {
        world.issue("open").create();
    }
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get("/issues/bulk_edit?all=1&project_id=open")
        .assert_status(200);
    let page = page.assert_contains("Change 500 issues");
    let ids = form_field(&page, "/issues/bulk_edit", "ids").unwrap();
    assert_eq!(ids.split(',').count(), 500);
    let values = [
        ("ids", ids.as_str()),
        ("issue[priority_id]", "3"),
        ("do", "save"),
    ];
    let start = Instant::now();
    alice
        .submit(&page, "/issues/bulk_edit", &values)
        .assert_status(303);
    println!("500 issues in {:?}", start.elapsed());
    let list = world
        .as_user("alice")
        .get("/projects/open/issues.json?priority_id=3&limit=1");
    assert_eq!(list.integer("/total_count"), 500);
}

#[test]
fn one_field_is_saved_without_a_preview_unless_an_issue_refuses_the_value() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let list = alice.get("/issues").assert_status(200);
    let list = list.assert_contains("data-choice=\"/issues/bulk_edit?field=status_id\"");
    let fields = [
        ("field", "priority_id"),
        ("back_url", "/issues"),
        ("ids[]", "1"),
        ("ids[]", "2"),
    ];
    let form = alice.submit(&list, "/issues/bulk", &fields);
    let path = form.location();
    assert_eq!(
        path,
        "/issues/bulk_edit?ids=1,2&field=priority_id&back_url=%2Fissues"
    );
    let page = alice.get(path).assert_status(200);
    let page = page.assert_contains("<h1>Priority of 2 issues</h1>");
    assert!(!page.body.contains("issue[status_id]") && !page.body.contains("issue[notes]"));
    let send = |field: &str, values: &[(&str, &str)]| {
        let mut fields = vec![("ids", "1,2"), ("field", field)];
        fields.extend(values);
        alice.submit(&page, "/issues/bulk_edit", &fields)
    };
    let saved = send("priority_id", &[("issue[priority_id]", "3")]).assert_status(303);
    let result = alice.get(saved.location()).assert_status(200);
    let result = result.assert_contains("2 issues were changed.");
    result.assert_contains("action=\"/issues/bulk_edit/undo\"");
    send("priority_id", &[("issue[priority_id]", "")])
        .assert_status(422)
        .assert_contains("Change something first.");
    // A field that they do not have in common, and names that are none.
    for name in ["category_id", "nothing", "%3Cb%3E"] {
        alice
            .get(&format!("/issues/bulk_edit?ids=1,2&field={name}"))
            .assert_status(200)
            .assert_contains("This field cannot be changed for these issues together.");
    }
    // One that refuses: nothing is saved, and the page says why.
    world.sql("DELETE FROM workflow_transitions WHERE old_status_id = 2");
    world.sql("UPDATE issues SET status_id = 2 WHERE id = 2");
    let preview = send("status_id", &[("issue[status_id]", "5")]).assert_status(200);
    let preview = preview.assert_contains("1 of 2 can become Closed; 1 cannot.");
    assert_eq!([status(&world, 1), status(&world, 2)], [1, 2]);
    let values = [
        ("ids", "1,2"),
        ("field", "status_id"),
        ("issue[status_id]", "5"),
        ("do", "save"),
    ];
    alice
        .submit(&preview, "/issues/bulk_edit", &values)
        .assert_status(303);
    assert_eq!([status(&world, 1), status(&world, 2)], [5, 2]);
}
