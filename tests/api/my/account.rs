//! `PUT /my/account` (compatibility 11.1)

use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::store::accounts::users;
use quarry::store::administration::custom_fields;
use quarry_world::{Response, World, user};
use serde_json::json;

#[test]
fn user_changes_language_notifications_preferences_and_own_fields() {
    let world = World::new();
    let hidden = CustomField {
        visible: false,
        ..CustomField::new(Customized::User, "Salary", Format::Line)
    };
    let locked = CustomField {
        editable: false,
        ..CustomField::new(Customized::User, "Desk", Format::Line)
    };
    let open = CustomField::new(Customized::User, "Phone", Format::Line);
    let fields = [hidden, locked, open]
        .map(|field| world.write(move |db| custom_fields::insert(db, &field)));
    let values: Vec<_> = fields
        .iter()
        .map(|id| json!({"id": id.0, "value": "1"}))
        .collect();
    let fields = json!({"language": "fr", "mail_notification": "none", "mail": "a@example.net", "custom_fields": values, "status": 3,
                        "password": "otherother", "must_change_passwd": true, "group_ids": [1]});
    let pref = json!({"hide_mail": "0", "time_zone": "Europe/Paris", "comments_sorting": "desc"});
    let shown = world
        .as_user("alice")
        .put("/my/account.json", json!({"user": fields, "pref": pref}))
        .assert_status(200)
        .json_path("/user");
    let names: Vec<_> = shown["custom_fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (&field["name"], &field["value"]))
        .collect();
    assert_eq!(
        names,
        [
            (&json!("Desk"), &json!(null)),
            (&json!("Phone"), &json!("1"))
        ]
    );
    let catalogue = world.app.store.catalogue().unwrap();
    let alice = &catalogue.users[&user("alice")];
    assert_eq!(
        (
            alice.language.as_str(),
            alice.mail_notification.as_str(),
            alice.time_zone.as_str()
        ),
        ("fr", "none", "Europe/Paris")
    );
    assert!(!alice.hides_mail && !alice.must_change_password);
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get("/my/account.json")
        .assert_status(200);
    let preferences = world
        .app
        .store
        .read(|db| users::preferences(db, user("alice")))
        .unwrap();
    assert!(
        preferences.newest_first && preferences.watches_contributions,
        "what is not sent stays"
    );
    let body = b"<user><firstname>Ally</firstname></user>".to_vec();
    let xml = world
        .as_user("alice")
        .send(
            Method::PATCH,
            "/my/account.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    assert!(xml.contains("<firstname>Ally</firstname>"), "{xml}");
}

fn update(world: &World, body: &str) -> Response {
    world.as_user("alice").put("/my/account.json", body)
}

#[test]
fn invalid_changes_are_refused_and_change_nothing() {
    let world = World::new();
    let body = r#"{"user":{"firstname":"Zoe","language":"<","mail_notification":"no"},"pref":{"time_zone":"Nowhere"}}"#;
    let errors = [
        "Language is invalid",
        "Time zone is not included in the list",
        "Email notifications is not included in the list",
    ];
    update(&world, body)
        .assert_status(422)
        .assert_errors(&errors);
    update(&world, r#"{"pref":"x"}"#).assert_status(400);
    update(&world, r#"{"user":"x"}"#).assert_status(400);
    world
        .as_user("alice")
        .get("/my/account.json")
        .assert_status(200)
        .assert_json_path("/user/firstname", "alice");
    world
        .anonymous()
        .put("/my/account.json", json!({}))
        .assert_status(401);
}

fn put_account(world: &World, body: &str) -> Response {
    world.as_user("alice").put("/my/account.json", body)
}

#[test]
fn user_reads_and_updates_own_account() {
    let world = World::new();
    let changed = put_account(&world, r#"{"user":{"firstname":"Alicia","mail":"alicia@example.net","admin":true,"login":"root"}}"#).assert_status(200);
    let user = changed.json_path("/user");
    assert_eq!(user["firstname"], "Alicia");
    assert_eq!(user["unconfirmed_mail"], "alicia@example.net");
    assert_eq!(user["admin"], false);
    assert_eq!(user["login"], "alice");
    let errors = put_account(&world, r#"{"user":{"firstname":"","mail":"nowhere"}}"#)
        .assert_status(422)
        .errors();
    assert_eq!(errors, ["Email is invalid", "First name cannot be blank"]);
    world.sql("UPDATE users SET mail = 'carol@example.net' WHERE login = 'carol'");
    let taken = world
        .as_user("bob")
        .put(
            "/my/account.json",
            json!({"user": {"mail": "Carol@example.net"}}),
        )
        .assert_status(422)
        .errors();
    assert_eq!(taken, ["Email has already been taken"]);
    world.anonymous().get("/my/account.json").assert_status(401);
    assert!(
        world
            .as_user("alice")
            .get("/my/account.xml")
            .assert_status(200)
            .body
            .contains("<firstname>Alicia</firstname>")
    );
}
