//! Custom fields of a project, and those that its issues have (compatibility 8)

use super::update::update;
use super::{custom_field, permit, world};
use quarry::domain::access::permission::Permission;
use quarry::domain::administration::custom_field::Customized;
use quarry_world::{MANAGER, Response, World};
use serde_json::{Value, json};

fn issue_custom_fields(world: &World, login: &str) -> Value {
    world
        .as_user(login)
        .get("/projects/open.json?include=issue_custom_fields")
        .assert_status(200)
        .json_path("/project/issue_custom_fields")
}

fn put_custom_field(world: &World, id: i64) -> Response {
    world.as_user("carol").put(
        "/projects/open.json",
        json!({"project": {"issue_custom_field_ids": [id]}}),
    )
}

#[test]
fn issue_custom_fields_can_be_chosen() {
    let world = world();
    let severity = custom_field(&world, Customized::Issue, "Severity", |field| {
        field.is_for_all = false
    });
    let secret = custom_field(&world, Customized::Issue, "Secret", |field| {
        (field.is_for_all, field.visible) = (false, false)
    });
    permit(&world, &[Permission::EditProject]);
    update(
        &world,
        "admin",
        "open",
        json!({"issue_custom_field_ids": [severity, secret]}),
    );
    assert_eq!(
        issue_custom_fields(&world, "admin"),
        json!([{"id": severity, "name": "Severity"}, {"id": secret, "name": "Secret"}])
    );
    assert_eq!(
        issue_custom_fields(&world, "carol"),
        json!([{"id": severity, "name": "Severity"}])
    );
    update(
        &world,
        "carol",
        "open",
        json!({"issue_custom_field_ids": []}),
    );
    assert_eq!(
        issue_custom_fields(&world, "admin"),
        json!([{"id": secret, "name": "Secret"}]),
        "what she cannot see stays"
    );
    assert_eq!(
        put_custom_field(&world, secret).assert_status(404).body,
        put_custom_field(&world, 99).assert_status(404).body
    );
}

fn post_with_values(world: &World, login: &str, identifier: &str, values: Value) -> Response {
    let body = json!({"project": {"name": "x", "identifier": identifier, "custom_fields": values}});
    world.as_user(login).post("/projects.json", &body)
}

#[test]
fn custom_fields_are_validated() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost center", |field| {
        (field.required, field.max_length) = (true, Some(4))
    });
    let hidden = custom_field(&world, Customized::Project, "Hidden", |field| {
        (field.visible, field.default) = (false, Some("z".to_owned()))
    });
    post_with_values(&world, "admin", "a", json!([]))
        .assert_status(422)
        .assert_errors(&["Cost center cannot be blank"]);
    let long = json!([{"id": cost, "value": "12345"}]);
    post_with_values(&world, "admin", "a", long)
        .assert_status(422)
        .assert_errors(&["Cost center is too long (maximum is 4 characters)"]);
    let both = json!([{"id": cost, "value": "1"}, {"id": hidden, "value": "seen"}]);
    let fields = post_with_values(&world, "alice", "a", both)
        .assert_status(201)
        .json_path("/project/custom_fields");
    assert_eq!(
        fields,
        json!([{"id": cost, "name": "Cost center", "value": "1"}])
    );
    let fields = world
        .as_user("admin")
        .get("/projects/a.json")
        .assert_status(200)
        .json_path("/project/custom_fields");
    assert_eq!(
        fields[1],
        json!({"id": hidden, "name": "Hidden", "value": "z"})
    );
}

fn create_with_budget(world: &World, budget: i64, login: &str, name: &str) -> Response {
    let body = json!({"project": {"name": name, "identifier": name, "custom_fields": [{"id": budget, "value": "sapphire"}]}});
    world
        .as_user(login)
        .post("/projects.json", &body)
        .assert_status(201)
}

#[test]
fn values_of_fields_that_are_limited_to_roles_are_ignored() {
    let world = world();
    let budget = custom_field(&world, Customized::Project, "Budget", |field| {
        (field.visible, field.default) = (false, Some("none".to_owned()));
        field.roles = [MANAGER].into();
    });
    // Alice becomes the manager of the project, but is not when she sends the value.
    create_with_budget(&world, budget, "alice", "hers");
    let shown = world
        .as_user("alice")
        .get("/projects/hers.json")
        .assert_status(200)
        .json_path("/project/custom_fields");
    assert_eq!(
        shown,
        json!([{"id": budget, "name": "Budget", "value": "none"}])
    );
    assert_eq!(world.count_hits("admin", "sapphire"), 0, "nobody finds it");
    create_with_budget(&world, budget, "admin", "theirs");
    assert_eq!(
        (
            world.count_hits("admin", "sapphire"),
            world.count_hits("alice", "sapphire")
        ),
        (1, 0)
    );
    // A member with the role can set it afterwards.
    let body = json!({"project": {"custom_fields": [{"id": budget, "value": "sapphire"}]}});
    world
        .as_user("alice")
        .put("/projects/hers.json", &body)
        .assert_status(200);
    assert_eq!(world.count_hits("alice", "sapphire"), 1);
}
