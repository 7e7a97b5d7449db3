//! `DELETE /relations/:id` (contract 4.8)

use super::{history, relate, world};

#[test]
fn what_is_taken_away_is_gone_and_both_issues_say_so() {
    let world = world();
    let (one, other) = (world.issue("open", ""), world.issue("open", ""));
    let _ = relate(&world, "alice", one, &format!("\"issue_to_id\":{other},\"relation_type\":\"blocks\"")).expect(201);
    for login in ["carol", "dave"] {
        let _ = world.as_user(login).delete("/relations/1.json").expect(403);
    }
    let _ = world.anonymous().delete("/relations/1.json").expect(401);
    let answer = world.as_user("bob").delete("/relations/1.json").expect(204);
    assert_eq!(answer.body, "");
    assert_eq!(history(&world, "carol", other), ["relation blocked - 1", "relation blocked 1 -"]);
    let _ = world.as_user("bob").delete("/relations/1.xml").expect(404);
    assert_eq!(world.as_user("bob").get("/issues/1/relations.json").expect(200).body, "{\"relations\":[]}");
}

#[test]
fn an_issue_takes_its_relations_and_watchers_with_it() {
    let world = world();
    let (one, other) = (world.issue("open", ""), world.issue("open", ""));
    let _ = relate(&world, "alice", one, &format!("\"issue_to_id\":{other}")).expect(201);
    let _ = world.as_user("alice").post(&format!("/issues/{one}/watchers.json"), "{\"user_id\":3}").expect(204);
    let _ = world.as_user("alice").delete(&format!("/issues/{one}.json")).expect(200);
    assert_eq!(world.as_user("alice").get(&format!("/issues/{other}/relations.json")).expect(200).body, "{\"relations\":[]}");
    assert_eq!(history(&world, "alice", other), [""; 0], "of an issue that is gone nobody knows who might see it");
}
