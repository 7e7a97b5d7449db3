//! `/enumerations/:name`, `/enumerations/:name/:id` (compatibility 14)

mod custom_fields;
mod delete;

use axum::http::Method;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

const KINDS: [(&str, &str); 3] = [
    ("issue_priorities", "issue_priority"),
    ("time_entry_activities", "time_entry_activity"),
    ("document_categories", "document_category"),
];

fn create(world: &World, (list, item): (&str, &str), fields: Value) -> Response {
    world.as_user("admin").post(
        &format!("/enumerations/{list}.json"),
        json!({ item: fields }),
    )
}

fn names(world: &World, list: &str) -> Vec<String> {
    let values = world
        .as_user("dave")
        .get(&format!("/enumerations/{list}.json"))
        .assert_status(200)
        .array(&format!("/{list}"));
    values
        .iter()
        .map(|value| value["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn value_is_created_shown_updated_and_deleted() {
    for (list, item) in KINDS {
        let world = World::new();
        let before = names(&world, list);
        let created = create(
            &world,
            (list, item),
            json!({"name": " Odd ", "position": 1, "is_default": true}),
        )
        .assert_status(201);
        assert_eq!(
            created.location(),
            format!("http://quarry.test/enumerations/{list}/10")
        );
        let shown = format!(
            "{{\"{item}\":{}}}",
            r#"{"id":10,"name":"Odd","is_default":true,"active":true,"position":1}"#
        );
        assert_eq!(created.body, shown);
        let path = format!("/enumerations/{list}/10");
        assert_eq!(
            world
                .as_user("admin")
                .get(&format!("{path}.json"))
                .assert_status(200)
                .body,
            shown
        );
        assert_eq!(names(&world, list)[0], "Odd");
        let body =
            format!("<{item}><name>Even</name><active>0</active><position>99</position></{item}>")
                .into_bytes();
        let xml = world
            .as_user("admin")
            .send(
                Method::PUT,
                &format!("{path}.xml"),
                Some("application/xml"),
                body,
            )
            .assert_status(200)
            .body;
        let end = format!(
            "<{item}><id>10</id><name>Even</name><is_default>true</is_default><active>false</active><position>{}</position></{item}>",
            before.len() + 1
        );
        assert!(xml.ends_with(&end), "{xml}");
        assert_eq!(names(&world, list).last().unwrap(), "Even");
        world
            .as_user("admin")
            .put(&format!("{path}.json"), "{}")
            .assert_status(200)
            .assert_json_path(&format!("/{item}/name"), "Even");
        assert_eq!(
            world
                .as_user("admin")
                .delete(&format!("{path}.json"))
                .assert_status(204)
                .body,
            ""
        );
        world
            .as_user("admin")
            .delete(&format!("{path}.json"))
            .assert_status(404);
        assert_eq!(names(&world, list), before);
    }
}

fn default_priorities(world: &World) -> Vec<i64> {
    let values = world
        .as_user("dave")
        .get("/enumerations/issue_priorities.json")
        .assert_status(200)
        .array("/issue_priorities");
    let defaults = values.iter().filter(|value| value["is_default"] == true);
    defaults
        .map(|value| value["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

fn update_priority(world: &World, body: &str) -> Response {
    world
        .as_user("admin")
        .put("/enumerations/issue_priorities/4.json", body)
        .assert_status(200)
}

#[test]
fn new_default_replaces_the_one_before() {
    let world = World::with_projects();
    assert_eq!(default_priorities(&world), [2]);
    update_priority(&world, r#"{"issue_priority":{"is_default":true}}"#);
    assert_eq!(default_priorities(&world), [4]);
    let issue = world.issue("open").create();
    let priority = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200)
        .json_path("/issue/priority/id");
    assert_eq!(priority, 4);
    update_priority(&world, r#"{"issue_priority":{"is_default":false}}"#);
    assert_eq!(default_priorities(&world), [0; 0]);
}

#[test]
fn lists_show_the_position_to_administrators_on_request_only() {
    let world = World::new();
    for (list, _) in KINDS {
        let path = format!("/enumerations/{list}.json");
        let plain = world.as_user("admin").get(&path).assert_status(200).body;
        assert_eq!(
            plain,
            world.as_user("dave").get(&path).assert_status(200).body
        );
        let full = world
            .as_user("admin")
            .get(&format!("{path}?include=administration"))
            .assert_status(200);
        full.assert_json_path(&format!("/{list}/1/position"), 2);
        world
            .as_user("dave")
            .get(&format!("{path}?include=administration"))
            .assert_status(403);
    }
}

fn put_priority(world: &World, body: &str) -> Response {
    world
        .as_user("admin")
        .put("/enumerations/issue_priorities/1.json", body)
}

#[test]
fn invalid_values_are_refused() {
    let world = World::new();
    let cases = [
        (json!({}), vec!["Name cannot be blank"]),
        (json!({"name": "low"}), vec!["Name has already been taken"]),
        (
            json!({"name": "x".repeat(31), "position": 0}),
            vec![
                "Name is too long (maximum is 30 characters)",
                "Position must be 1 or more",
            ],
        ),
        (
            json!({"name": "A", "position": "first"}),
            vec!["Position is not a whole number"],
        ),
        (
            json!({"name": {}}),
            vec!["Name is invalid (one value is expected, not an object)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, KINDS[0], fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    create(&world, KINDS[1], json!({"name": "Low"})).assert_status(201);
    put_priority(
        &world,
        r#"{"issue_priority":{"name":"Other","is_default":true,"position":-1}}"#,
    )
    .assert_status(422);
    put_priority(&world, r#"{"issue_priority":1}"#).assert_status(400);
    put_priority(&world, "{").assert_status(400);
    assert_eq!(
        names(&world, "issue_priorities")[0],
        "Low",
        "nothing is half done"
    );
}

fn assert_refused(client: Client<'_>, status: u16) {
    client
        .get("/enumerations/issue_priorities/1.json")
        .assert_status(status);
    client
        .post(
            "/enumerations/issue_priorities.json",
            json!({"issue_priority": {"name": 1}}),
        )
        .assert_status(status);
    client
        .put(
            "/enumerations/time_entry_activities/8.xml",
            json!({"time_entry_activity": {"position": "x"}}),
        )
        .assert_status(status);
    client
        .delete("/enumerations/document_categories/6.json")
        .assert_status(status);
    client
        .delete("/enumerations/colours/6.json")
        .assert_status(status);
}

#[test]
fn only_administrators_manage_values() {
    let world = World::new();
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    for path in [
        "issue_priorities/99",
        "issue_priorities/x",
        "issue_priorities/8",
        "document_categories/1",
        "colours/1",
    ] {
        let path = format!("/enumerations/{path}.json");
        world.as_user("admin").get(&path).assert_status(404);
        world.as_user("admin").put(&path, "{}").assert_status(404);
        world.as_user("admin").delete(&path).assert_status(404);
    }
    world
        .as_user("admin")
        .post("/enumerations/colours.json", "{}")
        .assert_status(404);
}

fn shown_fields(world: &World, login: &str, index: &str) -> Value {
    let list = world
        .as_user(login)
        .get("/enumerations/issue_priorities.json")
        .assert_status(200);
    list.json_path(&format!("/issue_priorities/{index}/custom_fields"))
}

#[test]
fn values_of_visible_custom_fields_are_shown() {
    let world = World::new();
    for (fields, value) in [
        (json!({"name": "Colour"}), "red"),
        (
            json!({"name": "Secret", "visible": false, "role_ids": []}),
            "blue",
        ),
    ] {
        let mut fields = fields;
        fields["customized_type"] = json!("issue_priority");
        fields["field_format"] = json!("string");
        let field = world
            .as_user("admin")
            .post("/custom_fields.json", json!({ "custom_field": fields }))
            .assert_status(201);
        let id = field.integer("/custom_field/id");
        world.sql(&format!(
            "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Enumeration', 2, {id}, '{value}')"
        ));
    }
    assert_eq!(
        shown_fields(&world, "dave", "1"),
        json!([{"id": 1, "name": "Colour", "value": "red"}])
    );
    assert_eq!(
        shown_fields(&world, "dave", "0"),
        json!([{"id": 1, "name": "Colour", "value": null}])
    );
    let all = json!([{"id": 1, "name": "Colour", "value": "red"}, {"id": 2, "name": "Secret", "value": "blue"}]);
    assert_eq!(shown_fields(&world, "admin", "1"), all);
    let single = world
        .as_user("admin")
        .get("/enumerations/issue_priorities/2.json")
        .assert_status(200);
    assert_eq!(single.json_path("/issue_priority/custom_fields"), all);
    let xml = world
        .as_user("dave")
        .get("/enumerations/issue_priorities.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<custom_field id=\"1\" name=\"Colour\"><value>red</value></custom_field>")
            && !xml.contains("blue"),
        "{xml}"
    );
    let other = world
        .as_user("admin")
        .get("/enumerations/document_categories.json")
        .assert_status(200);
    assert_eq!(
        other
            .json_path("/document_categories/0")
            .get("custom_fields"),
        None
    );
}
