//! `/projects/:id/repository/:repository_id/revisions` (compatibility 13.3)

use axum::http::Method;
use quarry_world::{Response, World};
use serde_json::{Value, json};

/// The projects `open` and `secret`, each with the repository `main`.
pub fn world() -> World {
    let world = World::with_projects();
    for project in ["open", "secret"] {
        let path = format!("/projects/{project}/repositories.json");
        world
            .as_user("alice")
            .post(&path, json!({"repository": {"identifier": "main"}}))
            .assert_status(201);
    }
    world
}

/// Records a changeset in a project.
pub fn record(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/repository/main/revisions.json"),
        json!({"changeset": fields}),
    )
}

const PATH: &str = "/projects/open/repository/main/revisions";

#[test]
fn changeset_is_recorded_once_shown_and_found() {
    let world = world();
    record(
        &world,
        "bob",
        "open",
        json!({"revision": "aaaa111", "comments": "Start"}),
    )
    .assert_status(201);
    let fields = json!({
        "revision": "bbbb2222cccc", "committer": "Bob <bob@example.net>", "committed_on": "2026-11-21T10:00:00+01:00",
        "comments": "Add a zeppelin\n\nIt flies.", "parents": ["aaaa111", "unknown"],
        "files": [{"action": "a", "path": "/zeppelin.rs"}, "/README.md", {"action": "R", "path": "/new", "from_path": "/old"}],
    });
    let response = record(&world, "bob", "open", fields.clone()).assert_status(201);
    assert_eq!(
        response.location(),
        "http://quarry.test/projects/open/repository/1/revisions/bbbb2222cccc"
    );
    let head = r#"{"revision":"bbbb2222cccc","project":{"id":1,"name":"open"},"repository":{"id":1,"name":"main"},"committer":"Bob \u003cbob@example.net\u003e","user":{"id":3,"name":"bob Tester"},"comments":"Add a zeppelin\n\nIt flies.","committed_on":"2026-11-21T09:00:00Z""#;
    let files = r#"[{"action":"M","path":"/README.md"},{"action":"R","path":"/new","from_path":"/old"},{"action":"A","path":"/zeppelin.rs"}]"#;
    let shown = world
        .as_user("dave")
        .get(&format!("{PATH}/bbbb2222cccc.json"))
        .assert_status(200);
    let expected = format!(
        "{{\"changeset\":{head},\"parents\":[{{\"revision\":\"aaaa111\"}}],\"files\":{files},\"issues\":[]}}}}"
    );
    assert_eq!(shown.body, expected);
    assert_eq!(response.body, shown.body);
    let again = record(
        &world,
        "bob",
        "open",
        json!({"revision": "bbbb2222cccc", "comments": "Other"}),
    )
    .assert_status(200);
    assert_eq!(again.body, shown.body, "a known revision changes nothing");
    assert_eq!(
        world
            .as_user("dave")
            .get(&format!("{PATH}/bbbb222.json"))
            .assert_status(200)
            .body,
        shown.body,
        "it can be abbreviated"
    );
    world
        .as_user("dave")
        .get(&format!("{PATH}/bbbb222.xml"))
        .assert_status(200)
        .assert_contains("<parents type=\"array\"><parent revision=\"aaaa111\"/></parents><files type=\"array\"><file action=");
    let list = world
        .as_user("dave")
        .get("/projects/open/repository/1/revisions.json?limit=1")
        .assert_status(200)
        .body;
    assert_eq!(
        list,
        format!("{{\"changesets\":[{head}}}],\"total_count\":2,\"offset\":0,\"limit\":1}}"),
        "newest first"
    );
    let past = world
        .as_user("dave")
        .get(&format!("{PATH}.json?offset=2"))
        .assert_status(200);
    assert_eq!(
        (
            past.array("/changesets").len(),
            past.integer("/total_count")
        ),
        (0, 2)
    );
    let found = world
        .as_user("dave")
        .get("/search.json?q=zeppelin")
        .assert_status(200);
    assert_eq!(
        found.json_path("/results/0/title"),
        "Revision bbbb2222cccc (main): Add a zeppelin"
    );
    let body = b"<changeset><revision>3</revision><comments>By XML</comments></changeset>".to_vec();
    let xml = world
        .as_user("bob")
        .send(
            Method::POST,
            &format!("{PATH}.xml"),
            Some("application/xml"),
            body,
        )
        .assert_status(201);
    xml.assert_contains("<changeset><revision>3</revision>")
        .assert_contains("<committed_on>2026-11-20T12:00:00Z</committed_on>");
}

fn recorded_user(world: &World, revision: &str, committer: &str) -> Value {
    let fields = json!({"revision": revision, "committer": committer});
    record(world, "bob", "open", fields)
        .assert_status(201)
        .json()["changeset"]["user"]["id"]
        .clone()
}

#[test]
fn committer_is_the_user_with_the_login_or_the_mail_address_or_as_before() {
    let world = world();
    world.sql("UPDATE users SET mail = 'Carol@example.net' WHERE login = 'carol'");
    assert_eq!(recorded_user(&world, "1", "alice"), 2);
    assert_eq!(recorded_user(&world, "2", "bob <x@example.net>"), 3);
    assert_eq!(recorded_user(&world, "3", "C. <carol@EXAMPLE.net>"), 4);
    assert!(
        recorded_user(&world, "4", "Somebody <nobody@example.net>").is_null()
            && recorded_user(&world, "5", "").is_null()
            && recorded_user(&world, "6", "<>").is_null()
    );
    world.sql("UPDATE changesets SET user_id = 5 WHERE revision = '4'");
    assert_eq!(
        recorded_user(&world, "7", "Somebody <nobody@example.net>"),
        5,
        "as imported or corrected"
    );
}

#[test]
fn validation_errors_name_the_attribute_and_change_nothing() {
    let world = world();
    let long = "x".repeat(256);
    let wrong = "Revision is invalid (it contains a character that is not permitted)";
    let files =
        "Files is invalid (a list of at most 1000 objects with action and path is expected)";
    let many: Vec<String> = (0..1001).map(|n| format!("/{n}")).collect();
    for (fields, error) in [
        (json!({}), "Revision cannot be blank"),
        (json!({"revision": "a b"}), wrong),
        (json!({"revision": "a/b"}), wrong),
        (
            json!({"revision": long}),
            "Revision is too long (maximum is 255 characters)",
        ),
        (
            json!({"revision": {}}),
            "Revision is invalid (one value is expected, not an object)",
        ),
        (
            json!({"revision": "1", "committer": long}),
            "Committer is too long (maximum is 255 characters)",
        ),
        (
            json!({"revision": "1", "committed_on": "yesterday"}),
            "Committed on is not a valid date",
        ),
        (json!({"revision": "1", "files": "x"}), files),
        (json!({"revision": "1", "files": [{"action": "A"}]}), files),
        (json!({"revision": "1", "files": many}), files),
        (
            json!({"revision": "1", "files": [{"action": "X", "path": "/a"}]}),
            "Files is invalid (action is one of A, M, D, R, C)",
        ),
        (
            json!({"revision": "1", "files": [""]}),
            "Files is invalid (a path has 1 to 4096 characters)",
        ),
        (
            json!({"revision": "1", "parents": vec!["2"; 101]}),
            "Parents are too many (maximum is 100)",
        ),
    ] {
        record(&world, "bob", "open", fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
    world
        .as_user("bob")
        .post(&format!("{PATH}.json"), "{")
        .assert_status(400);
    world
        .as_user("bob")
        .post(&format!("{PATH}.json"), json!({"changeset": 1}))
        .assert_status(400);
    world
        .as_user("bob")
        .get(&format!("{PATH}.json"))
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

#[test]
fn changesets_require_permission() {
    let world = world();
    for project in ["open", "secret"] {
        record(&world, "alice", project, json!({"revision": "abc1234"})).assert_status(201);
    }
    for login in ["carol", "dave"] {
        record(&world, login, "open", json!({"revision": "2"})).assert_status(403);
        record(&world, login, "secret", json!({"revision": "2"})).assert_status(404);
        for path in [
            "secret/repository/main/revisions",
            "secret/repository/main/revisions/abc1234",
            "open/repository/none/revisions",
            "open/repository/2/revisions",
            "open/repository/main/revisions/none",
            "none/repository/main/revisions",
        ] {
            world
                .as_user(login)
                .get(&format!("/projects/{path}.json"))
                .assert_status(404);
        }
    }
    for path in [
        PATH.to_owned(),
        format!("{PATH}/abc1234"),
        format!("{PATH}/none"),
    ] {
        world
            .anonymous()
            .get(&format!("{path}.xml"))
            .assert_status(401);
    }
    world
        .anonymous()
        .post(
            &format!("{PATH}.json"),
            json!({"changeset": {"revision": "2"}}),
        )
        .assert_status(401);
    world.sql("DELETE FROM role_permissions WHERE role_id IN (1, 4) AND name = 'view_changesets'");
    world
        .as_user("dave")
        .get(&format!("{PATH}.json"))
        .assert_status(403);
    record(&world, "bob", "open", json!({"revision": "2"})).assert_status(403);
}
