//! `POST /groups`, `PUT /groups/:id`, `DELETE /groups/:id`

use super::{create, users_of};
use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::store::administration::custom_fields;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn update(world: &World, body: &str) -> Response {
    world.as_user("admin").put("/groups/7.json", body)
}

#[test]
fn group_is_created_updated_and_deleted() {
    let world = World::new();
    let created =
        create(&world, json!({"name": " Quality ", "user_ids": [3, 4, 3]})).assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/groups/7");
    assert_eq!(created.body, r#"{"group":{"id":7,"name":"Quality"}}"#);
    assert_eq!(users_of(&world, 7), [3, 4]);
    let body = b"<group><name>Tests</name><user_ids type=\"array\"><user_id>5</user_id></user_ids></group>".to_vec();
    let xml = world
        .as_user("admin")
        .send(Method::PUT, "/groups/7.xml", Some("application/xml"), body)
        .assert_status(200)
        .body;
    assert!(
        xml.ends_with("<group><id>7</id><name>Tests</name></group>"),
        "{xml}"
    );
    assert_eq!(users_of(&world, 7), [5]);
    update(&world, "{}")
        .assert_status(200)
        .assert_json_path("/group/name", "Tests");
    update(&world, r#"{"group":{"user_ids":[]}}"#).assert_status(200);
    assert_eq!(users_of(&world, 7), [0; 0]);
    assert_eq!(
        world
            .as_user("admin")
            .delete("/groups/7.json")
            .assert_status(200)
            .body,
        ""
    );
    world
        .as_user("admin")
        .delete("/groups/7.json")
        .assert_status(404);
    world
        .as_user("admin")
        .get("/groups/7.json")
        .assert_status(404);
    update(&world, "{}").assert_status(404);
}

fn put_users(world: &World, users: &str) -> Response {
    let body = format!("{{\"group\":{{\"user_ids\":{users}}}}}");
    world
        .as_user("admin")
        .put("/groups/7.json", body)
        .assert_status(200)
}

#[test]
fn users_gain_and_lose_the_memberships_of_the_group_at_once() {
    let world = World::with_projects();
    let issue = world.issue("secret").subject("quokka").create();
    create(&world, json!({"name": "Quality"})).assert_status(201);
    let membership = json!({"membership": {"user_id": 7, "role_ids": [4]}});
    world
        .as_user("alice")
        .post("/projects/secret/memberships.json", membership)
        .assert_status(201);
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        0
    );
    put_users(&world, "[5]");
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        1
    );
    world
        .as_user("dave")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200);
    put_users(&world, "[]");
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        0
    );
    put_users(&world, "[5]");
    world.set(Setting::IssueGroupAssignment, "1");
    let assigned = json!({"issue": {"assigned_to_id": 7}});
    world
        .as_user("alice")
        .put(&format!("/issues/{issue}.json"), assigned)
        .assert_status(200)
        .assert_json_path("/issue/assigned_to/id", 7);
    world
        .as_user("admin")
        .delete("/groups/7.json")
        .assert_status(200);
    assert_eq!(
        world.as_user("dave").total_count("/search.json?q=quokka"),
        0
    );
    let shown = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert!(shown.get("assigned_to").is_none(), "{shown}");
    let unassigned = world
        .as_user("alice")
        .get("/search.json?q=quokka+assignee:none")
        .assert_status(200);
    assert_eq!(unassigned.integer("/total_count"), 1);
    let members = world
        .as_user("alice")
        .get("/projects/secret/memberships.json")
        .assert_status(200);
    assert_eq!(members.integer("/total_count"), 1);
}

fn quality_fields(value: &str) -> Value {
    json!({"name": "Quality", "custom_fields": [{"id": 1, "value": value}]})
}

#[test]
fn custom_fields_of_groups_are_shown_and_checked() {
    let world = World::new();
    let field = CustomField {
        required: true,
        ..CustomField::new(Customized::Group, "Floor", Format::Integer)
    };
    world.write(move |db| custom_fields::insert(db, &field));
    create(&world, json!({"name": "Quality"}))
        .assert_status(422)
        .assert_errors(&["Floor cannot be blank"]);
    create(&world, quality_fields("x"))
        .assert_status(422)
        .assert_errors(&["Floor is not a number"]);
    let shown = create(&world, quality_fields("3"))
        .assert_status(201)
        .json_path("/group/custom_fields");
    assert_eq!(shown, json!([{"id": 1, "name": "Floor", "value": "3"}]));
    let listed = world
        .as_user("admin")
        .get("/groups.xml")
        .assert_status(200)
        .body;
    assert!(
        listed.contains("<custom_field id=\"1\" name=\"Floor\"><value>3</value></custom_field>"),
        "{listed}"
    );
    let body = json!({"group": {"custom_field_values": {"1": "4"}}});
    world
        .as_user("admin")
        .put("/groups/7.json", body)
        .assert_status(200)
        .assert_json_path("/group/custom_fields/0/value", "4");
    world.sql("UPDATE custom_fields SET visible = 0");
    assert!(
        world
            .as_user("alice")
            .get("/groups/7.json")
            .assert_status(200)
            .json_path("/group")
            .get("custom_fields")
            .is_none()
    );
}

#[test]
fn invalid_groups_are_refused() {
    let world = World::new();
    create(&world, json!({"name": "Quality", "user_ids": [3]})).assert_status(201);
    let cases = [
        (json!({}), vec!["Name cannot be blank"]),
        (json!({"name": " "}), vec!["Name cannot be blank"]),
        (
            json!({"name": "QUALITY"}),
            vec!["Name has already been taken"],
        ),
        (
            json!({"name": "x".repeat(256)}),
            vec!["Name is too long (maximum is 255 characters)"],
        ),
        (
            json!({"name": "A", "user_ids": [3, 99]}),
            vec!["Users is invalid"],
        ),
        (
            json!({"name": "A", "user_ids": {}}),
            vec!["Users is invalid (a list of at most 1000 values is expected)"],
        ),
        (
            json!({"name": []}),
            vec!["Name is invalid (one value is expected, not a list)"],
        ),
    ];
    for (fields, errors) in cases {
        create(&world, fields)
            .assert_status(422)
            .assert_errors(&errors);
    }
    update(&world, r#"{"group":{"name":""}}"#)
        .assert_status(422)
        .assert_errors(&["Name cannot be blank"]);
    update(&world, r#"{"group":{"name":"Other","user_ids":[99]}}"#)
        .assert_status(422)
        .assert_errors(&["Users is invalid"]);
    update(&world, r#"{"group":1}"#).assert_status(400);
    update(&world, "{").assert_status(400);
    let shown = world
        .as_user("admin")
        .get("/groups/7.json")
        .assert_status(200);
    assert_eq!(
        (shown.json_path("/group/name"), users_of(&world, 7)),
        (json!("Quality"), vec![3]),
        "nothing is half done"
    );
}

#[test]
fn builtin_groups_cannot_be_changed() {
    let world = World::new();
    world.sql(
        "INSERT INTO users (id, type, created_on, updated_on) VALUES (20, 'GroupNonMember', 0, 0)",
    );
    let refused = ["Builtin groups cannot be changed or deleted"];
    world
        .as_user("admin")
        .put("/groups/20.json", json!({"group": {"name": "x"}}))
        .assert_status(422)
        .assert_errors(&refused);
    world
        .as_user("admin")
        .delete("/groups/20.json")
        .assert_status(422)
        .assert_errors(&refused);
    world
        .as_user("admin")
        .post("/groups/20/users.json", json!({"user_id": 3}))
        .assert_status(422)
        .assert_errors(&refused);
}

fn assert_refused(client: quarry_world::Client<'_>, status: u16) {
    client
        .post("/groups.json", json!({"group": {"name": "x"}}))
        .assert_status(status);
    client
        .put("/groups/7.json", json!({"group": {"name": "x"}}))
        .assert_status(status);
    client.delete("/groups/7.json").assert_status(status);
    client.delete("/groups/99.json").assert_status(status);
    client
        .post("/groups/7/users.json", json!({"user_id": 4}))
        .assert_status(status);
    client.delete("/groups/7/users/3.xml").assert_status(status);
    client
        .delete("/groups/7/users.json?user_ids[]=3")
        .assert_status(status);
}

#[test]
fn only_administrators_manage_groups() {
    let world = World::with_projects();
    create(&world, json!({"name": "Quality", "user_ids": [3]})).assert_status(201);
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    world.set(Setting::LoginRequired, "0");
    assert_refused(world.anonymous(), 401);
    assert_eq!(users_of(&world, 7), [3]);
}
