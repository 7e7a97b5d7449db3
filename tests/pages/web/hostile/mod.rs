//! Hostile texts in every text of every record: no page gets an element, a handler or an address
//! from them.
//!
//! `QUARRY_HOSTILE_ROUNDS` is the number of worlds; each gives every field other texts of
//! `corpus.txt`.

pub mod columns;
mod html;

use super::pages;
use columns::{FILLED, Fill, OTHERS};
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::complete_world::{complete_world, reindex};
use quarry_world::environment::{self};
use quarry_world::only_on_sqlite;
use quarry_world::{World, quoted};
use regex::Regex;
use std::collections::{BTreeSet, VecDeque};

const CORPUS: &str = include_str!("corpus.txt");
/// Maximum number of characters of a line, which columns of most names have.
const MAX_LINE: usize = 255;
/// Maximum number of pages that the links of the pages add to them.
const MAX_LINKED: usize = 60;

fn corpus() -> Vec<&'static str> {
    CORPUS
        .lines()
        .filter(|line| !line.starts_with("# T") && !line.starts_with("# that"))
        .collect()
}

/// Creates the complete world with hostile texts everywhere. Worlds of different rounds have other
/// texts in the same field.
pub fn hostile_world(round: usize) -> World {
    let world = complete_world();
    fill(&world, round);
    let text = line(&mut (round * 5), &corpus());
    world
        .app
        .store
        .write(move |db| quarry::store::administration::settings::set(db, Setting::AppTitle, &text))
        .unwrap();
    reindex(&world);
    world
}

/// Fills the columns of text.
fn fill(world: &World, round: usize) {
    let corpus = corpus();
    let mut next = round * 7;
    let database = world.database();
    let row_id = database.row_id();
    for (table, column, fill, condition) in FILLED {
        let rows = database.rows(&format!(
            "SELECT CAST({row_id} AS TEXT) FROM {table} WHERE {condition} ORDER BY {row_id}"
        ));
        for row in rows {
            let row: String = row.get(0);
            // The number makes names unique.
            let number = row.replace(|character: char| !character.is_ascii_digit(), "");
            let text = match fill {
                Fill::Line => format!("{}{number}", line(&mut next, &corpus)),
                Fill::Text => corpus.join("\n\n"),
                Fill::JsonArray => serde_json::json!([line(&mut next, &corpus)]).to_string(),
            };
            let text = quoted(&text);
            database.run(&format!(
                "UPDATE {table} SET {column} = {text} WHERE {row_id} = '{row}'"
            ));
        }
    }
    database.run("UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
}

/// Returns a line with the next texts that fit.
fn line(next: &mut usize, corpus: &[&str]) -> String {
    let mut line = String::new();
    loop {
        let text = corpus[*next % corpus.len()];
        if line.chars().count() + text.chars().count() + 4 > MAX_LINE {
            return line;
        }
        *next += 1;
        line.push_str(text);
        line.push(' ');
    }
}

fn is_filled(table: &str, column: &str) -> bool {
    FILLED
        .iter()
        .any(|fill| (fill.0, fill.1) == (table, column))
}

fn has_reason(table: &str, column: &str) -> bool {
    OTHERS.contains(&(table, column)) || OTHERS.contains(&(table, "*"))
}

#[test]
fn every_column_of_text_gets_hostile_texts_or_has_a_reason() {
    only_on_sqlite!("the columns are the same");
    let world = World::new();
    let sql = "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.type = 'TEXT'";
    let columns = world.database().rows(sql);
    let columns: BTreeSet<(String, String)> =
        columns.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert!(columns.len() > 100);
    let unknown: Vec<_> = columns
        .iter()
        .filter(|(table, column)| is_filled(table, column) == has_reason(table, column))
        .collect();
    assert!(
        unknown.is_empty(),
        "add to FILLED or to OTHERS in tests/pages/web/hostile/columns.rs: {unknown:?}"
    );
}

#[test]
fn hostile_texts_never_become_part_of_a_page() {
    let rounds = environment::rounds("QUARRY_HOSTILE_ROUNDS", 2);
    let first = environment::seed();
    for round in first as usize..(first + rounds) as usize {
        let world = hostile_world(round);
        world.set(
            Setting::TextFormatting,
            if round % 2 == 0 {
                "common_mark"
            } else {
                "textile"
            },
        );
        let browser = Browser::logged_in(&world, "admin");
        world.sql("UPDATE sessions SET user_agent = '<script>window.pwned = 1</script>', address = '\"><script>window.pwned = 1</script>'");
        check_pages(&browser, round);
    }
}

/// Percent-encodes what browsers encode in an address before they request it.
fn as_requested(address: &str) -> String {
    const ENCODED: percent_encoding::AsciiSet = percent_encoding::CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'<')
        .add(b'>')
        .add(b'`')
        .add(b'{')
        .add(b'}')
        .add(b'|')
        .add(b'^');
    percent_encoding::utf8_percent_encode(address, &ENCODED).to_string()
}

/// Opens every page of the list and pages that they link to.
fn check_pages(browser: &Browser<'_>, round: usize) {
    let link = Regex::new("href=\"(/[^\"#]*)").unwrap();
    let mut queue: VecDeque<(String, bool)> = pages::all()
        .map(|page| (page.path.to_owned(), true))
        .collect();
    for text in corpus() {
        let encoded =
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
        queue.push_back((format!("/search?q={encoded}"), true));
        queue.push_back((
            format!("/issues?subject={encoded}&sort={encoded}&page={encoded}"),
            true,
        ));
    }
    for path in [
        "/search?q=window",
        "/search?q=pwnd&titles_only=1",
        "/nothing/%3Cscript%3E",
        "/projects/2",
        "/users/3",
        "/users/5",
    ] {
        queue.push_back((path.to_owned(), true));
    }
    let mut seen: BTreeSet<String> = queue.iter().map(|(path, _)| path.clone()).collect();
    let mut shown = 0;
    let mut linked = 0;
    while let Some((path, is_listed)) = queue.pop_front() {
        let page = browser.get(&path);
        assert!(page.status < 500, "{path}: {page:?}");
        shown += usize::from(page.status == 200);
        if !page.content_type().starts_with("text/html") {
            continue;
        }
        let problems = html::problems(&page.body);
        assert!(
            problems.is_empty(),
            "round {round}, {path} has {problems:#?} in {}",
            page.body
        );
        for found in link.captures_iter(&page.body) {
            let path = as_requested(&found[1].replace("&amp;", "&").replace("&#38;", "&"));
            let is_page = !["/static", "/logout", "/attachments/download"]
                .iter()
                .any(|prefix| path.starts_with(prefix));
            if is_page
                && is_listed
                && linked < MAX_LINKED
                && !path.contains("sort=")
                && seen.insert(path.clone())
            {
                linked += 1;
                queue.push_back((path, false));
            }
        }
    }
    assert!(shown > 100, "only {shown} pages are shown");
}
