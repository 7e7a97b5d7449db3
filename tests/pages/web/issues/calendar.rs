//! `GET /issues/calendar` and `GET /projects/:id/issues/calendar`. It is 20 November 2026.

use crate::web::versions::version;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use scraper::{Html, Selector};
use serde_json::json;

/// Creates an issue of alice with these dates and returns its id.
pub fn dated(world: &World, project: &str, subject: &str, start: &str, due: &str) -> i64 {
    let mut issue = world.issue(project).subject(subject);
    for (name, day) in [("start_date", start), ("due_date", due)] {
        issue = issue.field(
            name,
            if day.is_empty() {
                json!(null)
            } else {
                json!(day)
            },
        );
    }
    issue.create()
}

/// Adds issues and versions of today that everybody sees, and others that only alice does: "Seen",
/// "Seen version", "Elsewhere", "Unseen" and "Hidden version".
pub fn add_hidden_records(world: &World) {
    let day = "2026-11-20";
    dated(world, "open", "Seen", day, day);
    dated(world, "secret", "Elsewhere", day, day);
    let private = world.issue("open").subject("Unseen").private();
    private.field("due_date", day).create();
    for (project, name) in [("open", "Seen version"), ("secret", "Hidden version")] {
        let fields = json!({"name": name, "due_date": day, "sharing": "system"});
        version(world, project, fields);
    }
}

fn world() -> World {
    let world = World::with_projects();
    world.set(Setting::LoginRequired, "0");
    world
}

/// Returns the text on a day, with single spaces; `None` if the day is not on the page.
fn day(page: &Response, date: &str) -> Option<String> {
    let html = Html::parse_document(&page.body);
    let cells = Selector::parse("table.calendar td").unwrap();
    let time = Selector::parse("p.day time").unwrap();
    let cell = html.select(&cells).find(|cell| {
        cell.select(&time)
            .any(|time| time.attr("datetime") == Some(date))
    })?;
    let text: Vec<&str> = cell.text().flat_map(str::split_whitespace).collect();
    Some(text.join(" "))
}

#[track_caller]
fn assert_day(page: &Response, date: &str, expected: &[&str]) {
    let text = day(page, date).unwrap();
    for expected in expected {
        assert!(text.contains(expected), "{expected} is missing: {text}");
    }
}

#[test]
fn issues_and_versions_are_on_their_days() {
    let world = world();
    dated(&world, "open", "Spans", "2026-11-03", "2026-12-02");
    dated(&world, "open", "One day", "2026-11-18", "2026-11-18");
    dated(&world, "open", "Only due", "", "2026-11-30");
    dated(&world, "open", "Other month", "2026-09-01", "2026-09-02");
    version(
        &world,
        "open",
        json!({"name": "1.0", "due_date": "2026-11-19"}),
    );
    let bob = Browser::logged_in(&world, "bob");
    for path in ["/issues/calendar", "/projects/open/issues/calendar"] {
        let page = bob.get(path).assert_status(200);
        assert_day(&page, "2026-11-03", &["#1 Spans starts"]);
        assert_day(&page, "2026-11-18", &["#2 One day starts and due, overdue"]);
        assert_day(&page, "2026-11-30", &["#3 Only due due"]);
        // The last week of the month ends in the next one.
        assert_day(&page, "2026-12-02", &["#1 Spans due"]);
        assert_day(&page, "2026-11-19", &["1.0"]);
        assert_day(&page, "2026-11-20", &["today"]);
        assert!(!page.body.contains("Other month"), "{path}");
    }
    let september = bob
        .get("/issues/calendar?year=2026&month=9")
        .assert_status(200)
        .assert_contains("September 2026");
    assert_day(&september, "2026-09-02", &["#4 Other month due, overdue"]);
    bob.get("/issues/calendar?year=2030&month=2")
        .assert_status(200)
        .assert_contains("Nothing starts or is due in these weeks.");
}

#[test]
fn weeks_begin_on_the_day_of_the_setting() {
    let world = world();
    let anonymous = Browser::new(&world);
    for (setting, first) in [("1", "Monday"), ("7", "Sunday"), ("6", "Saturday")] {
        world.set(Setting::StartOfWeek, setting);
        anonymous
            .get("/issues/calendar")
            .assert_status(200)
            .assert_contains(&format!("<thead><tr><th scope=\"col\" abbr=\"{first}\">"));
    }
}

#[test]
fn calendar_keeps_the_query_of_the_list() {
    let world = world();
    dated(&world, "open", "Pump leaks", "", "2026-11-20");
    dated(&world, "open", "Valve", "", "2026-11-20");
    let bob = Browser::logged_in(&world, "bob");
    let query = "f[]=subject&op[subject]=~&v[subject][]=pump";
    let list = bob.get(&format!("/projects/open/issues?{query}&page=1"));
    let link =
        "/projects/open/issues/calendar?f[]=subject&#38;op[subject]=~&#38;v[subject][]=pump\"";
    list.assert_status(200).assert_contains(link);
    let page = bob
        .get(&format!(
            "/projects/open/issues/calendar?{query}&month=11&year=2026"
        ))
        .assert_status(200)
        .assert_contains("Pump leaks")
        // Other months, the list and the calendar for programs.
        .assert_contains(
            "?f[]=subject&#38;op[subject]=~&#38;v[subject][]=pump&#38;year=2026&#38;month=12\"",
        )
        .assert_contains(
            "\"/projects/open/issues?f[]=subject&#38;op[subject]=~&#38;v[subject][]=pump\"",
        )
        .assert_contains(
            "/issues/calendar.ics?f[]=subject&#38;op[subject]=~&#38;v[subject][]=pump\"",
        )
        .assert_contains("<input type=\"hidden\" name=\"f[]\" value=\"subject\">")
        .assert_contains("aria-label=\"Remove Subject");
    assert!(!page.body.contains("Valve"));
    bob.get("/issues/calendar?due_date=soon").assert_status(422);
    bob.get("/issues/calendar?query_id=99").assert_status(404);
}

#[test]
fn full_day_links_to_lists_with_as_many_issues_as_it_says() {
    let world = world();
    for number in 1..=4 {
        let subject = format!("Due {number}");
        dated(&world, "open", &subject, "2026-11-01", "2026-11-25");
        let subject = format!("Starts {number}");
        dated(&world, "open", &subject, "2026-11-25", "");
    }
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/issues/calendar?tracker_id=1").assert_status(200);
    assert_day(&page, "2026-11-25", &["3 more: 4 due , 4 starting"]);
    for filter in ["due_date", "start_date"] {
        let path = format!("/issues?tracker_id=1&{filter}=2026-11-25");
        let link = path.replace('&', "&#38;");
        assert!(page.body.contains(&link), "{link} is missing");
        bob.get(&path)
            .assert_status(200)
            .assert_contains("<span class=\"count\">4</span>");
    }
}

#[test]
fn hidden_issues_and_versions_are_not_in_the_calendar() {
    let world = world();
    add_hidden_records(&world);
    let dave = Browser::logged_in(&world, "dave");
    let anonymous = Browser::new(&world);
    for browser in [&dave, &anonymous] {
        for path in ["/issues/calendar", "/projects/open/issues/calendar"] {
            for suffix in ["", ".ics"] {
                let page = browser.get(&format!("{path}{suffix}")).assert_status(200);
                for seen in ["Seen", "Seen version"] {
                    assert!(page.body.contains(seen), "{seen} at {path}{suffix}");
                }
                for hidden in ["Unseen", "Elsewhere", "Hidden version"] {
                    assert!(!page.body.contains(hidden), "{hidden} at {path}{suffix}");
                }
            }
        }
    }
    for suffix in ["", ".ics"] {
        let path = format!("/projects/secret/issues/calendar{suffix}");
        dave.get(&path).assert_status(404);
        Browser::logged_in(&world, "alice")
            .get(&path)
            .assert_status(200)
            .assert_contains("Elsewhere");
    }
    dave.get("/projects/nothing/issues/calendar")
        .assert_status(404);
    dave.get("/issues/calendar.ics?project_id=secret")
        .assert_status(404);
}

#[test]
fn months_out_of_range_are_refused_by_name() {
    let world = world();
    let anonymous = Browser::new(&world);
    for (query, message) in [
        ("month=13", "Month must be 1 to 12"),
        ("month=0", "Month must be 1 to 12"),
        ("month=%2B3", "Month must be 1 to 12"),
        ("month[]=3", "Month must be 1 to 12"),
        ("year=99999", "Year must be 1900 to 2999"),
        ("year=soon", "Year must be 1900 to 2999"),
    ] {
        anonymous
            .get(&format!("/issues/calendar?{query}"))
            .assert_status(422)
            .assert_contains(message);
    }
    let first = anonymous
        .get("/issues/calendar?year=1900&month=1")
        .assert_status(200);
    assert!(!first.body.contains("rel=\"prev\""));
    let last = anonymous
        .get("/issues/calendar?year=2999&month=12")
        .assert_status(200);
    assert!(!last.body.contains("rel=\"next\""));
    anonymous
        .get("/issues/calendar?year=&month=")
        .assert_status(200)
        .assert_contains("November 2026");
}

#[test]
fn closed_issues_are_shown_with_their_filter() {
    let world = world();
    let id = dated(&world, "open", "Finished", "", "2026-11-02");
    let body = json!({"issue": {"status_id": 5}}).to_string();
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), &body)
        .assert_status(200);
    let bob = Browser::logged_in(&world, "bob");
    let open = bob.get("/issues/calendar").assert_status(200);
    assert!(!open.body.contains("Finished"));
    let all = bob.get("/issues/calendar?status_id=*").assert_status(200);
    let text = day(&all, "2026-11-02").unwrap();
    assert!(
        text.contains("closed: #1 Finished due") && !text.contains("overdue"),
        "{text}"
    );
}
