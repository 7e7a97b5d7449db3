//! One mail a day or a week in place of one for each thread.

use super::{MailServer, send, unsubscribe, unsubscribe_path, world};
use crate::mail::server::Received;
use quarry_world::browser::Browser;
use quarry_world::{World, user};
use serde_json::json;

pub fn choose(world: &World, login: &str, digest: &str) {
    let body = json!({"user": {}, "pref": {"mail_digest": digest}});
    let path = "/my/account.json";
    world.as_user(login).put(path, body).assert_status(200);
}

fn note(world: &World, login: &str, issue: i64, notes: &str) {
    let path = format!("/issues/{issue}.json");
    let body = json!({"issue": {"notes": notes}});
    world.as_user(login).put(&path, body).assert_status(200);
}

/// Makes the digests due, and sends what is due.
pub fn deliver(world: &World, server: &MailServer) -> Vec<Received> {
    world.sql(
        "UPDATE notices SET created_on = created_on - 10, mail_on = created_on - 5 \
         WHERE mail_on > created_on",
    );
    send(world);
    server.take()
}

/// Returns when the mail of a user is due, in hours after the clock.
fn due_in_hours(world: &World, login: &str) -> i64 {
    let id = user(login).0;
    let now = world.app.clock.now().as_microsecond();
    let due: i64 = world.database().value(&format!(
        "SELECT MAX(mail_on) FROM notices WHERE user_id = {id}"
    ));
    (due - now) / 3_600_000_000
}

#[test]
fn digest_has_all_threads_by_project() {
    let server = MailServer::start();
    let world = world(&server);
    choose(&world, "carol", "daily");
    let first = world.issue("open").author("carol").subject("Pump").create();
    let second = world
        .issue("open")
        .author("carol")
        .subject("Valve")
        .create();
    note(&world, "alice", first, "One\nline two");
    note(&world, "bob", first, "Two");
    note(&world, "alice", second, "Three");
    assert_eq!(due_in_hours(&world, "carol"), 20);
    // Others get their mails, carol nothing yet.
    world.sql(
        "UPDATE notices SET mail_on = created_on + 1 WHERE user_id <> 4 AND mail_on IS NOT NULL",
    );
    send(&world);
    let is_for_carol = |mail: &Received| mail.to[0].contains("carol");
    assert!(!server.take().iter().any(is_for_carol));
    let mails = deliver(&world, &server);
    let mails: Vec<&Received> = mails.iter().filter(|mail| is_for_carol(mail)).collect();
    assert_eq!(mails.len(), 1);
    let subject = mails[0].header("Subject").unwrap();
    assert_eq!(subject, "[Quarry] Daily digest, 2026-11-20");
    let text = mails[0].data.replace("=\r\n", "").replace("=3D", "=");
    let (text, _) = text.split_once("Content-Type: text/html").unwrap();
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"));
    assert!(place("\r\nopen\r\n----\r\n") < place("Bug #2 Valve (you wrote it):"));
    assert!(
        place("Bug #2 Valve (") < place("Bug #1 Pump ("),
        "the latest first"
    );
    assert!(place("One line two") < place("bob Tester commented on Bug #1 Pump"));
    assert!(text.contains("/my/notifications"));
    assert_eq!(deliver(&world, &server).len(), 0, "never twice");
}

#[test]
fn link_in_a_digest_ends_mails_about_events() {
    let server = MailServer::start();
    let world = world(&server);
    choose(&world, "carol", "daily");
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, "One");
    let mails = deliver(&world, &server);
    let path = unsubscribe_path(&mails[0]);
    let anonymous = world.anonymous();
    anonymous
        .get(&path)
        .assert_status(200)
        .assert_contains("No more mails about events?");
    let other_user = path.replacen("/unsubscribe/4-", "/unsubscribe/3-", 1);
    let other_kind = path.replacen("digests", "reminders", 1);
    for forged in [other_user, other_kind] {
        anonymous.get(&forged).assert_status(404);
        unsubscribe(&world, &forged).assert_status(404);
    }
    unsubscribe(&world, &path)
        .assert_status(200)
        .assert_contains("You get no more mails about events.");
    note(&world, "alice", id, "Two");
    assert_eq!(deliver(&world, &server).len(), 0);
    // The inbox has both.
    let inbox = world.as_user("carol").get("/my/inbox.json").json();
    assert_eq!(inbox["total_count"], 1);
}

#[test]
fn nothing_that_waits_is_mailed_to_people_who_want_no_mails_any_more() {
    let server = MailServer::start();
    let world = world(&server);
    choose(&world, "carol", "daily");
    for _ in 0..3 {
        let id = world
            .issue("open")
            .author("carol")
            .field("assigned_to_id", user("bob").0)
            .create();
        note(&world, "alice", id, "Waits");
    }
    let signature = world.app.store.secrets().sign_unsubscribe("4-digests");
    unsubscribe(&world, &format!("/unsubscribe/4-digests-{signature}")).assert_status(200);
    let body = json!({"user": {"mail_notification": "none"}});
    world
        .as_user("bob")
        .put("/my/account.json", body)
        .assert_status(200);
    let mails = deliver(&world, &server);
    let to_others = |mail: &Received| !mail.to[0].contains("carol") && !mail.to[0].contains("bob");
    assert!(mails.iter().all(to_others), "{mails:?}");
    let waiting = "SELECT COUNT(*) FROM notices WHERE mail_on IS NOT NULL";
    assert_eq!(world.database().value::<i64>(waiting), 0);
}

#[test]
fn what_the_recipient_may_not_see_takes_no_room_of_a_digest() {
    let server = MailServer::start();
    let world = world(&server);
    choose(&world, "carol", "daily");
    let seen = world.issue("open").author("carol").create();
    note(&world, "alice", seen, "Seen");
    let hidden = world.issue("secret").author("alice").create();
    world.sql(&format!(
        "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', {hidden}, 4)"
    ));
    note(&world, "alice", hidden, "Hidden");
    world.sql(&format!(
        "INSERT INTO journals (id, issue_id, user_id, created_on, notes) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) \
         SELECT 1000 + i, j.issue_id, j.user_id, j.created_on, 'Note ' || i FROM n, journals j WHERE j.issue_id = {hidden}; \
         INSERT INTO notices (user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on, mail_on) \
         SELECT n.user_id, n.thread_kind, n.thread_id, n.event_type, j.id, n.event_version, n.reasons, n.created_on, n.mail_on \
         FROM notices n, journals j WHERE j.id > 1000 AND n.user_id = 4 AND n.thread_id = {hidden}",
    ));
    let mails = deliver(&world, &server);
    let mails: Vec<_> = mails
        .iter()
        .filter(|mail| mail.to[0].contains("carol"))
        .collect();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].data.contains("Seen") && !mails[0].data.contains("Note 6"));
}

#[test]
fn mentions_and_assignments_do_not_wait_for_the_digest() {
    let server = MailServer::start();
    let world = world(&server);
    choose(&world, "bob", "weekly");
    let id = world.issue("open").author("bob").create();
    note(&world, "alice", id, "Wait");
    // The digest is due on Monday at eight.
    assert_eq!(due_in_hours(&world, "bob"), 68);
    assert_eq!(send(&world).sent, 0);
    note(&world, "alice", id, "Now @bob");
    assert_eq!(send(&world).sent, 1);
    let mail = server.take().remove(0);
    // What waits in the same thread comes along.
    assert!(mail.data.contains("Wait") && mail.data.contains("Now"));
    assert_eq!(mail.header("X-Redmine-Issue-Id"), Some("1"));
    assert_eq!(deliver(&world, &server).len(), 0);
}

#[test]
fn digest_has_only_what_its_recipient_may_see_when_it_is_sent() {
    let server = MailServer::start();
    let world = world(&server);
    choose(&world, "carol", "daily");
    let shown = world
        .issue("open")
        .author("carol")
        .subject("Shown")
        .create();
    let hidden = world.issue("open").author("carol").subject("Gone").create();
    let muted = world
        .issue("open")
        .author("carol")
        .subject("Quiet")
        .create();
    for id in [shown, hidden, muted] {
        note(&world, "alice", id, "Hello");
    }
    world.edit(hidden, |issue| {
        issue.project = quarry::domain::ids::ProjectId(2);
    });
    world
        .as_user("carol")
        .put(
            &format!("/my/inbox/issue/{muted}.json"),
            json!({"thread": {"state": "muted"}}),
        )
        .assert_status(204);
    let mails = deliver(&world, &server);
    assert_eq!(mails.len(), 1);
    let data = &mails[0].data;
    assert!(data.contains("Shown") && !data.contains("Gone") && !data.contains("Quiet"));
    note(&world, "alice", shown, "Again");
    world.sql(
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 4); \
         DELETE FROM members WHERE user_id = 4; UPDATE projects SET is_public = 0; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    assert_eq!(deliver(&world, &server).len(), 0);
}

#[test]
fn another_choice_concerns_what_waits() {
    let server = MailServer::start();
    let world = world(&server);
    let id = world.issue("open").author("carol").create();
    note(&world, "alice", id, "Hello");
    assert_eq!(due_in_hours(&world, "carol"), 0);
    choose(&world, "carol", "weekly");
    assert_eq!(due_in_hours(&world, "carol"), 68);
    choose(&world, "carol", "daily");
    assert_eq!(due_in_hours(&world, "carol"), 20);
    choose(&world, "carol", "");
    assert_eq!(due_in_hours(&world, "carol"), 0);
    let mails = deliver(&world, &server);
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].header("X-Redmine-Issue-Id"), Some("1"));
}

#[test]
fn choice_is_on_the_page_of_notifications() {
    let server = MailServer::start();
    let world = world(&server);
    let carol = Browser::logged_in(&world, "carol");
    let path = "/my/notifications";
    let page = carol
        .get(path)
        .assert_status(200)
        .assert_contains("One mail a week, on Monday at 8:00");
    let save = |fields: &[(&str, &str)]| carol.submit(&page, path, fields);
    save(&[("mail_digest", "weekly"), ("mail_reminders", "0")]).assert_status(303);
    let stored: String = world
        .database()
        .value("SELECT preferences_json FROM users WHERE id = 4");
    assert!(
        stored.contains("\"mail_digest\":\"weekly\"")
            && stored.contains("\"mail_reminders\":\"0\""),
        "{stored}"
    );
    // What the form does not have stays.
    save(&[("mail_own_events", "1")]).assert_status(303);
    carol
        .get(path)
        .assert_contains("<option value=\"weekly\" selected");
    save(&[("mail_digest", "hourly")])
        .assert_status(422)
        .assert_contains("Choose from the list.");
    let body = json!({"user": {}, "pref": {"mail_digest": "hourly"}});
    world
        .as_user("carol")
        .put("/my/account.json", body)
        .assert_status(422)
        .assert_errors(&["Digest is not included in the list"]);
    save(&[("mail_digest", "")]).assert_status(303);
    carol
        .get(path)
        .assert_contains("<option value=\"\" selected>A mail about each thread");
}

/// Creates 200 users who watch the issue and get digests.
fn add_watchers(world: &World, issue: i64) {
    world.sql(&format!(
        "INSERT INTO users (id, type, login, lastname, mail, preferences_json, created_on, updated_on) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) \
         SELECT i + 1000, 'User', 'watcher' || i, 'Watcher', 'watcher' || i || '@example.net', '{{\"mail_digest\":\"daily\"}}', 0, 0 FROM n; \
         INSERT INTO watchers (watchable_type, watchable_id, user_id) \
         SELECT 'Issue', {issue}, id FROM users WHERE id > 1000; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'"
    ));
}

#[test]
fn a_hundred_thousand_notices_become_one_digest_for_each_person() {
    let server = MailServer::start();
    let world = world(&server);
    let id = world.issue("open").author("admin").create();
    add_watchers(&world, id);
    note(&world, "alice", id, "First");
    // 499 more notes, and the notices about them.
    world.sql(
        "INSERT INTO journals (id, issue_id, user_id, created_on, notes) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499) \
         SELECT 1000 + i, j.issue_id, j.user_id, j.created_on, 'Note ' || i FROM n, journals j; \
         INSERT INTO notices (user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on, mail_on) \
         SELECT n.user_id, n.thread_kind, n.thread_id, n.event_type, j.id, n.event_version, n.reasons, n.created_on, n.mail_on \
         FROM notices n, journals j WHERE j.id > 1000 AND n.user_id > 1000",
    );
    let waiting = "SELECT COUNT(*) FROM notices WHERE mail_on IS NOT NULL AND user_id > 1000";
    assert_eq!(world.database().value::<i64>(waiting), 100_000);
    let mails = deliver(&world, &server);
    let to_watchers: Vec<&Received> = mails
        .iter()
        .filter(|mail| mail.to[0].contains("watcher"))
        .collect();
    assert_eq!(to_watchers.len(), 200);
    let mut addresses: Vec<&String> = to_watchers.iter().map(|mail| &mail.to[0]).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), 200, "nobody gets two");
    assert!(to_watchers[0].data.contains("Note 499"));
    assert_eq!(world.database().value::<i64>(waiting), 0);
    assert_eq!(deliver(&world, &server).len(), 0);
}
