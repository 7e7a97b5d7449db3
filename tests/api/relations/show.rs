//! `GET /issues/:id/relations`, `GET /relations/:id` (compatibility 6.8)

use super::relate;
use quarry_world::World;
use serde_json::json;

#[test]
fn list_is_sorted_by_type_in_json_and_xml() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..4).map(|_| world.issue("open").create()).collect();
    let blocks = json!({"issue_to_id": ids[3], "relation_type": "blocks"});
    relate(&world, "alice", ids[0], blocks).assert_status(201);
    relate(&world, "alice", ids[0], json!({"issue_to_id": ids[1]})).assert_status(201);
    relate(
        &world,
        "alice",
        ids[2],
        json!({"issue_to_id": ids[0], "relation_type": "duplicates"}),
    )
    .assert_status(201);
    let list = world
        .as_user("dave")
        .get("/issues/1/relations.json")
        .assert_status(200)
        .json();
    let types: Vec<_> = list["relations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|relation| relation["relation_type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["relates", "duplicates", "blocks"]);
    assert!(list.get("total_count").is_none());
    let xml = world
        .as_user("dave")
        .get("/issues/2/relations.xml")
        .assert_status(200)
        .body;
    let text = "<relations type=\"array\"><relation><id>2</id><issue_id>1</issue_id><issue_to_id>2</issue_to_id>\
                <relation_type>relates</relation_type><delay/></relation></relations>";
    assert!(xml.ends_with(text), "{xml}");
    let one = world
        .as_user("dave")
        .get("/relations/2.json")
        .assert_status(200)
        .body;
    assert_eq!(
        one,
        r#"{"relation":{"id":2,"issue_id":1,"issue_to_id":2,"relation_type":"relates","delay":null}}"#
    );
}

#[test]
fn relation_to_a_hidden_issue_is_hidden() {
    let world = World::with_projects();
    let one = world.issue("open").create();
    let private = world.issue("open").private().create();
    relate(&world, "alice", one, json!({"issue_to_id": private})).assert_status(201);
    for path in [
        "/issues/1/relations.json",
        "/issues/1.json?include=relations,journals",
        "/issues.json?include=relations",
    ] {
        let shown = world.as_user("alice").get(path).assert_status(200).body;
        assert!(shown.contains("\"relation"), "{shown}");
        let hidden = world.as_user("bob").get(path).assert_status(200).body;
        assert!(
            !hidden.contains("relates") && !hidden.contains("issue_to_id"),
            "{hidden}"
        );
    }
    world
        .as_user("bob")
        .get("/relations/1.json")
        .assert_status(403);
    world
        .as_user("bob")
        .delete("/relations/1.json")
        .assert_status(403);
    world
        .as_user("bob")
        .get("/relations/9.json")
        .assert_status(404);
    world
        .as_user("bob")
        .get("/issues/2/relations.json")
        .assert_status(403);
    world
        .as_user("bob")
        .get("/issues/9/relations.json")
        .assert_status(404);
    world
        .anonymous()
        .get("/relations/1.json")
        .assert_status(401);
    for path in [
        "/relations/x.json",
        "/relations/0.json",
        "/relations/99999999999999999999.json",
    ] {
        world.as_user("alice").get(path).assert_status(404);
    }
    world
        .as_user("alice")
        .put("/relations/1.json", json!({}))
        .assert_status(404);
}
