//! `GET /users/current`

use crate::world::World;

#[test]
fn one_sees_oneself_with_the_key() {
    let world = World::new();
    let answer = world.as_user("alice").get("/users/current.json").expect(200);
    let user = &answer.json()["user"];
    let names: Vec<&String> = user.as_object().unwrap().keys().collect();
    let wanted = [
        "id",
        "login",
        "admin",
        "firstname",
        "lastname",
        "created_on",
        "updated_on",
        "last_login_on",
        "passwd_changed_on",
        "twofa_scheme",
        "api_key",
    ];
    assert_eq!(names, wanted);
    assert_eq!(user["api_key"], world.key("alice"));
    let xml = world.as_user("alice").get("/users/current.xml").expect(200).body;
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?><user><id>2</id><login>alice</login><admin>false</admin>"), "{xml}");
}

#[test]
fn administrators_see_more() {
    let world = World::new();
    let user = world.as_user("admin").get("/users/current.json").expect(200).json()["user"].clone();
    assert_eq!((user["mail"].as_str(), user["status"].as_i64()), (Some(""), Some(1)));
}
