//! Conditions of lists as SQL. Which column a field is stands with the list.

pub mod issues;
pub mod time_entries;

mod around;
mod custom_fields;
mod history;
mod people;

pub(super) use custom_fields::shown as custom_field_shown;
pub(super) use history::readable;

use super::sql::Sql;
use crate::domain::catalogue::Catalogue;
use crate::domain::query::dates::{Moment, Range};
use crate::domain::query::filter::Test;
use crate::domain::viewer::Viewer;

/// By whose eyes a list is read, and by which names and rules.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// Who asks.
    pub viewer: &'a Viewer,
    /// The names and rules.
    pub catalogue: &'a Catalogue,
}

/// What a column keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Numbers, of records or otherwise.
    Number,
    /// Text.
    Text,
    /// Days.
    Date,
    /// Instants.
    Instant,
}

/// How far two numbers may lie apart and still be the same: hours are kept in binary.
const SAME: f64 = 1e-5;

/// Adds the test of a column, as one term that can stand behind `AND`.
pub fn test(sql: &mut Sql, name: &str, kept: Kept, asked: &Test, catalogue: &Catalogue) {
    sql.push("(");
    match asked {
        Test::Anything => drop(sql.push("1 = 1")),
        Test::Missing if kept == Kept::Text => drop(sql.push(name).push(" IS NULL OR ").push(name).push(" = ''")),
        Test::Present if kept == Kept::Text => drop(sql.push(name).push(" <> ''")),
        Test::Missing => drop(sql.push(name).push(" IS NULL")),
        Test::Present => drop(sql.push(name).push(" IS NOT NULL")),
        Test::OneOf(ids) => drop(sql.push(name).push(" IN").bind_ids(ids)),
        Test::NoneOf(ids) => drop(sql.push(name).push(" IS NULL OR ").push(name).push(" NOT IN").bind_ids(ids)),
        Test::Open => drop(sql.push(name).push(" IN").bind_ids(&statuses(catalogue, false))),
        Test::Closed => drop(sql.push(name).push(" IN").bind_ids(&statuses(catalogue, true))),
        Test::Among(texts) => {
            sql.push(name).push(" IN (");
            for (place, text) in texts.iter().enumerate() {
                sql.push(if place > 0 { ", " } else { "" }).bind(text);
            }
            sql.push(")");
        }
        Test::Contains(words) => every(sql, words, |sql, word| like(sql, name, &within(word))),
        Test::ContainsAny(words) => any(sql, words, |sql, word| like(sql, name, &within(word))),
        Test::NotAmong(_) | Test::Lacks(_) => {
            sql.push(name).push(" IS NULL OR NOT ");
            test(sql, name, kept, &turned(asked).1, catalogue);
        }
        Test::Begins(text) => like(sql, name, &format!("{}%", escaped(text))),
        Test::Ends(text) => like(sql, name, &format!("%{}", escaped(text))),
        Test::Is(text) => drop(sql.push(name).push(" = ").bind(text)),
        Test::Number(range) => span(sql, name, range.from.map(|number| number - SAME), range.to.map(|number| number + SAME)),
        Test::When(range) => when(sql, kept, name, range),
        // These are about other records; no column can answer them.
        Test::Beyond(_) | Test::Once(_) | Test::Never(_) | Test::Left(_) => drop(sql.push("1 = 0")),
        Test::ToProjects(_) | Test::OutOfProjects(_) | Test::NotToProjects(_) | Test::ToOpen | Test::NotToOpen => drop(sql.push("1 = 0")),
    }
    sql.push(")");
}

/// Adds the test of the many values that a record has in another table: one of them fits; of what must not be, there is none.
/// `rows` writes the query for those that count, up to where a condition can follow behind `AND`.
pub fn test_many(sql: &mut Sql, rows: impl FnOnce(&mut Sql), name: &str, kept: Kept, asked: &Test, catalogue: &Catalogue) {
    let (negated, wanted) = turned(asked);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" });
    rows(sql);
    sql.push(" AND ");
    test(sql, name, kept, &wanted, catalogue);
    sql.push(")");
}

/// Whether the test says that something must not be, and what that is.
pub fn turned(asked: &Test) -> (bool, Test) {
    match asked {
        Test::NoneOf(ids) => (true, Test::OneOf(ids.clone())),
        Test::NotAmong(texts) => (true, Test::Among(texts.clone())),
        Test::Missing => (true, Test::Present),
        Test::Lacks(words) => (true, Test::Contains(words.clone())),
        Test::Never(ids) => (true, Test::Once(ids.clone())),
        Test::NotToProjects(ids) => (true, Test::ToProjects(ids.clone())),
        Test::NotToOpen => (true, Test::ToOpen),
        other => (false, other.clone()),
    }
}

/// The numbers of the statuses that are closed, or of those that are open.
pub fn statuses(catalogue: &Catalogue, closed: bool) -> Vec<i64> {
    catalogue.statuses.iter().filter(|status| status.is_closed == closed).map(|status| status.id.0).collect()
}

fn every<T>(sql: &mut Sql, items: &[T], mut term: impl FnMut(&mut Sql, &T)) {
    sql.push("1 = 1");
    for item in items {
        sql.push(" AND ");
        term(sql, item);
    }
}

fn any<T>(sql: &mut Sql, items: &[T], mut term: impl FnMut(&mut Sql, &T)) {
    sql.push("1 = 0");
    for item in items {
        sql.push(" OR ");
        term(sql, item);
    }
}

fn like(sql: &mut Sql, name: &str, pattern: &str) {
    sql.push("folded(").push(name).push(") LIKE folded(").bind(pattern).push(") ESCAPE '\\'");
}

fn within(word: &str) -> String {
    format!("%{}%", escaped(word))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

fn when(sql: &mut Sql, kept: Kept, name: &str, range: &Range<Moment>) {
    match kept {
        Kept::Date => span(sql, name, range.from.map(Moment::date), range.to.map(Moment::date)),
        _ => span(sql, name, range.from.map(Moment::first), range.to.map(Moment::last)),
    }
}

fn span<T: Into<super::engine::Value>>(sql: &mut Sql, name: &str, from: Option<T>, to: Option<T>) {
    sql.push(name).push(" IS NOT NULL");
    if let Some(from) = from {
        sql.push(" AND ").push(name).push(" >= ").bind(from);
    }
    if let Some(to) = to {
        sql.push(" AND ").push(name).push(" <= ").bind(to);
    }
}
