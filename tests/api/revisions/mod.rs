//! `/projects/:id/repository/:repository_id/revisions/:revision/issues` (compatibility 11.10)

mod record;
mod references;

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::ProjectId;
use quarry::domain::projects::changeset::Changeset;
use quarry::domain::projects::repository::Repository;
use quarry::store::projects::{changesets, repositories};
use quarry_world::{Response, World};
use serde_json::json;

const REVISION: &str = "abc1230000000000000000000000000000000001";
const PATH: &str =
    "/projects/open/repository/main/revisions/abc1230000000000000000000000000000000001/issues";

/// The projects `open` and `secret`, each with the repository `main` and one changeset.
fn world() -> World {
    let world = World::with_projects();
    let now = world.app.clock.now();
    world.write(move |db| {
        for project in [ProjectId(1), ProjectId(2)] {
            let main = Repository {
                project,
                identifier: "main".to_owned(),
                scm: "Git".to_owned(),
                is_default: true,
                ..Repository::default()
            };
            let repository = repositories::insert(db, &main)?;
            let changeset = Changeset {
                repository,
                revision: REVISION.to_owned(),
                committer: "bob".to_owned(),
                committed_on: now,
                comments: "Fix".to_owned(),
                ..Changeset::default()
            };
            changesets::insert(db, &changeset)?;
        }
        Ok(())
    });
    world
}

/// Returns the revisions that an issue shows to alice.
fn revisions(world: &World, issue: i64) -> Vec<String> {
    let shown = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json?include=changesets"))
        .assert_status(200);
    shown.texts("/issue/changesets", "revision")
}

#[test]
fn issue_is_linked_and_unlinked() {
    let world = world();
    let first = world.issue("open").create();
    let second = world.issue("open").create();
    assert_eq!(
        world
            .as_user("bob")
            .post(&format!("{PATH}.json"), json!({"issue_id": first}))
            .assert_status(204)
            .body,
        ""
    );
    assert_eq!(revisions(&world, first), [REVISION]);
    let body = format!("<issue_id>#{second}</issue_id>").into_bytes();
    let short = "/projects/1/repository/1/revisions/abc1230000/issues.xml";
    world
        .as_user("bob")
        .send(Method::POST, short, Some("application/xml"), body)
        .assert_status(204);
    assert_eq!(revisions(&world, second), [REVISION]);
    let path = format!("{PATH}/{first}.json");
    assert_eq!(
        world.as_user("bob").delete(&path).assert_status(204).body,
        ""
    );
    world.as_user("bob").delete(&path).assert_status(204);
    assert_eq!(
        (
            revisions(&world, first).len(),
            revisions(&world, second).len()
        ),
        (0, 1)
    );
}

fn post(world: &World, body: &str) -> Response {
    world.as_user("bob").post(&format!("{PATH}.json"), body)
}

#[test]
fn invalid_issues_are_refused() {
    let world = world();
    let linked = world.issue("open").create();
    post(&world, &format!("{{\"issue_id\":{linked}}}")).assert_status(204);
    let private = world.issue("open").private().create();
    let elsewhere = world.issue("secret").create();
    for id in [linked, private, elsewhere, 99] {
        post(&world, &format!("{{\"issue_id\":{id}}}"))
            .assert_status(422)
            .assert_errors(&["Issue is invalid"]);
    }
    for body in ["{}", r#"{"issue_id":"x"}"#, r#"{"issue_id":{}}"#] {
        post(&world, body)
            .assert_status(422)
            .assert_errors(&["Issue is invalid"]);
    }
    post(&world, "{").assert_status(400);
    // Alice sees both, but the projects have nothing to do with each other.
    let foreign = json!({"issue_id": elsewhere});
    world
        .as_user("alice")
        .post(&format!("{PATH}.json"), &foreign)
        .assert_status(422)
        .assert_errors(&["Issue is invalid"]);
    world.sql("UPDATE projects SET parent_id = 1 WHERE id = 2");
    world
        .as_user("alice")
        .post(&format!("{PATH}.json"), &foreign)
        .assert_status(204);
    world
        .as_user("bob")
        .delete(&format!("{PATH}/{elsewhere}.json"))
        .assert_status(403);
    world
        .as_user("bob")
        .delete(&format!("{PATH}/99.json"))
        .assert_status(404);
    world
        .as_user("bob")
        .delete(&format!("{PATH}/x.json"))
        .assert_status(404);
    assert_eq!(revisions(&world, elsewhere), [REVISION]);
}

fn post_as(world: &World, issue: i64, login: &str, path: &str) -> u16 {
    world
        .as_user(login)
        .post(path, json!({ "issue_id": issue }))
        .status
}

#[test]
fn unknown_addresses_are_not_found_and_others_forbidden() {
    let world = world();
    let issue = world.issue("open").create();
    for path in [
        "/projects/none/repository/main/revisions/abc1230000/issues.json",
        "/projects/open/repository/other/revisions/abc1230000/issues.json",
        "/projects/open/repository/2/revisions/abc1230000/issues.json",
        "/projects/open/repository/main/revisions/def/issues.json",
    ] {
        assert_eq!(post_as(&world, issue, "alice", path), 404, "{path}");
    }
    let json = format!("{PATH}.json");
    assert_eq!(
        (
            post_as(&world, issue, "carol", &json),
            post_as(&world, issue, "dave", &json)
        ),
        (403, 403)
    );
    assert_eq!(
        post_as(
            &world,
            issue,
            "bob",
            "/projects/secret/repository/main/revisions/abc1230000/issues.json"
        ),
        403
    );
    world
        .as_user("carol")
        .delete(&format!("{PATH}/{issue}.json"))
        .assert_status(403);
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'view_changesets'");
    assert_eq!(post_as(&world, issue, "bob", &json), 403);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post(&json, json!({"issue_id": issue}))
        .assert_status(401);
    world
        .anonymous()
        .delete(&format!("{PATH}/{issue}.json"))
        .assert_status(401);
    world.sql("DELETE FROM enabled_modules WHERE project_id = 1 AND name = 'repository'");
    assert_eq!(post_as(&world, issue, "admin", &json), 403);
    assert_eq!(revisions(&world, issue).len(), 0);
}
