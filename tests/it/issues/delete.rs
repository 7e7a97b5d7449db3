//! `DELETE /issues/:id`

use super::{world, write};
use crate::world::{MANAGER, World};
use quarry::domain::setting::Setting;

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

/// Lets developers delete issues; they see no private ones but their own.
fn let_developers_delete(world: &World) {
    world.sql(
        "INSERT OR IGNORE INTO role_permissions (role_id, name) VALUES (4, 'delete_issues'), (4, 'manage_subtasks');
         UPDATE roles SET issues_visibility = 'default' WHERE id = 4",
    );
}

fn below(parent: i64) -> String {
    format!(",\"parent_issue_id\":{parent}")
}

#[track_caller]
fn assert_there(world: &World, ids: &[i64]) {
    for id in ids {
        let _ = world.as_user("admin").get(&format!("/issues/{id}.json")).expect(200);
    }
}

const REFUSED: [&str; 1] = ["Issue cannot be deleted because it has subtasks that you cannot see or delete"];

#[test]
fn hidden_subtasks_are_not_deleted_with_their_parent() {
    let world = world();
    let_developers_delete(&world);
    let top = write(&world, "bob", "open", "");
    let part = write(&world, "bob", "open", &below(top));
    let hidden = write(&world, "alice", "open", &(below(part) + ",\"is_private\":true,\"description\":\"kryptonite\""));
    let other = write(&world, "bob", "open", "");
    let bob = world.as_user("bob");
    let _ = bob.get(&format!("/issues/{hidden}.json")).expect(403);
    for todo in ["", "?todo=nullify", &format!("?todo=reassign&reassign_to_id={other}")] {
        for format in ["json", "xml"] {
            let refused = bob.delete(&format!("/issues/{top}.{format}{todo}")).expect(422);
            assert_eq!(refused.errors(), REFUSED);
            assert!(!refused.body.contains(&hidden.to_string()) && !refused.body.contains("kryptonite"), "{refused:?}");
        }
    }
    let several = bob.delete(&format!("/issues.json?ids[]={other}&ids[]={part}")).expect(422);
    assert_eq!(several.errors(), REFUSED);
    assert_there(&world, &[top, part, hidden, other]);
    // What is named itself and hidden is answered as before.
    let _ = bob.delete(&format!("/issues.json?ids[]={top}&ids[]={hidden}")).expect(403);
    // Whoever sees them all may delete them all.
    let _ = world.as_user("alice").delete(&format!("/issues/{top}.json")).expect(200);
    for gone in [top, part, hidden] {
        let _ = world.as_user("admin").get(&format!("/issues/{gone}.json")).expect(404);
    }
}

#[test]
fn subtasks_that_the_viewer_may_not_delete_stay() {
    let world = world();
    world.set(Setting::CrossProjectSubtasks, "system");
    let_developers_delete(&world);
    let top = write(&world, "bob", "open", "");
    world.project("readable", true, &[("alice", MANAGER)]);
    let elsewhere = write(&world, "alice", "readable", &below(top));
    let bob = world.as_user("bob");
    let _ = bob.get(&format!("/issues/{elsewhere}.json")).expect(200);
    assert_eq!(bob.delete(&format!("/issues/{top}.json")).expect(422).errors(), REFUSED);
    assert_there(&world, &[top, elsewhere]);
    // As it is with one alone, not even an administrator deletes what is in a closed project.
    let _ = world.as_user("alice").put("/projects/readable/close.json", "").expect(204);
    assert_eq!(world.as_user("admin").delete(&format!("/issues/{top}.json")).expect(422).errors(), REFUSED);
    let _ = world.as_user("alice").put("/projects/readable/reopen.json", "").expect(204);
    let _ = world.as_user("admin").delete(&format!("/issues/{top}.json")).expect(200);
}
