//! The events of which people are told, and for which reasons.

use super::{clear, entries, reasons, told};
use quarry::domain::administration::setting::Setting;
use quarry_world::{World, user};
use serde_json::json;

#[test]
fn author_and_assignee_are_told_of_an_issue_and_the_actor_is_not() {
    let world = World::with_projects();
    let assigned =
        json!({"issue": {"project_id": "open", "subject": "One", "assigned_to_id": user("bob").0}});
    world
        .as_user("carol")
        .post(
            "/issues.json",
            json!({"issue": {"project_id": "open", "subject": "Zero"}}),
        )
        .assert_status(201);
    assert_eq!(told(&world), [""; 0]);
    world
        .as_user("alice")
        .post("/issues.json", assigned)
        .assert_status(201);
    assert_eq!(told(&world), ["bob"]);
    assert_eq!(reasons(&world, "bob"), "assigned");
    clear(&world);
    // Carol wrote the first issue; alice's comment makes alice a watcher.
    let note = json!({"issue": {"notes": "Seen"}});
    world
        .as_user("alice")
        .put("/issues/1.json", note)
        .assert_status(200);
    assert_eq!(reasons(&world, "carol"), "author");
    assert_eq!(told(&world), ["carol"]);
    clear(&world);
    let note = json!({"issue": {"notes": "Thanks"}});
    world
        .as_user("carol")
        .put("/issues/1.json", note)
        .assert_status(200);
    assert_eq!(reasons(&world, "alice"), "watched");
    assert_eq!(told(&world), ["alice"]);
}

#[test]
fn former_assignee_is_told_that_another_one_has_the_issue() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .author("alice")
        .field("assigned_to_id", user("bob").0)
        .create();
    clear(&world);
    let change = json!({"issue": {"assigned_to_id": user("alice").0}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), change)
        .assert_status(200);
    assert_eq!(reasons(&world, "bob"), "was_assigned");
    assert_eq!(told(&world), ["bob"]);
}

#[test]
fn mention_tells_and_makes_a_watcher_of_who_sees_the_issue() {
    let world = World::with_projects();
    let open = world.issue("open").author("alice").create();
    let secret = world.issue("secret").author("alice").create();
    let note =
        json!({"issue": {"notes": "What do you think, @bob and @\"carol Tester\"? `@dave`"}});
    for id in [open, secret] {
        let path = format!("/issues/{id}.json");
        world
            .as_user("alice")
            .put(&path, note.clone())
            .assert_status(200);
    }
    assert_eq!(told(&world), ["bob", "carol"]);
    assert_eq!(reasons(&world, "bob"), "mentioned");
    let watchers = |id: i64| {
        let issue = world.show_issue("admin", id, "watchers");
        issue["watchers"].as_array().unwrap().len()
    };
    // Alice watches what she contributed to.
    assert_eq!(watchers(open), 3);
    assert_eq!(watchers(secret), 1);
}

#[test]
fn members_are_told_of_news_and_of_comments_on_it() {
    let world = World::with_projects();
    let news = json!({"news": {"title": "Release", "description": "It is out."}});
    world
        .as_user("alice")
        .post("/projects/open/news.json", news)
        .assert_status(201);
    assert_eq!(told(&world), ["bob", "carol"]);
    assert_eq!(reasons(&world, "carol"), "news");
    clear(&world);
    let comment = json!({"comment": {"comments": "Great, @alice"}});
    world
        .as_user("bob")
        .post("/news/1/comments.json", comment)
        .assert_status(201);
    assert_eq!(told(&world), ["alice", "carol"]);
    assert_eq!(reasons(&world, "alice"), "mentioned news");
}

#[test]
fn watchers_are_told_of_wiki_pages_and_messages() {
    let world = World::with_records("open");
    let page = |text: &str| json!({"wiki_page": {"text": text}});
    let path = "/projects/open/wiki/Guide.json";
    let alice = world.as_user("alice");
    alice.put(path, page("One")).assert_status(201);
    let bob = json!({"watcher": {"user_ids": [user("bob").0]}});
    for watched in ["/projects/open/wiki/Guide", "/boards/1"] {
        let path = format!("{watched}/watchers.json");
        world
            .as_user("admin")
            .post(&path, bob.clone())
            .assert_status(204);
    }
    clear(&world);
    // The same text is no new version.
    alice.put(path, page("One")).assert_status(200);
    assert_eq!(told(&world), [""; 0]);
    alice.put(path, page("Two")).assert_status(200);
    assert_eq!(reasons(&world, "bob"), "watched");
    assert_eq!(told(&world), ["bob"]);
    clear(&world);
    let topic = json!({"message": {"subject": "Hello", "content": "All"}});
    alice
        .post("/boards/1/topics.json", topic)
        .assert_status(201);
    assert_eq!(reasons(&world, "bob"), "watched");
    assert_eq!(told(&world), ["bob"]);
}

#[test]
fn users_of_groups_are_told_of_what_the_group_watches_or_is_assigned_to() {
    let world = World::with_projects();
    world.set(Setting::IssueGroupAssignment, "1");
    let admin = world.as_user("admin");
    let group = json!({"group": {"name": "Crew", "user_ids": [user("carol").0, user("dave").0]}});
    let group = admin
        .post("/groups.json", group)
        .assert_status(201)
        .integer("/group/id");
    let member = json!({"membership": {"user_id": group, "role_ids": [4]}});
    admin
        .post("/projects/open/memberships.json", member)
        .assert_status(201);
    let issue = json!({"issue": {"project_id": "open", "subject": "One", "assigned_to_id": group}});
    world
        .as_user("alice")
        .post("/issues.json", issue)
        .assert_status(201);
    assert_eq!(told(&world), ["carol", "dave"]);
    clear(&world);
    let id = world.issue("open").author("alice").create();
    let watcher = json!({"user_id": group});
    admin
        .post(&format!("/issues/{id}/watchers.json"), watcher)
        .assert_status(204);
    let note = json!({"issue": {"notes": "News"}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), note)
        .assert_status(200);
    assert_eq!(reasons(&world, "dave"), "watched");
}

#[test]
fn setting_says_of_which_events_people_are_told() {
    let world = World::with_projects();
    world.set(Setting::NotifiedEvents, "issue_status_updated");
    let id = world.issue("open").author("carol").create();
    let path = format!("/issues/{id}.json");
    let alice = world.as_user("alice");
    alice
        .put(&path, json!({"issue": {"notes": "A note"}}))
        .assert_status(200);
    assert_eq!(told(&world), [""; 0]);
    alice
        .put(&path, json!({"issue": {"status_id": 2}}))
        .assert_status(200);
    assert_eq!(told(&world), ["carol"]);
}

#[test]
fn changes_of_an_issue_are_one_entry_that_names_each_event() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let path = format!("/issues/{id}.json");
    let alice = world.as_user("alice");
    for note in ["First", "Second"] {
        alice
            .put(&path, json!({"issue": {"notes": note}}))
            .assert_status(200);
    }
    let entries = entries(&world, "carol");
    assert_eq!(entries.len(), 1);
    let texts = entries[0]
        .events
        .iter()
        .map(|visible| visible.event.text.as_str());
    assert_eq!(texts.collect::<Vec<_>>(), ["Second", "First"]);
}

#[test]
fn edited_texts_tell_only_whom_they_did_not_mention_before() {
    let world = World::with_projects();
    let id = world.issue("open").author("alice").create();
    let alice = world.as_user("alice");
    let path = format!("/issues/{id}.json");
    let note = json!({"issue": {"notes": "For @bob"}});
    alice.put(&path, note).assert_status(200);
    assert_eq!(told(&world), ["bob"]);
    clear(&world);
    let edited = json!({"journal": {"notes": "For @bob and @carol"}});
    alice.put("/journals/1.json", edited).assert_status(200);
    assert_eq!(told(&world), ["carol"]);
    assert_eq!(reasons(&world, "carol"), "mentioned");
    for notes in ["For nobody", "For @carol", "For nobody", "Again @carol"] {
        let edited = json!({"journal": {"notes": notes}});
        alice.put("/journals/1.json", edited).assert_status(200);
    }
    let told_carol = "SELECT COUNT(*) FROM notices WHERE user_id = 4";
    assert_eq!(world.database().value::<i64>(told_carol), 1);
    clear(&world);
    let described = json!({"issue": {"description": "Ask @dave"}});
    alice.put(&path, described).assert_status(200);
    // Bob and carol watch the issue since they were mentioned.
    assert_eq!(told(&world), ["bob", "carol", "dave"]);
    assert_eq!(reasons(&world, "dave"), "mentioned");
    clear(&world);
    let described = json!({"issue": {"description": "Ask @dave again"}});
    world.sql("DELETE FROM watchers; DELETE FROM notices");
    alice.put(&path, described).assert_status(200);
    assert_eq!(told(&world), [""; 0]);
}
