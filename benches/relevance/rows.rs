//! The rows of a set: who runs which form of its queries.

use crate::others::OtherEngine;
use crate::ours::Variant;
use quarry_evaluation::baseline::RunKey;
use quarry_evaluation::document::{PARAGRAPH, PASTE};
use quarry_evaluation::set::{Query, Set, TEXT};
use quarry_evaluation::warnings::counted;
use std::collections::BTreeSet;

/// The name of the product in tables and filters.
const OURS: &str = "quarry";

/// How the other engines run the queries: the name of the row, and the form.
const OTHER_FORMS: [(&str, &str); 3] = [
    ("any word", TEXT),
    ("short", "short"),
    ("paragraph", PARAGRAPH),
];

/// Who runs the queries.
#[derive(Clone, Copy)]
pub enum Engine {
    Ours(Variant),
    Other(OtherEngine),
}

/// A row that is to be measured.
pub struct PlannedRow {
    pub key: RunKey,
    /// The form of the queries.
    pub form: &'static str,
    pub engine: Engine,
    /// Empty until it is known which of them the set has.
    pub queries: Vec<Query>,
}

impl PlannedRow {
    fn new(set: &str, name: &str, by: &str, form: &'static str, engine: Engine) -> PlannedRow {
        PlannedRow {
            key: RunKey {
                set: set.to_owned(),
                form: name.to_owned(),
                by: by.to_owned(),
            },
            form,
            engine,
            queries: Vec::new(),
        }
    }
}

/// Returns all rows that a set with this name may have, those of an engine one after the other. A set
/// with comments is for ours alone.
pub fn planned(set: &str, with_comments: bool) -> Vec<PlannedRow> {
    let ours = Variant::ALL.into_iter().map(|variant| {
        let engine = Engine::Ours(variant);
        PlannedRow::new(set, variant.name, OURS, variant.form, engine)
    });
    let others = OtherEngine::ALL.into_iter().filter(|_| !with_comments);
    let others = others.flat_map(|other| {
        OTHER_FORMS.map(|(name, form)| {
            PlannedRow::new(set, name, other.name(), form, Engine::Other(other))
        })
    });
    ours.chain(others).collect()
}

/// Adds the queries of the set to the rows, and removes rows without any. Returns a sentence about each
/// form that queries or documents lack.
pub fn retain_measurable(rows: &mut Vec<PlannedRow>, set: &Set) -> Vec<String> {
    let mut notes = Vec::new();
    let mut forms = BTreeSet::new();
    for row in &mut *rows {
        let form = set.queries(row.form);
        row.queries = form.queries;
        if !forms.insert(row.form) {
            continue;
        }
        let name = row.form;
        let without = format!("queries without the form `{name}`");
        if let Some((count, first)) = form.made {
            notes.push(counted(
                &first,
                &without,
                count,
                "it is made from their texts",
            ));
        }
        if let Some((count, first)) = form.lacking {
            notes.push(counted(
                &first,
                &without,
                count,
                "they are left out of its rows",
            ));
        }
        if row.queries.is_empty() && [PASTE, PARAGRAPH].contains(&name) {
            notes.push(format!(
                "no query has two relevant documents of which the first is long enough for the form `{name}`; its rows are left out"
            ));
        }
    }
    let is_recent =
        |row: &PlannedRow| matches!(row.engine, Engine::Ours(variant) if variant.recent);
    let undated = set.undated_count();
    if undated > 0 && rows.iter().any(is_recent) {
        rows.retain(|row| !is_recent(row));
        if undated < set.query_count() {
            notes.push(format!(
                "queries without a date: {undated}; the rows with recency are left out"
            ));
        }
    }
    rows.retain(|row| !row.queries.is_empty());
    notes
}
