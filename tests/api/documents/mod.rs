//! `/projects/:id/documents`, `/documents/:id` (compatibility 13.1)

mod custom_fields;

use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/documents.json"),
        json!({"document": fields}),
    )
}

fn upload(world: &World, login: &str, name: &str) -> String {
    let path = format!("/uploads.json?filename={name}");
    let sent = world.as_user(login).send(
        Method::POST,
        &path,
        Some("application/octet-stream"),
        b"content".to_vec(),
    );
    sent.assert_status(201)
        .json_path("/upload/token")
        .as_str()
        .unwrap()
        .to_owned()
}

/// Returns the titles of the search results that a user gets for a word.
fn found(world: &World, login: &str, word: &str) -> Vec<String> {
    let results = world
        .as_user(login)
        .get(&format!("/search.json?q={word}&attachments=1"))
        .assert_status(200)
        .array("/results");
    results
        .iter()
        .map(|hit| hit["title"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn document_can_be_created_listed_updated_and_deleted() {
    let world = World::with_projects();
    let response = create(
        &world,
        "alice",
        "open",
        json!({"title": "Plan", "category_id": 6, "description": "of a zeppelin"}),
    )
    .assert_status(201);
    assert_eq!(response.location(), "http://quarry.test/documents/1");
    let plan = r#"{"id":1,"project":{"id":1,"name":"open"},"category":{"id":6,"name":"User documentation"},"title":"Plan","description":"of a zeppelin","created_on":"2026-11-20T12:00:00Z"}"#;
    assert_eq!(response.body, format!("{{\"document\":{plan}}}"));
    assert_eq!(
        world
            .as_user("dave")
            .get("/documents/1.json")
            .assert_status(200)
            .body,
        response.body
    );
    assert_eq!(found(&world, "dave", "zeppelin"), ["Document: Plan"]);
    create(
        &world,
        "alice",
        "1",
        json!({"title": "Second", "category_id": 7}),
    )
    .assert_status(201);
    create(
        &world,
        "alice",
        "secret",
        json!({"title": "Elsewhere", "category_id": 7}),
    )
    .assert_status(201);
    let list = world
        .as_user("dave")
        .get("/projects/open/documents.json?limit=1&offset=1")
        .assert_status(200)
        .body;
    assert_eq!(
        list,
        format!("{{\"documents\":[{plan}],\"total_count\":2,\"offset\":1,\"limit\":1}}"),
        "newest first"
    );
    let past = world
        .as_user("dave")
        .get("/projects/open/documents.json?offset=2")
        .assert_status(200);
    assert_eq!(
        (past.array("/documents").len(), past.integer("/total_count")),
        (0, 2)
    );
    let xml = world
        .as_user("dave")
        .get("/projects/open/documents.xml")
        .assert_status(200)
        .body;
    assert!(xml.contains("<documents total_count=\"2\" offset=\"0\" limit=\"25\" type=\"array\"><document><id>2</id>"), "{xml}");
    let body = b"<document><title>Chart</title><description/></document>".to_vec();
    let changed = world
        .as_user("alice")
        .send(
            Method::PUT,
            "/documents/1.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200);
    changed.assert_contains("<title>Chart</title><description/>");
    assert_eq!(
        (
            found(&world, "dave", "chart").len(),
            found(&world, "dave", "zeppelin").len()
        ),
        (1, 0)
    );
    assert_eq!(
        world
            .as_user("alice")
            .delete("/documents/1.json")
            .assert_status(200)
            .body,
        ""
    );
    assert_eq!(found(&world, "dave", "chart").len(), 0);
    world
        .as_user("alice")
        .delete("/documents/1.json")
        .assert_status(404);
}

fn update(world: &World, fields: Value) -> Response {
    world
        .as_user("alice")
        .put("/documents/1.json", json!({"document": fields}))
}

#[test]
fn new_document_has_the_default_category() {
    let world = World::with_projects();
    create(&world, "alice", "open", json!({"title": "Plan"}))
        .assert_status(422)
        .assert_errors(&["Category cannot be blank"]);
    world.sql("UPDATE enumerations SET is_default = 1 WHERE id = 7");
    create(&world, "alice", "open", json!({"title": "Plan"}))
        .assert_status(201)
        .assert_json_path("/document/category/id", 7);
    world.sql("UPDATE enumerations SET active = 0 WHERE id = 7");
    create(&world, "alice", "open", json!({"title": "Plan"}))
        .assert_status(422)
        .assert_errors(&["Category cannot be blank"]);
    update(&world, json!({"title": "Kept"}))
        .assert_status(200)
        .assert_json_path("/document/category/id", 7);
    update(&world, json!({"category_id": ""}))
        .assert_status(422)
        .assert_errors(&["Category cannot be blank"]);
    update(&world, json!({"category_id": 6}))
        .assert_status(200)
        .assert_json_path("/document/category/id", 6);
    update(&world, json!({"category_id": 7}))
        .assert_status(422)
        .assert_errors(&["Category is not included in the list"]);
}

#[test]
fn validation_errors_name_the_attribute_and_change_nothing() {
    let world = World::with_projects();
    let token = upload(&world, "alice", "a.txt");
    let long = "x".repeat(256);
    for (fields, errors) in [
        (
            json!({}),
            vec!["Title cannot be blank", "Category cannot be blank"],
        ),
        (
            json!({"title": " ", "category_id": 6}),
            vec!["Title cannot be blank"],
        ),
        (
            json!({"title": long, "category_id": 6}),
            vec!["Title is too long (maximum is 255 characters)"],
        ),
        (
            json!({"title": "x", "category_id": 8}),
            vec!["Category is not included in the list"],
        ),
        (
            json!({"title": "x", "category_id": "y"}),
            vec!["Category cannot be blank"],
        ),
        (
            json!({"title": [], "category_id": 6}),
            vec!["Title is invalid (one value is expected, not a list)"],
        ),
        (
            json!({"title": "x", "category_id": 6, "uploads": [{"token": token}, {"token": "9.x"}]}),
            vec!["1 file(s) could not be saved."],
        ),
    ] {
        create(&world, "alice", "open", fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    world
        .as_user("alice")
        .post("/projects/open/documents.json", "{")
        .assert_status(400);
    world
        .as_user("alice")
        .post("/projects/open/documents.json", json!({"document": 1}))
        .assert_status(400);
    world
        .as_user("alice")
        .get("/projects/open/documents.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
    let document = json!({"title": "Plan", "category_id": 6, "uploads": [{"token": token}]});
    let created = create(&world, "alice", "open", document).assert_status(201);
    // What was refused may have used up ids.
    let path = format!("/documents/{}.json", created.integer("/document/id"));
    let put = json!({"document": {"title": "Lost", "uploads": [{"token": "9.x"}]}});
    world.as_user("alice").put(&path, put).assert_status(422);
    world
        .as_user("dave")
        .get(&path)
        .assert_status(200)
        .assert_json_path("/document/title", "Plan");
}

fn filenames(world: &World, path: &str, pointer: &str) -> Vec<Value> {
    let files = world
        .as_user("dave")
        .get(path)
        .assert_status(200)
        .array(pointer);
    files.iter().map(|file| file["filename"].clone()).collect()
}

#[test]
fn files_can_be_attached_and_go_with_the_document() {
    let world = World::with_projects();
    let uploads = json!([{"token": upload(&world, "alice", "a.txt"), "description": "blueprint"}]);
    let response = create(
        &world,
        "alice",
        "open",
        json!({"title": "Plan", "category_id": 6, "uploads": uploads}),
    )
    .assert_status(201);
    assert!(response.json()["document"].get("attachments").is_none());
    let uploads = json!([{"token": upload(&world, "alice", "b.txt")}]);
    let path = "/documents/1.json?include=attachments";
    world
        .as_user("alice")
        .put(path, json!({"document": {"uploads": uploads}}))
        .assert_status(200);
    assert_eq!(
        filenames(&world, path, "/document/attachments"),
        ["a.txt", "b.txt"]
    );
    assert_eq!(
        filenames(
            &world,
            "/projects/open/documents.json?include=attachments",
            "/documents/0/attachments"
        ),
        ["a.txt", "b.txt"]
    );
    assert_eq!(
        filenames(
            &world,
            "/documents/1.json?include=journals,+attachments",
            "/document/attachments"
        ),
        ["a.txt", "b.txt"]
    );
    let in_body = json!({"include": "attachments", "document": {}});
    assert_eq!(
        world
            .as_user("alice")
            .put("/documents/1.json", in_body)
            .assert_status(200)
            .array("/document/attachments")
            .len(),
        2
    );
    assert_eq!(found(&world, "dave", "blueprint"), ["Document: Plan"]);
    world
        .as_user("dave")
        .get("/attachments/1.json")
        .assert_status(200);
    world
        .as_user("alice")
        .delete("/documents/1.json")
        .assert_status(200);
    assert_eq!(found(&world, "dave", "blueprint").len(), 0);
    for id in [1, 2] {
        world
            .as_user("alice")
            .get(&format!("/attachments/{id}.json"))
            .assert_status(404);
    }
}

#[test]
fn documents_require_permission() {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        create(
            &world,
            "alice",
            project,
            json!({"title": "Plan", "category_id": 6}),
        )
        .assert_status(201);
    }
    let change = json!({"document": {"title": "Mine"}});
    for login in ["bob", "carol", "dave"] {
        create(
            &world,
            login,
            "open",
            json!({"title": "Mine", "category_id": 6}),
        )
        .assert_status(403);
        world
            .as_user(login)
            .put("/documents/1.json", &change)
            .assert_status(403);
        world
            .as_user(login)
            .delete("/documents/1.xml")
            .assert_status(403);
        // A hidden document and a hidden project look like missing ones.
        for path in [
            "/documents/2.json",
            "/documents/9.json",
            "/projects/secret/documents.json",
            "/projects/none/documents.xml",
        ] {
            world.as_user(login).get(path).assert_status(404);
        }
        world
            .as_user(login)
            .put("/documents/2.json", &change)
            .assert_status(404);
        world
            .as_user(login)
            .delete("/documents/2.json")
            .assert_status(404);
        create(
            &world,
            login,
            "secret",
            json!({"title": "Mine", "category_id": 6}),
        )
        .assert_status(404);
    }
    for path in [
        "/documents/1.json",
        "/documents/9.json",
        "/projects/open/documents.json",
    ] {
        world.anonymous().get(path).assert_status(401);
    }
    world
        .anonymous()
        .delete("/documents/1.json")
        .assert_status(401);
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'view_documents'");
    world
        .as_user("bob")
        .get("/documents/1.json")
        .assert_status(404);
    world
        .as_user("bob")
        .get("/projects/open/documents.json")
        .assert_status(403);
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (5, 'add_documents'), (5, 'edit_documents')");
    create(
        &world,
        "carol",
        "open",
        json!({"title": "Mine", "category_id": 6}),
    )
    .assert_status(201);
    world
        .as_user("carol")
        .put("/documents/3.json", &change)
        .assert_status(200);
    world
        .as_user("carol")
        .delete("/documents/3.json")
        .assert_status(403);
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'documents'");
    world
        .as_user("alice")
        .get("/documents/1.json")
        .assert_status(404);
    world
        .as_user("admin")
        .get("/projects/open/documents.json")
        .assert_status(403);
    world.sql("INSERT INTO enabled_modules (project_id, name) VALUES (1, 'documents'); UPDATE projects SET status = 5 WHERE id = 1");
    world
        .as_user("alice")
        .get("/documents/1.json")
        .assert_status(200);
    world
        .as_user("alice")
        .put("/documents/1.json", &change)
        .assert_status(403);
}

fn create_description(world: &World, fields: Value) -> Value {
    create(world, "alice", "open", fields)
        .assert_status(201)
        .json_path("/document/description")
}

#[test]
fn null_description_differs_from_an_empty_one() {
    let world = World::with_projects();
    assert_eq!(
        create_description(&world, json!({"title": "a", "category_id": 6})),
        json!(null)
    );
    assert_eq!(
        create_description(
            &world,
            json!({"title": "b", "category_id": 6, "description": ""})
        ),
        json!("")
    );
    let listed = world
        .as_user("alice")
        .get("/projects/open/documents.json")
        .assert_status(200)
        .array("/documents");
    assert_eq!(
        listed
            .iter()
            .map(|document| document["description"].clone())
            .collect::<Vec<_>>(),
        [json!(""), json!(null)]
    );
}
