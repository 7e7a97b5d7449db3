//! Custom fields of many issues: what is hidden stays hidden, and what is taken back is whole.

use quarry_world::browser::{Browser, form_field};
use quarry_world::{Response, World};
use serde_json::json;

/// Two issues with the custom fields 1 (a list with several values), and 2 and 3 (lines).
fn world() -> World {
    let world = World::with_projects();
    for (id, format, multiple) in [(1, "list", 1), (2, "string", 0), (3, "string", 0)] {
        world.sql(&format!(
            "INSERT INTO custom_fields (id, type, name, field_format, is_for_all, position, possible_values_json, multiple, is_required) \
             VALUES ({id}, 'IssueCustomField', 'Field {id}', '{format}', 1, {id}, '[\"red\",\"blue\",\"none\"]', {multiple}, 0); \
             INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES ({id}, 1)"
        ));
    }
    for _ in 0..2 {
        world.issue("open").field("tracker_id", 1).create();
    }
    world
}

fn set(world: &World, field: i64, value: serde_json::Value) {
    let fields = json!([{"id": field, "value": value}]);
    world
        .as_user("admin")
        .put(
            "/issues/1.json",
            json!({"issue": {"custom_fields": fields}}),
        )
        .assert_status(200);
}

fn value(world: &World, field: i64) -> serde_json::Value {
    let issue = world.show_issue("admin", 1, "");
    let fields = issue["custom_fields"].as_array().unwrap();
    let field = fields.iter().find(|shown| shown["id"] == field);
    field.unwrap()["value"].clone()
}

/// Sends the form for both issues.
fn send(browser: &Browser<'_>, fields: &[(&str, &str)]) -> Response {
    let page = browser.get("/issues").assert_status(200);
    let mut all = vec![("ids", "1,2")];
    all.extend_from_slice(fields);
    browser.submit(&page, "/issues/bulk_edit", &all)
}

#[test]
fn all_values_of_a_field_are_taken_back() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    for (before, chosen) in [(json!(["red", "blue"]), "blue"), (json!(["red"]), "blue")] {
        set(&world, 1, before.clone());
        let saved = send(
            &alice,
            &[("issue[custom_field_values][1]", chosen), ("do", "save")],
        );
        let result = alice.get(saved.assert_status(303).location());
        assert_eq!(value(&world, 1), json!([chosen]));
        let at = form_field(&result, "/issues/bulk_edit/undo", "at").unwrap();
        let fields = [("ids", "1,2"), ("at", at.as_str())];
        alice
            .submit(&result, "/issues/bulk_edit/undo", &fields)
            .assert_status(303);
        let mut restored: Vec<String> = serde_json::from_value(value(&world, 1)).unwrap();
        restored.sort_by(|a, b| b.cmp(a));
        assert_eq!(json!(restored), before);
    }
}

#[test]
fn values_of_hidden_fields_are_not_told() {
    let world = world();
    set(&world, 2, json!("Serial 42"));
    world.sql("UPDATE custom_fields SET visible = 0 WHERE id = 2; INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (2, 3)");
    let bob = Browser::logged_in(&world, "bob");
    let preview = |value: &str| {
        let page = send(&bob, &[("issue[custom_field_values][2]", value)]);
        let body = page.assert_status(200).body;
        let body = body.split_once("<main").unwrap().1;
        body.replace(value, "VALUE")
    };
    let equal = preview("Serial 42");
    assert_eq!(equal, preview("Serial 41"));
    assert!(!equal.contains("Field 2"), "{equal}");
}

#[test]
fn the_word_none_is_a_value_and_a_note() {
    let world = world();
    set(&world, 1, json!(["red"]));
    let alice = Browser::logged_in(&world, "alice");
    let saved = send(
        &alice,
        &[
            ("issue[custom_field_values][1]", "none"),
            ("issue[custom_field_values][3]", "none"),
            ("issue[notes]", "none"),
            ("do", "save"),
        ],
    );
    saved.assert_status(303);
    assert_eq!(value(&world, 1), json!(["none"]));
    assert_eq!(value(&world, 3), json!("none"));
    let issue = world.show_issue("alice", 1, "journals");
    let journals = issue["journals"].as_array().unwrap();
    assert_eq!(journals.last().unwrap()["notes"], "none");
    send(
        &alice,
        &[
            ("issue[custom_field_values][1]", "__none__"),
            ("do", "save"),
        ],
    )
    .assert_status(303);
    assert_eq!(value(&world, 1), json!([]));
}
