//! The own week: `/time_entries/week`.

use super::log;
use crate::web::roles::form_fields;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::{Value, json};

const WEEK: &str = "/time_entries/week";

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").subject("Valve sticks").create();
    world.issue("secret").subject("Rocket").create();
    world
}

/// Returns day, hours and issue of the time entries of a user, in the order of their ids.
fn entries_of(world: &World, login: &str) -> Vec<(String, f64, i64)> {
    let list = world
        .as_user(login)
        .get("/time_entries.json?user_id=me&sort=id")
        .assert_status(200);
    let entry = |entry: &Value| {
        (
            entry["spent_on"].as_str().unwrap().to_owned(),
            entry["hours"].as_f64().unwrap(),
            entry["issue"]["id"].as_i64().unwrap_or(0),
        )
    };
    list.array("/time_entries").iter().map(entry).collect()
}

/// Sends the form of a page with other values of some fields, and returns the reply.
fn save(
    browser: &Browser<'_>,
    page: &quarry_world::Response,
    changes: &[(&str, &str)],
) -> quarry_world::Response {
    let mut fields = form_fields(page);
    for (name, value) in changes {
        let field = fields.iter_mut().find(|(field, _)| field == name);
        match field {
            Some(field) => (*value).clone_into(&mut field.1),
            None => panic!("no field {name}: {}", page.body),
        }
    }
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    browser.submit(page, WEEK, &fields)
}

#[test]
fn cells_create_change_and_delete_time_entries() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(WEEK).assert_status(200);
    save(
        &alice,
        &page,
        &[
            ("rows[new0][issue]", "#1"),
            ("rows[new0][activity]", "9"),
            ("rows[new0][day1]", "1:30"),
            ("rows[new0][day5]", "2h15"),
            ("rows[new1][project]", "open"),
            ("rows[new1][activity]", "8"),
            ("rows[new1][day5]", "1"),
        ],
    )
    .assert_status(303);
    let expected = [
        ("2026-11-16".to_owned(), 1.5, 1),
        ("2026-11-20".to_owned(), 2.25, 1),
        ("2026-11-20".to_owned(), 1.0, 0),
    ];
    assert_eq!(entries_of(&world, "alice"), expected);
    let page = alice.get(WEEK).assert_status(200);
    assert!(page.body.contains("4.75 h"), "{}", page.body);
    save(
        &alice,
        &page,
        &[("rows[1-1-9][day1]", ""), ("rows[1-1-9][day5]", "3")],
    )
    .assert_status(303);
    let expected = [
        ("2026-11-20".to_owned(), 3.0, 1),
        ("2026-11-20".to_owned(), 1.0, 0),
    ];
    assert_eq!(entries_of(&world, "alice"), expected);
    // The rows of a week are offered again in the next one.
    let next = alice.get(&format!("{WEEK}?day=2026-11-25")).body;
    assert!(next.contains("rows[1-1-9][day0]") && next.contains("Valve sticks"));
    let later = alice.get(&format!("{WEEK}?day=2026-12-05")).body;
    assert!(!later.contains("rows[1-1-9][day0]"));
}

#[test]
fn all_cells_are_saved_or_none_with_a_message_for_each_wrong_one() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(WEEK).assert_status(200);
    let refused = save(
        &bob,
        &page,
        &[
            ("rows[new0][issue]", "1"),
            ("rows[new0][activity]", "9"),
            ("rows[new0][day1]", "2"),
            ("rows[new0][day2]", "many"),
        ],
    )
    .assert_status(422);
    assert!(
        refused.body.contains("Hours is invalid") && refused.body.contains("value=\"many\""),
        "{}",
        refused.body
    );
    // A hidden issue and one that does not exist are answered alike.
    let messages = ["2", "999"].map(|issue| {
        let changes = [("rows[new0][issue]", issue), ("rows[new0][day1]", "2")];
        let refused = save(&bob, &page, &changes).assert_status(422).body;
        let start = refused.find("id=\"errors\"").unwrap();
        refused[start..start + 300].replace(&format!("value=\"{issue}\""), "")
    });
    assert_eq!(messages[0], messages[1]);
    let nowhere = save(&bob, &page, &[("rows[new0][day1]", "2")]).assert_status(422);
    nowhere.assert_contains("enter the number of an issue, or choose a project");
    assert_eq!(entries_of(&world, "bob"), []);
    bob.get(&format!("{WEEK}?day=soon"))
        .assert_status(422)
        .assert_contains("day must be a date");
    bob.get(&format!("{WEEK}?day=1900-01-01"))
        .assert_status(200);
    for day in ["0000-01-01", "-9999-01-01", "9999-12-31", "2026-02-30"] {
        bob.get(&format!("{WEEK}?day={day}")).assert_status(422);
    }
}

#[test]
fn time_that_has_changed_meanwhile_is_not_overwritten() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    log(
        &world,
        "alice",
        json!({"issue_id": 1, "hours": 2, "activity_id": 9, "spent_on": "2026-11-18"}),
    );
    let page = alice.get(WEEK).assert_status(200);
    let put = |hours: f64| {
        world
            .as_user("alice")
            .put(
                "/time_entries/1.json",
                json!({"time_entry": {"hours": hours}}),
            )
            .assert_status(200);
    };
    put(5.0);
    for typed in ["3", ""] {
        save(&alice, &page, &[("rows[1-1-9][day3]", typed)])
            .assert_status(422)
            .assert_contains("has been changed to 5 h since this page was shown");
    }
    // The same is no conflict, and an untouched cell is left alone.
    save(&alice, &page, &[("rows[1-1-9][day3]", "5")]).assert_status(303);
    save(&alice, &page, &[]).assert_status(303);
    assert_eq!(
        entries_of(&world, "alice"),
        [("2026-11-18".to_owned(), 5.0, 1)]
    );
}

#[test]
fn nobody_changes_the_time_of_others() {
    let world = world();
    log(
        &world,
        "alice",
        json!({"issue_id": 1, "hours": 2, "activity_id": 9, "spent_on": "2026-11-18"}),
    );
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(WEEK).assert_status(200);
    assert!(!page.body.contains("rows[1-1-9]"));
    let fields = [
        ("day", "2026-11-15"),
        ("rows[1-1-9][day3]", "9"),
        ("rows[1-1-9][shown3]", "1:2"),
    ];
    bob.submit(&page, WEEK, &fields).assert_status(422);
    assert_eq!(
        entries_of(&world, "alice"),
        [("2026-11-18".to_owned(), 2.0, 1)]
    );
    // Without the permission to log time, and without an account.
    Browser::logged_in(&world, "dave")
        .get(WEEK)
        .assert_status(403);
    let reply = Browser::new(&world).get(WEEK);
    assert!(reply.location().starts_with("/login"), "{reply:?}");
}

#[test]
fn form_that_is_sent_twice_logs_the_time_once() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(WEEK).assert_status(200);
    let changes = [
        ("rows[new0][issue]", "1"),
        ("rows[new0][activity]", "9"),
        ("rows[new0][day1]", "2"),
    ];
    save(&bob, &page, &changes).assert_status(303);
    save(&bob, &page, &changes)
        .assert_status(422)
        .assert_contains("There is time of this day already.");
    assert_eq!(
        entries_of(&world, "bob"),
        [("2026-11-16".to_owned(), 2.0, 1)]
    );
}

#[test]
fn shared_activity_means_the_one_that_replaces_it_in_the_project() {
    let world = world();
    world.sql("INSERT INTO enumerations (type, name, position, project_id, parent_id, active) VALUES ('TimeEntryActivity', 'Drawing', 9, 1, 8, 1); UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(WEEK).assert_status(200);
    for (number, target) in [("0", ("issue", "1")), ("1", ("project", "open"))] {
        let row = |name: &str| format!("rows[new{number}][{name}]");
        let names = [row(target.0), row("activity"), row("day2")];
        let changes = [(&*names[0], target.1), (&*names[1], "8"), (&*names[2], "1")];
        save(&bob, &page, &changes).assert_status(303);
    }
    let list = world.as_user("bob").get("/time_entries.json");
    for entry in list.array("/time_entries") {
        assert_eq!(entry["activity"]["name"], "Drawing", "{entry}");
    }
    assert_eq!(list.integer("/total_count"), 2);
}

#[test]
fn time_on_a_hidden_issue_tells_nothing_of_it() {
    let world = world();
    log(
        &world,
        "bob",
        json!({"issue_id": 1, "hours": 2, "activity_id": 9, "spent_on": "2026-11-18"}),
    );
    world.edit(1, |issue| issue.private = true);
    world.sql("UPDATE roles SET issues_visibility = 'default'");
    let page = Browser::logged_in(&world, "bob")
        .get(WEEK)
        .assert_status(200);
    assert!(
        page.body.contains("rows[1-0-9][day1]")
            && !page.body.contains("rows[1-1-")
            && !page.body.contains("Valve"),
        "{}",
        page.body
    );
}

#[test]
fn time_that_was_moved_or_deleted_meanwhile_is_left_alone() {
    let world = world();
    world.issue("open").subject("Pump leaks").create();
    let alice = Browser::logged_in(&world, "alice");
    for day in ["2026-11-18", "2026-11-19"] {
        log(
            &world,
            "alice",
            json!({"issue_id": 1, "hours": 2, "activity_id": 9, "spent_on": day}),
        );
    }
    let page = alice.get(WEEK).assert_status(200);
    world
        .as_user("alice")
        .put(
            "/time_entries/1.json",
            json!({"time_entry": {"issue_id": 3}}),
        )
        .assert_status(200);
    for typed in ["", "5"] {
        save(&alice, &page, &[("rows[1-1-9][day3]", typed)])
            .assert_status(422)
            .assert_contains("has been moved since this page was shown");
    }
    let expected = [
        ("2026-11-18".to_owned(), 2.0, 3),
        ("2026-11-19".to_owned(), 2.0, 1),
    ];
    assert_eq!(entries_of(&world, "alice"), expected);
    world
        .as_user("alice")
        .delete("/time_entries/2.json")
        .assert_status(200);
    // What else was typed in its row is kept.
    let changes = [("rows[1-1-9][day4]", "3"), ("rows[1-1-9][day5]", "4.25")];
    save(&alice, &page, &changes)
        .assert_status(422)
        .assert_contains("has been deleted since this page was shown")
        .assert_contains("value=\"4.25\"");
    // Deleting it again is no error.
    save(&alice, &page, &[("rows[1-1-9][day4]", "")]).assert_status(303);
    assert_eq!(entries_of(&world, "alice"), expected[..1]);
}
