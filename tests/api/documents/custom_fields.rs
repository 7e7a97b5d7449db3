//! Custom fields of documents.

use super::{create, found};
use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format, Values};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::{CustomFieldId, RoleId};
use quarry::store::administration::custom_fields;
use quarry_world::browser::Browser;
use quarry_world::{Response, World, insert_version};
use serde_json::{Value, json};

fn field(name: &str, format: Format) -> CustomField {
    CustomField::new(Customized::Document, name, format)
}

/// Inserts a field of documents. The first one has the id 1.
fn insert(world: &World, field: CustomField) {
    world.write(move |db| custom_fields::insert(db, &field));
}

/// Returns the attributes of a valid document with these custom fields.
fn plan(custom_fields: Value) -> Value {
    json!({"title": "Plan", "category_id": 6, "custom_fields": custom_fields})
}

fn update(world: &World, login: &str, fields: Value) -> Response {
    world
        .as_user(login)
        .put("/documents/1.json", json!({ "document": fields }))
}

#[test]
fn values_are_written_and_read() {
    let world = World::with_projects();
    insert(&world, field("Author", Format::Line));
    let colors = ["red", "green"].map(str::to_owned).to_vec();
    insert(
        &world,
        CustomField {
            possible_values: colors,
            multiple: true,
            ..field("Colors", Format::List)
        },
    );
    insert(
        &world,
        CustomField {
            default: Some("1".to_owned()),
            ..field("Approved", Format::Bool)
        },
    );
    let custom = json!([{"id": 1, "value": "A quokka"}, {"id": 2, "value": ["red", "green"]}, {"id": 99, "value": "ignored"}]);
    let created = create(&world, "alice", "open", plan(custom)).assert_status(201);
    let fields = r#""description":null,"custom_fields":[{"id":1,"name":"Author","value":"A quokka"},{"id":2,"name":"Colors","multiple":true,"value":["red","green"]},{"id":3,"name":"Approved","value":"1"}],"created_on""#;
    created.assert_contains(fields);
    for path in ["/documents/1.json", "/projects/open/documents.json"] {
        world
            .as_user("dave")
            .get(path)
            .assert_status(200)
            .assert_contains(fields);
    }
    let colors = "<custom_field id=\"2\" name=\"Colors\" multiple=\"true\"><value type=\"array\"><value>red</value><value>green</value></value></custom_field>";
    for path in ["/documents/1.xml", "/projects/open/documents.xml"] {
        world
            .as_user("dave")
            .get(path)
            .assert_status(200)
            .assert_contains(colors);
    }
    let body =
        b"<document><custom_fields type=\"array\"><custom_field id=\"1\"><value>A wombat</value></custom_field></custom_fields></document>";
    let changed = world
        .as_user("alice")
        .send(
            Method::PUT,
            "/documents/1.xml",
            Some("application/xml"),
            body.to_vec(),
        )
        .assert_status(200);
    changed
        .assert_contains("<custom_fields type=\"array\"><custom_field id=\"1\" name=\"Author\"><value>A wombat</value></custom_field>")
        .assert_contains(colors);
    let changed = update(
        &world,
        "alice",
        json!({"custom_field_values": {"2": ["green"], "3": "0"}}),
    )
    .assert_status(200);
    let values: Vec<Value> = changed
        .array("/document/custom_fields")
        .iter()
        .map(|field| field["value"].clone())
        .collect();
    assert_eq!(values, [json!("A wombat"), json!(["green"]), json!("0")]);
    let read = world
        .as_user("alice")
        .get("/documents/1.json")
        .assert_status(200)
        .json();
    assert_eq!(
        world
            .as_user("alice")
            .put("/documents/1.json", read.clone())
            .assert_status(200)
            .json(),
        read,
        "what is read can be written"
    );
    world
        .as_user("alice")
        .delete("/documents/1.json")
        .assert_status(200);
    let left = world
        .app
        .store
        .read(|db| custom_fields::list_values(db, Customized::Document, &[1]))
        .unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn document_without_fields_has_no_list() {
    let world = World::with_projects();
    world.write(|db| {
        custom_fields::insert(
            db,
            &CustomField::new(Customized::Version, "Codename", Format::Line),
        )
    });
    let created = create(
        &world,
        "alice",
        "open",
        plan(json!([{"id": 1, "value": "of versions"}])),
    )
    .assert_status(201);
    assert!(created.json()["document"].get("custom_fields").is_none());
}

fn pages_value(value: Value) -> Value {
    json!({"id": 1, "value": value})
}

#[test]
fn invalid_values_name_the_field_and_change_nothing() {
    let world = World::with_projects();
    insert(
        &world,
        CustomField {
            required: true,
            ..field("pages", Format::Integer)
        },
    );
    insert(
        &world,
        CustomField {
            possible_values: vec!["A4".to_owned()],
            ..field("Paper", Format::List)
        },
    );
    insert(&world, field("Reviewer", Format::User));
    insert(&world, field("Release", Format::Version));
    insert(
        &world,
        CustomField {
            editable: false,
            ..field("Seal", Format::Line)
        },
    );
    let cases = [
        (json!([]), vec!["Pages cannot be blank"]),
        (
            json!([pages_value(json!(""))]),
            vec!["Pages cannot be blank"],
        ),
        (
            json!([pages_value(json!("many"))]),
            vec!["Pages is not a number"],
        ),
        (
            json!([pages_value(json!("3")), {"id": 2, "value": "A9"}]),
            vec!["Paper is not included in the list"],
        ),
        // User 5 is no member of the project.
        (
            json!([pages_value(json!("3")), {"id": 3, "value": "5"}]),
            vec!["Reviewer is not included in the list"],
        ),
        (
            json!([pages_value(json!("3")), {"id": 4, "value": "1"}]),
            vec!["Release is not included in the list"],
        ),
        (
            json!([{"id": 1, "value": {}}]),
            vec!["Custom field 1 is invalid (a text or a list of texts is expected)"],
        ),
    ];
    for (custom, errors) in cases {
        create(&world, "alice", "open", plan(custom))
            .assert_status(422)
            .assert_errors(&errors);
    }
    let nameless = json!({"category_id": 6, "custom_fields": []});
    create(&world, "alice", "open", nameless)
        .assert_status(422)
        .assert_errors(&["Pages cannot be blank", "Title cannot be blank"]);
    world
        .as_user("alice")
        .get("/projects/open/documents.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);

    let id = world
        .write(|db| insert_version(db, 1.into(), "1.0", "2026-11-01T00:00:00Z".parse().unwrap()));
    let valid = json!([pages_value(json!("3")), {"id": 2, "value": "A4"}, {"id": 3, "value": "2"}, {"id": 4, "value": id.to_string()}, {"id": 5, "value": "wax"}]);
    create(&world, "alice", "open", plan(valid)).assert_status(201);
    update(&world, "alice", plan(json!([{"id": 1, "value": ""}])))
        .assert_status(422)
        .assert_errors(&["Pages cannot be blank"]);
    let shown = world
        .as_user("dave")
        .get("/documents/1.json")
        .assert_status(200)
        .array("/document/custom_fields");
    let values: Vec<Value> = shown.iter().map(|field| field["value"].clone()).collect();
    assert_eq!(
        values,
        [
            json!("3"),
            json!("A4"),
            json!("2"),
            json!(id.to_string()),
            json!(null)
        ],
        "the last one is not editable"
    );
    world.sql("UPDATE custom_fields SET possible_values_json = '[\"A3\"]' WHERE id = 2");
    update(&world, "alice", json!({"title": "Chart"}))
        .assert_status(200)
        .assert_json_path("/document/custom_fields/1/value", "A4");
    update(
        &world,
        "admin",
        json!({"custom_field_values": {"5": "wax"}}),
    )
    .assert_status(200)
    .assert_json_path("/document/custom_fields/4/value", "wax");
}

fn budget(world: &World, login: &str) -> Value {
    world
        .as_user(login)
        .get("/documents/1.json")
        .assert_status(200)
        .json_path("/document/custom_fields/0/value")
}

#[test]
fn field_of_other_roles_is_neither_shown_nor_set() {
    let world = World::with_projects();
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'edit_documents')");
    insert(
        &world,
        CustomField {
            visible: false,
            roles: [RoleId(3)].into(),
            required: true,
            ..field("Budget", Format::Line)
        },
    );
    create(
        &world,
        "alice",
        "open",
        plan(json!([{"id": 1, "value": "quokka"}])),
    )
    .assert_status(201);
    let change = plan(json!([{"id": 1, "value": ""}]));
    let kept = update(&world, "bob", change.clone()).assert_status(200);
    assert!(!kept.body.contains("custom_fields"), "{kept:?}");
    update(&world, "alice", change.clone())
        .assert_status(422)
        .assert_errors(&["Budget cannot be blank"]);
    assert_eq!(
        (budget(&world, "alice"), budget(&world, "admin")),
        (json!("quokka"), json!("quokka"))
    );
    assert_eq!(
        (
            found(&world, "alice", "quokka").len(),
            found(&world, "bob", "quokka").len()
        ),
        (1, 0)
    );
    world.set(Setting::LoginRequired, "0");
    for path in [
        "/documents/1.json",
        "/documents/1.xml",
        "/projects/open/documents.json",
    ] {
        for client in [
            world.as_user("bob"),
            world.as_user("dave"),
            world.anonymous(),
        ] {
            assert!(
                !client
                    .get(path)
                    .assert_status(200)
                    .body
                    .contains("custom_fields")
            );
        }
    }
}

#[test]
fn search_follows_a_changed_value() {
    let world = World::with_projects();
    insert(&world, field("Subtitle", Format::Line));
    create(
        &world,
        "alice",
        "open",
        plan(json!([{"id": 1, "value": "quokka"}])),
    )
    .assert_status(201);
    assert_eq!(found(&world, "dave", "quokka"), ["Document: Plan"]);
    update(
        &world,
        "alice",
        json!({"custom_field_values": {"1": "wombat"}}),
    )
    .assert_status(200);
    assert_eq!(
        (
            found(&world, "dave", "quokka").len(),
            found(&world, "dave", "wombat").len()
        ),
        (0, 1)
    );
    world.sql("UPDATE custom_fields SET searchable = 0");
    assert_eq!(found(&world, "dave", "wombat").len(), 0);
}

#[test]
fn long_values_count_against_the_size_of_a_page() {
    let world = World::with_projects();
    insert(&world, field("Text", Format::Text));
    let mut values = Values::default();
    values.set(CustomFieldId(1), vec!["x".repeat(3 << 20)]);
    for _ in 0..4 {
        let id = create(&world, "alice", "open", plan(json!([])))
            .assert_status(201)
            .integer("/document/id");
        let values = values.clone();
        world.write(move |db| custom_fields::update(db, Customized::Document, id, &values));
    }
    let list = world
        .as_user("dave")
        .get("/projects/open/documents.json")
        .assert_status(200)
        .json();
    assert_eq!(
        (
            list["documents"].as_array().unwrap().len(),
            &list["limit"],
            &list["total_count"]
        ),
        (2, &json!(2), &json!(4))
    );
}

fn page(world: &World, login: &str) -> String {
    Browser::logged_in(world, login)
        .get("/documents/1")
        .assert_status(200)
        .body
}

#[test]
fn page_shows_the_values_that_the_viewer_may_see() {
    let world = World::with_projects();
    insert(&world, field("Reviewer", Format::User));
    insert(&world, field("Source", Format::Link));
    insert(
        &world,
        CustomField {
            visible: false,
            roles: [RoleId(3)].into(),
            ..field("Budget", Format::Line)
        },
    );
    insert(&world, field("Subtitle", Format::Line));
    let custom = json!([{"id": 1, "value": "3"}, {"id": 2, "value": "https://example.org/?a&b"}, {"id": 3, "value": "<b>9</b>"}]);
    create(&world, "alice", "open", plan(custom)).assert_status(201);
    let alice = page(&world, "alice");
    let bob = page(&world, "bob");
    assert!(
        alice.contains("<dt>Reviewer</dt><dd>bob Tester</dd>"),
        "{alice}"
    );
    assert!(alice.contains("<dt>Source</dt><dd><a href=\"https://example.org/?a&#38;b\">https://example.org/?a&#38;b</a></dd>"), "{alice}");
    assert!(
        alice.contains("<dt>Budget</dt><dd>&#60;b&#62;9&#60;/b&#62;</dd>"),
        "{alice}"
    );
    assert!(
        !alice.contains("Subtitle"),
        "a field without a value is left out"
    );
    assert!(
        bob.contains("<dt>Source</dt>") && !bob.contains("Budget"),
        "{bob}"
    );
}
