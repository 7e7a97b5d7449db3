//! What people were told of and may not see is neither shown nor counted.

use super::{change, clear, count_unread, entries, events, told};
use quarry_world::{World, user};
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
fn what_a_person_may_not_see_hides_and_changes_nothing_else() {
    let world = World::with_projects();
    let seen = world.issue("open").author("alice").create();
    let hidden = world.issue("secret").author("alice").create();
    world.sql(&format!(
        "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', {hidden}, 5)"
    ));
    for (id, notes) in [(seen, "Look, @dave"), (hidden, "Hidden")] {
        let note = json!({"issue": {"notes": notes}});
        let path = format!("/issues/{id}.json");
        world.as_user("alice").put(&path, note).assert_status(200);
    }
    world.sql(&format!(
        "INSERT INTO journals (id, issue_id, user_id, created_on, notes) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) \
         SELECT 1000 + i, j.issue_id, j.user_id, j.created_on, 'Note' FROM n, journals j WHERE j.issue_id = {hidden}; \
         INSERT INTO notices (user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on) \
         SELECT n.user_id, n.thread_kind, n.thread_id, n.event_type, j.id, n.event_version, n.reasons, n.created_on \
         FROM notices n, journals j WHERE j.id > 1000 AND n.user_id = 5 AND n.thread_id = {hidden}",
    ));
    assert_eq!(count_unread(&world, "dave"), 1);
    assert_eq!(entries(&world, "dave").len(), 1);
    world
        .as_user("dave")
        .post("/my/inbox/read_all.json", json!({"inbox": {}}))
        .assert_status(204);
    assert_eq!(count_unread(&world, "dave"), 0);
    let unread = "SELECT COUNT(*) FROM notices WHERE user_id = 5 AND is_read = 0";
    assert_eq!(world.database().value::<i64>(unread), 1501);
}

#[test]
fn unread_notice_is_listed_and_counted_behind_a_thousand_read_ones() {
    let world = World::with_projects();
    let unread = world.issue("open").author("carol").create();
    let busy = world.issue("open").author("carol").create();
    for id in [unread, busy] {
        let note = json!({"issue": {"notes": "Hello"}});
        let path = format!("/issues/{id}.json");
        world.as_user("alice").put(&path, note).assert_status(200);
    }
    world.sql(&format!(
        "INSERT INTO journals (id, issue_id, user_id, created_on, notes) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) \
         SELECT 1000 + i, j.issue_id, j.user_id, j.created_on, 'Note' FROM n, journals j WHERE j.issue_id = {busy}; \
         INSERT INTO notices (user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on) \
         SELECT n.user_id, n.thread_kind, n.thread_id, n.event_type, j.id, n.event_version, n.reasons, n.created_on \
         FROM notices n, journals j WHERE j.id > 1000 AND n.user_id = 4 AND n.thread_id = {busy}; \
         UPDATE notices SET is_read = 1 WHERE user_id = 4 AND thread_id = {busy}",
    ));
    let entries = entries(&world, "carol");
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| (entry.thread.id, entry.is_unread, entry.events.len()))
        .collect();
    assert_eq!(shown, [(unread, true, 1), (busy, false, 1000)]);
    assert_eq!(count_unread(&world, "carol"), 1);
}

#[test]
fn choices_about_many_other_threads_hide_none() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let note = json!({"issue": {"notes": "Hello"}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), note)
        .assert_status(200);
    world.sql(
        "INSERT INTO notice_threads (user_id, thread_kind, thread_id, is_muted) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) \
         SELECT 4, thread_kind, -i, 1 FROM n, (SELECT thread_kind FROM notices WHERE user_id = 4 LIMIT 1) told",
    );
    let later = json!({"thread": {"state": "later_tomorrow"}});
    world
        .as_user("carol")
        .put(&format!("/my/inbox/issue/{id}.json"), later)
        .assert_status(204);
    assert_eq!(entries(&world, "carol").len(), 0);
    assert_eq!(count_unread(&world, "carol"), 0);
    let inbox = world.as_user("carol").get("/my/inbox.json?q=is:later");
    assert_eq!(inbox.json()["total_count"], 1);
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
