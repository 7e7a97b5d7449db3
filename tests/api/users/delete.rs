//! `DELETE /users/:id` (compatibility 11.1)

use quarry::jobs::cleanup;
use quarry_world::only_on_sqlite;
use quarry_world::wait::{TIMEOUT, until};
use quarry_world::{World, user};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn records_of_a_deleted_user_are_kept_under_anonymous() {
    let world = World::with_projects();
    let issue = world.issue("open").author("bob").subject("quokka").create();
    let bob = format!("/users/{}.json", user("bob").0);
    assert_eq!(
        world.as_user("admin").delete(&bob).assert_status(200).body,
        ""
    );
    world.as_user("admin").delete(&bob).assert_status(404);
    world.as_user("admin").get(&bob).assert_status(404);
    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(401);
    let shown = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200);
    assert_eq!(shown.json_path("/issue/author/name"), json!("Anonymous"));
    let found = world
        .as_user("alice")
        .get("/search.json?q=quokka")
        .assert_status(200);
    assert_eq!(found.json_path("/total_count"), json!(1));
    let members = world
        .as_user("alice")
        .get("/search.json?q=author:bob")
        .assert_status(200);
    assert_eq!(
        members.json_path("/total_count"),
        json!(0),
        "the next search knows the user no more"
    );
}

#[test]
fn last_administrator_and_own_account_stay() {
    let world = World::new();
    let last = "The last active administrator cannot be locked, deleted or made an ordinary user";
    for path in ["/users/1.json", "/users/current.xml"] {
        world
            .as_user("admin")
            .delete(path)
            .assert_status(422)
            .assert_errors(&[last]);
    }
    world
        .as_user("admin")
        .put("/users/3.json", json!({"user": {"admin": true}}))
        .assert_status(200);
    world
        .as_user("admin")
        .delete("/users/1.json")
        .assert_status(422)
        .assert_errors(&["You cannot delete your own account"]);
    world
        .as_user("bob")
        .delete("/users/1.json")
        .assert_status(200);
    world
        .as_user("bob")
        .delete("/users/99.json")
        .assert_status(404);
}

fn user_body(mail: &str) -> Value {
    json!({"user": {"login": "xerxes", "firstname": "Zyzzyva", "lastname": "Qophs", "mail": mail, "password": "long enough"}})
}

fn traces(database: &Path) -> Vec<&str> {
    let bytes = ["", "-wal"]
        .map(|end| std::fs::read(format!("{}{end}", database.display())).unwrap_or_default())
        .concat();
    [
        "first-vexing",
        "second-vexing",
        "xerxes",
        "Zyzzyva",
        "Qophs",
    ]
    .into_iter()
    .filter(|text| {
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    })
    .collect::<Vec<_>>()
}

#[test]
fn deleted_account_leaves_no_bytes_in_the_database() {
    only_on_sqlite!("the bytes of the file");
    let world = World::new();
    let admin = world.as_user("admin");
    let created = admin
        .post("/users.json", user_body("first-vexing@example.net"))
        .assert_status(201);
    let path = format!("/users/{}.json", created.json_path("/user/id"));
    admin
        .put(&path, user_body("second-vexing@example.net"))
        .assert_status(200);
    world.sql("ANALYZE"); // as at the end of a service, which samples indexed values
    let database = world.app.store.file().unwrap().to_owned();
    assert_eq!(
        traces(&database).len(),
        5,
        "the log has the earlier address"
    );
    admin.delete(&path).assert_status(200);
    until(
        TIMEOUT,
        "the log is emptied, and only the samples have the login",
        || {
            cleanup::run_once(&world.app).unwrap();
            traces(&database) == ["xerxes"]
        },
    );
    let _folder = world.into_folder();
    assert_eq!(traces(&database), [""; 0]);
}
