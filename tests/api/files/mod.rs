//! `/projects/:id/files` (compatibility 11.9)

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::attachments::upload;
use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Adds a file to a project as this user.
fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/files.json"),
        json!({ "file": fields }),
    )
}

/// The projects `open` and `secret` with one version each.
fn world() -> World {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        let version = json!({"version": {"name": format!("{project} 1.0")}});
        world
            .as_user("alice")
            .post(&format!("/projects/{project}/versions.json"), version)
            .assert_status(201);
    }
    world
}

fn names(world: &World, login: &str) -> Vec<String> {
    let list = world
        .as_user(login)
        .get("/projects/open/files.json")
        .assert_status(200);
    list.texts("/files", "filename")
}

#[test]
fn files_of_project_and_versions_are_added_and_listed() {
    let world = world();
    let token = upload(&world, "bob", "b.txt", "hello");
    let created = create(
        &world,
        "bob",
        "open",
        json!({"token": token, "version_id": 1, "description": "d"}),
    )
    .assert_status(201);
    assert_eq!(created.location(), "/attachments/1");
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    let file = format!(
        r#"{{"id":1,"filename":"b.txt","filesize":5,"content_type":"text/plain","description":"d","content_url":"http://quarry.test/attachments/download/1/b.txt","author":{{"id":3,"name":"bob Tester"}},"created_on":"2026-11-20T12:00:00Z","version":{{"id":1,"name":"open 1.0"}},"digest":"{digest}","downloads":0}}"#
    );
    assert_eq!(created.body, format!("{{\"file\":{file}}}"));
    for name in ["c.txt", "A.txt"] {
        create(
            &world,
            "bob",
            "open",
            json!({"token": upload(&world, "bob", name, name)}),
        )
        .assert_status(201);
    }
    assert_eq!(names(&world, "dave"), ["A.txt", "c.txt", "b.txt"]);
    let list = world
        .as_user("dave")
        .get("/projects/1/files.json")
        .assert_status(200)
        .body;
    assert!(list.ends_with(&format!("{file}]}}")), "{list}");
    let xml = world
        .as_user("dave")
        .get("/projects/open/files.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<files type=\"array\"><file><id>3</id>")
            && xml.contains("<version id=\"1\" name=\"open 1.0\"/><digest>"),
        "{xml}"
    );
    world
        .as_user("dave")
        .get("/attachments/download/1/b.txt")
        .assert_status(200);
    let found = world
        .as_user("dave")
        .get("/search.json?q=c.txt&attachments=only")
        .assert_status(200);
    assert_eq!(
        found.integer("/total_count"),
        1,
        "the next search finds a file of the project"
    );
}

#[test]
fn xml_body_and_strict_mode_work_as_in_redmine() {
    let world = world();
    world.set(Setting::RedmineCompatibility, "1");
    let body = format!(
        "<file><token>{}</token><filename>x.bin</filename></file>",
        upload(&world, "bob", "b.txt", "hello")
    );
    let response = world.as_user("bob").send(
        Method::POST,
        "/projects/open/files.xml",
        Some("application/xml"),
        body.into_bytes(),
    );
    assert_eq!(response.assert_status(204).body, "");
    assert_eq!(names(&world, "bob"), ["x.bin"]);
}

#[test]
fn invalid_files_are_refused() {
    let world = world();
    let token = upload(&world, "bob", "b.txt", "hello");
    let foreign = upload(&world, "alice", "a.txt", "hello");
    let cases = [
        (json!({}), "File cannot be blank"),
        (json!({"token": " "}), "File cannot be blank"),
        (json!({"token": "bad"}), "1 file(s) could not be saved."),
        (json!({"token": foreign}), "1 file(s) could not be saved."),
        (
            json!({"token": token, "version_id": 2}),
            "Version is invalid",
        ),
        (
            json!({"token": token, "version_id": "x"}),
            "Version is invalid",
        ),
        (
            json!({"token": token, "description": "x".repeat(256)}),
            "Description is too long (maximum is 255 characters)",
        ),
        (
            json!({"token": []}),
            "File is invalid (one value is expected, not a list)",
        ),
    ];
    for (fields, error) in cases {
        create(&world, "bob", "open", fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
    world
        .as_user("bob")
        .post("/projects/open/files.json", "{")
        .assert_status(400);
    world
        .as_user("bob")
        .post("/projects/open/files.json", r#"{"file":"x"}"#)
        .assert_status(400);
    assert_eq!(names(&world, "bob"), [""; 0]);
    create(&world, "bob", "open", json!({"token": token})).assert_status(201);
    create(&world, "bob", "open", json!({"token": token}))
        .assert_status(422)
        .assert_errors(&["1 file(s) could not be saved."]);
}

#[test]
fn files_require_permission_and_module() {
    let world = world();
    let token = upload(&world, "dave", "d.txt", "x");
    for (login, project) in [("carol", "open"), ("dave", "open"), ("bob", "secret")] {
        create(&world, login, project, json!({"token": token})).assert_status(403);
    }
    world
        .as_user("bob")
        .get("/projects/secret/files.json")
        .assert_status(403);
    world
        .as_user("bob")
        .get("/projects/none/files.json")
        .assert_status(404);
    create(&world, "bob", "none", json!({"token": token})).assert_status(404);
    world.sql("DELETE FROM role_permissions WHERE role_id = 5 AND name = 'view_files'");
    world
        .as_user("carol")
        .get("/projects/open/files.xml")
        .assert_status(403);
    world
        .anonymous()
        .get("/projects/open/files.json")
        .assert_status(401);
    world
        .anonymous()
        .post("/projects/open/files.json", json!({}))
        .assert_status(401);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post("/projects/open/files.json", json!({}))
        .assert_status(401);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    world
        .as_user("bob")
        .get("/projects/open/files.json")
        .assert_status(200);
    create(&world, "bob", "open", json!({"token": "1.x"})).assert_status(403);
    world.sql("DELETE FROM enabled_modules WHERE name = 'files'");
    world
        .as_user("admin")
        .get("/projects/open/files.json")
        .assert_status(403);
}
