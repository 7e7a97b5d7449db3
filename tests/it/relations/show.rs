//! `GET /issues/:id/relations`, `GET /relations/:id` (contract 4.8)

use super::{relate, world};

#[test]
fn a_list_is_ordered_by_type_and_says_the_same_in_both_formats() {
    let world = world();
    let ids: Vec<i64> = (0..4).map(|_| world.issue("open", "")).collect();
    let blocks = format!("\"issue_to_id\":{},\"relation_type\":\"blocks\"", ids[3]);
    let _ = relate(&world, "alice", ids[0], &blocks).expect(201);
    let _ = relate(&world, "alice", ids[0], &format!("\"issue_to_id\":{}", ids[1])).expect(201);
    let _ = relate(&world, "alice", ids[2], &format!("\"issue_to_id\":{},\"relation_type\":\"duplicates\"", ids[0])).expect(201);
    let list = world.as_user("dave").get("/issues/1/relations.json").expect(200).json();
    let types: Vec<_> = list["relations"].as_array().unwrap().iter().map(|relation| relation["relation_type"].as_str().unwrap()).collect();
    assert_eq!(types, ["relates", "duplicates", "blocks"]);
    assert!(list.get("total_count").is_none());
    let xml = world.as_user("dave").get("/issues/2/relations.xml").expect(200).body;
    let said = "<relations type=\"array\"><relation><id>2</id><issue_id>1</issue_id><issue_to_id>2</issue_to_id>\
                <relation_type>relates</relation_type><delay/></relation></relations>";
    assert!(xml.ends_with(said), "{xml}");
    let one = world.as_user("dave").get("/relations/2.json").expect(200).body;
    assert_eq!(one, r#"{"relation":{"id":2,"issue_id":1,"issue_to_id":2,"relation_type":"relates","delay":null}}"#);
}

#[test]
fn a_relation_to_a_hidden_issue_is_hidden() {
    let world = world();
    let (one, private) = (world.issue("open", ""), world.issue("open", ",\"is_private\":true"));
    let _ = relate(&world, "alice", one, &format!("\"issue_to_id\":{private}")).expect(201);
    let see = |login: &str, path: &str| world.as_user(login).get(path);
    for path in ["/issues/1/relations.json", "/issues/1.json?include=relations,journals", "/issues.json?include=relations"] {
        let shown = see("alice", path).expect(200).body;
        assert!(shown.contains("\"relation"), "{shown}");
        let hidden = see("bob", path).expect(200).body;
        assert!(!hidden.contains("relates") && !hidden.contains("issue_to_id"), "{hidden}");
    }
    let _ = see("bob", "/relations/1.json").expect(403);
    let _ = world.as_user("bob").delete("/relations/1.json").expect(403);
    let _ = see("bob", "/relations/9.json").expect(404);
    let _ = see("bob", "/issues/2/relations.json").expect(403);
    let _ = see("bob", "/issues/9/relations.json").expect(404);
    let _ = world.anonymous().get("/relations/1.json").expect(401);
    for path in ["/relations/x.json", "/relations/0.json", "/relations/99999999999999999999.json"] {
        let _ = see("alice", path).expect(404);
    }
    let _ = world.as_user("alice").put("/relations/1.json", "{}").expect(404);
}
