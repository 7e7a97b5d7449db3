//! Filter conditions of lists as SQL. The submodules map fields to columns.

pub mod issues;
pub mod time_entries;

mod associations;
mod custom_fields;
pub(crate) mod history;
mod people;
mod related_issues;

pub(crate) use associations::push_value_field_test;
pub(crate) use custom_fields::{
    column as custom_column, push_issue_values, push_rows as push_custom_rows, push_values_test,
    push_visible_projects, push_visible_values,
};
pub(crate) use history::push_readable;

use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::query::dates::{DayOrInstant, Range};
use quarry_domain::query::filter::Predicate;

/// What the filters of a list depend on.
#[derive(Clone, Copy)]
pub struct FilterContext<'a> {
    /// The user that the list is for.
    pub viewer: &'a Viewer,
    /// The catalogue of the snapshot.
    pub catalogue: &'a Catalogue,
    /// The project whose list it is; `None` for all projects.
    pub project: Option<ProjectId>,
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Ids and other numbers.
    Number,
    /// Text.
    Text,
    /// Dates without time.
    Date,
    /// Instants.
    Instant,
}

/// Maximum difference of numbers that count as equal: hours are stored in binary.
const TOLERANCE: f64 = 1e-5;

/// Adds the test of a column, as one term that can follow `AND`.
pub fn push_test(
    sql: &mut Sql,
    name: &str,
    column_type: ColumnType,
    predicate: &Predicate,
    catalogue: &Catalogue,
) {
    sql.push("(");
    match predicate {
        Predicate::Any | Predicate::Available => {
            sql.push("1 = 1");
        }
        Predicate::Empty if column_type == ColumnType::Text => {
            sql.push(name).push(" IS NULL OR ").push(name).push(" = ''");
        }
        Predicate::Empty => {
            sql.push(name).push(" IS NULL");
        }
        Predicate::NotEmpty => {
            sql.push(name).push(" IS NOT NULL");
        }
        Predicate::OneOf(ids) => {
            sql.push(name).push(" IN").bind_ids(ids);
        }
        Predicate::NoneOf(ids) => {
            sql.push(name)
                .push(" IS NULL OR ")
                .push(name)
                .push(" NOT IN")
                .bind_ids(ids);
        }
        Predicate::Open => {
            sql.push(name)
                .push(" IN")
                .bind_ids(&statuses(catalogue, false));
        }
        Predicate::Closed => {
            sql.push(name)
                .push(" IN")
                .bind_ids(&statuses(catalogue, true));
        }
        Predicate::InTexts(texts) => {
            sql.push(name).push(" IN (");
            for (index, text) in texts.iter().enumerate() {
                sql.push(if index > 0 { ", " } else { "" }).bind(text);
            }
            sql.push(")");
        }
        Predicate::Contains(words) => push_all(sql, words, |sql, word| {
            push_like(sql, name, &contains_pattern(word))
        }),
        Predicate::ContainsAny(words) => push_any(sql, words, |sql, word| {
            push_like(sql, name, &contains_pattern(word))
        }),
        Predicate::NotContains(words) => {
            sql.push(name).push(" IS NOT NULL AND NOT (");
            push_any(sql, words, |sql, word| {
                push_like(sql, name, &contains_pattern(word))
            });
            sql.push(")");
        }
        Predicate::NotInTexts(_) => {
            sql.push(name).push(" IS NULL OR NOT ");
            push_test(
                sql,
                name,
                column_type,
                &split_negation(predicate).1,
                catalogue,
            );
        }
        Predicate::StartsWith(text) => push_like(sql, name, &format!("{}%", escape_like(text))),
        Predicate::EndsWith(text) => push_like(sql, name, &format!("%{}", escape_like(text))),
        Predicate::Equals(text) if column_type == ColumnType::Number => {
            push_equal_number(sql, name, text);
        }
        Predicate::Equals(text) => {
            sql.push(name).push(" = ").bind(text);
        }
        Predicate::Number(range) => push_number_range(
            sql,
            name,
            range.from.map(|number| number - TOLERANCE),
            range.to.map(|number| number + TOLERANCE),
        ),
        Predicate::Time(range) => push_time_range(sql, column_type, name, range),
        // These are about other records, not about a column.
        Predicate::InTree(_)
        | Predicate::HasBeen(_)
        | Predicate::NeverBeen(_)
        | Predicate::ChangedFrom(_) => {
            sql.push("1 = 0");
        }
        Predicate::RelatedInProjects(_)
        | Predicate::RelatedOutsideProjects(_)
        | Predicate::UnrelatedToProjects(_)
        | Predicate::RelatedToOpen
        | Predicate::UnrelatedToOpen => {
            sql.push("1 = 0");
        }
    }
    sql.push(")");
}

/// Adds the test of the values that a record has in another table: one of them matches, or for a
/// negative test none. `rows` adds the query of these values, up to where `AND` can follow.
pub fn push_exists_test(
    sql: &mut Sql,
    rows: impl FnOnce(&mut Sql),
    name: &str,
    column_type: ColumnType,
    predicate: &Predicate,
    catalogue: &Catalogue,
) {
    let (negated, positive) = split_negation(predicate);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" });
    rows(sql);
    sql.push(" AND ");
    push_test(sql, name, column_type, &positive, catalogue);
    sql.push(")");
}

/// Returns whether the test is negative, and the positive test.
pub fn split_negation(predicate: &Predicate) -> (bool, Predicate) {
    match predicate {
        Predicate::NoneOf(ids) => (true, Predicate::OneOf(ids.clone())),
        Predicate::NotInTexts(texts) => (true, Predicate::InTexts(texts.clone())),
        Predicate::Empty => (true, Predicate::NotEmpty),
        Predicate::NotContains(words) => (true, Predicate::Contains(words.clone())),
        Predicate::NeverBeen(ids) => (true, Predicate::HasBeen(ids.clone())),
        Predicate::UnrelatedToProjects(ids) => (true, Predicate::RelatedInProjects(ids.clone())),
        Predicate::UnrelatedToOpen => (true, Predicate::RelatedToOpen),
        other => (false, other.clone()),
    }
}

/// Returns the ids of the closed or of the open statuses.
pub fn statuses(catalogue: &Catalogue, closed: bool) -> Vec<i64> {
    catalogue
        .statuses
        .iter()
        .filter(|status| status.is_closed == closed)
        .map(|status| status.id.0)
        .collect()
}

fn push_all<T>(sql: &mut Sql, items: &[T], mut term: impl FnMut(&mut Sql, &T)) {
    sql.push("1 = 1");
    for item in items {
        sql.push(" AND ");
        term(sql, item);
    }
}

fn push_any<T>(sql: &mut Sql, items: &[T], mut term: impl FnMut(&mut Sql, &T)) {
    sql.push("1 = 0");
    for item in items {
        sql.push(" OR ");
        term(sql, item);
    }
}

/// Adds the condition that the text matches the pattern, ignoring case.
pub(crate) fn push_like(sql: &mut Sql, name: &str, pattern: &str) {
    sql.push("folded(")
        .push(name)
        .push(") LIKE folded(")
        .bind(pattern)
        .push(") ESCAPE '\\'");
}

/// Returns the pattern of texts that contain the word.
pub(crate) fn contains_pattern(word: &str) -> String {
    format!("%{}%", escape_like(word))
}

fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}

fn push_time_range(
    sql: &mut Sql,
    column_type: ColumnType,
    name: &str,
    range: &Range<DayOrInstant>,
) {
    match column_type {
        ColumnType::Date => push_range(
            sql,
            name,
            range.from.map(DayOrInstant::date),
            range.to.map(DayOrInstant::date),
        ),
        _ => push_range(
            sql,
            name,
            range.from.map(DayOrInstant::first),
            range.to.map(DayOrInstant::last),
        ),
    }
}

/// Adds the test of a range of numbers. The column may have integers: the bounds have a type, so that
/// the engine does not take that of the column.
fn push_number_range(sql: &mut Sql, name: &str, from: Option<f64>, to: Option<f64>) {
    sql.push(name).push(" IS NOT NULL");
    for (operator, bound) in [(" >= ", from), (" <= ", to)] {
        if let Some(bound) = bound {
            sql.push(" AND ").push(name).push(operator).push("CAST(");
            sql.bind(bound).push(" AS DOUBLE PRECISION)");
        }
    }
}

/// Adds the test that a number equals what the text says; no number equals other texts.
fn push_equal_number(sql: &mut Sql, name: &str, text: &str) {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => {
            sql.push(name).push(" = CAST(");
            sql.bind(number).push(" AS DOUBLE PRECISION)");
        }
        _ => {
            sql.push("1 = 0");
        }
    }
}

fn push_range<T: Into<crate::engine::Value>>(
    sql: &mut Sql,
    name: &str,
    from: Option<T>,
    to: Option<T>,
) {
    sql.push(name).push(" IS NOT NULL");
    if let Some(from) = from {
        sql.push(" AND ").push(name).push(" >= ").bind(from);
    }
    if let Some(to) = to {
        sql.push(" AND ").push(name).push(" <= ").bind(to);
    }
}
