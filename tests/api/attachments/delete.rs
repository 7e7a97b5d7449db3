//! `DELETE /attachments/:id`

use super::{files, world};
use quarry::domain::administration::setting::Setting;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::attachments::{file, upload};
use quarry_world::{Response, World};

#[test]
fn deleted_attachment_is_not_found() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "zeppelin.txt", "x");
    let alice = world.as_user("alice");
    assert_eq!(
        (
            alice.total_count("/search.json?attachments=1&q=zeppelin"),
            files(&world).len()
        ),
        (1.into(), 1)
    );
    let response = alice
        .delete(&format!("/attachments/{id}.json"))
        .assert_status(200);
    assert_eq!(response.body, "");
    assert_eq!(
        (
            alice.total_count("/search.json?attachments=1&q=zeppelin"),
            files(&world).len()
        ),
        (0.into(), 0)
    );
    for address in [
        format!("/attachments/{id}.json"),
        format!("/attachments/{id}.xml"),
        format!("/attachments/download/{id}"),
    ] {
        alice.get(&address).assert_status(404);
    }
    alice
        .delete(&format!("/attachments/{id}.json"))
        .assert_status(404);
    alice
        .delete(&format!("/attachments/{id}.xml"))
        .assert_status(404);
}

#[test]
fn deletion_is_recorded_in_the_journal() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    world
        .as_user("bob")
        .delete(&format!("/attachments/{id}.json"))
        .assert_status(200);
    let issue = world
        .as_user("bob")
        .get("/issues/1.json?include=journals,attachments")
        .assert_status(200)
        .json_path("/issue");
    let journal = &issue["journals"][0];
    assert_eq!(
        (
            &journal["notes"],
            &journal["user"]["id"],
            &journal["private_notes"]
        ),
        (&"".into(), &3.into(), &false.into())
    );
    let expected = serde_json::json!([{"property": "attachment", "name": id.to_string(), "old_value": "a.txt", "new_value": null}]);
    assert_eq!(
        (&journal["details"], &issue["attachments"]),
        (&expected, &serde_json::json!([]))
    );
    let released = file(&world, "alice", Kind::Project, 1, "a.txt", "x");
    world
        .as_user("bob")
        .delete(&format!("/attachments/{released}.json"))
        .assert_status(200);
}

fn delete(world: &World, login: &str, id: i64) -> u16 {
    world
        .as_user(login)
        .delete(&format!("/attachments/{id}.json"))
        .status
}

#[test]
fn delete_requires_permission() {
    let world = world();
    let issue = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    let secret = file(&world, "alice", Kind::Issue, 2, "a.txt", "x");
    upload(&world, "carol", "a.txt", "x");
    assert_eq!(
        ["carol", "dave", "erin"].map(|login| delete(&world, login, issue)),
        [403, 403, 401]
    );
    assert_eq!(
        ["bob", "carol", "dave"].map(|login| delete(&world, login, secret)),
        [403, 403, 403]
    );
    assert_eq!(
        ["alice", "bob", "carol"].map(|login| delete(&world, login, secret + 1)),
        [403, 403, 200]
    );
    world
        .anonymous()
        .delete(&format!("/attachments/{issue}.json"))
        .assert_status(401);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .delete(&format!("/attachments/{issue}.json"))
        .assert_status(401);
    assert_eq!(
        ["alice", "bob"].map(|login| delete(&world, login, secret.max(issue))),
        [200, 404]
    );
    assert_eq!(files(&world).len(), 1);
}

#[test]
fn deleting_an_issue_deletes_files_and_then_contents() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    world
        .as_user("admin")
        .delete("/issues/1.json")
        .assert_status(200);
    world
        .as_user("admin")
        .get(&format!("/attachments/{id}.json"))
        .assert_status(404);
    assert_eq!(quarry::jobs::cleanup::run_once(&world.app).unwrap(), (0, 1));
    assert!(files(&world).is_empty());
}

fn delete_files(world: &World, login: &str, ids: serde_json::Value) -> Response {
    let body = serde_json::json!({"issue": {"notes": "Done", "deleted_attachment_ids": ids}});
    world
        .as_user(login)
        .put("/issues/1.json?include=attachments,journals", body)
}

fn filenames(response: quarry_world::Response) -> Vec<String> {
    response.texts("/issue/attachments", "filename")
}

#[test]
fn update_of_an_issue_deletes_its_files() {
    let world = world();
    let files: Vec<i64> = ["a.txt", "b.txt"]
        .iter()
        .map(|name| file(&world, "bob", Kind::Issue, 1, name, "x"))
        .collect();
    let other = file(&world, "alice", Kind::Issue, 2, "other.txt", "x");
    // Who may only add notes, files of other issues, ids that do not exist.
    assert_eq!(
        filenames(delete_files(&world, "carol", serde_json::json!([files[0]])).assert_status(200)),
        ["a.txt", "b.txt"]
    );
    assert_eq!(
        filenames(
            delete_files(&world, "bob", serde_json::json!([other, 0, 987])).assert_status(200)
        ),
        ["a.txt", "b.txt"]
    );
    world
        .as_user("alice")
        .get(&format!("/attachments/{other}.json"))
        .assert_status(200);
    let updated = delete_files(&world, "bob", serde_json::json!([files[0]])).assert_status(200);
    let expected = serde_json::json!([{"property": "attachment", "name": files[0].to_string(), "old_value": "a.txt", "new_value": null}]);
    assert_eq!(updated.json_path("/issue/journals/2/details"), expected);
    assert_eq!(filenames(updated), ["b.txt"]);
    world
        .as_user("bob")
        .get(&format!("/attachments/{}.json", files[0]))
        .assert_status(404);
    delete_files(&world, "bob", serde_json::json!({}))
        .assert_status(422)
        .assert_contains("Deleted attachment ids is invalid");
}
