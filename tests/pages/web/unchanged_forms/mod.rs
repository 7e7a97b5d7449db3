//! A form that is sent as it was opened changes nothing: no record, no entry of a history, no
//! notice. Every form of every page is sent; those whose sending is an act of its own are listed.

mod form;

use super::hostile::columns::{FILLED, Fill};
use super::pages;
use form::{Form, forms, send};
use quarry_world::browser::Browser;
use quarry_world::complete_world::{complete_world, reindex};
use quarry_world::{World, quoted};
use std::collections::{BTreeMap, BTreeSet};

/// Texts of several lines, which browsers send with other ends of lines, and whose first line end
/// HTML swallows.
const TEXTS: [&str; 2] = [
    "One\nTwo  \n\n\tthree",
    "\n\n  One\r\ntwo\nthree\rfour\u{b}\u{1b}[1m\u{2028}\u{7f} \r\n",
];

/// Tables that tell what a browser did, not what it changed.
const NOT_COMPARED: &[&str] = &["sessions", "counters", "recent_issues"];

/// Forms whose sending is an act of its own, by the beginning of the path and the reason.
const ACTS: &[(&str, &str)] = &[
    ("/issues/bulk_delete", "deletes"),
    ("/issues/1/delete", "deletes"),
    ("/issues/1/move", "moves"),
    (
        "/projects/secret/issues/new",
        "creates what a template names",
    ),
    ("/projects/secret/memberships/copy", "copies"),
    ("/projects/secret/wiki/Wiki/delete", "deletes"),
];

type Rows = BTreeMap<String, Vec<String>>;

fn rows(world: &World) -> Rows {
    let database = world.database();
    let mut all = Rows::new();
    for table in database.tables() {
        if NOT_COMPARED.contains(&table.as_str()) {
            continue;
        }
        let rows = database.rows(&format!("SELECT * FROM {}", table));
        let mut rows: Vec<String> = rows
            .iter()
            .map(|row| format!("{:?}", row.columns()))
            .collect();
        rows.sort();
        all.insert(table, rows);
    }
    all
}

/// Returns the rows that differ.
fn differences(before: &Rows, after: &Rows) -> Vec<String> {
    let mut found = Vec::new();
    for (table, rows) in after {
        let old = &before[table];
        found.extend(
            rows.iter()
                .filter(|row| !old.contains(row))
                .map(|row| format!("+ {table} {row}")),
        );
        found.extend(
            old.iter()
                .filter(|row| !rows.contains(row))
                .map(|row| format!("- {table} {row}")),
        );
    }
    found
}

/// Creates a world whose long texts are one of [`TEXTS`].
fn world_with(text: &str) -> World {
    let world = complete_world();
    for (table, column, fill, condition) in FILLED {
        if let Fill::Text = fill {
            world.sql(&format!(
                "UPDATE {table} SET {column} = {} WHERE {condition} AND {column} IS NOT NULL",
                quoted(text)
            ));
        }
    }
    world.sql("UPDATE users SET mail_notification = '' WHERE id = 2");
    reindex(&world);
    world
}

fn is_act(form: &Form) -> bool {
    ACTS.iter().any(|(path, _)| form.action.starts_with(path))
}

/// Sends every form of every page once, and returns what changed.
fn send_all(text: &str) -> Vec<String> {
    let mut world = world_with(text);
    let mut problems = Vec::new();
    let mut sent = BTreeSet::new();
    for page in pages::all().filter(|page| !page.redirects) {
        let mut again = true;
        while std::mem::take(&mut again) {
            let changed = {
                let browser = Browser::logged_in(&world, "admin");
                let opened = browser.get(page.path);
                let next = forms(&opened, page.path).into_iter().find(|form| {
                    let names: Vec<_> = form.fields.iter().map(|(name, _)| name).collect();
                    form.has_controls
                        && !is_act(form)
                        && sent.insert(format!("{} {names:?}", form.action))
                });
                next.map(|form| {
                    let before = rows(&world);
                    let response = send(&browser, &form);
                    let found = differences(&before, &rows(&world));
                    if !found.is_empty() || response.status >= 500 {
                        problems.push(format!(
                            "{} on {} ({}):\n    {}",
                            form.action,
                            page.path,
                            response.status,
                            found.join("\n    ")
                        ));
                    }
                    !found.is_empty()
                })
            };
            if let Some(is_changed) = changed {
                again = true;
                if is_changed {
                    world = world_with(text);
                }
            }
        }
    }
    assert!(sent.len() > 100, "{} forms were sent", sent.len());
    problems
}

#[test]
fn form_that_is_sent_as_it_was_opened_changes_nothing() {
    let problems: Vec<String> = TEXTS
        .iter()
        .flat_map(|text| {
            let problems = send_all(text).into_iter();
            problems.map(move |problem| format!("{text:?}: {problem}"))
        })
        .collect();
    assert!(
        problems.is_empty(),
        "{} forms changed something:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn comment_changes_no_field_of_the_issue() {
    for text in TEXTS {
        let world = world_with(text);
        let browser = Browser::logged_in(&world, "admin");
        let page = browser.get("/issues/1").assert_status(200);
        let mut form = forms(&page, "/issues/1")
            .into_iter()
            .find(|form| form.fields.iter().any(|(name, _)| name == "issue[notes]"))
            .unwrap();
        for (name, value) in &mut form.fields {
            if name == "issue[notes]" {
                *value = "A comment\r\nof two lines".to_owned();
            }
        }
        let details = || -> i64 {
            world
                .database()
                .value("SELECT COUNT(*) FROM journal_details")
        };
        let before = details();
        send(&browser, &form).assert_status(303);
        assert_eq!(details(), before, "{text:?}");
        let notes: String = world
            .database()
            .value("SELECT notes FROM journals WHERE id = (SELECT MAX(id) FROM journals)");
        assert_eq!(notes, "A comment\nof two lines");
        let description: String = world
            .database()
            .value("SELECT description FROM issues WHERE id = 1");
        assert_eq!(description, text);
    }
}
