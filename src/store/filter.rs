//! Conditions of the issue list as SQL, over `issues i`.

use super::sql::Sql;
use crate::domain::catalogue::Catalogue;
use crate::domain::query::dates::{Moment, Range};
use crate::domain::query::filter::{Condition, Field, Test};

fn column(field: Field) -> &'static str {
    match field {
        Field::Id => "i.id",
        Field::Status => "i.status_id",
        Field::Tracker => "i.tracker_id",
        Field::Priority => "i.priority_id",
        Field::Author => "i.author_id",
        Field::Assignee => "i.assigned_to_id",
        Field::Version => "i.fixed_version_id",
        Field::Subject => "i.subject",
        Field::Description => "i.description",
        Field::CreatedOn => "i.created_on",
        Field::UpdatedOn => "i.updated_on",
        Field::ClosedOn => "i.closed_on",
        Field::StartDate => "i.start_date",
        Field::DueDate => "i.due_date",
        Field::DoneRatio => "i.done_ratio",
        Field::EstimatedHours => "i.estimated_hours",
    }
}

/// Adds the condition, as one term that can stand behind `AND`.
pub fn condition(sql: &mut Sql, asked: &Condition, catalogue: &Catalogue) {
    let name = column(asked.field);
    sql.push("(");
    match &asked.test {
        Test::Anything => drop(sql.push("1 = 1")),
        // "Never updated" is an instant of change that is that of creation (contract 4.3).
        Test::Missing if asked.field == Field::UpdatedOn => drop(sql.push("i.updated_on = i.created_on")),
        Test::Present if asked.field == Field::UpdatedOn => drop(sql.push("i.updated_on > i.created_on")),
        Test::Missing if is_text(asked.field) => drop(sql.push(name).push(" IS NULL OR ").push(name).push(" = ''")),
        Test::Present if is_text(asked.field) => drop(sql.push(name).push(" <> ''")),
        Test::Missing => drop(sql.push(name).push(" IS NULL")),
        Test::Present => drop(sql.push(name).push(" IS NOT NULL")),
        Test::OneOf(ids) => drop(sql.push(name).push(" IN").bind_ids(ids)),
        Test::NoneOf(ids) => drop(sql.push(name).push(" IS NULL OR ").push(name).push(" NOT IN").bind_ids(ids)),
        Test::Open => drop(sql.push(name).push(" IN").bind_ids(&statuses(catalogue, false))),
        Test::Closed => drop(sql.push(name).push(" IN").bind_ids(&statuses(catalogue, true))),
        Test::Contains(words) => every(sql, name, words),
        Test::Lacks(words) => {
            sql.push(name).push(" IS NULL OR NOT (");
            every(sql, name, words);
            sql.push(")");
        }
        Test::Begins(text) => like(sql, name, &format!("{}%", escaped(text))),
        Test::Ends(text) => like(sql, name, &format!("%{}", escaped(text))),
        Test::Is(text) => drop(sql.push(name).push(" = ").bind(text)),
        Test::Number(range) => span(sql, name, range.from, range.to),
        Test::When(range) => when(sql, asked.field, name, range),
    }
    sql.push(")");
}

fn is_text(field: Field) -> bool {
    matches!(field, Field::Subject | Field::Description)
}

fn statuses(catalogue: &Catalogue, closed: bool) -> Vec<i64> {
    catalogue.statuses.iter().filter(|status| status.is_closed == closed).map(|status| status.id.0).collect()
}

fn every(sql: &mut Sql, name: &str, words: &[String]) {
    sql.push("1 = 1");
    for word in words {
        sql.push(" AND ");
        like(sql, name, &format!("%{}%", escaped(word)));
    }
}

fn like(sql: &mut Sql, name: &str, pattern: &str) {
    sql.push("lower(").push(name).push(") LIKE lower(").bind(pattern).push(") ESCAPE '\\'");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

fn when(sql: &mut Sql, field: Field, name: &str, range: &Range<Moment>) {
    match field {
        Field::StartDate | Field::DueDate => span(sql, name, range.from.map(Moment::date), range.to.map(Moment::date)),
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
