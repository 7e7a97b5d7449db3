//! `/projects/:id/issue_categories`, `/issue_categories/:id` (contract 4.8)

use crate::world::{Answer, DEVELOPER, MANAGER, REPORTER, World};
use axum::http::Method;

/// An open project and a private one; alice manages both, bob and carol are members of the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

fn add(world: &World, login: &str, project: &str, fields: &str) -> Answer {
    let path = format!("/projects/{project}/issue_categories.json");
    world.as_user(login).post(&path, &format!("{{\"issue_category\":{{{fields}}}}}"))
}

#[test]
fn a_category_is_made_listed_changed_and_removed() {
    let world = world();
    let answer = add(&world, "alice", "open", "\"name\":\"Hull\",\"assigned_to_id\":3").expect(201);
    assert_eq!(answer.location, "/issue_categories/1");
    let hull = r#"{"id":1,"project":{"id":1,"name":"open"},"name":"Hull","assigned_to":{"id":3,"name":"bob Tester"}}"#;
    assert_eq!(answer.body, format!("{{\"issue_category\":{hull}}}"));
    let _ = add(&world, "alice", "open", "\"name\":\"Engine\",\"assigned_to_id\":5").expect(201);
    let list = world.as_user("alice").get("/projects/1/issue_categories.json").expect(200).body;
    let engine = r#"{"id":2,"project":{"id":1,"name":"open"},"name":"Engine"}"#;
    assert_eq!(list, format!("{{\"issue_categories\":[{engine},{hull}],\"total_count\":2}}"), "dave is a member of nothing");
    let xml = world.as_user("alice").get("/projects/open/issue_categories.xml").expect(200).body;
    assert!(xml.contains("<issue_categories total_count=\"2\" type=\"array\"><issue_category><id>2</id>"), "{xml}");
    let body = b"<issue_category><name>Bow</name><assigned_to_id></assigned_to_id></issue_category>".to_vec();
    let changed = world.as_user("alice").send(Method::PUT, "/issue_categories/1.xml", Some("application/xml"), body).expect(200).body;
    let bow = "<issue_category><id>1</id><project id=\"1\" name=\"open\"/><name>Bow</name></issue_category>";
    assert!(changed.ends_with(bow), "{changed}");
    assert_eq!(world.as_user("alice").get("/issue_categories/1.xml").expect(200).body, changed);
    assert_eq!(world.as_user("alice").delete("/issue_categories/1.json").expect(204).body, "");
    let _ = world.as_user("alice").delete("/issue_categories/1.json").expect(404);
}

#[test]
fn issues_go_to_another_category_of_the_project_or_have_none() {
    let world = world();
    for (project, name) in [("open", "One"), ("open", "Two"), ("open", "Three"), ("secret", "Far")] {
        let _ = add(&world, "alice", project, &format!("\"name\":\"{name}\"")).expect(201);
    }
    let id = world.issue("open", ",\"category_id\":1");
    let category = || world.as_user("alice").get(&format!("/issues/{id}.json")).expect(200).json()["issue"]["category"]["id"].clone();
    assert_eq!(category(), 1);
    let _ = world.as_user("alice").delete("/issue_categories/1.json?reassign_to_id=2").expect(204);
    assert_eq!(category(), 2);
    let _ = world.as_user("alice").delete("/issue_categories/2.json?reassign_to_id=4").expect(204);
    assert!(category().is_null(), "a category of another project is no heir");
}

#[test]
fn what_is_wrong_is_said() {
    let world = world();
    let long = "x".repeat(61);
    let _ = add(&world, "alice", "open", "\"name\":\"Hull\"").expect(201);
    let _ = add(&world, "alice", "secret", "\"name\":\"Hull\"").expect(201);
    let too_long = format!("\"name\":\"{long}\"");
    let cases = [
        ("", "Name cannot be blank"),
        ("\"name\":\" \"", "Name cannot be blank"),
        ("\"name\":\"Hull\"", "Name has already been taken"),
        (&too_long, "Name is too long (maximum is 60 characters)"),
        ("\"name\":{}", "Name is invalid (one value is expected, not an object)"),
    ];
    for (fields, sentence) in cases {
        assert_eq!(add(&world, "alice", "open", fields).expect(422).errors(), [sentence]);
    }
    let _ = add(&world, "alice", "open", "\"name\":\"Bow\"").expect(201);
    let put = |body: &str| world.as_user("alice").put("/issue_categories/3.json", body);
    assert_eq!(put(r#"{"issue_category":{"name":"Hull"}}"#).expect(422).errors(), ["Name has already been taken"]);
    assert_eq!(put("{}").expect(200).json()["issue_category"]["name"], "Bow");
    assert_eq!(put(r#"{"issue_category":{"project_id":2}}"#).expect(200).json()["issue_category"]["project"]["id"], 1);
    let _ = put("{").expect(400);
    let _ = put("{\"issue_category\":1}").expect(400);
}

#[test]
fn rights_decide() {
    let world = world();
    for project in ["open", "secret"] {
        let _ = add(&world, "alice", project, "\"name\":\"Hull\"").expect(201);
    }
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'manage_categories'");
    for login in ["bob", "carol", "dave"] {
        for path in ["/projects/open/issue_categories.json", "/projects/secret/issue_categories.xml", "/issue_categories/1.json"] {
            let _ = world.as_user(login).get(path).expect(403);
        }
        let _ = add(&world, login, "open", "\"name\":\"Mine\"").expect(403);
        let _ = world.as_user(login).put("/issue_categories/2.json", "{}").expect(403);
        let _ = world.as_user(login).delete("/issue_categories/2.json").expect(403);
    }
    let _ = world.anonymous().get("/projects/open/issue_categories.json").expect(401);
    let _ = world.anonymous().delete("/issue_categories/1.json").expect(401);
    for path in ["/projects/none/issue_categories.json", "/issue_categories/9.json", "/issue_categories/x.json"] {
        let _ = world.as_user("alice").get(path).expect(404);
    }
}
