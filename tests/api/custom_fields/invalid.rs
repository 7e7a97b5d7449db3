//! Definitions that are refused

use super::{create, for_bugs, update};
use quarry_world::World;
use serde_json::json;

#[test]
fn invalid_fields_are_refused() {
    let world = World::new();
    let cases = [
        (
            json!({}),
            vec![
                "Customized type cannot be blank",
                "Field format cannot be blank",
            ],
        ),
        (
            json!({"customized_type": "colour", "field_format": "sound"}),
            vec![
                "Customized type is not included in the list",
                "Field format is not included in the list",
            ],
        ),
        (
            json!({"customized_type": "user", "field_format": "version", "name": "A"}),
            vec!["Field format is not possible for this type of record"],
        ),
        (for_bugs(json!({"name": ""})), vec!["Name cannot be blank"]),
        (
            for_bugs(json!({"name": "x".repeat(31), "position": 0})),
            vec![
                "Name is too long (maximum is 30 characters)",
                "Position must be 1 or more",
            ],
        ),
        (
            for_bugs(
                json!({"tracker_ids": [9], "project_ids": [9], "visible": false, "role_ids": [9]}),
            ),
            vec![
                "Trackers is invalid",
                "Projects is invalid",
                "Roles is invalid",
            ],
        ),
        (
            for_bugs(json!({"visible": false})),
            vec!["Roles cannot be blank"],
        ),
        (
            json!({"customized_type": "document", "field_format": "string", "name": "Seal", "visible": false}),
            vec!["Roles cannot be blank"],
        ),
        (
            for_bugs(json!({"min_length": -1})),
            vec!["Minimum length must be a whole number from 0 to 2147483647"],
        ),
        (
            for_bugs(json!({"min_length": 5, "max_length": 4})),
            vec!["Maximum length must not be less than the minimum length"],
        ),
        (
            for_bugs(json!({"min_length": "some"})),
            vec!["Minimum length is not a whole number"],
        ),
        (
            for_bugs(json!({"regexp": "("})),
            vec!["Regular expression is invalid"],
        ),
        (
            for_bugs(json!({"regexp": "(a{1000}){1000}"})),
            vec!["Regular expression is invalid"],
        ),
        (
            for_bugs(json!({"regexp": "^[0-9]+$", "default_value": "x"})),
            vec!["Default value is invalid"],
        ),
        (
            for_bugs(json!({"multiple": true})),
            vec!["Multiple is not possible for this format"],
        ),
        (
            for_bugs(json!({"possible_values": ["a"]})),
            vec!["Possible values is invalid (only fields with the format list have them)"],
        ),
        (
            for_bugs(json!({"enumerations": ["a"]})),
            vec!["Enumerations is invalid (only fields with the format enumeration have them)"],
        ),
        (
            for_bugs(json!({"field_format": "bool", "searchable": true})),
            vec!["Searchable is not possible for this format"],
        ),
        (
            for_bugs(json!({"field_format": "list"})),
            vec!["Possible values cannot be blank"],
        ),
        (
            for_bugs(json!({"field_format": "list", "possible_values": [" "]})),
            vec!["Possible values cannot be blank"],
        ),
        (
            for_bugs(json!({"field_format": "list", "possible_values": ["a\nb"]})),
            vec!["Possible values is invalid (each must be one line of at most 255 characters)"],
        ),
        (
            for_bugs(json!({"field_format": "list", "possible_values": [{"label": "a"}]})),
            vec!["Possible values is invalid (a list of at most 10000 values is expected)"],
        ),
        (
            for_bugs(
                json!({"field_format": "list", "possible_values": ["a"], "default_value": "b"}),
            ),
            vec!["Default value is not included in the list"],
        ),
        (
            for_bugs(json!({"field_format": "user", "default_value": "99"})),
            vec!["Default value is not included in the list"],
        ),
        (
            for_bugs(json!({"field_format": "enumeration", "enumerations": [""]})),
            vec![
                "Enumerations is invalid (each needs a name in one line of at most 255 characters)",
            ],
        ),
        (
            for_bugs(
                json!({"field_format": "enumeration", "enumerations": [{"id": 7, "name": "a"}]}),
            ),
            vec!["Enumerations is invalid (there is no value 7)"],
        ),
        (
            for_bugs(json!({"field_format": "enumeration", "enumerations": 7})),
            vec!["Enumerations is invalid (a list of at most 1000 names or objects is expected)"],
        ),
        (
            json!({"customized_type": "user", "field_format": "string", "name": "A", "tracker_ids": [1]}),
            vec!["Trackers is invalid (only fields of issues have them)"],
        ),
        (
            for_bugs(json!({"name": []})),
            vec!["Name is invalid (one value is expected, not a list)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    assert!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .custom_fields
            .is_empty()
    );
    world
        .as_user("admin")
        .post("/custom_fields.json", "{")
        .assert_status(400);
    world
        .as_user("admin")
        .post("/custom_fields.xml", r#"{"custom_field":[]}"#)
        .assert_status(400);
}

#[test]
fn type_and_format_cannot_be_changed() {
    let world = World::new();
    create(&world, for_bugs(json!({}))).assert_status(201);
    create(&world, for_bugs(json!({"name": "Second"}))).assert_status(201);
    let errors = [
        "Customized type cannot be changed",
        "Field format cannot be changed",
        "Name has already been taken",
    ];
    update(
        &world,
        json!({"customized_type": "user", "field_format": "text", "name": "second"}),
    )
    .assert_status(422)
    .assert_errors(&errors);
    update(&world, json!({"field_format": "sound"}))
        .assert_status(422)
        .assert_errors(&["Field format cannot be changed"]);
    update(&world, json!({"customized_type": null}))
        .assert_status(422)
        .assert_errors(&["Customized type cannot be changed"]);
    update(
        &world,
        json!({"customized_type": "issue", "field_format": "string"}),
    )
    .assert_status(200);
    create(
        &world,
        json!({"customized_type": "user", "field_format": "string", "name": "Platform"}),
    )
    .assert_status(201);
}

#[test]
fn what_was_imported_stays_until_it_is_changed() {
    let world = World::new();
    create(&world, for_bugs(json!({}))).assert_status(201);
    world.sql("UPDATE custom_fields SET regexp = '(?<!a)b', min_length = 5, max_length = 2, default_value = 'x', visible = 0");
    let kept = update(&world, json!({"name": "System", "regexp": "(?<!a)b"})).assert_status(200);
    kept.assert_json_path("/custom_field/regexp", "(?<!a)b")
        .assert_json_path("/custom_field/default_value", "x");
    update(&world, json!({"regexp": "(?<!c)b"}))
        .assert_status(422)
        .assert_errors(&["Regular expression is invalid"]);
    let errors = ["Default value is too short (minimum is 5 characters)"];
    update(&world, json!({"default_value": "y"}))
        .assert_status(422)
        .assert_errors(&errors);
    world.sql("UPDATE custom_fields SET field_format = 'list', possible_values_json = NULL, default_value = NULL");
    update(&world, json!({"name": "Kernel"})).assert_status(200);
    update(&world, json!({"possible_values": ["Linux"]})).assert_status(200);
    update(&world, json!({"possible_values": []}))
        .assert_status(422)
        .assert_errors(&["Possible values cannot be blank"]);
}
