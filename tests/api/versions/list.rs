//! `GET /projects/:id/versions`, `GET /versions/:id`

use super::{create, names};
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::RoleId;
use quarry::store::administration::custom_fields;
use quarry_world::World;
use serde_json::{Value, json};

#[test]
fn versions_are_listed_to_those_who_see_issues() {
    let world = World::with_projects();
    create(
        &world,
        "alice",
        "open",
        json!({"name": "2.0", "due_date": "2030-01-01"}),
    )
    .assert_status(201);
    create(&world, "alice", "open", json!({"name": "1.0"})).assert_status(201);
    create(&world, "alice", "secret", json!({"name": "hidden"})).assert_status(201);
    assert_eq!(names(&world, "dave", "open"), ["2.0", "1.0"]);
    let list = world
        .as_user("dave")
        .get("/projects/1/versions.json")
        .assert_status(200);
    assert!(
        list.body.ends_with("],\"total_count\":2}") && !list.body.contains("estimated_hours"),
        "{list:?}"
    );
    let bare = world
        .as_user("dave")
        .get("/projects/1/versions.json?nometa=1")
        .assert_status(200);
    assert!(bare.body.ends_with("]}"), "{bare:?}");
    let xml = world
        .as_user("dave")
        .get("/projects/open/versions.xml")
        .assert_status(200)
        .body;
    assert!(xml.contains("<versions total_count=\"2\" type=\"array\"><version><id>1</id><project id=\"1\" name=\"open\"/>"), "{xml}");
    world
        .as_user("dave")
        .get("/versions/1.json")
        .assert_status(200)
        .assert_json_path("/version/due_date", "2030-01-01");
    for path in [
        "/projects/secret/versions.json",
        "/versions/3.json",
        "/versions/3.xml",
    ] {
        world.as_user("dave").get(path).assert_status(403);
        world.as_user("alice").get(path).assert_status(200);
        world.anonymous().get(path).assert_status(401);
    }
    for path in [
        "/projects/none/versions.json",
        "/versions/9.json",
        "/versions/x.json",
    ] {
        world.as_user("alice").get(path).assert_status(404);
    }
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'issue_tracking'");
    world
        .as_user("alice")
        .get("/versions/1.json")
        .assert_status(403);
    world
        .as_user("admin")
        .get("/projects/open/versions.json")
        .assert_status(403);
}

fn create_issue(world: &World, hours: f64, is_private: bool) {
    let builder = world
        .issue("open")
        .field("fixed_version_id", 1)
        .field("estimated_hours", hours)
        .field("is_private", is_private);
    let id = builder.create();
    let entry = json!({"time_entry": {"issue_id": id, "hours": hours / 2.0, "activity_id": 8}});
    world
        .as_user("alice")
        .post("/time_entries.json", entry)
        .assert_status(201);
}

fn hours(world: &World, login: &str) -> (Option<Value>, Option<Value>) {
    let version = world
        .as_user(login)
        .get("/versions/1.json")
        .assert_status(200)
        .json_path("/version");
    (
        version.get("estimated_hours").cloned(),
        version.get("spent_hours").cloned(),
    )
}

#[test]
fn hours_count_what_the_viewer_sees() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"name": "1.0"})).assert_status(201);
    create_issue(&world, 4.0, false);
    create_issue(&world, 10.0, true);
    assert_eq!(
        hours(&world, "alice"),
        (Some(json!(14.0)), Some(json!(7.0)))
    );
    // Hours count also where the issue is hidden.
    assert_eq!(hours(&world, "bob"), (Some(json!(4.0)), Some(json!(7.0))));
    world.sql("UPDATE roles SET time_entries_visibility = 'own' WHERE id = 4");
    assert_eq!(hours(&world, "bob"), (Some(json!(4.0)), Some(json!(0.0))));
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'view_time_entries'");
    assert_eq!(hours(&world, "bob"), (None, None));
    world.set(Setting::LoginRequired, "0");
    world.sql("DELETE FROM role_permissions WHERE role_id = 2 AND name = 'view_time_entries'");
    for path in [
        "/versions/1.json",
        "/versions/1.xml",
        "/projects/open/versions.json",
    ] {
        let body = world.anonymous().get(path).assert_status(200).body;
        assert!(
            !body.contains("estimated_hours") && !body.contains("spent_hours"),
            "{path}: {body}"
        );
    }
}

fn budget(world: &World) -> Value {
    world
        .as_user("alice")
        .get("/versions/1.json")
        .assert_status(200)
        .json_path("/version/custom_fields/0/value")
}

#[test]
fn custom_fields_of_other_roles_are_left_out() {
    let world = World::with_projects();
    let field = CustomField {
        visible: false,
        roles: [RoleId(3)].into(),
        ..CustomField::new(Customized::Version, "Budget", Format::Line)
    };
    world.write(move |db| custom_fields::insert(db, &field));
    let fields = json!({"name": "1.0", "custom_fields": [{"id": 1, "value": "9"}]});
    create(&world, "bob", "open", fields.clone()).assert_status(201);
    assert_eq!(budget(&world), json!(null), "a hidden field is ignored");
    world
        .as_user("alice")
        .put("/versions/1.json", json!({ "version": fields }))
        .assert_status(200);
    assert_eq!(budget(&world), json!("9"));
    world.set(Setting::LoginRequired, "0");
    for path in ["/versions/1.json", "/projects/open/versions.json"] {
        assert!(
            !world
                .as_user("bob")
                .get(path)
                .assert_status(200)
                .body
                .contains("custom_fields")
        );
        assert!(
            !world
                .anonymous()
                .get(path)
                .assert_status(200)
                .body
                .contains("custom_fields")
        );
    }
}
