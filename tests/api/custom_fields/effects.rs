//! What a change of a field changes for others, with their next request and their next search.

use super::{create, for_bugs, update};
use quarry_world::World;
use serde_json::{Value, json};

/// Creates a searchable field, and an issue with the value `quokka`; both have the id 1.
fn world_with_value() -> World {
    let world = World::with_projects();
    create(
        &world,
        for_bugs(json!({"searchable": true, "is_filter": true})),
    )
    .assert_status(201);
    world
        .issue("open")
        .subject("A wombat")
        .field("custom_field_values", json!({"1": "grey quokka"}))
        .create();
    world
}

fn fields_of_issue(world: &World) -> Value {
    let issue = world
        .as_user("alice")
        .get("/issues/1.json")
        .assert_status(200)
        .json_path("/issue");
    issue.get("custom_fields").cloned().unwrap_or_default()
}

fn is_quokka_highlighted(world: &World) -> bool {
    let hit = world
        .as_user("alice")
        .get("/search.json?q=wombat+OR+quokka")
        .assert_status(200);
    hit.body.contains("<mark>quokka</mark>") || hit.body.contains("\\u003cmark\\u003equokka")
}

#[test]
fn next_search_follows_what_is_searchable() {
    let world = world_with_value();
    for _ in 0..2 {
        assert_eq!(
            (
                world.count_hits("alice", "quokka"),
                world.count_hits("bob", "wombat")
            ),
            (1, 1)
        );
        assert!(is_quokka_highlighted(&world), "the value is highlighted");
        update(&world, json!({"searchable": false})).assert_status(200);
        assert_eq!(
            (
                world.count_hits("alice", "quokka"),
                world.count_hits("admin", "quokka"),
                world.count_hits("bob", "wombat")
            ),
            (0, 0, 1)
        );
        assert!(
            !is_quokka_highlighted(&world),
            "the value is not shown any more"
        );
        update(&world, json!({"searchable": true})).assert_status(200);
    }
}

fn counts_by_viewer(world: &World) -> [i64; 4] {
    ["alice", "bob", "carol", "admin"].map(|login| world.count_hits(login, "quokka"))
}

#[test]
fn next_search_follows_who_may_see_the_field() {
    let world = world_with_value();
    update(&world, json!({"visible": false, "role_ids": [4]})).assert_status(200);
    assert_eq!(counts_by_viewer(&world), [0, 1, 0, 1]);
    assert!(fields_of_issue(&world).is_null());
    update(&world, json!({"role_ids": [3, 5]})).assert_status(200);
    assert_eq!(counts_by_viewer(&world), [1, 0, 1, 1]);
    update(&world, json!({"visible": true, "is_for_all": false})).assert_status(200);
    assert_eq!(
        counts_by_viewer(&world),
        [0, 0, 0, 0],
        "no project has the field"
    );
    update(&world, json!({"project_ids": [1]})).assert_status(200);
    assert_eq!(counts_by_viewer(&world), [1, 1, 1, 1]);
}

#[test]
fn deleting_a_field_deletes_its_values() {
    let world = world_with_value();
    let rules = json!({"workflow": {"field_permissions": [{"status_id": 1, "field_name": "1", "rule": "required"}]}});
    world
        .as_user("admin")
        .put("/workflows.json?role_id=5&tracker_id=1", rules)
        .assert_status(200);
    assert_eq!(
        (
            world.count_hits("alice", "quokka"),
            world
                .as_user("alice")
                .total_count("/issues.json?cf_1=grey+quokka")
        ),
        (1, 1)
    );
    world
        .as_user("admin")
        .delete("/custom_fields/1.json")
        .assert_status(204);
    assert_eq!(
        (
            world.count_hits("alice", "quokka"),
            world.count_hits("alice", "wombat")
        ),
        (0, 1)
    );
    assert!(fields_of_issue(&world).is_null());
    let rules = world
        .as_user("admin")
        .get("/workflows.json?role_id=5&tracker_id=1")
        .assert_status(200);
    rules.assert_json_path("/workflow/field_permissions", json!([]));
    create(&world, for_bugs(json!({"searchable": true})))
        .assert_status(201)
        .assert_json_path("/custom_field/id", 2);
    assert_eq!(
        fields_of_issue(&world),
        json!([{"id": 2, "name": "Platform", "value": null}]),
        "a new field inherits nothing"
    );
    assert_eq!(world.count_hits("alice", "quokka"), 0);
}

fn update_value(world: &World, value: &str, status: u16) -> Vec<String> {
    let body = json!({"issue": {"custom_field_values": {"1": value}}});
    world
        .as_user("alice")
        .put("/issues/1.json", body)
        .assert_status(status)
        .errors()
}

#[test]
fn rules_for_values_apply_to_the_next_change() {
    let world = world_with_value();
    update(
        &world,
        json!({"regexp": "^[a-z]+$", "min_length": 3, "max_length": 5, "is_required": true}),
    )
    .assert_status(200);
    assert_eq!(update_value(&world, "", 422), ["Platform cannot be blank"]);
    assert_eq!(update_value(&world, "ABC", 422), ["Platform is invalid"]);
    assert_eq!(
        update_value(&world, "ab", 422),
        ["Platform is too short (minimum is 3 characters)"]
    );
    assert_eq!(
        update_value(&world, "abcdef", 422),
        ["Platform is too long (maximum is 5 characters)"]
    );
    update_value(&world, "linux", 200);
    update(
        &world,
        json!({"regexp": null, "min_length": null, "max_length": null, "tracker_ids": [2]}),
    )
    .assert_status(200);
    assert!(fields_of_issue(&world).is_null(), "bugs no longer have it");
}

#[test]
fn field_that_no_longer_has_several_values_keeps_the_first() {
    let world = World::with_projects();
    let fields = json!({"field_format": "list", "possible_values": ["red", "green"], "multiple": true, "searchable": true});
    create(&world, for_bugs(fields)).assert_status(201);
    world
        .issue("open")
        .field("custom_field_values", json!({"1": ["green", "red"]}))
        .create();
    assert_eq!(
        (
            world.count_hits("alice", "green"),
            world.count_hits("alice", "red")
        ),
        (1, 1)
    );
    update(&world, json!({"multiple": false})).assert_status(200);
    assert_eq!(
        fields_of_issue(&world),
        json!([{"id": 1, "name": "Platform", "value": "green"}])
    );
    assert_eq!(
        (
            world.count_hits("alice", "green"),
            world.count_hits("alice", "red")
        ),
        (1, 0)
    );
}
