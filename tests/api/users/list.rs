//! `GET /users` (compatibility 11.1)

use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::store::administration::custom_fields;
use quarry_world::{Response, World};
use serde_json::json;

fn logins(world: &World, query: &str) -> Vec<String> {
    let users = world
        .as_user("admin")
        .get(&format!("/users.json?{query}"))
        .assert_status(200)
        .array("/users");
    users
        .iter()
        .map(|user| user["login"].as_str().unwrap().to_owned())
        .collect()
}

fn update(world: &World, id: i64, fields: serde_json::Value) {
    world
        .as_user("admin")
        .put(&format!("/users/{id}.json"), json!({ "user": fields }))
        .assert_status(200);
}

#[test]
fn users_are_filtered_and_sorted() {
    let world = World::new();
    let field = world.write(|db| {
        custom_fields::insert(
            db,
            &CustomField::new(Customized::User, "Phone", Format::Line),
        )
    });
    update(
        &world,
        2,
        json!({"mail": "alice@example.net", "firstname": "Zoe"}),
    );
    update(
        &world,
        3,
        json!({"admin": true, "mail": "bob@example.org", "custom_fields": [{"id": field.0, "value": "123"}]}),
    );
    assert_eq!(logins(&world, "login=^al"), ["alice"]);
    assert_eq!(logins(&world, "login=bob"), ["bob"]);
    assert_eq!(logins(&world, "firstname=~zo"), ["alice"]);
    assert_eq!(logins(&world, "lastname=!~test"), [""; 0]);
    assert_eq!(logins(&world, "mail=~example.org"), ["bob"]);
    assert_eq!(logins(&world, "admin=1"), ["admin", "bob"]);
    assert_eq!(logins(&world, "created_on=%3E%3D2030-01-01"), [""; 0]);
    assert_eq!(logins(&world, "last_login_on=!*&name=car"), ["carol"]);
    assert_eq!(logins(&world, "twofa_scheme=*"), [""; 0]);
    assert_eq!(logins(&world, &format!("cf_{field}=123")), ["bob"]);
    assert_eq!(
        logins(&world, "f[]=status&op[status]==&v[status][]=3"),
        ["erin"]
    );
    assert_eq!(
        logins(&world, "f[]=login&op[login]=~&v[login][]=er"),
        ["erin"],
        "the long form replaces the default status"
    );
    assert_eq!(
        logins(&world, "status=*&sort=status:desc,login:desc&limit=2"),
        ["erin", "dave"]
    );
    assert_eq!(
        logins(&world, "sort=firstname:desc,login&limit=1"),
        ["alice"]
    );
    assert_eq!(logins(&world, "offset=50"), [""; 0]);
    let xml = world
        .as_user("admin")
        .get("/users.xml?login=bob")
        .assert_status(200)
        .body;
    assert!(
        xml.contains(
            "<users total_count=\"1\" offset=\"0\" limit=\"25\" type=\"array\"><user><id>3</id>"
        ),
        "{xml}"
    );
    assert!(xml.contains("<status>1</status>"), "{xml}");
}

fn get(world: &World, query: &str) -> Response {
    world.as_user("admin").get(&format!("/users.json?{query}"))
}

#[test]
fn unknown_and_invalid_filters_are_named() {
    let world = World::new();
    let response = get(&world, "logn=x").assert_status(200);
    assert!(response.header("warning").contains("logn"), "{response:?}");
    get(&world, "logn=x&strict=1")
        .assert_status(422)
        .assert_errors(&["Unknown parameter logn; did you mean login?"]);
    get(&world, "created_on=last_week")
        .assert_status(422)
        .assert_errors(&["Created is invalid"]);
    get(&world, "status=77")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
}
