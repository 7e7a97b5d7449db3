mod create;
mod custom;
mod delete;
mod filters;
mod list;
mod parent;
mod show;
mod state;
mod update;

use quarry::domain::access::permission::{Permission, PermissionSet};
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::store::administration::{custom_fields, roles};
use quarry::store::projects;
use quarry_world::{MANAGER, REPORTER, World};
use serde_json::{Value, json};

/// A world with an open and a private project; alice manages both, carol is a reporter in the open
/// one.
fn world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("carol", REPORTER)
        .create();
    world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .create();
    world
}

/// Creates a project as administrator and returns its id.
fn make(world: &World, identifier: &str, more: Value) -> i64 {
    let mut project = json!({"name": identifier, "identifier": identifier});
    project
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let body = json!({"project": project});
    world
        .as_user("admin")
        .post("/projects.json", &body)
        .assert_status(201)
        .integer("/project/id")
}

/// Grants more permissions to reporters.
fn permit(world: &World, more: &[Permission]) {
    let more: PermissionSet = more.iter().copied().collect();
    world.write(move |db| {
        let before = db.catalogue().role(REPORTER).unwrap().permissions;
        roles::set_permissions(db, REPORTER, before.union(more))
    });
}

/// Creates a visible single-line custom field, edited by `change`, and returns its id.
fn custom_field(
    world: &World,
    of: Customized,
    name: &str,
    change: impl FnOnce(&mut CustomField),
) -> i64 {
    let mut field = CustomField::new(of, name, Format::Line);
    change(&mut field);
    world.write(move |db| custom_fields::insert(db, &field)).0
}

/// Returns the status code of a project, archived or not.
fn status(world: &World, id: i64) -> i64 {
    world.app.store.catalogue().unwrap().projects[&id.into()]
        .status
        .code()
}

/// Asserts that no deleted project waits for removal.
fn nothing_is_hidden(world: &World) {
    let hidden = world.app.store.read(projects::deletion::hidden).unwrap();
    assert!(hidden.is_empty(), "{hidden:?}");
}

/// Sets the sharing of a version.
fn share(world: &World, version: quarry::domain::ids::VersionId, sharing: &str) {
    world.sql(&format!(
        "UPDATE versions SET sharing = '{sharing}' WHERE id = {version}"
    ));
}
