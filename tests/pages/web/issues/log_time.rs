//! Logging time on an issue.

use crate::web::roles::form_fields;
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::{Value, json};

const PATH: &str = "/issues/1/time_entries/new";
const HOURS: &str = "time_entry[hours]";
const ACTIVITY: &str = "time_entry[activity_id]";
const DATE: &str = "time_entry[spent_on]";

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").create();
    world.issue("secret").create();
    world
}

fn entries(world: &World) -> Vec<Value> {
    let list = world
        .as_user("admin")
        .get("/time_entries.json")
        .json_path("/time_entries");
    list.as_array().unwrap().clone()
}

#[test]
fn time_is_logged_as_people_write_hours() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let issue = bob.get("/issues/1").assert_status(200);
    issue
        .assert_contains("id=\"fact-spent_hours\"")
        .assert_contains("id=\"log-time\"");
    let page = bob.get(PATH).assert_status(200);
    let date = form_fields(&page)
        .into_iter()
        .find(|(name, _)| name == DATE);
    assert_eq!(date.unwrap().1, "2026-11-20");
    for (hours, expected) in [("1.5", 1.5), ("1:30", 1.5), ("2h30", 2.5), ("45min", 0.75)] {
        let fields = [
            (HOURS, hours),
            (ACTIVITY, "9"),
            (DATE, "2026-11-19"),
            ("time_entry[comments]", "the <b>"),
        ];
        let saved = bob.submit(&page, PATH, &fields).assert_status(303);
        assert_eq!(saved.location(), "/issues/1");
        let entry = &entries(&world)[0];
        assert_eq!(entry["hours"], expected, "{hours}");
        assert_eq!(entry["issue"]["id"], 1);
        assert_eq!(entry["spent_on"], "2026-11-19");
        assert_eq!(entry["comments"], "the <b>");
    }
    bob.get("/issues/1")
        .assert_contains("The time was logged.")
        .assert_contains("6.25 h");
}

#[test]
fn errors_stand_beside_the_fields_and_nothing_is_logged() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(PATH).assert_status(200);
    let long = "x".repeat(1100);
    for (changed, value, attribute) in [
        (HOURS, "", HOURS),
        (HOURS, "many", HOURS),
        (HOURS, "-1", HOURS),
        (ACTIVITY, "999", ACTIVITY),
        (DATE, "soon", DATE),
        ("time_entry[comments]", &long, "time_entry[comments]"),
    ] {
        let mut fields = vec![
            (HOURS, "2"),
            (ACTIVITY, "9"),
            (DATE, "2026-11-19"),
            ("time_entry[comments]", "kept"),
        ];
        fields.retain(|(name, _)| *name != changed);
        fields.push((changed, value));
        let refused = bob.submit(&page, PATH, &fields).assert_status(422);
        let id = format!("id=\"{attribute}-error\"");
        assert!(refused.body.contains(&id), "{value}: {refused:?}");
    }
    assert!(entries(&world).is_empty());
}

#[test]
fn time_is_logged_only_by_those_who_may_on_the_issue_of_the_path() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(PATH).assert_status(200);
    let fields = [
        (HOURS, "2"),
        (ACTIVITY, "9"),
        ("time_entry[issue_id]", "2"),
        ("time_entry[project_id]", "secret"),
        ("time_entry[user_id]", "2"),
    ];
    bob.submit(&page, PATH, &fields).assert_status(422);
    bob.submit(&page, PATH, &fields[..4]).assert_status(303);
    let entry = entries(&world)[0].clone();
    assert_eq!(
        (&entry["issue"]["id"], &entry["user"]["id"]),
        (&json!(1), &json!(3))
    );
    bob.get("/issues/2/time_entries/new").assert_status(404);
    bob.submit(&page, "/issues/2/time_entries/new", &fields[..2])
        .assert_status(404);
    let anonymous = Browser::new(&world);
    anonymous.get(PATH).assert_status(302);
    anonymous.post(PATH, &fields[..2]).assert_status(401);
    world.sql("DELETE FROM role_permissions WHERE name = 'log_time'; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    bob.get(PATH).assert_status(403);
    bob.submit(&page, PATH, &fields[..2]).assert_status(403);
    let issue = bob.get("/issues/1").assert_status(200);
    assert!(!issue.body.contains("time_entries/new"));
    assert_eq!(entries(&world).len(), 1);
}

#[test]
fn closed_issue_takes_no_time_where_the_setting_forbids_it() {
    let world = world();
    let closed = json!({"issue": {"status_id": 5}});
    world
        .as_user("admin")
        .put("/issues/1.json", closed)
        .assert_status(200);
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(PATH).assert_status(200);
    world.set(Setting::TimelogAcceptClosedIssues, "0");
    bob.get(PATH).assert_status(403);
    let fields = [(HOURS, "2"), (ACTIVITY, "9")];
    bob.submit(&page, PATH, &fields).assert_status(403);
    let issue = bob.get("/issues/1").assert_status(200);
    assert!(!issue.body.contains("time_entries/new"));
}
