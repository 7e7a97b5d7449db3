mod create;
mod delete;
mod filters;
mod list;
mod show;
mod state;
mod update;

use crate::world::{MANAGER, REPORTER, World};
use quarry::domain::custom_field::{CustomField, Customized, Format};
use quarry::domain::permission::{Permission, PermissionSet};
use quarry::store::{custom_fields, projects, roles};

/// An open project and a private one; alice manages both, carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

/// Makes a project as the administrator; its number.
fn make(world: &World, identifier: &str, more: &str) -> i64 {
    let body = format!("{{\"project\":{{\"name\":\"{identifier}\",\"identifier\":\"{identifier}\"{more}}}}}");
    world.as_user("admin").post("/projects.json", &body).expect(201).json()["project"]["id"].as_i64().unwrap()
}

/// Lets reporters do this besides what they may.
fn permit(world: &World, more: &[Permission]) {
    let more: PermissionSet = more.iter().copied().collect();
    world.write(move |db| {
        let before = db.catalogue().role(REPORTER).unwrap().permissions;
        roles::set_permissions(db, REPORTER, before.union(more))
    });
}

/// Makes a custom field of one line that everybody sees, but for what `change` does to it; its number.
fn custom_field(world: &World, of: Customized, name: &str, change: impl FnOnce(&mut CustomField)) -> i64 {
    let mut field = CustomField::plain(of, name, Format::Line);
    change(&mut field);
    world.write(move |db| custom_fields::insert(db, &field, "string")).0
}

/// The state of a project by its code; archived ones are looked up where nobody can hide.
fn status(world: &World, id: i64) -> i64 {
    world.app.store.catalogue().unwrap().projects[&id.into()].status.code()
}

/// How many results a search has for somebody.
fn found(world: &World, login: &str, word: &str) -> i64 {
    world.as_user(login).get(&format!("/search.json?q={word}")).expect(200).json()["total_count"].as_i64().unwrap()
}

/// What is removed and not yet gone is hidden; there is nothing of it here.
fn nothing_is_hidden(world: &World) {
    let hidden = world.app.store.read(projects::removal::hidden).unwrap();
    assert!(hidden.is_empty(), "{hidden:?}");
}

/// Shares a version with other projects.
#[allow(clippy::disallowed_methods, reason = "a test changes the file as another process may")]
fn share(world: &World, version: quarry::domain::ids::VersionId, sharing: &str) {
    let connection = rusqlite::Connection::open(world.app.store.path()).unwrap();
    let sql = format!(
        "UPDATE versions SET sharing = '{sharing}' WHERE id = {version}; UPDATE counters SET value = value + 1 WHERE name = 'catalogue';"
    );
    connection.execute_batch(&sql).unwrap();
}
