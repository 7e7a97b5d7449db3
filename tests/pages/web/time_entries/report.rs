//! The report: its sums are those of the time entries that the API lists to the same viewer.

use super::{entries, sum, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::Value;
use std::collections::BTreeMap;

/// Sorts of viewers: everything, both projects and a hidden one, a member, one who sees only own
/// time, a member of nothing, and nobody.
const VIEWERS: [&str; 6] = ["admin", "alice", "bob", "carol", "dave", "anonymous"];

/// Lists of the API.
const LISTS: [&str; 9] = [
    "/time_entries",
    "/projects/open/time_entries",
    "/projects/open/time_entries?subproject_id=!*",
    "/time_entries?issue_id=1",
    "/time_entries?issue_id=!*",
    "/time_entries?user_id=2|3&from=2026-10-01",
    "/time_entries?f[]=activity_id&op[activity_id]=!&v[activity_id][]=9",
    "/time_entries?issue.tracker_id=1&to=2026-11-08",
    "/time_entries?hours=%3E%3D2",
];

fn browser<'w>(world: &'w World, login: &str) -> Browser<'w> {
    if login == "anonymous" {
        Browser::new(world)
    } else {
        Browser::logged_in(world, login)
    }
}

/// Returns the rows of the report as a table, with the header.
fn table(browser: &Browser<'_>, list: &str, more: &str) -> Vec<Vec<String>> {
    let (path, query) = list.split_once('?').unwrap_or((list, ""));
    let reply = browser
        .get(&format!("{path}/report.csv?{query}&{more}"))
        .assert_status(200)
        .assert_header("content-type", "text/csv; charset=utf-8");
    let lines = reply.body.lines();
    lines
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

/// Returns the value of a time entry by which a criterion groups it.
fn value(world: &World, login: &str, entry: &Value, criterion: &str) -> String {
    let name = |value: &Value, missing: &str| value["name"].as_str().unwrap_or(missing).to_owned();
    match criterion {
        "project" | "user" | "activity" => name(&entry[criterion], ""),
        _ => {
            let Some(id) = entry["issue"]["id"].as_i64() else {
                return match criterion {
                    "category" => "No category",
                    "version" => "No version",
                    _ => "No issue",
                }
                .to_owned();
            };
            let client = if login == "anonymous" {
                world.anonymous()
            } else {
                world.as_user(login)
            };
            let issue = client
                .get(&format!("/issues/{id}.json"))
                .json_path("/issue");
            match criterion {
                "issue" => format!("#{id} "),
                "category" => name(&issue["category"], "No category"),
                "version" => name(&issue["fixed_version"], "No version"),
                _ => name(&issue[criterion], ""),
            }
        }
    }
}

#[test]
fn sums_are_those_of_the_entries_that_the_api_lists() {
    let world = world();
    world.set(Setting::LoginRequired, "0");
    let mut totals = Vec::new();
    for login in VIEWERS {
        let browser = browser(&world, login);
        for list in LISTS {
            let listed = entries(&world, login, list);
            let total = sum(&listed);
            totals.push((login, total.to_string()));
            for criteria in [
                vec!["project", "user", "activity"],
                vec!["issue", "tracker", "status"],
                vec!["category", "version"],
                vec!["user"],
            ] {
                let query: Vec<String> = criteria
                    .iter()
                    .map(|criterion| format!("criteria[]={criterion}"))
                    .collect();
                let rows = table(&browser, list, &query.join("&"));
                let context = format!("{criteria:?} of {list} for {login}: {rows:?} {listed:?}");
                let last = rows.last().unwrap();
                assert_eq!(
                    last.last().unwrap().parse::<f64>().unwrap(),
                    total,
                    "{context}"
                );
                // Each row has the hours of the entries with its values.
                let mut expected: BTreeMap<Vec<String>, f64> = BTreeMap::new();
                for entry in &listed {
                    let values = criteria
                        .iter()
                        .map(|criterion| value(&world, login, entry, criterion));
                    *expected.entry(values.collect()).or_default() +=
                        entry["hours"].as_f64().unwrap();
                }
                assert_eq!(rows.len() - 2, expected.len(), "{context}");
                for (values, hours) in expected {
                    let row = rows.iter().find(|row| {
                        row.iter()
                            .zip(&values)
                            .all(|(cell, value)| cell.contains(value))
                    });
                    let row = row.unwrap_or_else(|| panic!("{values:?} is missing: {context}"));
                    assert_eq!(
                        row.last().unwrap().parse::<f64>().unwrap(),
                        hours,
                        "{context}"
                    );
                }
            }
        }
    }
    totals.sort();
    totals.dedup();
    assert!(
        totals.len() > 20,
        "the viewers must see different hours: {totals:?}"
    );
}

#[test]
fn columns_are_the_periods_from_the_first_to_the_last() {
    let world = world();
    let bob = browser(&world, "bob");
    let header = |columns: &str| {
        let rows = table(
            &bob,
            "/time_entries",
            &format!("criteria[]=user&columns={columns}"),
        );
        let last = rows.last().unwrap().clone();
        (rows[0].clone(), last)
    };
    let (months, sums) = header("month");
    assert_eq!(months, ["Person", "2026-09", "2026-10", "2026-11", "Total"]);
    assert_eq!(sums[1..3], ["1.5", "0"]);
    let (years, _) = header("year");
    assert_eq!(years, ["Person", "2026", "Total"]);
    let (weeks, sums) = header("week");
    assert_eq!(weeks.len(), 2 + 7, "{weeks:?}");
    assert_eq!(
        (weeks[1].as_str(), weeks[6].as_str()),
        ("2026-W40", "2026-W45")
    );
    // The 2nd and the 8th of November are the Monday and the Sunday of one week.
    assert_eq!(sums[6], "6.25");
    let (days, sums) = header("day");
    assert_eq!(
        (days[1].as_str(), days[41].as_str()),
        ("2026-09-30", "2026-11-09")
    );
    assert_eq!((days.len(), sums[1].as_str()), (43, "1.5"));
}

#[test]
fn page_shows_groups_with_sums_and_what_is_left_out() {
    let world = world();
    let alice = browser(&world, "alice");
    let path = "/projects/open/time_entries/report?criteria[]=user&criteria[]=issue&columns=";
    alice
        .get(&format!("{path}month"))
        .assert_status(200)
        .assert_contains("<option value=\"user\" selected>Person</option>")
        .assert_contains("32.5 h in 3 months, at most 31 h in Nov 2026")
        .assert_contains("Sep 2026")
        .assert_contains("<tr class=\"depth1\"><th scope=\"row\"><a href=\"/issues/3\">");
    let days = alice.get(&format!("{path}day")).assert_status(200);
    let days = days
        .assert_contains("The columns are the last 36 days. The totals include earlier ones.")
        .assert_contains("<td class=\"number total\">32.5</td>");
    assert!(!days.body.contains("30 Sep 2026"));
}

#[test]
fn totals_link_to_the_entries_that_they_count() {
    let world = world();
    let link = "<td class=\"number total\"><a href=\"([^\"]+)\" aria-label=\"([\\d.]+) hours";
    let link = regex::Regex::new(link).unwrap();
    let mut count = 0;
    for login in ["alice", "bob", "dave"] {
        let browser = browser(&world, login);
        for query in [
            "criteria[]=user&criteria[]=issue",
            "criteria[]=category&criteria[]=version&criteria[]=activity",
            "criteria[]=tracker&criteria[]=status&user_id=2|3",
            "criteria[]=project&spent_on=w",
        ] {
            let report = format!("/projects/open/time_entries/report?{query}");
            let page = browser.get(&report).assert_status(200);
            for found in link.captures_iter(&page.body) {
                count += 1;
                let address = found[1].replace("&#38;", "&");
                let hours: f64 = found[2].parse().unwrap();
                let listed = entries(&world, login, &address);
                assert_eq!(sum(&listed), hours, "{login}: {report}: {address}");
                browser
                    .get(&address)
                    .assert_status(200)
                    .assert_contains(&format!("Total: <b>{hours} h</b>"));
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn criteria_are_checked_and_empty_ones_left_out() {
    let world = world();
    let bob = browser(&world, "bob");
    for (query, message) in [
        ("criteria[]=moon", "criteria are names such as project"),
        (
            "criteria[]=user&criteria[]=issue&criteria[]=status&criteria[]=version",
            "criteria can be 3 at most",
        ),
        ("columns=decade", "columns must be year, month, week or day"),
        ("from=yesterday", "from is invalid"),
        ("hours=many", "Hours is invalid"),
    ] {
        let page = bob.get(&format!("/time_entries/report?{query}"));
        page.assert_status(422).assert_contains(message);
        bob.get(&format!("/time_entries/report.csv?{query}"))
            .assert_status(422)
            .assert_contains(message);
    }
    let sent = "/time_entries/report?criteria[]=issue&criteria[]=&criteria[]=&columns=week&user_id=&from=&issue_id=%231";
    let cleaned = bob.get(sent).assert_status(302);
    assert_eq!(
        cleaned.location(),
        "/time_entries/report?columns=week&criteria[]=issue&issue_id=1"
    );
    bob.get(cleaned.location()).assert_status(200);
    bob.get("/time_entries/report?user_id=2&from=2030-01-01")
        .assert_status(200)
        .assert_contains("No time to report.");
}

#[test]
fn activities_of_projects_count_as_those_that_they_replace() {
    let world = world();
    world.sql("INSERT INTO enumerations (id, type, name, position, active, is_default, project_id, parent_id) VALUES (50, 'TimeEntryActivity', 'Design', 1, 1, 0, 1, 8); \
               UPDATE time_entries SET activity_id = 50 WHERE id = 1; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let rows = table(
        &browser(&world, "admin"),
        "/time_entries",
        "criteria[]=activity",
    );
    let names: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["Design", "Development", "Total"]);
}
