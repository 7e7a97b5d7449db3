//! `/settings`, `/settings/:name` (compatibility 14)

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn setting_by_name(list: &[Value], name: &str) -> Value {
    list.iter()
        .find(|setting| setting["name"] == name)
        .unwrap()
        .clone()
}

#[test]
fn settings_are_listed_with_typed_values() {
    let world = World::new();
    let list = world
        .as_user("admin")
        .get("/settings.json")
        .assert_status(200)
        .array("/settings");
    assert_eq!(list.len(), Setting::all().count());
    assert_eq!(
        setting_by_name(&list, "rest_api_enabled"),
        json!({"name": "rest_api_enabled", "value": true, "default_value": false})
    );
    assert_eq!(
        setting_by_name(&list, "autologin"),
        json!({"name": "autologin", "value": 30, "default_value": 30})
    );
    assert_eq!(
        setting_by_name(&list, "non_working_week_days")["value"],
        json!(["6", "7"])
    );
    assert_eq!(
        setting_by_name(&list, "timelog_required_fields")["value"],
        json!([])
    );
    assert_eq!(
        setting_by_name(&list, "host_name"),
        json!({"name": "host_name", "value": "quarry.test", "default_value": ""})
    );
    assert_eq!(setting_by_name(&list, "twofa")["value"], "1");
    let one = world
        .as_user("admin")
        .get("/settings/autologin.json")
        .assert_status(200)
        .json_path("/setting");
    assert_eq!(one, setting_by_name(&list, "autologin"));
    let xml = world
        .as_user("admin")
        .get("/settings/non_working_week_days.xml")
        .assert_status(200)
        .body;
    let days = "<setting><name>non_working_week_days</name><value type=\"array\"><item>6</item><item>7</item></value>";
    assert!(xml.contains(days), "{xml}");
    assert!(
        world
            .as_user("admin")
            .get("/settings.xml")
            .assert_status(200)
            .body
            .contains("<settings type=\"array\"><setting><name>")
    );
}

fn update(world: &World, name: &str, value: Value) -> Response {
    world
        .as_user("admin")
        .put(
            &format!("/settings/{name}.json"),
            json!({"setting": {"value": value}}),
        )
        .assert_status(200)
}

#[test]
fn setting_takes_effect_at_the_next_request() {
    let world = World::with_projects();
    world
        .anonymous()
        .get("/projects/open.json")
        .assert_status(401);
    update(&world, "login_required", json!(false)).assert_json_path("/setting/value", false);
    world
        .anonymous()
        .get("/projects/open.json")
        .assert_status(200);
    update(&world, "login_required", Value::Null).assert_json_path("/setting/value", true);
    world
        .anonymous()
        .get("/projects/open.json")
        .assert_status(401);
    update(&world, "non_working_week_days", json!([5, "6"]))
        .assert_json_path("/setting/value", json!(["5", "6"]));
    update(&world, "non_working_week_days", json!("1,2"))
        .assert_json_path("/setting/value", json!(["1", "2"]));
    update(&world, "non_working_week_days", json!([]))
        .assert_json_path("/setting/value", json!([]));
    update(&world, "app_title", json!(" Forge ")).assert_json_path("/setting/value", "Forge");
    let body = b"<setting><value>7</value></setting>".to_vec();
    let xml = world
        .as_user("admin")
        .send(
            Method::PUT,
            "/settings/autologin.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    assert!(xml.ends_with("<setting><name>autologin</name><value>7</value><default_value>30</default_value></setting>"), "{xml}");
    let nothing = world
        .as_user("admin")
        .put("/settings/autologin.json", "{}")
        .assert_status(200);
    nothing.assert_json_path("/setting/value", 7);
}

fn put_all(world: &World, settings: Value) -> Response {
    world
        .as_user("admin")
        .put("/settings.json", json!({ "settings": settings }))
}

#[test]
fn several_settings_are_set_all_or_none() {
    let world = World::new();
    let list = put_all(
        &world,
        json!({"app_title": "Forge", "autologin": 0, "timelog_required_fields": ["comments"]}),
    )
    .assert_status(200);
    assert_eq!(list.array("/settings").len(), Setting::all().count());
    assert_eq!(world.setting(Setting::AppTitle), "Forge");
    assert_eq!(world.setting(Setting::TimelogRequiredFields), "comments");
    put_all(&world, json!({"app_title": "Other", "autologin": 999}))
        .assert_status(422)
        .assert_errors(&["autologin must be a whole number from 0 to 365"]);
    put_all(
        &world,
        json!({"app_title": "Other", "ap_title": "x", "secret_key_base": "y"}),
    )
    .assert_status(422)
    .assert_errors(&[
        "Unknown setting ap_title; did you mean app_title?",
        "Unknown setting secret_key_base",
    ]);
    assert_eq!(
        world.setting(Setting::AppTitle),
        "Forge",
        "nothing is half done"
    );
    let body = b"<settings><app_title>Anvil</app_title><autologin type=\"integer\">5</autologin></settings>".to_vec();
    world
        .as_user("admin")
        .send(Method::PUT, "/settings.xml", Some("application/xml"), body)
        .assert_status(200);
    assert_eq!(
        (
            world.setting(Setting::AppTitle),
            world.setting(Setting::Autologin)
        ),
        ("Anvil".to_owned(), "5".to_owned())
    );
    world
        .as_user("admin")
        .put("/settings.json", "{}")
        .assert_status(200);
}

#[test]
fn invalid_values_are_refused_by_name() {
    let world = World::new();
    let cases = [
        (
            "login_required",
            json!("perhaps"),
            "login_required must be 1 or 0",
        ),
        (
            "app_title",
            json!(["a"]),
            "app_title is invalid (one value is expected, not a list)",
        ),
        (
            "app_title",
            json!("a\nb"),
            "app_title must be one line of at most 255 characters",
        ),
        (
            "protocol",
            json!({}),
            "protocol is invalid (one value is expected, not an object)",
        ),
        (
            "protocol",
            json!("ftp"),
            "protocol must be one of http, https",
        ),
        (
            "host_name",
            json!("a b"),
            "host_name must be a host name with an optional port and path, such as example.net:8080/quarry",
        ),
        (
            "non_working_week_days",
            json!([8]),
            "non_working_week_days has an unknown item: 8",
        ),
        (
            "non_working_week_days",
            json!([[1]]),
            "non_working_week_days is invalid (a list of words is expected)",
        ),
        (
            "new_project_user_role_id",
            json!(1),
            "new_project_user_role_id has an unknown item: 1",
        ),
    ];
    for (name, value, sentence) in cases {
        let put = world.as_user("admin").put(
            &format!("/settings/{name}.json"),
            json!({"setting": {"value": value}}),
        );
        put.assert_status(422).assert_errors(&[sentence]);
    }
    world
        .as_user("admin")
        .put("/settings/app_title.json", "{")
        .assert_status(400);
    world
        .as_user("admin")
        .put("/settings/app_title.json", r#"{"setting":1}"#)
        .assert_status(400);
    world
        .as_user("admin")
        .put("/settings.xml", r#"{"settings":[1]}"#)
        .assert_status(400);
}

fn assert_refused(client: Client<'_>, status: u16) {
    client.get("/settings.json").assert_status(status);
    client.get("/settings/app_title.xml").assert_status(status);
    client.get("/settings/nothing.json").assert_status(status);
    client
        .put("/settings.json", json!({"settings": {"nothing": 1}}))
        .assert_status(status);
    client
        .put(
            "/settings/app_title.json",
            json!({"setting": {"value": []}}),
        )
        .assert_status(status);
}

#[test]
fn only_administrators_read_and_write_settings() {
    let world = World::new();
    assert_refused(world.as_user("alice"), 403);
    assert_refused(world.anonymous(), 401);
    for path in ["/settings/nothing.json", "/settings/secret_key_base.json"] {
        world.as_user("admin").get(path).assert_status(404);
        world.as_user("admin").put(path, "{}").assert_status(404);
    }
}
