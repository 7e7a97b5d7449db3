//! Reminders of due issues: `quarry mail reminders`, and those of every day.

use super::{MailServer, send, unsubscribe, unsubscribe_path, world};
use crate::mail::server::Received;
use quarry::domain::administration::setting::Setting;
use quarry::jobs::reminders::run_once;
use quarry_world::{World, insert_group, user};
use serde_json::json;

/// Creates an issue that is assigned to a user and due on this day of November 2026.
fn issue(world: &World, project: &str, login: &str, day: u32) -> i64 {
    world
        .issue(project)
        .subject(&format!("Due on {day}"))
        .field("assigned_to_id", user(login).0)
        .field("start_date", "2026-11-01")
        .field("due_date", format!("2026-11-{day:02}"))
        .create()
}

/// A world with reminders in which nothing else is mailed.
fn reminding(server: &MailServer) -> World {
    let world = world(server);
    world.set(Setting::NotifiedEvents, "");
    world.set(Setting::MailReminders, "1");
    world
}

/// Sends what is due today. Returns the mails by address.
fn remind(world: &World, server: &MailServer) -> Vec<Received> {
    run_once(&world.app).unwrap();
    send(world);
    let mut mails = server.take();
    mails.sort_by(|a, b| a.to.cmp(&b.to));
    mails
}

fn yesterday(world: &World) {
    world.sql("UPDATE reminder_days SET day = '2026-11-19'");
}

fn reload(world: &World, sql: &str) {
    world.sql(&format!(
        "{sql}; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'"
    ));
}

#[test]
fn due_issues_are_in_one_mail_a_day() {
    let server = MailServer::start();
    let world = reminding(&server);
    let late = issue(&world, "open", "bob", 18);
    issue(&world, "open", "bob", 22);
    issue(&world, "open", "bob", 28);
    let closed = issue(&world, "open", "bob", 19);
    let body = json!({"issue": {"status_id": 5}});
    world
        .as_user("alice")
        .put(&format!("/issues/{closed}.json"), body)
        .assert_status(200);
    let mails = remind(&world, &server);
    assert_eq!(mails.len(), 1, "{mails:?}");
    let mail = &mails[0];
    assert!(mail.to[0].contains("bob"));
    assert_eq!(mail.header("Subject"), Some("[Quarry] 2 issues are due"));
    let text = mail.data.replace("=\r\n", "").replace("=3D", "=");
    for expected in [
        "Overdue",
        "due 2026-11-18, 2 days overdue",
        "due 2026-11-22, in 2 days",
        &format!("/issues/{late}\r\n"),
        "/my/notifications",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("Due on 28") && !text.contains("Due on 19"));
    // Once a day, also for what becomes due later.
    issue(&world, "open", "bob", 20);
    assert_eq!(remind(&world, &server).len(), 0);
    yesterday(&world);
    let mails = remind(&world, &server);
    assert_eq!(
        mails[0].header("Subject"),
        Some("[Quarry] 3 issues are due")
    );
}

#[test]
fn reminders_are_off_by_default_and_look_as_far_as_the_setting_says() {
    let server = MailServer::start();
    let world = reminding(&server);
    world.set(Setting::MailReminders, "0");
    issue(&world, "open", "bob", 28);
    assert_eq!(remind(&world, &server).len(), 0);
    world.set(Setting::MailReminders, "1");
    assert_eq!(remind(&world, &server).len(), 0, "it is due in eight days");
    yesterday(&world);
    world.set(Setting::MailReminderDays, "8");
    assert_eq!(remind(&world, &server).len(), 1);
}

#[test]
fn reminder_is_sent_from_the_hour_on_in_the_zone_of_the_person() {
    let server = MailServer::start();
    let world = reminding(&server);
    // For bob it is two in the morning of the 21st, for carol of the 20th.
    reload(
        &world,
        "UPDATE users SET time_zone = 'Pacific/Kiritimati' WHERE id = 3; \
         UPDATE users SET time_zone = 'Pacific/Honolulu' WHERE id = 4",
    );
    issue(&world, "open", "bob", 20);
    issue(&world, "open", "carol", 20);
    assert_eq!(remind(&world, &server).len(), 0);
    world.set(Setting::DailyMailHour, "2");
    let mails = remind(&world, &server);
    assert_eq!(mails.len(), 2);
    assert!(mails[0].data.contains("1 day overdue"), "{mails:?}");
    assert!(mails[1].data.contains("today"), "{mails:?}");
}

#[test]
fn reminder_has_only_what_its_recipient_may_see_when_it_is_sent() {
    let server = MailServer::start();
    let world = reminding(&server);
    issue(&world, "open", "carol", 20);
    let hidden = issue(&world, "open", "carol", 21);
    world.edit(hidden, |issue| {
        issue.project = quarry::domain::ids::ProjectId(2);
    });
    let mails = remind(&world, &server);
    assert_eq!(mails[0].header("Subject"), Some("[Quarry] 1 issue is due"));
    assert!(!mails[0].data.contains("Due on 21"));
    yesterday(&world);
    run_once(&world.app).unwrap();
    reload(
        &world,
        "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = 4); \
         DELETE FROM members WHERE user_id = 4; UPDATE projects SET is_public = 0",
    );
    let report = send(&world);
    assert_eq!((report.sent, report.skipped), (0, 1));
}

#[test]
fn reminders_are_for_active_people_who_want_them() {
    let server = MailServer::start();
    let world = reminding(&server);
    issue(&world, "open", "bob", 20);
    issue(&world, "open", "carol", 20);
    reload(
        &world,
        "UPDATE users SET mail_notification = 'none' WHERE id = 4",
    );
    let off = json!({"user": {}, "pref": {"mail_reminders": false}});
    let bob = world.as_user("bob");
    bob.put("/my/account.json", off).assert_status(200);
    assert_eq!(remind(&world, &server).len(), 0);
    let on = json!({"user": {}, "pref": {"mail_reminders": true}});
    bob.put("/my/account.json", on).assert_status(200);
    assert_eq!(remind(&world, &server).len(), 1);
    yesterday(&world);
    run_once(&world.app).unwrap();
    reload(&world, "UPDATE users SET status = 3 WHERE id = 3");
    assert_eq!(send(&world).sent, 0);
    yesterday(&world);
    assert_eq!(remind(&world, &server).len(), 0);
}

#[test]
fn issues_of_a_group_are_those_of_its_members() {
    let server = MailServer::start();
    let world = reminding(&server);
    world.set(Setting::IssueGroupAssignment, "1");
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Ops", &[user("bob"), user("carol")], now));
    let id = issue(&world, "open", "bob", 20);
    world.edit(id, move |issue| issue.assignee = Some(group));
    assert_eq!(remind(&world, &server).len(), 2);
}

#[test]
fn command_reminds_people_of_what_it_is_asked_for() {
    let server = MailServer::start();
    let world = reminding(&server);
    issue(&world, "open", "bob", 20);
    issue(&world, "open", "carol", 19);
    let data = world.into_data();
    let run = |arguments: &[&str]| {
        let all = [&["mail", "reminders"], arguments].concat();
        let output = data.quarry(&all).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
        (
            output.status.code(),
            text(&output.stdout) + &text(&output.stderr),
        )
    };
    for (arguments, people) in [
        (&[][..], "2 people"),
        (&["--days", "0", "--user", "carol"], "1 person"),
        (&["--days", "9", "--users", "3,4"], "2 people"),
        (&["--project", "open", "--tracker", "1,Feature"], "2 people"),
        (&["--project", "secret"], "0 people"),
        (&["--tracker", "Support"], "0 people"),
    ] {
        let expected =
            format!("{people} with due issues: the service sends a mail to those who may see them");
        assert_eq!(run(arguments), (Some(0), expected), "{arguments:?}");
    }
    for (arguments, expected) in [
        (&["--project", "x"][..], "there is no project \"x\""),
        (&["--tracker", "x"], "there is no tracker \"x\""),
        (&["--user", "99"], "there is no user or group \"99\""),
        (&["--version", "9.9"], "there is no version \"9.9\""),
        (&["--days", "x"], "invalid value 'x'"),
        (&["--days", "-1"], "unexpected argument"),
    ] {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn command_needs_mail() {
    let data = World::new().into_data();
    let output = data.quarry(&["mail", "reminders"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("mail is off"), "{error}");
}

#[test]
fn link_in_a_reminder_ends_reminders() {
    let server = MailServer::start();
    let world = reminding(&server);
    issue(&world, "open", "bob", 18);
    let mails = remind(&world, &server);
    let path = unsubscribe_path(&mails[0]);
    world
        .anonymous()
        .get(&path)
        .assert_status(200)
        .assert_contains("No more mails about due issues?");
    unsubscribe(&world, &path).assert_status(200);
    yesterday(&world);
    assert_eq!(remind(&world, &server).len(), 0);
    // Mails about events go on.
    world.set(Setting::NotifiedEvents, "issue_note_added");
    let id = issue(&world, "open", "bob", 28);
    let body = json!({"issue": {"notes": "Hello @bob"}});
    let alice = world.as_user("alice");
    alice
        .put(&format!("/issues/{id}.json"), body)
        .assert_status(200);
    assert_eq!(send(&world).sent, 1);
}
