//! `/custom_fields`, `/custom_fields/:id` (compatibility 14)

mod effects;
mod invalid;

use axum::http::Method;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn create(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .post("/custom_fields.json", json!({ "custom_field": fields }))
}

fn update(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .put("/custom_fields/1.json", json!({ "custom_field": fields }))
}

/// Returns the fields of a text field that all issues of the tracker Bug have.
fn for_bugs(more: Value) -> Value {
    let mut fields = json!({"customized_type": "issue", "field_format": "string", "name": "Platform", "is_for_all": true, "tracker_ids": [1]});
    fields
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    fields
}

#[test]
fn field_is_created_shown_updated_and_deleted() {
    let world = World::with_projects();
    let fields = json!({
        "customized_type": "issue", "field_format": "list", "name": " Platform ", "possible_values": ["Linux", " BSD ", "Linux", ""],
        "default_value": "BSD", "multiple": true, "is_filter": true, "searchable": true, "is_required": false, "editable": false,
        "visible": false, "role_ids": [3], "tracker_ids": [1, 2], "project_ids": [2]
    });
    let created = create(&world, fields).assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/custom_fields/1");
    let everything = r#"{"id":1,"name":"Platform","description":null,"customized_type":"issue","field_format":"list","regexp":"","min_length":null,"max_length":null,"is_required":false,"is_for_all":false,"is_filter":true,"searchable":true,"multiple":true,"default_value":"BSD","visible":false,"editable":false,"possible_values":[{"value":"Linux","label":"Linux"},{"value":"BSD","label":"BSD"}],"trackers":[{"id":1,"name":"Bug"},{"id":2,"name":"Feature"}],"roles":[{"id":3,"name":"Manager"}]"#;
    let shown = format!(
        "{{\"custom_field\":{everything},\"position\":1,\"projects\":[{{\"id\":2,\"name\":\"secret\"}}]}}}}"
    );
    assert_eq!(created.body, shown);
    assert_eq!(
        world
            .as_user("admin")
            .get("/custom_fields/1.json")
            .assert_status(200)
            .body,
        shown
    );
    let list = world
        .as_user("admin")
        .get("/custom_fields.json")
        .assert_status(200)
        .body;
    assert_eq!(
        list,
        format!("{{\"custom_fields\":[{everything}}}]}}"),
        "the list is that of Redmine"
    );
    let list = world
        .as_user("admin")
        .get("/custom_fields.json?include=administration")
        .assert_status(200);
    list.assert_json_path("/custom_fields/0/position", 1);
    let written = world
        .as_user("admin")
        .get("/custom_fields/1.json")
        .assert_status(200)
        .json();
    let kept = world
        .as_user("admin")
        .put("/custom_fields/1.json", written.clone())
        .assert_status(200)
        .json();
    assert_eq!(kept, written, "what is read can be written");
    let body = b"<custom_field><name>System</name><default_value/><visible>true</visible><possible_values type=\"array\"><possible_value>Linux</possible_value><possible_value>Hurd</possible_value></possible_values><tracker_ids type=\"array\"></tracker_ids><is_for_all>1</is_for_all></custom_field>";
    let xml = world
        .as_user("admin")
        .send(
            Method::PUT,
            "/custom_fields/1.xml",
            Some("application/xml"),
            body.to_vec(),
        )
        .assert_status(200)
        .body;
    let end = "<default_value/><visible>true</visible><editable>false</editable><possible_values type=\"array\"><possible_value><value>Linux</value><label>Linux</label></possible_value><possible_value><value>Hurd</value><label>Hurd</label></possible_value></possible_values><trackers type=\"array\"></trackers><roles type=\"array\"></roles><position>1</position><projects type=\"array\"><project id=\"2\" name=\"secret\"/></projects></custom_field>";
    assert!(
        xml.ends_with(end)
            && xml.contains("<name>System</name><description/>")
            && xml.contains("<is_for_all>true</is_for_all>"),
        "{xml}"
    );
    assert_eq!(
        world
            .as_user("admin")
            .delete("/custom_fields/1.json")
            .assert_status(204)
            .body,
        ""
    );
    world
        .as_user("admin")
        .delete("/custom_fields/1.json")
        .assert_status(404);
    world
        .as_user("admin")
        .get("/custom_fields/1.xml")
        .assert_status(404);
}

#[test]
fn every_type_has_fields_of_its_formats() {
    let world = World::new();
    let types = [
        "issue",
        "project",
        "version",
        "time_entry",
        "document",
        "user",
        "group",
        "time_entry_activity",
        "issue_priority",
    ];
    for customized in types {
        for format in ["string", "text", "link", "int", "float", "date", "bool"] {
            let fields =
                json!({"customized_type": customized, "field_format": format, "name": format});
            let created = create(&world, fields)
                .assert_status(201)
                .json_path("/custom_field");
            let same = world
                .as_user("admin")
                .get(&format!("/custom_fields/{}.json", created["id"]))
                .assert_status(200);
            assert_eq!(
                (&created["field_format"], &same.json_path("/custom_field")),
                (&json!(format), &created)
            );
        }
    }
    let document = json!({"customized_type": "DocumentCategoryCustomField", "field_format": "string", "name": "Shelf"});
    create(&world, document)
        .assert_status(201)
        .assert_json_path("/custom_field/customized_type", "document_category");
}

#[test]
fn new_field_is_the_last_after_others_were_deleted() {
    let world = World::with_projects();
    for name in ["A", "B", "C"] {
        create(&world, for_bugs(json!({"name": name}))).assert_status(201);
    }
    for id in [1, 2] {
        world
            .as_user("admin")
            .delete(&format!("/custom_fields/{id}.json"))
            .assert_status(204);
    }
    create(&world, for_bugs(json!({"name": "D"})))
        .assert_status(201)
        .assert_json_path("/custom_field/position", 2);
}

fn names(world: &World, customized: &str) -> Vec<String> {
    let catalogue = world.app.store.catalogue().unwrap();
    let fields = catalogue
        .custom_fields
        .iter()
        .filter(|field| field.customized.name() == customized);
    fields.map(|field| field.name.clone()).collect::<Vec<_>>()
}

#[test]
fn position_counts_among_the_fields_of_the_same_type() {
    let world = World::new();
    for (customized, name) in [("issue", "A"), ("user", "X"), ("issue", "B"), ("user", "Y")] {
        create(
            &world,
            json!({"customized_type": customized, "field_format": "string", "name": name}),
        )
        .assert_status(201);
    }
    let third =
        json!({"customized_type": "issue", "field_format": "string", "name": "C", "position": 1});
    create(&world, third)
        .assert_status(201)
        .assert_json_path("/custom_field/position", 1);
    assert_eq!(
        (names(&world, "issue"), names(&world, "user")),
        (
            vec!["C".into(), "A".into(), "B".into()],
            vec!["X".to_owned(), "Y".to_owned()]
        )
    );
    update(&world, json!({"position": 9}))
        .assert_status(200)
        .assert_json_path("/custom_field/position", 3);
    assert_eq!(names(&world, "issue"), ["C", "B", "A"]);
}

#[test]
fn enumeration_values_are_added_renamed_and_deleted() {
    let world = World::with_projects();
    let fields = for_bugs(
        json!({"field_format": "enumeration", "name": "Severity", "enumerations": ["Low", {"name": "High", "active": true}]}),
    );
    let created = create(&world, fields)
        .assert_status(201)
        .json_path("/custom_field/enumerations");
    assert_eq!(
        created,
        json!([{"id": 1, "name": "Low", "active": true}, {"id": 2, "name": "High", "active": true}])
    );
    let issue = world
        .issue("open")
        .field("custom_field_values", json!({"1": "2"}))
        .create();
    let changed = update(
        &world,
        json!({"enumerations": [{"id": 2, "name": "Urgent", "active": false}, "Odd"]}),
    )
    .assert_status(200);
    let expected = json!([{"id": 2, "name": "Urgent", "active": false}, {"id": 3, "name": "Odd", "active": true}]);
    assert_eq!(changed.json_path("/custom_field/enumerations"), expected);
    let errors = ["Enumerations is invalid (the value Urgent is in use; make it inactive instead)"];
    update(&world, json!({"name": "Other", "enumerations": ["Odd"]}))
        .assert_status(422)
        .assert_errors(&errors);
    let kept = world
        .as_user("admin")
        .get("/custom_fields/1.json")
        .assert_status(200)
        .json_path("/custom_field");
    assert_eq!(
        (&kept["name"], &kept["enumerations"]),
        (&json!("Severity"), &expected),
        "nothing is half done"
    );
    let refused = world.as_user("alice").put(
        &format!("/issues/{issue}.json"),
        json!({"issue": {"custom_field_values": {"1": "1"}}}),
    );
    refused
        .assert_status(422)
        .assert_errors(&["Severity is not included in the list"]);
}

fn assert_refused(client: Client<'_>, status: u16) {
    client.get("/custom_fields/1.json").assert_status(status);
    client
        .get("/custom_fields.json?include=administration")
        .assert_status(status);
    client
        .post(
            "/custom_fields.json",
            json!({"custom_field": {"name": [1]}}),
        )
        .assert_status(status);
    client
        .put(
            "/custom_fields/1.xml",
            json!({"custom_field": {"position": "x"}}),
        )
        .assert_status(status);
    client.delete("/custom_fields/1.json").assert_status(status);
    client
        .delete("/custom_fields/99.json")
        .assert_status(status);
}

#[test]
fn only_administrators_manage_fields() {
    let world = World::new();
    create(&world, for_bugs(json!({}))).assert_status(201);
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    for path in [
        "/custom_fields/99.json",
        "/custom_fields/x.json",
        "/custom_fields/-1.xml",
    ] {
        world.as_user("admin").get(path).assert_status(404);
        world.as_user("admin").put(path, "{}").assert_status(404);
    }
    update(&world, json!({}))
        .assert_status(200)
        .assert_json_path("/custom_field/name", "Platform");
}
