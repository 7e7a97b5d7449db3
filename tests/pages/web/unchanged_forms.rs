//! A form that is sent as it was opened changes nothing: no record, no entry of a history, no
//! notice. Every form of every page is sent; those whose sending is an act of its own are listed.

use super::hostile::columns::{FILLED, Fill};
use super::pages;
use super::sent_form::{Form, forms, send};
use quarry_world::browser::Browser;
use quarry_world::complete_world::{complete_world, reindex};
use quarry_world::{World, only_on_sqlite, quoted};
use std::collections::{BTreeMap, BTreeSet};

/// Texts of several lines, which browsers send with other line endings, and whose first line end
/// HTML swallows.
const TEXTS: [&str; 2] = [
    "One\nTwo  \n\n\tthree",
    "\n\n  One\r\ntwo\nthree\rfour\u{b}\u{1b}[1m\u{2028}\u{7f} \r\n",
];

/// Tables that tell what a browser did, not what it changed, and `nodes`, into which each process
/// writes from time to time up to which change it has indexed.
const NOT_COMPARED: &[&str] = &["sessions", "counters", "nodes"];

/// What is typed at the end of a field.
const TYPED: &str = "typed";

/// Columns that change along with any other one of the row.
const TIMES: &[&str] = &["lock_version", "seq", "updated_by_id", "updated_on"];

/// Forms whose sending is an act of its own, by the beginning of the path and the reason.
const ACTS: &[(&str, &str)] = &[
    ("/issues/bulk_delete", "deletes"),
    ("/issues/1/delete", "deletes"),
    ("/admin/first_steps", "hides a list"),
    ("/issues/1/move", "moves"),
    (
        "/projects/secret/issues/new",
        "creates what a template names",
    ),
    ("/my/page/blocks", "adds, moves or removes a block"),
    ("/projects/secret/memberships/copy", "copies"),
    ("/projects/secret/wiki/Wiki/delete", "deletes"),
];

/// The rows of each table, each as its columns.
type Rows = BTreeMap<String, Vec<Vec<String>>>;

fn rows(world: &World) -> Rows {
    let database = world.database();
    let tables = database.tables().into_iter();
    tables
        .filter(|table| !NOT_COMPARED.contains(&table.as_str()))
        .map(|table| {
            let rows = database.rows(&format!("SELECT * FROM {table}"));
            let columns = |row: &quarry_world::Row| {
                let columns = row.columns().iter();
                columns.map(|column| format!("{column:?}")).collect()
            };
            (table, rows.iter().map(columns).collect())
        })
        .collect()
}

/// A row that a form has removed from a table or added to it.
#[derive(Debug)]
struct Difference {
    table: String,
    is_added: bool,
    row: Vec<String>,
}

fn differences(before: &Rows, after: &Rows) -> Vec<Difference> {
    let missing = |is_added: bool, there: &Rows, here: &Rows| -> Vec<Difference> {
        here.iter()
            .flat_map(|(table, rows)| {
                rows.iter()
                    .filter(|row| !there[table].contains(row))
                    .map(|row| Difference {
                        table: table.clone(),
                        is_added,
                        row: row.clone(),
                    })
            })
            .collect()
    };
    let mut found = missing(false, after, before);
    found.extend(missing(true, before, after));
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
    // As the program writes them.
    world.sql(
        "UPDATE custom_fields SET possible_values_json = '[]' WHERE possible_values_json IS NULL",
    );
    reindex(&world);
    world
}

fn is_act(form: &Form) -> bool {
    ACTS.iter().any(|(path, _)| form.action.starts_with(path))
}

/// Sends every form of every page once, as `fill` fills it in. Returns what `check` finds in the rows
/// that differ afterwards. After a problem the other forms meet a new world. A form for something new
/// is refused, since a required field is empty: 422.
fn send_all(
    text: &str,
    fill: impl Fn(Form) -> Option<Form>,
    check: impl Fn(&World, Vec<Difference>) -> Vec<String>,
) -> Vec<String> {
    let pages: Vec<_> = pages::all().filter(|page| !page.redirects).collect();
    let mut position = 0;
    let mut problems = Vec::new();
    let mut sent = BTreeSet::new();
    let mut accepted = 0;
    while position < pages.len() {
        let world = world_with(text);
        let browser = Browser::logged_in(&world, "admin");
        let mut is_changed = false;
        while !is_changed && position < pages.len() {
            let path = pages[position].path;
            let mut found = forms(&browser.get(path), path).into_iter();
            let next = found.find_map(|form| {
                let names: Vec<_> = form.fields.iter().map(|(name, _)| name).collect();
                let is_new = form.has_controls
                    && !is_act(&form)
                    && sent.insert(format!("{} {names:?}", form.action));
                is_new.then(|| fill(form)).flatten()
            });
            let Some(form) = next else {
                position += 1;
                continue;
            };
            let before = rows(&world);
            let response = send(&browser, &form);
            let wrong = check(&world, differences(&before, &rows(&world)));
            accepted += usize::from([200, 303].contains(&response.status));
            if !wrong.is_empty() || ![200, 303, 422].contains(&response.status) {
                is_changed = true;
                problems.push(format!(
                    "{text:?}: {} on {path} ({}):\n    {}",
                    form.action,
                    response.status,
                    wrong.join("\n    ")
                ));
            }
        }
    }
    assert!(accepted >= 40, "{accepted} of {} forms", sent.len());
    problems
}

#[test]
fn form_that_is_sent_as_it_was_opened_changes_nothing() {
    let every_difference = |_: &World, differences: Vec<Difference>| {
        let lines = differences.iter().map(|found| format!("{found:?}"));
        lines.collect::<Vec<_>>()
    };
    let problems: Vec<String> = TEXTS
        .iter()
        .flat_map(|text| send_all(text, Some, every_difference))
        .collect();
    assert!(
        problems.is_empty(),
        "{} forms changed something:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn form_with_one_text_changed_changes_no_other_field() {
    only_on_sqlite!("the names of columns are read from it");
    let typed = |mut form: Form| {
        let last = *form.texts.last()?;
        form.fields[last].1.push_str(TYPED);
        Some(form)
    };
    let problems = send_all(TEXTS[0], typed, other_changes);
    assert!(
        problems.is_empty(),
        "{} forms changed something else:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

/// Returns what differs in rows that were there before, but for the typed text and the times, and
/// entries of the history beyond the one of the typed text.
fn other_changes(world: &World, differences: Vec<Difference>) -> Vec<String> {
    let mut problems = Vec::new();
    let (added, removed): (Vec<_>, Vec<_>) =
        differences.into_iter().partition(|found| found.is_added);
    let details = added
        .iter()
        .filter(|found| found.table == "journal_details")
        .count();
    if details > 1 {
        problems.push(format!("{details} entries of the history"));
    }
    for old in removed {
        // A changed custom value gets a new id.
        let key = if old.table == "custom_values" {
            1..4
        } else {
            0..1
        };
        let same = |new: &&Difference| {
            new.table == old.table && new.row[key.clone()] == old.row[key.clone()]
        };
        let Some(new) = added.iter().find(same) else {
            problems.push(format!("{old:?}"));
            continue;
        };
        let names = world.database().rows(&format!(
            "SELECT name FROM pragma_table_info('{}')",
            old.table
        ));
        for (index, name) in names.iter().enumerate() {
            let name: String = name.get(0);
            let is_expected = (old.table == "custom_values" && name == "id")
                || old.row[index] == new.row[index]
                || new.row[index].contains(TYPED)
                || TIMES.contains(&name.as_str());
            if !is_expected {
                problems.push(format!(
                    "{}.{name}: {} became {}",
                    old.table, old.row[index], new.row[index]
                ));
            }
        }
    }
    problems
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
