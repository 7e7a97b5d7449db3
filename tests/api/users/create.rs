//! `POST /users` (compatibility 11.1)

use axum::http::Method;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::users;
use quarry::store::administration::custom_fields;
use quarry_world::{Response, World, insert_group, user};
use serde_json::{Value, json};

#[test]
fn administrator_creates_a_user_who_can_log_in() {
    let world = World::new();
    let fields = json!({"login": "nina", "firstname": "Nina", "lastname": "New", "mail": "nina@example.net", "password": "ninanina"});
    let created = world
        .as_user("admin")
        .post(
            "/users.json",
            json!({"user": fields, "send_information": true}),
        )
        .assert_status(201);
    assert_eq!(created.location(), "http://quarry.test/users/7");
    let shown = created.json_path("/user");
    let names: Vec<&String> = shown.as_object().unwrap().keys().collect();
    let expected = [
        "id",
        "login",
        "admin",
        "firstname",
        "lastname",
        "mail",
        "created_on",
        "updated_on",
        "last_login_on",
        "passwd_changed_on",
        "twofa_scheme",
        "api_key",
        "status",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        (&shown["admin"], &shown["status"]),
        (&json!(false), &json!(1))
    );
    let nina = world.anonymous().basic("nina", "ninanina");
    nina.get("/users/current.json")
        .assert_status(200)
        .assert_json_path("/user/api_key", shown["api_key"].clone());
    // The mail address is hidden unless the user shows it.
    let seen = world
        .as_user("alice")
        .get("/users/7.json")
        .assert_status(200)
        .json_path("/user");
    assert!(seen.get("mail").is_none(), "{seen}");
}

#[test]
fn xml_body_sets_all_attributes() {
    let world = World::new();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[], now));
    let field = world.write(|db| {
        custom_fields::insert(
            db,
            &CustomField::new(Customized::User, "Phone", Format::Line),
        )
    });
    let body = format!(
        "<user><login>nina</login><firstname>Nina</firstname><lastname>New</lastname><mail>nina@example.net</mail>\
         <password>ninanina</password><admin>true</admin><status>3</status><language>de</language>\
         <mail_notification>none</mail_notification><must_change_passwd>1</must_change_passwd>\
         <group_ids type=\"array\"><group_id>{group}</group_id></group_ids>\
         <custom_fields type=\"array\"><custom_field id=\"{field}\"><value>123</value></custom_field></custom_fields></user>"
    );
    let xml = world
        .as_user("admin")
        .send(
            Method::POST,
            "/users.xml",
            Some("application/xml"),
            body.into_bytes(),
        )
        .assert_status(201)
        .body;
    assert!(
        xml.contains("<status>3</status><custom_fields type=\"array\"><custom_field id=\"1\" name=\"Phone\"><value>123</value>"),
        "{xml}"
    );
    let catalogue = world.app.store.catalogue().unwrap();
    let nina = catalogue.user_by_login("nina").unwrap();
    assert!(
        nina.admin
            && nina.must_change_password
            && nina.language == "de"
            && nina.mail_notification == "none"
    );
    assert_eq!(catalogue.groups[&group].users, [nina.id]);
}

fn post_preferences(world: &World, pref: serde_json::Value) -> Response {
    world
        .as_user("admin")
        .post("/users.json", json!({"user": {}, "pref": pref}))
}

#[test]
fn preferences_are_stored() {
    let world = World::new();
    let fields = json!({"login": "nina", "firstname": "N", "lastname": "N", "mail": "n@example.net", "password": "ninanina"});
    let pref = json!({"hide_mail": false, "time_zone": "Europe/Berlin", "comments_sorting": "desc", "auto_watch_on": []});
    let id = world
        .as_user("admin")
        .post("/users.json", json!({"user": fields, "pref": pref}))
        .assert_status(201)
        .integer("/user/id");
    world
        .as_user("alice")
        .get(&format!("/users/{id}.json"))
        .assert_status(200)
        .assert_json_path("/user/mail", "n@example.net");
    let preferences = world
        .app
        .store
        .read(|db| users::preferences(db, id.into()))
        .unwrap();
    assert!(preferences.newest_first && !preferences.watches_contributions);
    post_preferences(&world, json!({"comments_sorting": "up"}))
        .assert_status(422)
        .assert_errors(&["Display comments is not included in the list"]);
    post_preferences(&world, json!("x")).assert_status(400);
}

fn fields(login: &str) -> Value {
    let mail = format!("{login}@example.net");
    json!({"user": {"login": login, "firstname": "N", "lastname": "N", "mail": mail, "generate_password": true, "password": "x"}})
}

#[test]
fn generated_password_is_returned_once() {
    let world = World::new();
    let created = world
        .as_user("admin")
        .post("/users.json", fields("nina"))
        .assert_status(201)
        .json_path("/user");
    let password = created["generated_password"].as_str().unwrap();
    let nina = world.anonymous().basic("nina", password);
    let shown = nina
        .get("/users/current.json")
        .assert_status(200)
        .json_path("/user");
    assert!(shown.get("generated_password").is_none(), "{shown}");
    world.set(Setting::RedmineCompatibility, "1");
    let strict = world
        .as_user("admin")
        .post("/users.json", fields("olga"))
        .assert_status(201)
        .json_path("/user");
    assert!(strict.get("generated_password").is_none(), "{strict}");
}

fn post(world: &World, body: &str) -> Response {
    world.as_user("admin").post("/users.json", body)
}

#[test]
fn invalid_user_is_refused_with_all_reasons() {
    let world = World::new();
    let blank = [
        "Email cannot be blank",
        "Login cannot be blank",
        "First name cannot be blank",
        "Last name cannot be blank",
    ];
    post(&world, "{}").assert_status(422).assert_errors(&blank);
    post(&world, r#"{"user":{}}"#)
        .assert_status(422)
        .assert_errors(&blank);
    let errors = post(
        &world,
        r#"{"user":{"login":"ALICE","firstname":"F","lastname":"L","mail":"bad","password":"short","language":"<","mail_notification":"no"}}"#,
    )
    .assert_status(422)
    .errors();
    let expected = [
        "Email is invalid",
        "Login has already been taken",
        "Password is too short (minimum is 8 characters)",
        "Language is invalid",
        "Email notifications is not included in the list",
    ];
    assert_eq!(errors, expected);
    post(&world, r#"{"user":{"status":9}}"#)
        .assert_status(422)
        .assert_errors(&["Status is not included in the list"]);
    post(&world, r#"{"user":{"group_ids":[99]}}"#)
        .assert_status(422)
        .assert_errors(&["Groups is invalid"]);
    post(&world, r#"{"user":{"login":[1]}}"#)
        .assert_status(422)
        .assert_errors(&["Login is invalid (one value is expected, not a list)"]);
    post(&world, r#"{"user":"x"}"#).assert_status(400);
    post(&world, "{").assert_status(400);
    assert_eq!(
        world.app.store.catalogue().unwrap().users.len(),
        6,
        "nothing is created"
    );
}

#[test]
fn only_administrators_create_update_and_delete() {
    let world = World::new();
    let path = format!("/users/{}.json", user("bob").0);
    for login in ["alice", "dave"] {
        world
            .as_user(login)
            .post("/users.json", json!({"user": {"login": "zz"}}))
            .assert_status(403);
        for path in [path.as_str(), "/users/current.json", "/users/99.xml"] {
            world
                .as_user(login)
                .put(path, json!({"user": {"firstname": "D"}}))
                .assert_status(403);
            world.as_user(login).delete(path).assert_status(403);
        }
    }
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .post("/users.json", json!({"user": {}}))
        .assert_status(401);
    world
        .anonymous()
        .put(&path, json!({"user": {}}))
        .assert_status(401);
    world.anonymous().delete(&path).assert_status(401);
    world
        .anonymous()
        .delete("/users/current.json")
        .assert_status(401);
}
