//! The list, and its exports.

use super::{entries, log, sum, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::json;

/// Returns the ids of the rows.
fn rows(body: &str) -> Vec<i64> {
    let id = regex::Regex::new("<tr id=\"entry-(\\d+)\">").unwrap();
    id.captures_iter(body)
        .map(|found| found[1].parse().unwrap())
        .collect()
}

#[test]
fn list_has_the_entries_of_the_api_with_their_sum() {
    let world = world();
    for login in ["admin", "alice", "bob", "carol", "dave"] {
        let browser = Browser::logged_in(&world, login);
        for address in [
            "/time_entries",
            "/projects/open/time_entries",
            "/time_entries?sort=hours:desc",
            "/time_entries?sort=user,issue:desc",
            "/time_entries?issue_id=1",
            "/time_entries?user_id=me",
            "/time_entries?spent_on=w",
            "/time_entries?from=2026-11-01&to=2026-11-09&activity_id=8",
            "/time_entries?f[]=comments&op[comments]=~&v[comments][]=fuel",
            "/time_entries?issue.subject=hushed",
        ] {
            let listed = entries(&world, login, address);
            let ids: Vec<i64> = listed
                .iter()
                .map(|entry| entry["id"].as_i64().unwrap())
                .collect();
            let page = browser.get(address).assert_status(200);
            assert_eq!(rows(&page.body), ids, "{address} for {login}");
            let total = format!("Total: <b>{} h</b>", sum(&listed));
            assert_eq!(
                page.body.contains(&total),
                !ids.is_empty(),
                "{address} for {login}: {total}"
            );
        }
    }
}

#[test]
fn hidden_time_and_issues_are_not_shown() {
    let world = world();
    for login in ["bob", "carol", "dave"] {
        let browser = Browser::logged_in(&world, login);
        for path in [
            "/time_entries",
            "/time_entries.csv",
            "/time_entries.atom",
            "/time_entries/report?criteria[]=issue",
        ] {
            let body = browser.get(path).assert_status(200).body;
            for secret in ["Rocket", "inner"] {
                assert!(!body.contains(secret), "{path} shows {secret} to {login}");
            }
        }
        browser
            .get("/projects/secret/time_entries")
            .assert_status(404);
        browser
            .get("/projects/secret/time_entries/report")
            .assert_status(404);
        browser
            .get("/projects/secret/time_entries.csv")
            .assert_status(404);
        browser
            .get("/time_entries?project_id=secret")
            .assert_status(404);
        browser
            .get("/time_entries/report?project_id=secret")
            .assert_status(404);
    }
    // dave sees the hours on a private issue, and not the issue.
    let dave = Browser::logged_in(&world, "dave");
    for path in [
        "/time_entries",
        "/time_entries.csv",
        "/time_entries.atom",
        "/time_entries/report?criteria[]=issue",
    ] {
        let body = dave.get(path).assert_status(200).body;
        assert!(
            body.contains('8') && !body.contains("Hushed"),
            "{path}: {body}"
        );
    }
    let carol = Browser::logged_in(&world, "carol").get("/time_entries");
    assert_eq!(rows(&carol.body), [4]);
    assert!(!carol.body.contains("Oiled it"));
}

#[test]
fn those_who_may_see_no_time_have_no_list() {
    let world = world();
    world.set(Setting::LoginRequired, "0");
    world.sql("DELETE FROM role_permissions WHERE name = 'view_time_entries' AND role_id <> 3; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let dave = Browser::logged_in(&world, "dave");
    for path in [
        "/time_entries",
        "/time_entries/report",
        "/time_entries.csv",
        "/time_entries.atom",
    ] {
        dave.get(path).assert_status(403);
    }
    dave.get("/projects/open/time_entries").assert_status(404);
    Browser::new(&world).get("/time_entries").assert_status(302);
    let home = dave.get("/projects/open").assert_status(200);
    assert!(!home.body.contains("/time_entries"));
    let alice = Browser::logged_in(&world, "alice").get("/projects/open");
    alice
        .assert_contains("<a href=\"/projects/open/time_entries\">Time</a>")
        .assert_contains("<a href=\"/time_entries\">Time</a>");
    // The module of the project is off.
    world.sql("DELETE FROM enabled_modules WHERE name = 'time_tracking' AND project_id = 1; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let alice = Browser::logged_in(&world, "alice");
    alice.get("/projects/open/time_entries").assert_status(404);
    assert!(
        !alice
            .get("/projects/open")
            .body
            .contains("/projects/open/time_entries")
    );
}

#[test]
fn pages_have_numbers_and_keep_the_filters() {
    let world = World::with_projects();
    for day in 1..=5 {
        log(
            &world,
            "bob",
            json!({"project_id": 1, "hours": day, "spent_on": format!("2026-11-0{day}")}),
        );
    }
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get("/time_entries?limit=2&page=2&user_id=3&sort=hours")
        .assert_status(200)
        .assert_contains("Total: <b>15 h</b>")
        .assert_contains("<span class=\"count\">5</span>")
        .assert_contains(
            "<a rel=\"next\" href=\"?limit=2&#38;user_id=3&#38;sort=hours&#38;page=3\">",
        )
        .assert_contains("aria-sort=\"ascending\"")
        .assert_contains("<option value=\"3\" selected>bob Tester</option>")
        .assert_contains("<input type=\"hidden\" name=\"sort\" value=\"hours\">");
    assert_eq!(rows(&page.body), [3, 4]);
    bob.get("/time_entries?page=99")
        .assert_status(200)
        .assert_contains("Previous");
}

#[test]
fn filters_of_the_form_are_cleaned_and_others_are_chips() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let sent = bob.get(
        "/projects/open/time_entries?user_id=&activity_id=9&issue_id=+%231&from=&to=&hours=%3E%3D1",
    );
    assert_eq!(
        sent.assert_status(302).location(),
        "/projects/open/time_entries?activity_id=9&hours=%3E%3D1&issue_id=1"
    );
    let page = bob
        .get("/time_entries?f[]=activity_id&op[activity_id]=!&v[activity_id][]=8&author_id=3&user_id=2|3")
        .assert_status(200)
        .assert_contains("<b>Activity</b> not Design")
        .assert_contains("<b>Author</b> bob Tester")
        .assert_contains("<option value=\"2|3\" selected>2|3</option>");
    assert!(!page.body.contains("<b>User</b>"), "the form has it");
    for (query, message) in [
        ("from=soon", "from is invalid; a day is written YYYY-MM-DD"),
        ("spent_on=%3E%3D1", "spent_on is invalid"),
        ("hours=many", "Hours is invalid"),
    ] {
        bob.get(&format!("/time_entries?{query}"))
            .assert_status(422)
            .assert_contains("role=\"alert\"")
            .assert_contains(message);
        bob.get(&format!("/time_entries.csv?{query}"))
            .assert_status(422);
    }
}

#[test]
fn exports_have_what_the_list_has() {
    let world = world();
    world.sql("INSERT INTO custom_fields (id, type, name, field_format, position, is_filter, visible) VALUES (1, 'TimeEntryCustomField', 'Invoice', 'string', 1, 1, 1), (2, 'TimeEntryCustomField', 'Margin', 'string', 2, 1, 0); \
               INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('TimeEntry', 2, 1, '=1+1'), ('TimeEntry', 2, 2, 'psst'); UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let bob = Browser::logged_in(&world, "bob");
    let csv = bob
        .get("/projects/open/time_entries.csv?user_id=3&sort=spent_on")
        .assert_status(200);
    let lines: Vec<&str> = csv.body.lines().collect();
    assert_eq!(
        lines,
        [
            "Date,Person,Activity,Project,Issue,Subject,Comment,Hours,Invoice",
            "2026-11-02,bob Tester,Development,open,1,Valve,Oiled it,2.25,'=1+1",
            "2026-11-08,bob Tester,Design,open,,,,4,",
        ]
    );
    bob.get("/time_entries.csv?separator=semicolon")
        .assert_status(200)
        .assert_header(
            "content-disposition",
            "attachment; filename=\"time_entries.csv\"",
        )
        .assert_contains("Date;Person;");
    world.set(Setting::IssuesExportLimit, "2");
    let csv = bob.get("/time_entries.csv").assert_status(200);
    assert_eq!(csv.body.lines().count(), 3);
    let atom = bob
        .get("/time_entries.atom?user_id=3")
        .assert_status(200)
        .assert_header("content-type", "application/atom+xml; charset=utf-8")
        .assert_contains("2.25 h (Development): #1 Valve");
    assert!(!atom.body.contains("alice Tester"));
    let key = format!("/time_entries.atom?key={}", world.key("carol"));
    let carol = Browser::new(&world).get(&key).assert_status(200);
    assert!(carol.body.contains("0.75 h") && !carol.body.contains("2.25 h"));
    assert!(!carol.body.contains(world.key("carol")));
}

#[test]
fn spent_time_of_an_issue_links_to_its_list() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/issues/1")
        .assert_status(200)
        .assert_contains("<a href=\"/projects/open/time_entries?issue_id=1\">4.5 h</a>");
}

#[test]
fn comment_of_time_on_a_hidden_issue_is_on_no_page() {
    let world = World::with_projects();
    world.issue("open").private().author("alice").create();
    log(
        &world,
        "alice",
        json!({"issue_id": 1, "hours": 7.25, "comments": "a hushed remark"}),
    );
    world.sql("INSERT INTO role_permissions (role_id, name) SELECT id, 'edit_time_entries' FROM roles WHERE id = 5");
    let alice = Browser::logged_in(&world, "alice");
    let carol = Browser::logged_in(&world, "carol");
    let mut told = 0;
    for path in [
        "/time_entries",
        "/time_entries.csv",
        "/time_entries.atom",
        "/time_entries/1/edit",
        "/activity?show_time_entries=1",
        "/activity.atom?show_time_entries=1",
        "/projects/open/activity?show_time_entries=1",
    ] {
        let shown = carol.get(path).assert_status(200);
        assert!(!shown.body.contains("hushed"), "{path}: {}", shown.body);
        told += usize::from(alice.get(path).assert_status(200).body.contains("hushed"));
    }
    assert!(told >= 4, "alice sees the issue: {told}");
    // The form that does not show the comment keeps it.
    let page = carol.get("/time_entries/1/edit").assert_status(200);
    let fields = [
        ("time_entry[hours]", "8"),
        ("time_entry[spent_on]", "2026-11-20"),
    ];
    carol
        .submit(&page, "/time_entries/1/edit", &fields)
        .assert_status(303);
    alice
        .get("/time_entries")
        .assert_contains("a hushed remark");
}
