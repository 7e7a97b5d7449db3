//! Conditions of the list of time entries as SQL, over `time_entries t`. An issue that the viewer may not see does not count: the
//! time entry is as one without an issue.

use super::custom_fields::{column as column_of, projects_showing};
use super::{Kept, Reader, issues, people, test, test_many, turned};
use crate::domain::custom_field::{CustomField, Customized};
use crate::domain::ids::EnumerationId;
use crate::domain::query::dates::Range;
use crate::domain::query::filter::Test;
use crate::domain::query::issues::Condition as IssueCondition;
use crate::domain::query::time_entries::{self, Condition, Field};
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::sql::Sql;
use crate::store::visibility::{INNER_ISSUE, ISSUE, condition as seen};

/// Hours are shown to two decimals, and asked for as they are shown.
const HALF_SHOWN: f64 = 0.004_999_9;

/// Adds the condition, as one term that can stand behind `AND`.
pub fn condition(sql: &mut Sql, asked: &Condition, reader: Reader<'_>) {
    let (field, asked) = (asked.field, &asked.test);
    let (name, kept) = match field {
        Field::Project => ("t.project_id", Kept::Number),
        Field::ProjectStatus => ("(SELECT p.status FROM projects p WHERE p.id = t.project_id)", Kept::Number),
        Field::User => ("t.user_id", Kept::Number),
        Field::Author => ("COALESCE(t.author_id, t.user_id)", Kept::Number),
        Field::Activity => ("t.activity_id", Kept::Number),
        Field::SpentOn => ("t.spent_on", Kept::Date),
        Field::Hours => ("t.hours", Kept::Number),
        Field::Comments => ("t.comments", Kept::Text),
        Field::UserGroup => return people::group(sql, "t.user_id", asked, reader),
        Field::UserRole => return people::role(sql, "t.user_id", "t.project_id", asked),
        Field::Issue => return issue(sql, asked, reader),
        Field::OfIssue(field) => return of_issue(sql, field, asked, reader),
        Field::Custom(field) => {
            let known = time_entries::custom_fields(reader.catalogue, reader.viewer).find(|known| known.id == field);
            return match known {
                Some(field) => custom_field(sql, field, asked, reader),
                None => drop(sql.push("1 = 0")),
            };
        }
        // Which projects are meant is said by the part of them that is listed.
        Field::Subproject => {
            sql.push("1 = 1");
            return;
        }
    };
    match (field, asked) {
        (Field::Activity, Test::OneOf(ids)) => test(sql, name, kept, &Test::OneOf(activities(ids, reader)), reader.catalogue),
        (Field::Activity, Test::NoneOf(ids)) => test(sql, name, kept, &Test::NoneOf(activities(ids, reader)), reader.catalogue),
        (Field::Hours, Test::Number(range)) if range.from == range.to => {
            let near = Range { from: range.from.map(|hours| hours - HALF_SHOWN), to: range.to.map(|hours| hours + HALF_SHOWN) };
            test(sql, name, kept, &Test::Number(near), reader.catalogue);
        }
        _ => test(sql, name, kept, asked, reader.catalogue),
    }
}

/// These activities and those that stand for them in some project.
fn activities(ids: &[i64], reader: Reader<'_>) -> Vec<i64> {
    ids.iter().flat_map(|id| reader.catalogue.replacements(EnumerationId(*id))).map(|id| id.0).collect()
}

/// Whether the time was spent on one of these issues, or on one below them.
fn issue(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    if let Test::Beyond(ids) = asked {
        sql.push("t.issue_id IN (WITH RECURSIVE below (id) AS (SELECT d.id FROM issues d WHERE d.id IN").bind_ids(ids).push(" AND ");
        seen(sql, visibility::issues(reader.viewer), INNER_ISSUE);
        sql.push(" UNION SELECT d.id FROM below b JOIN issues d ON d.parent_id = b.id WHERE ");
        seen(sql, visibility::issues(reader.viewer), INNER_ISSUE);
        sql.push(") SELECT id FROM below)");
        return;
    }
    let (negated, wanted) = turned(asked);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" }).push("SELECT 1 FROM issues d WHERE d.id = t.issue_id AND ");
    seen(sql, visibility::issues(reader.viewer), INNER_ISSUE);
    if let Test::OneOf(ids) = &wanted {
        sql.push(" AND d.id IN").bind_ids(ids);
    }
    sql.push(")");
}

/// Whether the time was spent on an issue that is so; of what it must not be, time on no issue is not.
fn of_issue(sql: &mut Sql, field: crate::domain::query::issues::Field, asked: &Test, reader: Reader<'_>) {
    let (negated, test) = turned(asked);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" }).push("SELECT 1 FROM issues i WHERE i.id = t.issue_id AND ");
    seen(sql, visibility::issues(reader.viewer), ISSUE);
    sql.push(" AND ");
    issues::condition(sql, &IssueCondition { field, test }, reader);
    sql.push(")");
}

fn custom_field(sql: &mut Sql, field: &CustomField, asked: &Test, reader: Reader<'_>) {
    let rows = |sql: &mut Sql| {
        sql.push("SELECT 1 FROM ");
        custom_field_shown(sql, field, reader.viewer);
    };
    let (name, kept) = column_of(field.format);
    test_many(sql, rows, name, kept, asked, reader.catalogue);
}

/// Adds `custom_values x WHERE …`: the values that the time entry has in the field and that the viewer may see, in a query over
/// `time_entries t`.
pub fn custom_field_shown(sql: &mut Sql, field: &CustomField, viewer: &Viewer) {
    sql.push("custom_values x WHERE x.customized_type = ").bind(Customized::TimeEntry.stored()).push(" AND x.customized_id = t.id");
    sql.push(" AND x.custom_field_id = ").bind(field.id).push(" AND x.value <> ''");
    if !field.visible && !viewer.admin {
        sql.push(" AND t.project_id IN").bind_ids(&projects_showing(field, viewer));
    }
}
