//! `PUT` and `POST /projects/:id/close`, `reopen`, `archive`, `unarchive` (compatibility 8)

use super::{make, permit, status, world};
use axum::http::Method;
use quarry::domain::access::permission::Permission;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::{World, insert_version};
use serde_json::{Value, json};

/// Changes the state of a project as administrator.
fn update(world: &World, reference: impl std::fmt::Display, what: &str) {
    let response = world
        .as_user("admin")
        .put(&format!("/projects/{reference}/{what}.json"), "")
        .assert_status(204);
    assert_eq!((response.body.as_str(), response.content_type()), ("", ""));
}

/// Creates a root with a child and a grandchild.
fn family(world: &World) -> [i64; 3] {
    let root = make(world, "root", json!({}));
    let child = make(world, "child", json!({"parent_id": root}));
    [
        root,
        child,
        make(world, "grandchild", json!({"parent_id": child})),
    ]
}

fn states(world: &World, family: [i64; 3]) -> [i64; 3] {
    family.map(|id| status(world, id))
}

#[test]
fn close_and_reopen_include_descendants() {
    let world = World::new();
    let family = family(&world);
    update(&world, family[2], "archive");
    update(&world, family[0], "close");
    assert_eq!(states(&world, family), [5, 5, 9]);
    update(&world, family[0], "close");
    update(&world, family[1], "reopen");
    assert_eq!(
        states(&world, family),
        [5, 1, 9],
        "a child can be opened below a closed one"
    );
    update(&world, family[1], "reopen");
    update(&world, family[1], "close");
    update(&world, family[0], "reopen");
    assert_eq!(states(&world, family), [1, 1, 9]);
}

#[test]
fn changes_of_the_state_keep_updated_on() {
    let world = World::new();
    let [root, ..] = family(&world);
    world.sql("UPDATE projects SET updated_on = 0");
    for transition in ["archive", "unarchive", "close", "reopen"] {
        update(&world, root, transition);
        let updated_on = world.app.store.catalogue().unwrap().projects[&root.into()].updated_on;
        assert_eq!(updated_on, jiff::Timestamp::UNIX_EPOCH, "{transition}");
    }
}

#[test]
fn archive_includes_descendants_and_unarchive_includes_ancestors() {
    let world = World::new();
    let family = family(&world);
    update(&world, family[1], "close");
    update(&world, family[0], "archive");
    assert_eq!(states(&world, family), [9, 9, 9]);
    update(&world, family[0], "archive");
    update(&world, family[1], "unarchive");
    assert_eq!(
        states(&world, family),
        [1, 1, 9],
        "what was closed comes back active"
    );
    update(&world, family[1], "unarchive");
    update(&world, family[0], "close");
    update(&world, family[2], "unarchive");
    assert_eq!(
        states(&world, family),
        [5, 5, 5],
        "below a closed one it comes back closed"
    );
    update(&world, family[2], "unarchive");
    assert_eq!(states(&world, family), [5, 5, 5]);
}

fn count_listed_and_found(world: &World, login: &str) -> i64 {
    let listed = world
        .as_user(login)
        .get("/issues.json")
        .assert_status(200)
        .integer("/total_count");
    assert_eq!(
        listed,
        world.count_hits(login, "zeppelin"),
        "list and search agree"
    );
    listed
}

fn post_issue(world: &World, body: &Value, code: u16) {
    drop(
        world
            .as_user("alice")
            .post("/projects/open/issues.json", body)
            .assert_status(code),
    )
}

#[test]
fn search_follows_state_changes_immediately() {
    let world = world();
    let body = json!({"issue": {"project_id": "open", "subject": "zeppelin"}});
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(201);
    for (what, visible) in [
        ("close", 1),
        ("reopen", 1),
        ("archive", 0),
        ("unarchive", 1),
    ] {
        update(&world, "open", what);
        for login in ["dave", "alice", "admin"] {
            assert_eq!(
                count_listed_and_found(&world, login),
                visible,
                "{what} {login}"
            );
        }
        if what == "close" || what == "archive" {
            post_issue(&world, &body, 403);
        }
    }
    post_issue(&world, &body, 201);
}

#[test]
fn archived_project_is_hidden_from_everybody() {
    let world = world();
    update(&world, "open", "archive");
    for login in ["alice", "carol", "admin"] {
        world
            .as_user(login)
            .get("/projects/open.json")
            .assert_status(403);
        world
            .as_user(login)
            .get("/projects/open/issues.json")
            .assert_status(403);
        for what in ["close", "reopen"] {
            world
                .as_user(login)
                .put(&format!("/projects/open/{what}.json"), "")
                .assert_status(403);
        }
        let listed = world
            .as_user(login)
            .get("/projects.json?status=")
            .assert_status(200)
            .body;
        assert!(!listed.contains("\"open\""), "{listed}");
    }
}

#[test]
fn project_with_versions_used_elsewhere_cannot_be_archived() {
    let world = world();
    let now = world.app.clock.now();
    let version = world.write(move |db| insert_version(db, 1.into(), "1.0", now));
    super::share(&world, version, "system");
    let body = json!({"issue": {"project_id": 2, "subject": "x", "fixed_version_id": version.0}});
    world
        .as_user("admin")
        .post("/issues.json", &body)
        .assert_status(201);
    for path in ["/projects/1/archive.json", "/projects/1/archive.xml"] {
        world
            .as_user("admin")
            .put(path, "")
            .assert_status(422)
            .assert_errors(&["This project cannot be archived"]);
    }
    assert_eq!(status(&world, 1), 1);
    update(&world, 2, "archive");
}

#[test]
fn state_changes_require_permission() {
    let world = world();
    for what in ["archive", "unarchive"] {
        for login in ["alice", "carol", "dave"] {
            world
                .as_user(login)
                .put(&format!("/projects/open/{what}.json"), "")
                .assert_status(403);
        }
    }
    for what in ["close", "reopen", "archive", "unarchive"] {
        world
            .as_user("carol")
            .put(&format!("/projects/open/{what}.xml"), "")
            .assert_status(403);
        world
            .as_user("dave")
            .put(&format!("/projects/secret/{what}.json"), "")
            .assert_status(403);
        world
            .anonymous()
            .put(&format!("/projects/open/{what}.json"), "")
            .assert_status(401);
        world
            .as_user("admin")
            .put(&format!("/projects/missing/{what}.json"), "")
            .assert_status(404);
        world
            .as_user("admin")
            .get(&format!("/projects/open/{what}.json"))
            .assert_status(404);
        world
            .as_user("admin")
            .post(&format!("/projects/open/{what}.json"), "")
            .assert_status(204);
    }
    world
        .as_user("alice")
        .put("/projects/open/close.json", "")
        .assert_status(204);
    permit(&world, &[Permission::CloseProject]);
    world
        .as_user("carol")
        .put("/projects/open/reopen.json", "")
        .assert_status(204);
    assert_eq!(status(&world, 1), 1);
}

#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "a test reads the file as another process may"
)]
fn nothing_is_written_into_a_project_after_it_was_closed() {
    let world = World::new();
    for round in 0..6 {
        let project = make(&world, &format!("closing{round}"), json!({}));
        std::thread::scope(|scope| {
            let body = json!({"issue": {"project_id": project, "subject": "Late"}});
            for _ in 0..8 {
                let world = &world;
                let body = body.clone();
                scope.spawn(move || drop(world.as_user("admin").post("/issues.json", &body)));
            }
            scope.spawn(|| update(&world, project, "close"));
        });
        let late = format!(
            "SELECT COUNT(*) FROM changes c JOIN issues i ON i.id = c.id AND c.kind = {issue} WHERE i.project_id = {project} \
             AND c.seq > (SELECT seq FROM changes WHERE kind = {kind} AND id = {project})",
            issue = Kind::Issue.code(),
            kind = Kind::Project.code()
        );
        assert_eq!(world.database().value::<i64>(&late), 0, "round {round}");
    }
}

#[test]
fn writes_during_close_and_delete_do_not_fail() {
    let world = World::new();
    for round in 0..6 {
        let name = format!("going{round}");
        let project = make(&world, &name, json!({}));
        let statuses = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for turn in 0..4 {
                for (method, path, body) in [
                    (
                        Method::PUT,
                        format!("wiki/Page{turn}.json"),
                        r#"{"wiki_page":{"text":"x"}}"#,
                    ),
                    (
                        Method::POST,
                        "issue_categories.json".to_owned(),
                        r#"{"issue_category":{"name":"x"}}"#,
                    ),
                    (
                        Method::POST,
                        "time_entries.json".to_owned(),
                        r#"{"time_entry":{"hours":1}}"#,
                    ),
                ] {
                    let world = &world;
                    let path = format!("/projects/{name}/{path}");
                    let send = move || {
                        world
                            .as_user("admin")
                            .send(method, &path, Some("application/json"), body.into())
                            .status
                    };
                    threads.push(scope.spawn(send));
                }
            }
            let _ = world
                .as_user("admin")
                .delete(&format!("/projects/{project}.json"));
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect::<Vec<u16>>()
        });
        assert!(
            statuses
                .iter()
                .all(|status| [201, 404, 422].contains(status)),
            "round {round}: {statuses:?}"
        );
    }
}
