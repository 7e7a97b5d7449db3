//! API requests that a session may not send, because pages ask for the password there
//! (compatibility 4).

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::{Response, World};
use serde_json::json;

const JSON: &str = "application/json";
const XML: &str = "application/xml";
const FORM: &str = "application/x-www-form-urlencoded";

/// The requests for which pages ask for the password, with the groups and addresses that decide
/// about passwords and codes.
const PROTECTED: [(&str, &str, &str, &str); 24] = [
    ("PUT", "/users/5.json", JSON, r#"{"user":{"admin":true}}"#),
    ("PATCH", "/users/5.json", JSON, r#"{"user":{"admin":true}}"#),
    (
        "PUT",
        "/users/5.json",
        JSON,
        r#"{"user":{"password":"another password"}}"#,
    ),
    (
        "PUT",
        "/users/5.json",
        JSON,
        r#"{"user":{"mail":"other@example.net"}}"#,
    ),
    (
        "PUT",
        "/users/5.xml",
        XML,
        "<user><admin>true</admin></user>",
    ),
    ("PUT", "/users/5.json", FORM, "user[admin]=1"),
    ("PUT", "/users/5.json?user[admin]=1", JSON, "{}"),
    (
        "PUT",
        "/users/current.json",
        JSON,
        r#"{"user":{"password":"another password"}}"#,
    ),
    (
        "PATCH",
        "/users/current.json",
        JSON,
        r#"{"user":{"mail":"other@example.net"}}"#,
    ),
    ("DELETE", "/users/5.json", JSON, ""),
    ("DELETE", "/users/current.json", JSON, ""),
    (
        "POST",
        "/users.json",
        JSON,
        r#"{"user":{"login":"eve","firstname":"E","lastname":"V","mail":"e@example.net","admin":true}}"#,
    ),
    (
        "PUT",
        "/my/account.json",
        JSON,
        r#"{"user":{"mail":"other@example.net"}}"#,
    ),
    (
        "PATCH",
        "/my/account.xml",
        XML,
        "<user><mail>other@example.net</mail></user>",
    ),
    (
        "PUT",
        "/settings.json",
        JSON,
        r#"{"settings":{"login_required":false}}"#,
    ),
    (
        "PATCH",
        "/settings.json",
        JSON,
        r#"{"settings":{"login_required":false}}"#,
    ),
    (
        "PUT",
        "/settings/login_required.json",
        JSON,
        r#"{"setting":{"value":false}}"#,
    ),
    (
        "PUT",
        "/settings/login_required.xml",
        XML,
        "<setting><value>0</value></setting>",
    ),
    (
        "POST",
        "/users/5/email_addresses.json",
        JSON,
        r#"{"email_address":{"address":"further@example.net"}}"#,
    ),
    (
        "PUT",
        "/users/5/email_addresses/1.json",
        JSON,
        r#"{"email_address":{"notify":false}}"#,
    ),
    ("DELETE", "/users/5/email_addresses/1.json", JSON, ""),
    (
        "POST",
        "/groups.json",
        JSON,
        r#"{"group":{"name":"Staff"}}"#,
    ),
    (
        "PUT",
        "/groups/9.json",
        JSON,
        r#"{"group":{"twofa_required":false}}"#,
    ),
    ("POST", "/groups/9/users.json", JSON, r#"{"user_id":5}"#),
];

fn assert_refused(response: &Response, request: (&str, &str)) {
    assert_eq!(response.status, 403, "{request:?}: {response:?}");
    assert!(
        response.body.contains("ask for the password"),
        "{request:?}: {response:?}"
    );
}

fn state(world: &World) -> [String; 4] {
    let admin = world.as_user("admin");
    let paths = [
        "/users.json?status=*",
        "/settings.json",
        "/groups.json",
        "/users/5/email_addresses.json",
    ];
    paths.map(|path| admin.get(path).assert_status(200).body)
}

#[test]
fn session_is_refused_where_pages_ask_for_the_password() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let token = csrf_token(&browser.get("/"));
    let before = state(&world);
    for (method, path, media_type, body) in PROTECTED {
        let method_value = Method::from_bytes(method.as_bytes()).unwrap();
        assert_refused(
            &browser.send_data(method_value, path, &token, (media_type, body)),
            (method, path),
        );
    }
    assert_eq!(state(&world), before);
}

#[test]
fn other_methods_and_headers_do_not_bypass_the_refusal() {
    let world = World::new();
    let browser = Browser::with(
        world
            .anonymous()
            .with("X-HTTP-Method-Override", "PUT")
            .with("X-Redmine-Switch-User", "alice"),
    );
    browser
        .log_in("admin", "adminadmin", &[])
        .assert_status(303);
    let token = csrf_token(&browser.get("/"));
    let change = r#"{"_method":"put","user":{"admin":true}}"#;
    for path in [
        "/users/5.json",
        "/users/5.json?_method=put",
        "/my/account.json?_method=put",
    ] {
        let response = browser.send_data(Method::POST, path, &token, (JSON, change));
        assert!(
            [404, 405].contains(&response.status),
            "{path}: {response:?}"
        );
    }
    for path in [
        "/users/5.json",
        "/users/5.json?key=",
        "/users/5.json?include=memberships",
        "/users/5",
    ] {
        assert_refused(
            &browser.send_data(Method::PUT, path, &token, (JSON, change)),
            ("PUT", path),
        );
    }
    assert!(!world.app.store.catalogue().unwrap().users[&quarry_world::user("dave")].admin);
    let current = browser.get_json("/users/current.json").assert_status(200);
    assert_eq!(
        current.json()["user"]["login"],
        "admin",
        "a session does not switch users"
    );
}

#[test]
fn session_sees_no_api_key() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    for path in [
        "/users/current.json",
        "/users/2.json?include=memberships,groups,auth_source",
        "/my/account.json",
        "/users.json",
    ] {
        let shown = browser.get_json(path).assert_status(200);
        let is_hidden = ["admin", "alice"]
            .iter()
            .all(|login| !shown.body.contains(world.key(login)));
        assert!(is_hidden, "{path}: {shown:?}");
    }
    world
        .as_user("alice")
        .get("/my/account.json")
        .assert_status(200)
        .assert_json_path("/user/api_key", world.key("alice"));
}

#[test]
fn session_sees_no_secret_setting() {
    let world = World::new();
    world.set(Setting::MailHandlerApiKey, "the-key-of-the-mail-server");
    let browser = Browser::logged_in(&world, "admin");
    let admin = world.as_user("admin");
    for path in ["/settings.json", "/settings/mail_handler_api_key.json"] {
        let shown = browser.get_json(path).assert_status(200);
        assert!(!shown.body.contains("the-key-of-the"), "{path}: {shown:?}");
        admin
            .get(path)
            .assert_contains("the-key-of-the-mail-server");
    }
}

#[test]
fn keys_and_passwords_work_even_with_a_session_cookie() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "admin");
    let session = format!(
        "quarry_session={}",
        browser.cookie("quarry_session").unwrap()
    );
    let clients = [
        world.as_user("admin"),
        world.anonymous().basic("admin", "adminadmin"),
    ];
    for client in clients.map(|client| client.with("Cookie", &session)) {
        client
            .put(
                "/my/account.json",
                json!({"user": {"mail": "new@example.net"}}),
            )
            .assert_status(200);
        client
            .put("/users/5.json", json!({"user": {"admin": false}}))
            .assert_status(200);
        let shown = client.get("/users/current.json").assert_status(200);
        assert_eq!(
            shown.json()["user"]["api_key"],
            world.key("admin"),
            "{shown:?}"
        );
    }
}
