//! The calendars for calendar programs: `/issues/calendar.ics` and `/projects/:id/roadmap.ics`, parsed
//! by the library.

use super::calendar::dated;
use crate::web::versions::version;
use icalendar::{Calendar, CalendarComponent, Component, Event};
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::complete_world::reindex;
use quarry_world::{Response, World, quoted};
use serde_json::json;

/// Parses the calendar, which must have nothing but events.
#[track_caller]
fn events(response: &Response) -> Vec<Event> {
    assert_eq!(response.content_type(), "text/calendar; charset=utf-8");
    for line in response.body.split("\r\n") {
        assert!(line.len() <= 75, "{line}");
        assert!(!line.contains(['\r', '\n']), "{line:?}");
    }
    let calendar: Calendar = response.body.parse().unwrap();
    let events = calendar
        .components
        .into_iter()
        .map(|component| match component {
            CalendarComponent::Event(event) => event,
            other => panic!("{other:?}"),
        });
    events.collect()
}

fn value<'e>(event: &'e Event, name: &str) -> &'e str {
    event.property_value(name).unwrap_or_default()
}

#[test]
fn issues_are_all_day_events_with_stable_ids() {
    let world = World::with_projects();
    world.set(Setting::HostName, "tracker.example.org/quarry");
    dated(&world, "open", "Spans", "2026-11-18", "2026-11-20");
    dated(&world, "open", "Only due", "", "2026-12-31");
    dated(&world, "open", "Only start", "2026-11-02", "");
    dated(&world, "open", "Without dates", "", "");
    dated(&world, "open", "Long ago", "2020-01-01", "2020-01-02");
    version(
        &world,
        "open",
        json!({"name": "1.0", "due_date": "2027-01-15"}),
    );
    let bob = Browser::logged_in(&world, "bob");
    let calendar = bob.get("/projects/open/issues/calendar.ics");
    let events = events(&calendar.assert_status(200));
    let days: Vec<[&str; 4]> = events
        .iter()
        .map(|event| ["UID", "SUMMARY", "DTSTART", "DTEND"].map(|name| value(event, name)))
        .collect();
    let host = "@tracker.example.org";
    assert_eq!(
        days,
        [
            [
                &format!("issue-3{host}"),
                "#3 Only start",
                "20261102",
                "20261103"
            ],
            [
                &format!("issue-1{host}"),
                "#1 Spans",
                "20261118",
                "20261121"
            ],
            [
                &format!("issue-2{host}"),
                "#2 Only due",
                "20261231",
                "20270101"
            ],
            [
                &format!("version-1{host}"),
                "open: 1.0",
                "20270115",
                "20270116"
            ],
        ]
    );
    let event = &events[1];
    assert_eq!(value(event, "DTSTAMP"), "20261120T120000Z");
    assert_eq!(value(event, "LAST-MODIFIED"), "20261120T120000Z");
    assert_eq!(
        value(event, "URL"),
        "http://tracker.example.org/quarry/issues/1"
    );
    assert_eq!(value(event, "TRANSP"), "TRANSPARENT");
    let description = value(event, "DESCRIPTION");
    assert!(
        description.starts_with("Project: open\nTracker: Bug\nStatus: New"),
        "{description}"
    );
}

#[test]
fn hostile_texts_stay_within_their_event() {
    let world = World::with_projects();
    let hostile = [
        "Commas, semicolons; colons: and \\n backslashes\\",
        "A\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Injected",
        "A\nEND:VEVENT\nEND:VCALENDAR",
        "A\rDTSTART:20200101\rEND:VEVENT",
        "\u{2028}Separated\u{85}\u{b}\u{c}\u{0} <b>\"quoted\"</b>",
        "水曜日の会議は長い題名を持っている水曜日の会議は長い題名を持っている水曜日の会議",
        "END:VEVENT",
    ];
    for (index, subject) in hostile.iter().enumerate() {
        let id = dated(&world, "open", "Harmless", "", "2026-11-25");
        assert_eq!(usize::try_from(id).unwrap(), index + 1);
        // PostgreSQL has no NUL in texts.
        let subject = subject.replace('\0', "");
        world.edit(id, |issue| issue.subject = subject);
    }
    let name = "1.0;\r\nEND:VEVENT, and more";
    let id = version(
        &world,
        "open",
        json!({"name": "1.0", "due_date": "2026-11-26"}),
    );
    world.sql(&format!(
        "UPDATE versions SET name = {} WHERE id = {id}",
        quoted(name)
    ));
    reindex(&world);
    world.set(Setting::AppTitle, "Title, END:VCALENDAR; \\n");
    let bob = Browser::logged_in(&world, "bob");
    let events = events(&bob.get("/issues/calendar.ics").assert_status(200));
    assert_eq!(events.len(), hostile.len() + 1);
    for (index, subject) in hostile.iter().enumerate() {
        let expected: String = subject
            .replace('\0', "")
            .replace(|c: char| c.is_control() || c == '\u{2028}', " ");
        let event = &events[index];
        assert_eq!(
            value(event, "SUMMARY"),
            format!("#{} {expected}", index + 1)
        );
        assert_eq!(value(event, "DTSTART"), "20261125");
        assert_eq!(event.properties().len(), 10, "{event:?}");
    }
    let event = &events[hostile.len()];
    assert_eq!(value(event, "SUMMARY"), "open: 1.0;  END:VEVENT, and more");
}

#[test]
fn calendar_needs_a_key_or_a_session() {
    let world = World::with_projects();
    dated(&world, "secret", "Kryptonite", "", "2026-11-25");
    let anonymous = Browser::new(&world);
    let path = "/projects/secret/issues/calendar.ics";
    assert_ne!(anonymous.get(path).status, 200);
    let key = world.key("alice");
    let calendar = anonymous
        .get(&format!("{path}?tracker_id=1&key={key}"))
        .assert_status(200);
    assert_eq!(value(&events(&calendar)[0], "SUMMARY"), "#1 Kryptonite");
    assert!(!calendar.body.contains(key));
    world.set(Setting::LoginRequired, "1");
    assert_ne!(anonymous.get("/issues/calendar.ics").status, 200);
    anonymous
        .get("/issues/calendar.ics?status_id=x&key=wrong")
        .assert_status(401);
}

#[test]
fn calendar_has_the_issues_of_the_query() {
    let world = World::with_projects();
    dated(&world, "open", "Pump", "", "2026-11-25");
    dated(&world, "open", "Valve", "", "2026-11-25");
    let bob = Browser::logged_in(&world, "bob");
    let calendar = bob.get("/issues/calendar.ics?subject=pump&set_filter=1");
    let events = events(&calendar.assert_status(200));
    assert_eq!(events.len(), 1);
    bob.get("/issues/calendar.ics?due_date=soon")
        .assert_status(422);
    bob.get("/issues/gantt.ics").assert_status(406);
}

#[test]
fn roadmap_has_the_due_dates_of_versions() {
    let world = World::with_projects();
    for (project, name, due) in [
        ("open", "1.0", json!("2026-12-01")),
        ("open", "2.0", json!("2027-03-01")),
        ("open", "Someday", json!(null)),
        ("secret", "Hidden", json!("2026-12-01")),
    ] {
        version(&world, project, json!({"name": name, "due_date": due}));
    }
    let body = json!({"version": {"status": "closed"}}).to_string();
    world
        .as_user("admin")
        .put("/versions/1.json", &body)
        .assert_status(200);
    let dave = Browser::logged_in(&world, "dave");
    let summaries = |path: &str| -> Vec<String> {
        let events = events(&dave.get(path).assert_status(200));
        let summaries = events.iter().map(|event| value(event, "SUMMARY"));
        summaries.map(str::to_owned).collect()
    };
    assert_eq!(summaries("/projects/open/roadmap.ics"), ["open: 2.0"]);
    assert_eq!(
        summaries("/projects/open/roadmap.ics?completed=1"),
        ["open: 2.0", "open: 1.0"]
    );
    dave.get("/projects/open/roadmap")
        .assert_contains("href=\"/projects/open/roadmap.ics\"");
    dave.get("/projects/secret/roadmap.ics").assert_status(404);
}
