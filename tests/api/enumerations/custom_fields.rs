//! Custom fields of priorities, activities and document categories.

use super::{KINDS, create};
use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::store::administration::custom_fields;
use quarry_world::World;
use serde_json::{Value, json};

/// The types of custom fields of [`KINDS`].
const CUSTOMIZED: [Customized; 3] = [
    Customized::IssuePriority,
    Customized::TimeEntryActivity,
    Customized::DocumentCategory,
];

/// Inserts a field. The first one has the id 1.
fn insert(world: &World, field: CustomField) {
    world.write(move |db| custom_fields::insert(db, &field));
}

fn fields_json(colour: &str, level: &str) -> String {
    format!(
        r#""custom_fields":[{{"id":1,"name":"Colour","value":"{colour}"}},{{"id":2,"name":"Level","value":"{level}"}}]"#
    )
}

#[test]
fn values_are_written_and_read() {
    for (kind, customized) in KINDS.into_iter().zip(CUSTOMIZED) {
        let world = World::with_projects();
        insert(&world, CustomField::new(customized, "Colour", Format::Line));
        insert(
            &world,
            CustomField {
                default: Some("7".to_owned()),
                ..CustomField::new(customized, "Level", Format::Integer)
            },
        );
        let (list, item) = kind;
        let created = create(
            &world,
            kind,
            json!({"name": "Odd", "custom_fields": [{"id": 1, "value": "red"}]}),
        )
        .assert_status(201);
        created.assert_contains(&fields_json("red", "7"));
        let path = format!("/enumerations/{list}/10");
        let xml = format!(
            "<{item}><custom_fields type=\"array\"><custom_field id=\"1\"><value>blue</value></custom_field></custom_fields></{item}>"
        );
        let changed = world.as_user("admin").send(
            Method::PUT,
            &format!("{path}.xml"),
            Some("application/xml"),
            xml.into_bytes(),
        );
        changed.assert_status(200).assert_contains(
            "<custom_field id=\"1\" name=\"Colour\"><value>blue</value></custom_field>",
        );
        let body = json!({ item: {"custom_field_values": {"2": "8"}} });
        world
            .as_user("admin")
            .put(&format!("{path}.json"), body)
            .assert_status(200)
            .assert_contains(&fields_json("blue", "8"));
        world
            .as_user("admin")
            .put(&format!("{path}.json"), json!({ item: {"name": "Even"} }))
            .assert_status(200);
        world
            .as_user("dave")
            .get(&format!("/enumerations/{list}.json"))
            .assert_status(200)
            .assert_contains(&fields_json("blue", "8"));
    }
}

fn priority_body(name: &str, value: &str) -> Value {
    json!({"name": name, "custom_fields": [{"id": 1, "value": value}]})
}

#[test]
fn invalid_and_missing_values_are_errors_and_change_nothing() {
    for (kind, customized) in KINDS.into_iter().zip(CUSTOMIZED) {
        let world = World::with_projects();
        insert(
            &world,
            CustomField::new(customized, "Level", Format::Integer),
        );
        let (list, item) = kind;
        create(&world, kind, priority_body("Odd", "many"))
            .assert_status(422)
            .assert_errors(&["Level is not a number"]);
        create(&world, kind, priority_body("Odd", "1")).assert_status(201);
        let path = format!("/enumerations/{list}/10.json");
        world
            .as_user("admin")
            .put(&path, json!({ item: priority_body("Even", "many") }))
            .assert_status(422);
        world
            .as_user("admin")
            .get(&path)
            .assert_status(200)
            .assert_contains("\"name\":\"Odd\"")
            .assert_contains("\"value\":\"1\"");
        insert(
            &world,
            CustomField {
                required: true,
                ..CustomField::new(customized, "Colour", Format::Line)
            },
        );
        create(&world, kind, priority_body("Third", "3"))
            .assert_status(422)
            .assert_errors(&["Colour cannot be blank"]);
        world
            .as_user("admin")
            .put(&path, json!({ item: {"name": "Even"} }))
            .assert_status(200);
    }
}
