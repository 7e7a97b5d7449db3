//! `GET /my/inbox`, `PUT /my/inbox/:type/:id`, `POST /my/inbox/read_all` (docs/notices.md section 6)

use quarry_world::oauth_flow::{App, tokens, with_token};
use quarry_world::{World, percent_encode};
use serde_json::{Value, json};

const INBOX: &str = "/my/inbox.json";

/// A world with an issue of alice that is assigned to bob, and a note that mentions carol.
fn world_with_issue() -> (World, i64) {
    let world = World::with_projects();
    let issue = world
        .issue("open")
        .subject("Valve sticks")
        .field("assigned_to_id", 3)
        .create();
    note(&world, issue, json!({"notes": "Ask @carol"}));
    (world, issue)
}

/// Alice changes an issue.
fn note(world: &World, issue: i64, fields: Value) {
    world
        .as_user("alice")
        .put(
            &format!("/issues/{issue}.json"),
            json!({ "issue": fields }).to_string(),
        )
        .assert_status(200);
}

fn put(world: &World, login: &str, thread: &str, state: &str, last: i64) -> u16 {
    let body = json!({"thread": {"state": state, "last": last}});
    let path = format!("/my/inbox/{thread}.json");
    world.as_user(login).put(&path, body).status
}

/// Returns the number of entries that match, and the number of unread threads.
fn counts(world: &World, login: &str, filter: &str) -> (i64, i64) {
    let list = world
        .as_user(login)
        .get(&format!("{INBOX}?q={}", percent_encode(filter)))
        .assert_status(200);
    (list.integer("/total_count"), list.integer("/unread_count"))
}

#[test]
fn inbox_lists_threads_with_reasons_and_events() {
    let (world, issue) = world_with_issue();
    let list = world.as_user("bob").get(INBOX).assert_status(200);
    let thread = list.json()["threads"][0].clone();
    assert_eq!(
        (list.integer("/total_count"), list.integer("/unread_count")),
        (1, 1)
    );
    assert_eq!(
        (&thread["type"], &thread["id"], &thread["title"]),
        (
            &json!("issue"),
            &json!(issue),
            &json!(format!("Bug #{issue} Valve sticks"))
        )
    );
    assert_eq!(thread["reasons"], json!(["assigned"]));
    assert_eq!(thread["project"], json!({"id": 1, "name": "open"}));
    assert_eq!(
        (&thread["unread"], &thread["muted"], &thread["later_until"]),
        (&json!(true), &json!(false), &Value::Null)
    );
    let events = thread["events"].as_array().unwrap();
    let types: Vec<_> = events.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["issue_change", "issue"]);
    let sentence = events[0]["sentence"].as_str().unwrap();
    assert!(
        sentence.ends_with(&format!("commented on Bug #{issue} Valve sticks")),
        "{sentence}"
    );
    assert_eq!(events[0]["text"], "Ask @carol");
    let carol = world.as_user("carol").get(INBOX).assert_status(200);
    carol
        .assert_json_path("/threads/0/reasons", json!(["mentioned"]))
        .assert_json_path("/threads/0/events/0/type", "issue_change");
    world
        .as_user("bob")
        .get("/my/inbox.xml")
        .assert_status(200)
        .assert_contains(" type=\"array\"><thread><type>issue</type>")
        .assert_contains("<reasons type=\"array\"><reason>assigned</reason></reasons>");
    // Nobody is told of what they do themselves, nor of what is none of their business.
    for login in ["alice", "dave"] {
        assert_eq!(counts(&world, login, ""), (0, 0), "{login}");
    }
    world.anonymous().get(INBOX).assert_status(401);
    let past = world.as_user("bob").get("/my/inbox.json?offset=5&limit=1");
    let past = past.assert_status(200);
    assert_eq!(
        (past.array("/threads").len(), past.integer("/total_count")),
        (0, 1)
    );
}

#[test]
fn private_note_tells_only_those_who_may_read_it() {
    let world = World::with_projects();
    let issue = world.issue("open").author("carol").create();
    note(
        &world,
        issue,
        json!({"notes": "Between us, @carol", "private_notes": true}),
    );
    assert_eq!(counts(&world, "carol", ""), (0, 0));
    assert_eq!(
        put(&world, "carol", &format!("issue/{issue}"), "done", 9),
        404
    );
    note(&world, issue, json!({"notes": "For all"}));
    let list = world.as_user("carol").get(INBOX).assert_status(200);
    assert_eq!(list.integer("/unread_count"), 1);
    let list = list.assert_json_path("/threads/0/reasons", json!(["author"]));
    assert_eq!(list.array("/threads/0/events").len(), 1);
    assert!(!list.body.contains("Between us"), "{list:?}");
}

#[test]
fn removed_member_sees_and_counts_nothing_and_changes_nothing() {
    let (world, issue) = world_with_issue();
    assert_eq!(counts(&world, "bob", ""), (1, 1));
    world.sql(
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 3); \
         DELETE FROM members WHERE user_id = 3; UPDATE projects SET is_public = 0",
    );
    for filter in ["", "is:unread", "is:done", "is:later", "valve"] {
        assert_eq!(counts(&world, "bob", filter), (0, 0), "{filter}");
    }
    let hidden = format!("issue/{issue}");
    for state in ["read", "done", "muted", "later_tomorrow"] {
        assert_eq!(put(&world, "bob", &hidden, state, 99), 404);
        assert_eq!(put(&world, "bob", "issue/999", state, 99), 404);
    }
    let unread: i64 = world
        .database()
        .value("SELECT COUNT(*) FROM notices WHERE user_id = 3 AND is_read = 0");
    assert_eq!(unread, 2);
    let filter = world.as_user("bob").get("/my/inbox.json?q=project:open");
    let missing = world.as_user("bob").get("/my/inbox.json?q=project:none");
    assert_eq!(
        filter.assert_status(422).body.replace("open", "none"),
        missing.assert_status(422).body
    );
}

#[test]
fn states_change_up_to_the_notice_that_was_seen() {
    let (world, issue) = world_with_issue();
    let thread = format!("issue/{issue}");
    let last = world.as_user("bob").get(INBOX).integer("/threads/0/last");
    note(&world, issue, json!({"notes": "Later"}));
    assert_eq!(put(&world, "bob", &thread, "done", last), 204);
    let list = world.as_user("bob").get(INBOX).assert_status(200);
    assert_eq!(list.array("/threads/0/events").len(), 1);
    list.assert_json_path("/threads/0/events/0/text", "Later");
    assert_eq!(counts(&world, "bob", "is:done"), (1, 1));
    assert_eq!(put(&world, "bob", &thread, "read", i64::MAX), 204);
    assert_eq!(counts(&world, "bob", "is:read"), (1, 0));
    assert_eq!(put(&world, "bob", &thread, "unread", i64::MAX), 204);
    assert_eq!(counts(&world, "bob", "is:unread"), (1, 1));
    assert_eq!(put(&world, "bob", &thread, "later_tomorrow", i64::MAX), 204);
    assert_eq!(counts(&world, "bob", ""), (0, 0));
    let later = world.as_user("bob").get("/my/inbox.json?q=is:later");
    later.assert_json_path("/threads/0/later_until", "2026-11-21T08:00:00Z");
    // Marking everything leaves alone what waits for later.
    let all = |last: i64| {
        let body = json!({"inbox": {"last": last}});
        world
            .as_user("bob")
            .post("/my/inbox/read_all.json", body)
            .assert_status(204)
    };
    let _ = all(i64::MAX);
    assert_eq!(put(&world, "bob", &thread, "unread", i64::MAX), 204);
    let last = world.as_user("bob").get(INBOX).integer("/last");
    note(&world, issue, json!({"notes": "After the page"}));
    let _ = all(last);
    assert_eq!(counts(&world, "bob", "is:unread"), (1, 1));
    assert_eq!(put(&world, "bob", &thread, "muted", 0), 204);
    note(&world, issue, json!({"notes": "Not heard"}));
    assert_eq!(counts(&world, "bob", "is:muted"), (1, 0));
    note(&world, issue, json!({"notes": "Heard, @bob"}));
    assert_eq!(counts(&world, "bob", "is:muted"), (1, 1));
    assert_eq!(put(&world, "bob", &thread, "unmuted", 0), 204);
    assert_eq!(counts(&world, "bob", "is:muted"), (0, 1));
}

#[test]
fn threads_of_others_and_bad_changes_are_refused() {
    let (world, issue) = world_with_issue();
    let thread = format!("issue/{issue}");
    for state in ["read", "unread", "done", "later_next_week"] {
        assert_eq!(put(&world, "dave", &thread, state, 99), 404, "{state}");
    }
    assert_eq!(put(&world, "bob", "changeset/1", "read", 99), 404);
    assert_eq!(put(&world, "bob", "x/1", "read", 99), 404);
    let bob = world.as_user("bob");
    for body in [
        json!({}),
        json!({"thread": {"state": "gone"}}),
        json!({"thread": {"state": "read", "last": "x"}}),
    ] {
        bob.put(&format!("/my/inbox/{thread}.json"), body)
            .assert_status(422);
    }
    world
        .anonymous()
        .put(
            &format!("/my/inbox/{thread}.json"),
            json!({"thread": {"state": "read"}}),
        )
        .assert_status(401);
    assert_eq!(counts(&world, "bob", ""), (1, 1));
    assert_eq!(counts(&world, "carol", ""), (1, 1));
}

#[test]
fn filters_are_words_of_the_search_language() {
    let (world, _) = world_with_issue();
    for (filter, count) in [
        ("is:unread", 1),
        ("is:read", 0),
        ("reason:assigned", 1),
        ("reason:mention", 0),
        ("reason:mention reason:assigned", 1),
        ("project:open", 1),
        ("type:issue", 1),
        ("type:news", 0),
        ("VALVE", 1),
        ("\"valve sticks\"", 1),
        ("\"sticks valve\"", 0),
        ("#1", 1),
    ] {
        assert_eq!(counts(&world, "bob", filter).0, count, "{filter}");
    }
    for (filter, possible) in [
        (
            "is:open",
            "is:unread, is:read, is:later, is:done and is:muted",
        ),
        ("reason:x", "reason:mentioned"),
        ("assignee:me", "is:, reason:, project: and type:"),
        ("project:secret", "project:secret is unknown"),
    ] {
        let path = format!("{INBOX}?q={}", percent_encode(filter));
        let refused = world.as_user("bob").get(&path).assert_status(422);
        assert!(refused.errors()[0].contains(possible), "{refused:?}");
    }
}

#[test]
fn token_sees_and_changes_only_what_its_scopes_allow() {
    let (world, issue) = world_with_issue();
    let scopes = "view_project view_issues view_news add_issue_notes";
    let app = App::confidential(&world, scopes);
    let token = |scopes: &str| with_token(&world, &tokens(&world, "bob", &app, scopes).access);
    let news = token("view_project view_news");
    assert_eq!(news.total_count(INBOX), 0);
    let reader = token("view_project view_issues");
    assert_eq!(reader.total_count(INBOX), 1);
    let path = format!("/my/inbox/issue/{issue}.json");
    let body = || json!({"thread": {"state": "done"}});
    reader.put(&path, body()).assert_status(403);
    let writer = token("view_project view_news add_issue_notes");
    writer.put(&path, body()).assert_status(404);
    writer
        .post("/my/inbox/read_all.json", json!({}))
        .assert_status(204);
    assert_eq!(counts(&world, "bob", "is:unread"), (1, 1));
    let writer = token(scopes);
    writer.put(&path, body()).assert_status(204);
    assert_eq!(counts(&world, "bob", ""), (0, 0));
}
