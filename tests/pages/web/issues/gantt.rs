//! `GET /issues/gantt` and `GET /projects/:id/issues/gantt`. It is 20 November 2026; without
//! parameters, November to January are shown, and a day is 7 wide.

use super::calendar::{add_hidden_records, dated};
use crate::web::versions::version;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use scraper::{Html, Selector};
use serde_json::{Value, json};

fn world() -> World {
    let world = World::with_projects();
    world.set(Setting::LoginRequired, "0");
    world
}

fn update(world: &World, issue: i64, fields: Value) {
    let body = json!({ "issue": fields }).to_string();
    world
        .as_user("alice")
        .put(&format!("/issues/{issue}.json"), &body)
        .assert_status(200);
}

/// Returns the text of each row of the table, with single spaces.
fn rows(page: &Response) -> Vec<String> {
    let html = Html::parse_document(&page.body);
    let rows = Selector::parse(".gantt tbody tr").unwrap();
    let rows = html.select(&rows).map(|row| {
        let words: Vec<&str> = row.text().flat_map(str::split_whitespace).collect();
        words.join(" ")
    });
    rows.collect()
}

#[test]
fn issues_are_rows_below_their_project_version_and_parent() {
    let world = world();
    let parent = dated(&world, "open", "Parent", "2026-11-02", "2026-12-10");
    let child = dated(&world, "open", "Child", "2026-11-03", "2026-11-09");
    update(
        &world,
        child,
        json!({"parent_issue_id": parent, "done_ratio": 50}),
    );
    let id = version(
        &world,
        "open",
        json!({"name": "1.0", "due_date": "2026-12-20"}),
    );
    let planned = dated(&world, "open", "Planned", "", "2027-01-05");
    update(
        &world,
        planned,
        json!({"fixed_version_id": id, "assigned_to_id": 2}),
    );
    dated(&world, "open", "Spans all", "2025-01-01", "2028-01-01");
    dated(&world, "open", "Before", "2026-09-01", "2026-10-31");
    dated(&world, "open", "After", "2027-02-01", "");
    dated(&world, "secret", "Other project", "", "2026-11-30");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/issues/gantt").assert_status(200);
    let all = rows(&page);
    assert_eq!(all.len(), 8, "{all:?}");
    assert_eq!(all[0], "open");
    assert_eq!(all[1], "4 open: Spans all 1 Jan 25 1 Jan 28 0 %");
    // A parent has the dates and the done ratio of its subtasks.
    assert_eq!(all[2], "1 open: Parent 3 Nov 26 9 Nov 26 , overdue 50 %");
    assert_eq!(all[3], "2 open: Child 3 Nov 26 9 Nov 26 , overdue 50 %");
    assert_eq!(all[4], "1.0 due 20 Dec 26");
    assert_eq!(all[5], "3 open: Planned 5 Jan 27 0 % alice Tester");
    assert_eq!(all[6], "secret");
    assert_eq!(all[7], "7 open: Other project 30 Nov 26 0 %");
    let page = page
        .assert_contains("<td class=\"subject depth1\">")
        .assert_contains(
            "aria-label=\"Gantt chart, November 2026 – January 2027; the table says the same\"",
        )
        // From 3 to 9 November, half of it done, with a hatched area because it is late.
        .assert_contains("<rect class=\"bar late\" x=\"14\"")
        .assert_contains("width=\"49\" height=\"14\"")
        .assert_contains("fill=\"url(#gantt-late)\" x=\"14\"")
        .assert_contains("<rect class=\"done\" x=\"14\"")
        .assert_contains("#2 50 %, overdue</text>")
        .assert_contains("<path class=\"today\" d=\"M136 24V");
    assert!(!page.body.contains("style="), "{}", page.body);
    // The page of a project has no heading for it.
    let of_project = alice.get("/projects/open/issues/gantt").assert_status(200);
    assert!(rows(&of_project)[0].contains("Spans all"));
}

#[test]
fn relations_are_lines_and_words() {
    let world = world();
    world.set(Setting::CrossProjectIssueRelations, "1");
    let first = dated(&world, "open", "First", "2026-11-02", "2026-11-03");
    let second = dated(&world, "open", "Second", "2026-11-09", "2026-11-10");
    let third = dated(&world, "open", "Third", "2026-11-16", "2026-11-17");
    let hidden = dated(&world, "secret", "Hidden", "2026-11-16", "2026-11-17");
    for (from, to, kind) in [
        (first, second, "blocks"),
        (second, third, "precedes"),
        (first, hidden, "blocks"),
        (first, third, "relates"),
    ] {
        let body = json!({"relation": {"issue_to_id": to, "relation_type": kind}}).to_string();
        world
            .as_user("alice")
            .post(&format!("/issues/{from}/relations.json"), &body)
            .assert_status(201);
    }
    let page = Browser::logged_in(&world, "bob")
        .get("/issues/gantt")
        .assert_status(200)
        .assert_contains("<span class=\"visually-hidden\">blocks #2</span>")
        .assert_contains("<span class=\"visually-hidden\">precedes #3</span>");
    assert_eq!(
        page.body
            .matches("<path class=\"line block\" d=\"M")
            .count(),
        2
    );
    assert_eq!(page.body.matches("<path class=\"line\" d=\"M").count(), 2);
    assert_eq!(page.body.matches("marker-end").count(), 2);
    assert!(!page.body.contains(&format!("#{hidden}")));
}

#[test]
fn hidden_issues_and_versions_are_not_in_the_chart() {
    let world = world();
    add_hidden_records(&world);
    let dave = Browser::logged_in(&world, "dave");
    for browser in [&dave, &Browser::new(&world)] {
        for path in ["/issues/gantt", "/projects/open/issues/gantt"] {
            let page = browser
                .get(path)
                .assert_status(200)
                .assert_contains("Seen version");
            assert_eq!(page.body.matches("<td class=\"subject\">").count(), 1);
            for hidden in ["Unseen", "Elsewhere", "Hidden version", "secret"] {
                assert!(!page.body.contains(hidden), "{hidden} at {path}");
            }
        }
    }
    dave.get("/projects/secret/issues/gantt").assert_status(404);
    dave.get("/projects/nothing/issues/gantt")
        .assert_status(404);
}

#[test]
fn chart_keeps_the_query_of_the_list() {
    let world = world();
    dated(&world, "open", "Pump leaks", "", "2026-11-20");
    dated(&world, "open", "Valve", "", "2026-11-20");
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/issues?subject=pump&page=1")
        .assert_status(200)
        .assert_contains("href=\"/issues/gantt?subject=pump\"");
    let page = bob
        .get("/issues/gantt?subject=pump&year=2026&month=10&months=2")
        .assert_status(200)
        .assert_contains("Pump leaks")
        .assert_contains("\"?subject=pump&#38;year=2026&#38;month=12&#38;months=2\"")
        .assert_contains("\"/issues/calendar?subject=pump&#38;year=2026&#38;month=10\"")
        .assert_contains("\"/issues?subject=pump\"")
        .assert_contains("name=\"months\" min=\"1\" max=\"24\" value=\"2\"");
    assert!(!page.body.contains("Valve"));
    bob.get("/issues/gantt?year=2020")
        .assert_status(200)
        .assert_contains("No issue has a date in these months.");
    bob.get("/issues/gantt?due_date=soon").assert_status(422);
    for months in ["0", "25", "x"] {
        bob.get(&format!("/issues/gantt?months={months}"))
            .assert_status(422)
            .assert_contains("Months must be 1 to 24");
    }
    bob.get("/issues/gantt?months=24&year=2999&month=12")
        .assert_status(200);
}

#[test]
fn long_chart_has_pages_and_says_what_is_left_out() {
    let world = world();
    let id = dated(&world, "open", "Many", "2026-11-20", "2026-11-21");
    world.sql(&format!(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1100) \
         INSERT INTO issues (project_id, tracker_id, status_id, priority_id, author_id, subject, start_date, due_date, done_ratio, is_private, lock_version, created_on, updated_on) \
         SELECT project_id, tracker_id, status_id, priority_id, author_id, subject, start_date, due_date, done_ratio, is_private, lock_version, created_on, updated_on \
         FROM issues CROSS JOIN n WHERE id = {id}"
    ));
    quarry_world::complete_world::reindex(&world);
    let bob = Browser::logged_in(&world, "bob");
    let path = "/projects/open/issues/gantt";
    let page = bob
        .get(path)
        .assert_status(200)
        .assert_contains("The first 1000 of 1101 issues are shown.")
        .assert_contains("?page=2\"");
    assert_eq!(rows(&page).len(), 50);
    let last = bob.get(&format!("{path}?page=20")).assert_status(200);
    assert_eq!(rows(&last).len(), 50);
    assert!(rows(&last)[49].starts_with("1000 "), "{:?}", rows(&last));
    let past = bob.get(&format!("{path}?page=99")).assert_status(200);
    assert_eq!(rows(&past).len(), 0);
}
