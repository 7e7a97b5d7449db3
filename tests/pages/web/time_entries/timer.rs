//! The timer: `POST /issues/:id/timer`, `/my/timer`.

use crate::web::roles::form_fields;
use quarry_world::World;
use quarry_world::browser::Browser;

const TIMER: &str = "/my/timer";

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").subject("Valve sticks").create();
    world.issue("open").subject("Pump leaks").create();
    world.issue("secret").subject("Rocket").create();
    world
}

/// Starts a timer half an hour ago.
fn start(world: &World, bob: &Browser<'_>, issue: i64) {
    let page = bob.get(&format!("/issues/{issue}")).assert_status(200);
    bob.submit(&page, &format!("/issues/{issue}/timer"), &[])
        .assert_status(303);
    let user = quarry_world::user("bob").0;
    let half_an_hour: i64 = 1_800
        * world.database().value::<i64>(
            "SELECT CASE WHEN MAX(started_on) > 100000000000 THEN 1000000 ELSE 1 END FROM timers",
        );
    world.sql(&format!(
        "UPDATE timers SET started_on = started_on - {half_an_hour} WHERE user_id = {user}"
    ));
}

#[test]
fn timer_measures_the_time_that_is_logged() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bob.get(TIMER)
        .assert_status(200)
        .assert_contains("No timer is running.");
    start(&world, &bob, 1);
    // Every page shows it, and it survives a restart of the browser.
    let again = Browser::logged_in(&world, "bob");
    again
        .get("/projects")
        .assert_contains("Timer 0:30")
        .assert_contains("href=\"/my/timer\"");
    let page = again.get(TIMER).assert_status(200);
    let mut fields = form_fields(&page);
    let hours = fields
        .iter()
        .find(|(name, _)| name == "time_entry[hours]")
        .unwrap();
    assert_eq!(hours.1, "0:30");
    // Wrong input keeps the timer.
    let send = |fields: &[(String, String)]| {
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        again.submit(&page, TIMER, &fields)
    };
    for field in &mut fields {
        if field.0 == "time_entry[activity_id]" {
            "9".clone_into(&mut field.1);
        }
    }
    let mut wrong = fields.clone();
    for field in &mut wrong {
        if field.0 == "time_entry[hours]" {
            "long".clone_into(&mut field.1);
        }
    }
    send(&wrong)
        .assert_status(422)
        .assert_contains("Hours is invalid");
    assert_eq!(send(&fields).assert_status(303).location(), "/issues/1");
    // The same form sent twice logs nothing again.
    assert_eq!(send(&fields).assert_status(303).location(), TIMER);
    let list = world.as_user("bob").get("/time_entries.json");
    list.assert_json_path("/total_count", 1)
        .assert_json_path("/time_entries/0/hours", 0.5)
        .assert_json_path("/time_entries/0/issue/id", 1);
    assert!(!bob.get("/projects").body.contains("/my/timer"));
}

#[test]
fn a_user_has_one_timer_on_an_issue_that_they_may_log_time_on() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    start(&world, &bob, 1);
    let page = bob.get(TIMER).assert_status(200);
    bob.submit(&page, "/issues/2/timer", &[]).assert_status(303);
    bob.get("/issues/2")
        .assert_contains("A timer is running on #1. Log its time or discard it first.");
    // Starting it again lets it go on.
    bob.submit(&page, "/issues/1/timer", &[]).assert_status(303);
    bob.get("/").assert_contains("Timer 0:30");
    for hidden in [3, 999] {
        bob.submit(&page, &format!("/issues/{hidden}/timer"), &[])
            .assert_status(404);
    }
    let dave = Browser::logged_in(&world, "dave");
    let form = dave.get("/projects");
    dave.submit(&form, "/issues/1/timer", &[])
        .assert_status(403);
    // Others do not see it.
    let alice = Browser::logged_in(&world, "alice");
    assert!(!alice.get("/issues/1").body.contains("/my/timer"));
    // An issue that is hidden meanwhile: the timer tells nothing of it, and can be discarded.
    world.edit(1, |issue| {
        issue.private = true;
        issue.subject = "Takeover".to_owned();
    });
    world.sql("UPDATE roles SET issues_visibility = 'default'");
    let page = bob.get(TIMER).assert_status(200);
    assert!(
        page.body.contains("can no longer be logged") && !page.body.contains("Takeover"),
        "{}",
        page.body
    );
    let fields = [
        ("timer_issue", "1"),
        ("time_entry[hours]", "1"),
        ("time_entry[activity_id]", "9"),
    ];
    let reply = bob.submit(&page, TIMER, &fields);
    assert!(matches!(reply.status, 403 | 404), "{reply:?}");
    let confirm = bob.get("/my/timer/discard").assert_status(200);
    bob.submit(&confirm, "/my/timer/discard", &[])
        .assert_status(303);
    bob.get(TIMER).assert_contains("No timer is running.");
    world
        .as_user("admin")
        .get("/time_entries.json")
        .assert_json_path("/total_count", 0);
}

#[test]
fn form_of_an_earlier_timer_logs_nothing_on_another_issue() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    start(&world, &bob, 1);
    let earlier = bob.get(TIMER).assert_status(200);
    bob.submit(&earlier, "/my/timer/discard", &[])
        .assert_status(303);
    start(&world, &bob, 2);
    let fields = [
        ("timer_issue", "1"),
        ("time_entry[hours]", "12"),
        ("time_entry[activity_id]", "9"),
    ];
    bob.submit(&earlier, TIMER, &fields)
        .assert_status(422)
        .assert_contains("Another timer is running since this page was shown.");
    world
        .as_user("admin")
        .get("/time_entries.json")
        .assert_json_path("/total_count", 0);
}
