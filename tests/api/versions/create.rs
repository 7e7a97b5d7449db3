//! `POST /projects/:id/versions`

use super::{create, names};
use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::store::administration::custom_fields;
use quarry_world::{Response, World};
use serde_json::json;

#[test]
fn version_is_created_with_defaults() {
    let world = World::with_projects();
    let created = create(&world, "alice", "open", json!({"name": "1.0"})).assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/versions/1");
    let expected = r#"{"version":{"id":1,"project":{"id":1,"name":"open"},"name":"1.0","description":"","status":"open","due_date":null,"sharing":"none","wiki_page_title":null,"estimated_hours":0.0,"spent_hours":0.0,"created_on":"2026-11-20T12:00:00Z","updated_on":"2026-11-20T12:00:00Z"}}"#;
    assert_eq!(created.body, expected);
    let issue =
        json!({"issue": {"project_id": "open", "subject": "quokka", "fixed_version_id": 1}});
    world
        .as_user("alice")
        .post("/issues.json", issue)
        .assert_status(201);
    let found = world
        .as_user("alice")
        .get("/search.json?q=version:1.0")
        .assert_status(200);
    assert_eq!(
        found.integer("/total_count"),
        1,
        "the next search knows the version"
    );
}

#[test]
fn xml_body_sets_all_attributes() {
    let world = World::with_projects();
    world.write(|db| {
        custom_fields::insert(
            db,
            &CustomField::new(Customized::Version, "Codename", Format::Line),
        )
    });
    let body = "<version><name>2.0</name><description>d</description><status>locked</status><due_date>2030-01-01</due_date>\
                <sharing>descendants</sharing><wiki_page_title>Plan</wiki_page_title><default_project_version>1</default_project_version>\
                <custom_fields type=\"array\"><custom_field id=\"1\"><value>Emu</value></custom_field></custom_fields></version>";
    let xml = world.as_user("bob").send(
        Method::POST,
        "/projects/1/versions.xml",
        Some("application/xml"),
        body.into(),
    );
    let xml = xml.assert_status(201).body;
    let expected = "<status>locked</status><due_date>2030-01-01</due_date><sharing>descendants</sharing>\
                    <wiki_page_title>Plan</wiki_page_title><estimated_hours>0.0</estimated_hours><spent_hours>0.0</spent_hours>\
                    <custom_fields type=\"array\"><custom_field id=\"1\" name=\"Codename\"><value>Emu</value></custom_field></custom_fields>";
    assert!(xml.contains(expected), "{xml}");
    let project = world
        .as_user("alice")
        .get("/projects/open.json")
        .assert_status(200);
    assert_eq!(
        project.json_path("/project/default_version/name"),
        json!("2.0")
    );
}

fn post(world: &World, body: &str) -> Response {
    world
        .as_user("alice")
        .post("/projects/open/versions.json", body)
}

#[test]
fn invalid_versions_are_refused() {
    let world = World::with_projects();
    let required = CustomField {
        required: true,
        ..CustomField::new(Customized::Version, "owner", Format::User)
    };
    world.write(move |db| custom_fields::insert(db, &required));
    let owner = json!([{"id": 1, "value": "2"}]);
    create(
        &world,
        "alice",
        "open",
        json!({"name": "1.0", "custom_fields": owner}),
    )
    .assert_status(201);
    create(
        &world,
        "alice",
        "secret",
        json!({"name": "1.0", "custom_fields": owner}),
    )
    .assert_status(201);
    let cases = [
        (
            json!({"custom_fields": owner}),
            vec!["Name cannot be blank"],
        ),
        (
            json!({"name": "1.0", "custom_fields": owner}),
            vec!["Name has already been taken"],
        ),
        (
            json!({"name": "x".repeat(61), "custom_fields": owner}),
            vec!["Name is too long (maximum is 60 characters)"],
        ),
        (
            json!({"name": "a", "status": "bogus", "sharing": "bogus", "due_date": "zz", "custom_fields": owner}),
            vec![
                "Due date is not a valid date",
                "Status is not included in the list",
                "Sharing is not included in the list",
            ],
        ),
        (
            json!({"name": "a", "description": "x".repeat(256), "wiki_page_title": "x".repeat(256), "due_date": "2026-02-30"}),
            vec![
                "Owner cannot be blank",
                "Description is too long (maximum is 255 characters)",
                "Due date is not a valid date",
                "Wiki page is too long (maximum is 255 characters)",
            ],
        ),
        (
            json!({"name": "a", "status": "", "custom_fields": owner}),
            vec!["Status is not included in the list"],
        ),
        (
            json!({"name": "a", "custom_fields": [{"id": 1, "value": "6"}]}),
            vec!["Owner is not included in the list"],
        ),
        (
            json!({"name": {}}),
            vec!["Name is invalid (one value is expected, not an object)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    post(&world, "{").assert_status(400);
    post(&world, r#"{"version":[]}"#).assert_status(400);
    assert_eq!(names(&world, "alice", "open"), ["1.0"]);
}

#[test]
fn managing_versions_requires_permission() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"name": "1.0"})).assert_status(201);
    create(&world, "alice", "secret", json!({"name": "2.0"})).assert_status(201);
    for (login, project, id) in [
        ("carol", "open", 1),
        ("dave", "open", 1),
        ("bob", "secret", 2),
    ] {
        create(&world, login, project, json!({"name": "3.0"})).assert_status(403);
        world
            .as_user(login)
            .put(&format!("/versions/{id}.json"), json!({}))
            .assert_status(403);
        world
            .as_user(login)
            .delete(&format!("/versions/{id}.json"))
            .assert_status(403);
    }
    create(&world, "alice", "none", json!({"name": "3.0"})).assert_status(404);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    create(&world, "alice", "open", json!({"name": "3.0"})).assert_status(403);
    world
        .as_user("alice")
        .delete("/versions/1.json")
        .assert_status(403);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post("/projects/open/versions.json", json!({}))
        .assert_status(401);
    world
        .anonymous()
        .put("/versions/1.json", json!({}))
        .assert_status(401);
    world
        .anonymous()
        .delete("/versions/1.json")
        .assert_status(401);
}
