//! `DELETE /versions/:id`

use super::{create, names};
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::store::administration::custom_fields;
use quarry_world::World;
use serde_json::json;

#[test]
fn unused_version_is_deleted() {
    let world = World::with_projects();
    create(
        &world,
        "alice",
        "open",
        json!({"name": "1.0", "default_project_version": true}),
    )
    .assert_status(201);
    assert_eq!(
        world
            .as_user("bob")
            .delete("/versions/1.json")
            .assert_status(200)
            .body,
        ""
    );
    world
        .as_user("bob")
        .delete("/versions/1.json")
        .assert_status(404);
    assert_eq!(names(&world, "alice", "open"), [""; 0]);
    let project = world
        .as_user("alice")
        .get("/projects/open.json")
        .assert_status(200)
        .json_path("/project");
    assert!(project.get("default_version").is_none(), "{project}");
}

fn assert_kept(world: &World, id: i64, reason: &str) {
    let response = world
        .as_user("alice")
        .delete(&format!("/versions/{id}.json"))
        .assert_status(422);
    response.assert_errors(&[format!("The version cannot be deleted: {reason}")]);
}

#[test]
fn version_in_use_stays() {
    let world = World::with_projects();
    for name in ["target", "files", "value"] {
        create(&world, "alice", "open", json!({ "name": name })).assert_status(201);
    }
    let issue = world.issue("open").field("fixed_version_id", 1).create();
    assert_kept(&world, 1, "it is the target version of issues");
    world
        .as_user("alice")
        .put(
            &format!("/issues/{issue}.json"),
            json!({"issue": {"fixed_version_id": ""}}),
        )
        .assert_status(200);
    world
        .as_user("alice")
        .delete("/versions/1.xml")
        .assert_status(200);
    world.sql(
        "INSERT INTO attachments (id, container_type, container_id, filename, author_id, created_on) VALUES (1, 'Version', 2, 'a', 2, 0)",
    );
    assert_kept(&world, 2, "it has files");
    let field = world.write(|db| {
        custom_fields::insert(
            db,
            &CustomField::new(Customized::Project, "Until", Format::Version),
        )
    });
    let project = json!({"project": {"custom_fields": [{"id": field.0, "value": "3"}]}});
    world
        .as_user("alice")
        .put("/projects/open.json", project)
        .assert_status(200);
    assert_kept(&world, 3, "it is the value of a custom field");
    assert_eq!(names(&world, "alice", "open"), ["files", "value"]);
}
