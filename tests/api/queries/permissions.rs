//! Who may see, save, change and delete queries.

use super::{add, update};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::oauth_flow::{App, tokens, with_token};
use serde_json::json;

/// Private queries of bob (1 everywhere, 2 in `open`), of alice in `secret` (3); of alice in `open`
/// one for reporters (4) and a public one (5); a public one for all projects (6).
fn queries(world: &World) {
    add(world, "bob", json!({"name": "Everywhere"})).assert_status(201);
    add(world, "bob", json!({"name": "Here", "project_id": "open"})).assert_status(201);
    add(
        world,
        "alice",
        json!({"name": "Hidden", "project_id": "secret", "visibility": "public"}),
    )
    .assert_status(201);
    add(
        world,
        "alice",
        json!({"name": "Reporters", "project_id": 1, "visibility": "roles", "role_ids": [5]}),
    )
    .assert_status(201);
    add(
        world,
        "alice",
        json!({"name": "Public", "project_id": 1, "visibility": "public"}),
    )
    .assert_status(201);
    add(
        world,
        "admin",
        json!({"name": "All", "visibility": "public"}),
    )
    .assert_status(201);
}

#[test]
fn queries_are_changed_and_deleted_by_those_who_may_save_them() {
    let world = World::with_projects();
    queries(&world);
    let expected = [
        ("admin", [200; 6]),
        ("alice", [404, 404, 200, 200, 200, 403]),
        ("bob", [200, 200, 404, 404, 403, 403]),
        ("carol", [404, 404, 404, 403, 403, 403]),
        ("dave", [404, 404, 404, 404, 403, 403]),
    ];
    for (login, statuses) in expected {
        for (id, status) in (1..).zip(statuses) {
            let shown = if status == 403 { 200 } else { status };
            world
                .as_user(login)
                .get(&format!("/queries/{id}.json"))
                .assert_status(shown);
            update(
                &world,
                login,
                id,
                json!({"description": format!("by {login}")}),
            )
            .assert_status(status);
        }
    }
    for (login, statuses) in expected.iter().rev() {
        for (id, status) in (1..).zip(statuses).filter(|(_, status)| **status != 200) {
            world
                .as_user(login)
                .delete(&format!("/queries/{id}.json"))
                .assert_status(*status);
        }
    }
    for (login, ids) in [
        ("bob", [1, 2].as_slice()),
        ("alice", &[3, 4, 5]),
        ("admin", &[6]),
    ] {
        for id in ids {
            world
                .as_user(login)
                .delete(&format!("/queries/{id}.json"))
                .assert_status(200);
        }
    }
    world
        .as_user("admin")
        .get("/queries.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}

fn body_of_missing(world: &World, login: &str, path: &str) -> String {
    world.as_user(login).get(path).assert_status(404).body
}

#[test]
fn hidden_queries_and_projects_look_like_missing_ones() {
    let world = World::with_projects();
    queries(&world);
    for path in ["/queries/1.json", "/queries/3.json", "/queries/x.json"] {
        assert_eq!(
            body_of_missing(&world, "dave", path),
            body_of_missing(&world, "dave", "/queries/99.json")
        );
    }
    for project in [json!("secret"), json!(2), json!("none"), json!(99)] {
        for login in ["bob", "dave"] {
            let fields = json!({"name": "x", "project_id": project});
            add(&world, login, fields.clone())
                .assert_status(422)
                .assert_errors(&["Project is invalid"]);
            if login == "bob" {
                update(&world, login, 1, fields)
                    .assert_status(422)
                    .assert_errors(&["Project is invalid"]);
            }
        }
    }
    for path in ["/queries/1.json", "/queries/3.json", "/queries/99.xml"] {
        world.anonymous().get(path).assert_status(401);
    }
    world.set(Setting::LoginRequired, "0");
    for path in ["/queries/1.json", "/queries/3.json", "/queries/99.xml"] {
        world.anonymous().get(path).assert_status(401);
    }
    world.anonymous().get("/queries/5.json").assert_status(200);
    world
        .anonymous()
        .post("/queries.json", json!({"query": {"name": "x"}}))
        .assert_status(401);
    world
        .anonymous()
        .put("/queries/5.json", json!({"query": {"name": "x"}}))
        .assert_status(401);
    world
        .anonymous()
        .delete("/queries/5.json")
        .assert_status(401);
    world.sql("UPDATE projects SET status = 9 WHERE id = 1");
    for login in ["admin", "alice", "bob"] {
        world
            .as_user(login)
            .get("/queries/5.json")
            .assert_status(404);
    }
}

#[test]
fn queries_of_other_types_do_not_exist() {
    let world = World::with_projects();
    world.sql("INSERT INTO queries (type, name, user_id, visibility) VALUES ('TimeEntryQuery', 'Hours', 1, 2)");
    world
        .as_user("admin")
        .get("/queries/1.json")
        .assert_status(404);
    update(&world, "admin", 1, json!({"name": "x"})).assert_status(404);
    world
        .as_user("admin")
        .delete("/queries/1.json")
        .assert_status(404);
}

#[test]
fn visibility_requires_the_permission_for_it() {
    let world = World::with_projects();
    let here = "Visibility is invalid (sharing a query needs the permission manage_public_queries in the project)";
    let everywhere = "Visibility is invalid (only administrators share queries for all projects)";
    for visibility in [
        json!({"visibility": "public"}),
        json!({"visibility": "roles", "role_ids": [4]}),
    ] {
        let fields = |more: &serde_json::Value| {
            let mut fields = visibility.as_object().unwrap().clone();
            fields.extend(more.as_object().unwrap().clone());
            serde_json::Value::from(fields)
        };
        add(
            &world,
            "bob",
            fields(&json!({"name": "x", "project_id": 1})),
        )
        .assert_status(422)
        .assert_errors(&[here]);
        add(&world, "alice", fields(&json!({"name": "x"})))
            .assert_status(422)
            .assert_errors(&[everywhere]);
    }
    add(&world, "bob", json!({"name": "Here", "project_id": 1})).assert_status(201);
    update(&world, "bob", 1, json!({"visibility": "public"}))
        .assert_status(422)
        .assert_errors(&[here]);
    update(
        &world,
        "bob",
        1,
        json!({"visibility": "public", "project_id": null}),
    )
    .assert_status(422)
    .assert_errors(&[everywhere]);
    add(
        &world,
        "alice",
        json!({"name": "Public", "project_id": 1, "visibility": "public"}),
    )
    .assert_status(201);
    update(&world, "alice", 2, json!({"project_id": ""}))
        .assert_status(422)
        .assert_errors(&[everywhere]);
    update(&world, "alice", 2, json!({"project_id": "secret"})).assert_status(200);
    update(
        &world,
        "alice",
        2,
        json!({"project_id": "", "visibility": "private"}),
    )
    .assert_status(200);
    // Only its author can take a query away from the others.
    add(
        &world,
        "admin",
        json!({"name": "Public", "project_id": 1, "visibility": "public"}),
    )
    .assert_status(201);
    let error = "Visibility is invalid (only its author can make it private)";
    update(&world, "alice", 3, json!({"visibility": "private"}))
        .assert_status(422)
        .assert_errors(&[error]);
    update(&world, "admin", 3, json!({"visibility": "private"})).assert_status(200);
    update(&world, "alice", 3, json!({"name": "x"})).assert_status(404);
}

#[test]
fn saving_requires_the_permission() {
    let world = World::with_projects();
    add(&world, "bob", json!({"name": "Here", "project_id": 1})).assert_status(201);
    world.sql("DELETE FROM role_permissions WHERE name = 'save_queries' AND role_id <> 3");
    for fields in [
        json!({"name": "x"}),
        json!({"name": "x", "project_id": "open"}),
    ] {
        add(&world, "bob", fields.clone()).assert_status(403);
        add(&world, "dave", fields.clone()).assert_status(403);
        add(&world, "alice", fields).assert_status(201);
    }
    update(&world, "bob", 1, json!({"name": "Still mine"})).assert_status(200);
    update(&world, "bob", 1, json!({"project_id": null})).assert_status(403);
    world
        .as_user("bob")
        .delete("/queries/1.json")
        .assert_status(200);
}

fn access_token(world: &World, app: &App, login: &str, scopes: &str) -> String {
    tokens(world, login, app, scopes).access
}

#[test]
fn access_tokens_need_the_scopes() {
    let world = World::with_projects();
    queries(&world);
    let app = App::confidential(
        &world,
        "view_project view_issues save_queries manage_public_queries",
    );
    let reads = access_token(&world, &app, "bob", "view_project view_issues");
    with_token(
        &world,
        &access_token(&world, &app, "bob", "view_project save_queries"),
    )
    .get("/queries/2.json")
    .assert_status(404);
    with_token(&world, &reads)
        .get("/queries/2.json")
        .assert_status(200);
    with_token(&world, &reads)
        .put("/queries/2.json", json!({"query": {"name": "x"}}))
        .assert_status(403);
    with_token(&world, &reads)
        .delete("/queries/2.json")
        .assert_status(403);
    with_token(&world, &reads)
        .post("/queries.json", json!({"query": {"name": "x"}}))
        .assert_status(403);
    let saves = access_token(&world, &app, "bob", "view_project view_issues save_queries");
    with_token(&world, &saves)
        .post(
            "/queries.json",
            json!({"query": {"name": "x", "project_id": 1}}),
        )
        .assert_status(201);
    with_token(&world, &saves)
        .put("/queries/2.json", json!({"query": {"name": "x"}}))
        .assert_status(200);
    let saves = access_token(
        &world,
        &app,
        "alice",
        "view_project view_issues save_queries",
    );
    with_token(&world, &saves)
        .put("/queries/5.json", json!({"query": {"name": "x"}}))
        .assert_status(403);
    let manages = access_token(
        &world,
        &app,
        "alice",
        "view_project view_issues manage_public_queries",
    );
    with_token(&world, &manages)
        .put("/queries/5.json", json!({"query": {"name": "x"}}))
        .assert_status(200);
    // Without the scope `admin` administrators have no more than their roles.
    let admin = access_token(
        &world,
        &app,
        "admin",
        "view_project view_issues save_queries manage_public_queries",
    );
    with_token(&world, &admin)
        .get("/queries/1.json")
        .assert_status(404);
    with_token(&world, &admin)
        .put("/queries/6.json", json!({"query": {"name": "x"}}))
        .assert_status(403);
}

fn query_names(world: &World, login: &str) -> Vec<String> {
    let list = world.as_user(login).get("/queries.json").assert_status(200);
    list.texts("/queries", "name")
}

#[test]
fn queries_of_a_project_are_hidden_from_those_who_cannot_view_its_issues() {
    let world = World::with_projects();
    queries(&world);
    let default = json!({"project": {"default_issue_query_id": 5}});
    world
        .as_user("alice")
        .put("/projects/open.json", default)
        .assert_status(200);
    world.sql("DELETE FROM role_permissions WHERE name = 'view_issues' AND role_id IN (1, 4)");
    assert_eq!(
        query_names(&world, "alice"),
        ["All", "Hidden", "Public", "Reporters"]
    );
    assert_eq!(query_names(&world, "dave"), ["All"]);
    assert_eq!(
        query_names(&world, "bob"),
        ["All", "Everywhere"],
        "nor those of their own"
    );
    for (login, id) in [("dave", 5), ("bob", 5), ("bob", 2)] {
        world
            .as_user(login)
            .get(&format!("/queries/{id}.json"))
            .assert_status(404);
        update(&world, login, id, json!({"name": "x"})).assert_status(404);
        world
            .as_user(login)
            .delete(&format!("/queries/{id}.json"))
            .assert_status(404);
    }
    let project = world
        .as_user("dave")
        .get("/projects/open.json")
        .assert_status(200)
        .json_path("/project");
    assert!(project.get("default_issue_query").is_none(), "{project}");
    add(&world, "bob", json!({"name": "New", "project_id": 1})).assert_status(403);
    add(&world, "bob", json!({"name": "New"})).assert_status(201);
    update(&world, "bob", 7, json!({"project_id": 1})).assert_status(403);
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'issue_tracking'");
    assert_eq!(
        query_names(&world, "admin"),
        ["All", "Hidden"],
        "without issue tracking from everybody"
    );
}
