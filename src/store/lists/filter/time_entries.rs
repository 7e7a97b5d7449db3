//! Conditions of the list of time entries as SQL, over `time_entries t`. A time entry on an issue
//! that the viewer may not see counts as one without an issue.

use super::associations::{push_custom_field_test, push_value_field_test};
use super::custom_fields::{
    push_rows, push_values_test, push_visible_projects, push_visible_values,
};
use super::{ColumnType, FilterContext, issues, people, push_test, split_negation};
use crate::lists::visibility::{ISSUE_UNINDEXED, SUBQUERY_ISSUE, push_visible};
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::CustomField;
use quarry_domain::ids::{CustomFieldId, EnumerationId, UserId};
use quarry_domain::query::associations::Association;
use quarry_domain::query::dates::Range;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues::{Condition as IssueCondition, Field as IssueField};
use quarry_domain::query::time_entries;
use quarry_domain::query::time_entries::{Condition, Field};

/// Maximum difference of hours that count as equal: clients filter by hours rounded to two
/// decimals.
const HOURS_TOLERANCE: f64 = 0.004_999_9;

/// Adds the condition, as one term that can follow `AND`.
pub fn push_condition(sql: &mut Sql, condition: &Condition, context: FilterContext<'_>) {
    let field = condition.field;
    let predicate = &condition.predicate;
    let (name, column_type) = match field {
        Field::Project => ("t.project_id", ColumnType::Number),
        Field::ProjectStatus => (
            "(SELECT p.status FROM projects p WHERE p.id = t.project_id)",
            ColumnType::Number,
        ),
        Field::User => ("t.user_id", ColumnType::Number),
        Field::Author => ("COALESCE(t.author_id, t.user_id)", ColumnType::Number),
        Field::Activity => ("t.activity_id", ColumnType::Number),
        Field::SpentOn => ("t.spent_on", ColumnType::Date),
        Field::Hours => ("t.hours", ColumnType::Number),
        Field::Comments => return comments(sql, predicate, context),
        Field::UserGroup => return people::group(sql, "t.user_id", predicate, context),
        Field::UserRole => return people::role(sql, "t.user_id", "t.project_id", predicate),
        Field::Issue => return issue(sql, predicate, context),
        Field::OfIssue(field) => return issue_field(sql, field, predicate, context),
        Field::Custom(id) => {
            return match find_custom_field(id, context) {
                Some(field) => custom_field(sql, field, predicate, context),
                None => {
                    sql.push("1 = 0");
                }
            };
        }
        Field::OfValue(id, field) => {
            return match find_custom_field(id, context) {
                Some(through) => push_value_field_test(
                    sql,
                    |sql| push_custom_values(sql, through, context.viewer),
                    field,
                    predicate,
                    context,
                ),
                None => {
                    sql.push("1 = 0");
                }
            };
        }
        Field::OfAssociation(association, field) => {
            let column = if association == Association::Project {
                "+t.project_id"
            } else {
                "+t.user_id"
            };
            return push_custom_field_test(sql, column, field, predicate, context);
        }
        // The project conditions of the list cover subprojects.
        Field::Subproject => {
            sql.push("1 = 1");
            return;
        }
    };
    match (field, predicate) {
        (Field::Activity, Predicate::OneOf(ids)) => push_test(
            sql,
            name,
            column_type,
            &Predicate::OneOf(activities(ids, context)),
            context.catalogue,
        ),
        (Field::Activity, Predicate::NoneOf(ids)) => push_test(
            sql,
            name,
            column_type,
            &Predicate::NoneOf(activities(ids, context)),
            context.catalogue,
        ),
        (Field::Hours, Predicate::Number(range)) if range.from == range.to => {
            let rounded = Range {
                from: range.from.map(|hours| hours - HOURS_TOLERANCE),
                to: range.to.map(|hours| hours + HOURS_TOLERANCE),
            };
            push_test(
                sql,
                name,
                column_type,
                &Predicate::Number(rounded),
                context.catalogue,
            );
        }
        _ => push_test(sql, name, column_type, predicate, context.catalogue),
    }
}

/// Adds the test of the comment. One on an issue that the viewer may not see counts as empty, except for
/// their own time.
fn comments(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    let (negated, _) = split_negation(predicate);
    sql.push(if negated { "(NOT (" } else { "((" })
        .push("t.issue_id IS NULL OR t.user_id = ")
        .bind(context.viewer.user.unwrap_or(UserId(0)))
        .push(" OR EXISTS (SELECT 1 FROM issues d WHERE d.id = t.issue_id AND ");
    push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
    sql.push(if negated { ")) OR " } else { ")) AND " });
    push_test(
        sql,
        "t.comments",
        ColumnType::Text,
        predicate,
        context.catalogue,
    );
    sql.push(")");
}

/// Returns these activities and the project-specific ones that replace them.
fn activities(ids: &[i64], context: FilterContext<'_>) -> Vec<i64> {
    ids.iter()
        .flat_map(|id| context.catalogue.replacements(EnumerationId(*id)))
        .map(|id| id.0)
        .collect()
}

/// Adds the test of the issue; [`Predicate::InTree`] includes its descendants.
fn issue(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    if let Predicate::InTree(ids) = predicate {
        sql.push(
            "t.issue_id IN (WITH RECURSIVE below (id) AS (SELECT d.id FROM issues d WHERE d.id IN",
        )
        .bind_ids(ids)
        .push(" AND ");
        push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
        sql.push(" UNION SELECT d.id FROM below b JOIN issues d ON d.parent_id = b.id WHERE ");
        push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
        sql.push(") SELECT id FROM below)");
        return;
    }
    let (negated, positive) = split_negation(predicate);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" })
        .push("SELECT 1 FROM issues d WHERE d.id = t.issue_id AND ");
    push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
    if let Predicate::OneOf(ids) = &positive {
        sql.push(" AND d.id IN").bind_ids(ids);
    }
    sql.push(")");
}

/// Adds the test of a field of the issue. A negative test also matches time entries without an
/// issue (compatibility 9). Tests of texts and of the version, and whether a custom field is empty,
/// always need an issue.
fn issue_field(
    sql: &mut Sql,
    field: IssueField,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    let (negated, predicate) = match (field, predicate) {
        (_, Predicate::NotContains(_))
        | (IssueField::Version, Predicate::NoneOf(_))
        | (IssueField::Custom(_), Predicate::Empty) => (false, predicate.clone()),
        _ => split_negation(predicate),
    };
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" })
        .push("SELECT 1 FROM issues i WHERE i.id = t.issue_id AND ");
    push_visible(sql, visibility::issues(context.viewer), ISSUE_UNINDEXED);
    sql.push(" AND ");
    issues::push_condition(sql, &IssueCondition { field, predicate }, context);
    sql.push(")");
}

fn find_custom_field(id: CustomFieldId, context: FilterContext<'_>) -> Option<&CustomField> {
    time_entries::custom_fields(context.catalogue, context.viewer).find(|field| field.id == id)
}

fn custom_field(
    sql: &mut Sql,
    field: &CustomField,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    push_values_test(
        sql,
        |sql| push_rows(sql.push("SELECT 1 FROM "), "t.id", field),
        |sql| push_visible_projects(sql, "t.project_id", field, context.viewer),
        field.format,
        predicate,
        context.catalogue,
    );
}

/// Adds `custom_values x WHERE …`: the values of the time entry in the field that the viewer may
/// see, in a query over `time_entries t`.
pub fn push_custom_values(sql: &mut Sql, field: &CustomField, viewer: &Viewer) {
    push_visible_values(sql, ("t.id", "t.project_id"), field, viewer);
}
