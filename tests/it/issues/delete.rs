//! `DELETE /issues/:id`

use super::{world, write};

#[test]
fn what_is_deleted_is_gone_and_not_found() {
    let world = world();
    let id = write(&world, "alice", "open", ",\"description\":\"zeppelin\"");
    let found = || world.as_user("alice").get("/search.json?q=zeppelin").expect(200).json()["total_count"].clone();
    assert_eq!(found(), 1);
    let answer = world.as_user("alice").delete(&format!("/issues/{id}.json")).expect(200);
    assert_eq!(answer.body, "");
    assert_eq!(found(), 0);
    let _ = world.as_user("alice").get(&format!("/issues/{id}.json")).expect(404);
    let _ = world.as_user("alice").delete(&format!("/issues/{id}.xml")).expect(404);
    assert_eq!(write(&world, "alice", "open", ""), id + 1, "numbers are never given out twice");
}

#[test]
fn rights_decide() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    for login in ["bob", "carol", "dave"] {
        let _ = world.as_user(login).delete(&format!("/issues/{id}.json")).expect(403);
    }
    let _ = world.anonymous().delete(&format!("/issues/{id}.json")).expect(401);
    let _ = world.as_user("admin").delete(&format!("/issues/{id}.json")).expect(200);
}
