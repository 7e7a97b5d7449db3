//! A clock that was ahead and is set back: nothing keeps waiting for a time that it set.

use crate::mail::{self, MailServer};
use quarry::domain::administration::setting::Setting;
use quarry::jobs;
use quarry_world::browser::Browser;
use quarry_world::{World, user};
use serde_json::json;
use std::time::Duration;

const AHEAD: &str = "2036-11-20T12:00:00Z";
const NOW: &str = "2026-11-20T12:00:00Z";
/// The longest delay of an address after wrong passwords.
const LONGEST_DELAY: Duration = Duration::from_secs(15 * 60);

/// Creates an issue. Returns its id.
fn create(world: &World, subject: &str) -> i64 {
    let issue = json!({"issue": {"project_id": "open", "subject": subject}});
    let created = world.as_user("alice").post("/issues.json", issue);
    created.assert_status(201).json()["issue"]["id"]
        .as_i64()
        .unwrap()
}

#[test]
fn writes_and_searches_go_on_when_the_clock_goes_back() {
    let world = World::with_projects();
    world.clock.set(AHEAD);
    let first = create(&world, "Walrus of the future");
    world.clock.set(NOW);
    let browser = Browser::logged_in(&world, "alice");
    let second = create(&world, "Walrus of today");
    let alice = world.as_user("alice");
    for (id, note) in [(first, "first note"), (second, "second note")] {
        let path = format!("/issues/{id}.json");
        let change = json!({"issue": {"notes": note}});
        alice.put(&path, change).assert_status(200);
        alice
            .get(&format!("{path}?include=journals"))
            .assert_status(200)
            .assert_contains(note);
        browser.get(&format!("/issues/{id}")).assert_status(200);
    }
    let found = alice.get("/search.json?q=walrus").assert_status(200);
    assert_eq!(found.json()["total_count"], 2);
    let found = alice.get("/search.json?q=second").assert_status(200);
    assert_eq!(found.json()["total_count"], 1);
    let listed = alice.get("/issues.json?sort=created_on:desc");
    let ids: Vec<i64> = listed
        .assert_status(200)
        .array("/issues")
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [first, second]);
    for path in ["/activity", "/issues", "/my/inbox", "/search?q=walrus"] {
        browser.get(path).assert_status(200);
    }
    assert_eq!(jobs::cleanup::run_once(&world.app).unwrap(), (0, 0));
}

#[test]
fn login_delay_ends_when_the_clock_is_set_back() {
    let world = World::with_projects();
    world.clock.set(AHEAD);
    let is_delayed = (0..20).any(|_| {
        let answer = Browser::new(&world).log_in("alice", "wrong-password", &[]);
        answer.status == 429
    });
    assert!(is_delayed);
    world.clock.set(NOW);
    // With SQLite, the process counts by a clock that does not jump: there the delay has to pass.
    world.clock.pass(LONGEST_DELAY);
    let browser = Browser::new(&world);
    browser
        .log_in("alice", "alicealice", &[])
        .assert_status(303);
}

#[test]
fn mails_do_not_wait_for_a_time_that_a_wrong_clock_has_set() {
    let server = MailServer::start();
    let world = mail::world(&server);
    world.clock.set(AHEAD);
    let change = json!({"user": {"password": "another-password-1"}});
    world
        .as_user("admin")
        .put("/users/3.json", change)
        .assert_status(200);
    // A notice waits for two minutes before its mail.
    let issue =
        json!({"issue": {"project_id": "open", "subject": "New", "assigned_to_id": user("bob").0}});
    world
        .as_user("alice")
        .post("/issues.json", issue)
        .assert_status(201);
    world.clock.set(NOW);
    mail::send(&world);
    assert_eq!(server.take().len(), 0);
    jobs::cleanup::run_once(&world.app).unwrap();
    mail::send(&world);
    let mut subjects: Vec<String> = server
        .take()
        .iter()
        .map(|mail| mail.header("Subject").unwrap().to_owned())
        .collect();
    subjects.sort_unstable();
    assert_eq!(subjects.len(), 2, "{subjects:?}");
    assert!(subjects[0].contains("password"), "{subjects:?}");
    assert!(subjects[1].contains("New"), "{subjects:?}");
}

#[test]
fn digests_and_urgent_notices_do_not_wait_for_a_wrong_clock() {
    let server = MailServer::start();
    let world = mail::world(&server);
    let daily = json!({"user": {}, "pref": {"mail_digest": "daily"}});
    world
        .as_user("carol")
        .put("/my/account.json", daily)
        .assert_status(200);
    let first = world.issue("open").author("carol").create();
    let second = world.issue("open").author("carol").create();
    world.clock.set(AHEAD);
    for (issue, notes) in [(first, "An ordinary note"), (second, "@carol please look")] {
        let change = json!({"issue": {"notes": notes}});
        world
            .as_user("alice")
            .put(&format!("/issues/{issue}.json"), change)
            .assert_status(200);
    }
    world.clock.set(NOW);
    jobs::cleanup::run_once(&world.app).unwrap();
    mail::send(&world);
    let mails = server.take();
    let mails: Vec<_> = mails
        .iter()
        .filter(|mail| mail.to[0].contains("carol"))
        .collect();
    assert_eq!(mails.len(), 2, "a digest and a mention");
    let waiting = "SELECT COUNT(*) FROM notices WHERE mail_on IS NOT NULL";
    assert_eq!(world.database().value::<i64>(waiting), 0);
}

#[test]
fn reminders_are_sent_again_after_the_clock_is_set_back() {
    let server = MailServer::start();
    let world = mail::world(&server);
    world.set(Setting::NotifiedEvents, "");
    world.set(Setting::MailReminders, "1");
    world
        .issue("open")
        .field("assigned_to_id", user("bob").0)
        .field("start_date", "2026-11-01")
        .field("due_date", "2026-11-18")
        .create();
    world.clock.set(AHEAD);
    jobs::reminders::run_once(&world.app).unwrap();
    mail::send(&world);
    server.take();
    world.clock.set(NOW);
    jobs::reminders::run_once(&world.app).unwrap();
    mail::send(&world);
    let mails = server.take();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].to[0].contains("bob"));
    jobs::reminders::run_once(&world.app).unwrap();
    mail::send(&world);
    assert_eq!(server.take().len(), 0, "once a day");
}
