//! Changing one field of an issue, from the facts beside it.

use quarry_world::browser::{Browser, field};
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn form(browser: &Browser<'_>, id: i64, name: &str) -> Response {
    browser
        .get(&format!("/issues/{id}/edit?field={name}"))
        .assert_status(200)
}

/// Sends the form of a field as a browser does.
fn send(browser: &Browser<'_>, page: &Response, id: i64, fields: &[(&str, &str)]) -> Response {
    let hidden = ["field", "issue[lock_version]", "original"].map(|name| {
        let value = field(page, name).unwrap_or_else(|| panic!("no {name} in {}", page.body));
        (name, value)
    });
    let mut all: Vec<(&str, &str)> = hidden
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    all.extend_from_slice(fields);
    browser.submit(page, &format!("/issues/{id}"), &all)
}

fn change(world: &World, id: i64, issue: Value) {
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), json!({"issue": issue}))
        .assert_status(200);
}

#[test]
fn each_fact_that_the_viewer_may_set_leads_to_its_form() {
    let world = World::with_projects();
    world.sql("INSERT INTO issue_categories (id, project_id, name) VALUES (1, 1, 'Engine'), (2, 2, 'Engine')");
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(&format!("/issues/{id}")).assert_status(200);
    for name in [
        "subject",
        "description",
        "status_id",
        "tracker_id",
        "priority_id",
        "assigned_to_id",
        "category_id",
        "parent_issue_id",
        "start_date",
        "due_date",
        "estimated_hours",
        "done_ratio",
    ] {
        let path = format!("/issues/{id}/edit?field={name}");
        assert!(page.body.contains(&path), "{name}: {}", page.body);
        form(&bob, id, name).assert_contains(&format!("name=\"issue[{name}]\""));
    }
    // Nobody may change these on their own page, and bob not whether the issue is private.
    for name in ["is_private", "author_id", "created_on"] {
        let path = format!("/issues/{id}/edit?field={name}");
        assert!(!page.body.contains(&path), "{name}");
    }
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains("/edit?field="), "{}", page.body);
    carol
        .get(&format!("/issues/{id}/edit?field=status_id"))
        .assert_status(403);
}

#[test]
fn saved_field_is_recorded_and_leads_back_to_the_issue() {
    let world = World::with_projects();
    let id = world.issue("open").description("old").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "done_ratio");
    let saved = send(&bob, &page, id, &[("issue[done_ratio]", "30")]).assert_status(303);
    assert_eq!(saved.location(), format!("/issues/{id}"));
    bob.get(&format!("/issues/{id}"))
        .assert_contains("% Done was saved.")
        .assert_contains("set <b>% Done</b>");
    let page = form(&bob, id, "description");
    send(&bob, &page, id, &[("issue[description]", "new")]).assert_status(303);
    let page = form(&bob, id, "subject");
    send(&bob, &page, id, &[("issue[subject]", "Another <b>")]).assert_status(303);
    let issue = world.show_issue("alice", id, "journals");
    assert_eq!(issue["done_ratio"], 30);
    assert_eq!(issue["description"], "new");
    assert_eq!(issue["subject"], "Another <b>");
    assert_eq!(issue["journals"].as_array().unwrap().len(), 3);
}

#[test]
fn invalid_value_is_kept_with_the_message_beside_it() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "due_date");
    send(&bob, &page, id, &[("issue[due_date]", "soon")])
        .assert_status(422)
        .assert_contains("value=\"soon\"")
        .assert_contains("Due date is not a valid date");
    let page = form(&bob, id, "subject");
    let refused = send(&bob, &page, id, &[("issue[subject]", " ")]).assert_status(422);
    assert!(refused.body.contains("cannot be blank"), "{}", refused.body);
    let long = "x".repeat(256);
    send(&bob, &page, id, &[("issue[subject]", &long)]).assert_status(422);
}

#[test]
fn field_that_the_change_makes_required_is_asked_for_in_the_same_form() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    world.sql("INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) SELECT id, 4, 2, 'due_date', 'required' FROM trackers");
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "status_id");
    assert!(!page.body.contains("issue[due_date]"));
    let refused = send(&bob, &page, id, &[("issue[status_id]", "2")])
        .assert_status(422)
        .assert_contains("name=\"issue[due_date]\"")
        .assert_contains("cannot be blank");
    let fields = [("issue[status_id]", "2"), ("issue[due_date]", "2026-12-24")];
    send(&bob, &refused, id, &fields).assert_status(303);
    let issue = world.show_issue("alice", id, "journals");
    assert_eq!(
        (&issue["status"]["id"], &issue["due_date"]),
        (&json!(2), &json!("2026-12-24"))
    );
}

#[test]
fn second_editor_sees_who_saved_when_and_both_values() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "done_ratio");
    change(&world, id, json!({"done_ratio": 50, "notes": "half"}));
    let conflict = send(&bob, &page, id, &[("issue[done_ratio]", "30")])
        .assert_status(409)
        .assert_contains("alice Tester changed this on 20 Nov 2026 at 12:00")
        .assert_contains("value=\"30\" selected")
        .assert_contains("50 %");
    assert_eq!(world.show_issue("alice", id, "journals")["done_ratio"], 50);
    send(&bob, &conflict, id, &[("issue[done_ratio]", "30")]).assert_status(303);
    assert_eq!(world.show_issue("alice", id, "journals")["done_ratio"], 30);
}

#[test]
fn change_of_another_field_is_no_conflict() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "done_ratio");
    change(&world, id, json!({"subject": "By alice"}));
    send(&bob, &page, id, &[("issue[done_ratio]", "30")]).assert_status(303);
    let issue = world.show_issue("alice", id, "journals");
    assert_eq!(
        (&issue["subject"], &issue["done_ratio"]),
        (&json!("By alice"), &json!(30))
    );
}

#[test]
fn author_of_a_hidden_change_is_not_named() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let hidden = world.issue("secret").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "parent_issue_id");
    world.set(
        quarry::domain::administration::setting::Setting::CrossProjectSubtasks,
        "system",
    );
    change(&world, id, json!({"parent_issue_id": hidden}));
    let mine = world.issue("open").create();
    let value = mine.to_string();
    let answer = send(&bob, &page, id, &[("issue[parent_issue_id]", &value)]);
    assert!(
        !answer.body.contains("alice Tester changed")
            && !answer.body.contains(&format!(">{hidden}<")),
        "{}",
        answer.body
    );
}

#[test]
fn unknown_hidden_and_read_only_fields_have_no_form() {
    let world = World::with_projects();
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, visible) VALUES (1, 'IssueCustomField', 'Hidden', 'string', 1, 0), (2, 'IssueCustomField', 'Open', 'string', 1, 1);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT f.id, t.id FROM custom_fields f, trackers t;
         INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) SELECT id, 4, 1, 'due_date', 'readonly' FROM trackers",
    );
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let get = |name: &str| bob.get(&format!("/issues/{id}/edit?field={name}"));
    for name in [
        "cf_1",
        "cf_99",
        "cf_x",
        "nothing",
        "issue%5Bsubject%5D",
        "",
        "notes",
        "id",
    ] {
        get(name).assert_status(404);
    }
    get("cf_2").assert_status(200);
    get("due_date").assert_status(403);
    let page = bob.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains("field=due_date") && !page.body.contains("Hidden"));
    let form = form(&bob, id, "cf_2");
    for (name, status) in [("cf_1", 404), ("due_date", 403), ("nothing", 404)] {
        let fields = [
            ("field", name),
            ("issue[due_date]", "2026-12-24"),
            ("issue[custom_field_values][1]", "x"),
        ];
        bob.submit(&form, &format!("/issues/{id}"), &fields)
            .assert_status(status);
    }
    let secret = world.issue("secret").create();
    bob.get(&format!("/issues/{secret}/edit?field=subject"))
        .assert_status(404);
}

#[test]
fn right_that_was_taken_away_is_not_a_silent_success() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "due_date");
    let status = form(&bob, id, "status_id");
    world.sql("INSERT INTO workflow_permissions (tracker_id, role_id, old_status_id, field_name, rule) SELECT id, 4, 1, 'due_date', 'readonly' FROM trackers; DELETE FROM workflow_transitions WHERE role_id = 4 AND new_status_id = 3");
    send(&bob, &page, id, &[("issue[due_date]", "2026-12-24")]).assert_status(403);
    send(&bob, &status, id, &[("issue[status_id]", "3")])
        .assert_status(422)
        .assert_contains("is not included in the list");
    world.sql("UPDATE projects SET status = 5");
    send(&bob, &status, id, &[("issue[status_id]", "2")]).assert_status(403);
    let issue = world.show_issue("alice", id, "journals");
    assert_eq!(issue["status"]["id"], 1);
}

#[test]
fn repeated_parameters_and_wrong_types_are_no_server_errors() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let bob = Browser::logged_in(&world, "bob");
    let page = form(&bob, id, "subject");
    let path = format!("/issues/{id}");
    for fields in [
        &[
            ("field", "subject"),
            ("field", "status_id"),
            ("issue[subject]", "x"),
        ][..],
        &[("field[]", "subject"), ("issue[subject]", "x")],
        &[
            ("field", "subject"),
            ("issue[subject][]", "x"),
            ("issue[subject][]", "y"),
        ],
        &[("field", "subject"), ("issue[subject][a]", "x")],
        &[("field", "subject"), ("issue", "x")],
        &[
            ("field", "subject"),
            ("issue[lock_version]", "x"),
            ("issue[subject]", "y"),
        ],
        &[("field", "subject")],
    ] {
        let answer = bob.submit(&page, &path, fields);
        assert!(answer.status < 500, "{fields:?}: {answer:?}");
    }
    bob.post(&path, &[("field", "subject"), ("issue[subject]", "x")])
        .assert_status(403);
}

#[test]
fn parent_is_found_by_words_and_several_are_offered_to_choose() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let pump = world.issue("open").subject("The blue pump").create();
    let other = world.issue("open").subject("The red pump").create();
    let secret = world.issue("secret").subject("The secret pump").create();
    let private = world
        .issue("open")
        .subject("The private pump")
        .private()
        .create();
    let bob = Browser::logged_in(&world, "bob");
    world.count_hits("bob", "pump");
    let page = form(&bob, id, "parent_issue_id");
    let several = send(&bob, &page, id, &[("issue[parent_issue_id]", "pump")]).assert_status(422);
    assert!(several.body.contains("The blue pump") && several.body.contains("The red pump"));
    assert!(
        !several.body.contains("secret pump") && !several.body.contains("private pump"),
        "{}",
        several.body
    );
    let chosen = other.to_string();
    let fields = [
        ("issue[parent_issue_id]", "pump"),
        ("chosen_issue", chosen.as_str()),
        ("chosen_for", "pump"),
    ];
    send(&bob, &several, id, &fields).assert_status(303);
    assert_eq!(
        world.show_issue("alice", id, "journals")["parent"]["id"],
        other
    );
    let page = form(&bob, id, "parent_issue_id");
    send(&bob, &page, id, &[("issue[parent_issue_id]", "blue")]).assert_status(303);
    assert_eq!(
        world.show_issue("alice", id, "journals")["parent"]["id"],
        pump
    );
    let page = form(&bob, id, "parent_issue_id");
    for text in [secret.to_string(), private.to_string(), "999".to_owned()] {
        send(&bob, &page, id, &[("issue[parent_issue_id]", &text)])
            .assert_status(422)
            .assert_contains("names no issue that you can see");
    }
    send(&bob, &page, id, &[("issue[parent_issue_id]", "")]).assert_status(303);
    assert!(
        world
            .show_issue("alice", id, "journals")
            .get("parent")
            .is_none()
    );
}

#[test]
fn hidden_parent_is_neither_shown_nor_removed() {
    let world = World::with_projects();
    let parent = world.issue("open").private().create();
    let id = world.issue("open").parent(parent).create();
    let bob = Browser::logged_in(&world, "bob");
    let issue = bob.get(&format!("/issues/{id}")).assert_status(200);
    let page = form(&bob, id, "parent_issue_id");
    for body in [&issue.body, &page.body] {
        let (_, field) = body.split_once("name=\"issue[parent_issue_id]\"").unwrap();
        let (field, _) = field.split_once('>').unwrap();
        let link = format!("href=\"/issues/{parent}\"");
        assert!(
            field.contains("value=\"\"") && !body.contains(&link),
            "{body}"
        );
    }
    send(&bob, &page, id, &[("issue[parent_issue_id]", "")]).assert_status(303);
    assert_eq!(
        world.show_issue("alice", id, "journals")["parent"]["id"],
        parent
    );
}
