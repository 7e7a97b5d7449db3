//! What people were told of and may not see is neither shown nor counted.

use super::{change, clear, count_unread, entries, events, told};
use crate::world::{World, user};
use serde_json::json;

#[test]
fn private_note_tells_only_who_may_read_it() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let path = format!("/issues/{id}.json");
    let note = json!({"issue": {"notes": "Between us", "private_notes": true}});
    let alice = world.as_user("alice");
    alice.put(&path, note).assert_status(200);
    assert_eq!(told(&world), [""; 0]);
    assert_eq!(count_unread(&world, "carol"), 0);
    alice
        .put(&path, json!({"issue": {"notes": "For all"}}))
        .assert_status(200);
    assert_eq!(events(&world, "carol"), [change(2)]);
    // Carol is not forgotten when the note is made public.
    alice
        .put(
            "/journals/1.json",
            json!({"journal": {"private_notes": false}}),
        )
        .assert_status(200);
    assert_eq!(events(&world, "carol"), [change(1), change(2)]);
}

#[test]
fn who_lost_access_sees_and_counts_nothing() {
    let world = World::with_projects();
    let admin = world.as_user("admin");
    let member = json!({"membership": {"user_id": user("dave").0, "role_ids": [4]}});
    let member = admin
        .post("/projects/secret/memberships.json", member)
        .assert_status(201)
        .integer("/membership/id");
    let id = world.issue("secret").author("alice").create();
    let note = json!({"issue": {"notes": "Look, @dave"}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), note)
        .assert_status(200);
    assert_eq!(count_unread(&world, "dave"), 1);
    admin
        .delete(&format!("/memberships/{member}.json"))
        .assert_status(200);
    assert_eq!(count_unread(&world, "dave"), 0);
    assert_eq!(entries(&world, "dave").len(), 0);
    clear(&world);
}

#[test]
fn deleted_record_leaves_no_entry() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let path = format!("/issues/{id}.json");
    world
        .as_user("alice")
        .put(&path, json!({"issue": {"notes": "A note"}}))
        .assert_status(200);
    assert_eq!(told(&world), ["carol"]);
    world.as_user("admin").delete(&path).assert_status(200);
    assert_eq!(told(&world), [""; 0]);
    assert_eq!(count_unread(&world, "carol"), 0);
}

#[test]
fn change_of_hidden_things_alone_tells_nothing() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let hidden = world.issue("secret").author("alice").create();
    world.set(
        quarry::domain::administration::setting::Setting::CrossProjectIssueRelations,
        "1",
    );
    clear(&world);
    let relation = json!({"relation": {"issue_to_id": hidden, "relation_type": "relates"}});
    world
        .as_user("alice")
        .post(&format!("/issues/{id}/relations.json"), relation)
        .assert_status(201);
    assert_eq!(told(&world), [""; 0]);
}

#[test]
fn mention_where_the_person_may_not_read_tells_nothing_and_makes_no_watcher() {
    let world = World::with_projects();
    let id = world.issue("open").author("alice").create();
    let path = format!("/issues/{id}.json");
    let note = json!({"issue": {"notes": "Not for @carol", "private_notes": true}});
    let alice = world.as_user("alice");
    alice.put(&path, note).assert_status(200);
    let watchers =
        format!("SELECT COUNT(*) FROM watchers WHERE watchable_id = {id} AND user_id = 4");
    assert_eq!(world.database().value::<i64>(&watchers), 0);
    let notices = "SELECT COUNT(*) FROM notices WHERE user_id = 4";
    assert_eq!(world.database().value::<i64>(notices), 0);
    // Hidden mentions cannot crowd out what carol may see.
    alice
        .put(&path, json!({"issue": {"notes": "For @carol"}}))
        .assert_status(200);
    assert_eq!(world.database().value::<i64>(&watchers), 1);
    assert_eq!(events(&world, "carol"), [change(2)]);
}

#[test]
fn last_notice_of_the_inbox_is_one_that_the_person_may_see() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let path = format!("/issues/{id}.json");
    let alice = world.as_user("alice");
    let note = |text: &str, is_private: bool| {
        let fields = json!({"issue": {"notes": text, "private_notes": is_private}});
        alice.put(&path, fields).assert_status(200);
    };
    let last = || {
        world
            .as_user("carol")
            .get("/my/inbox.json")
            .integer("/last")
    };
    note("For all", false);
    let before = last();
    note("Between us", true);
    assert_eq!(last(), before);
    note("For all", false);
    assert!(last() > before);
}
