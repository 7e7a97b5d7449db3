//! Conditions on the history of an issue: the notes and changes that the viewer may read
//! (compatibility 6.2).

use super::{ColumnType, FilterContext, push_exists_test, push_test};
use crate::lists::visibility::{JOURNAL, SUBQUERY_ISSUE, push_visible};
use crate::transaction::sql::Sql;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::CustomField;
use quarry_domain::query::change::{Change, ChangedAttribute};
use quarry_domain::query::filter::Predicate;

/// Adds the query of the notes that the viewer may read.
pub fn notes(sql: &mut Sql, context: FilterContext<'_>) {
    sql.push("SELECT 1 FROM journals j WHERE j.issue_id = i.id AND j.notes <> '' AND ");
    push_visible(sql, visibility::notes(context.viewer), JOURNAL);
}

/// Adds the query of the journals with a note or detail that the viewer may see.
pub fn journals(sql: &mut Sql, context: FilterContext<'_>) {
    sql.push("SELECT 1 FROM journals j WHERE j.issue_id = i.id AND ");
    push_readable(sql, context);
}

/// Adds the test of the author of the last journal with a note or detail that the viewer may see.
pub fn last_updated_by(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    let (Predicate::OneOf(ids) | Predicate::NoneOf(ids)) = predicate else {
        sql.push("1 = 1");
        return;
    };
    // Without such journals the subquery is NULL, which no list contains; NOT IN needs a value.
    let (begin, end) = if matches!(predicate, Predicate::OneOf(_)) {
        ("(", ") IN")
    } else {
        ("COALESCE((", "), -1) NOT IN")
    };
    sql.push(begin)
        .push("SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
    push_readable(sql, context);
    sql.push(" ORDER BY j.id DESC LIMIT 1")
        .push(end)
        .bind_ids(ids);
}

/// Adds the test of former statuses. Everyone who may see the issue and the journal may see changes
/// of the status.
pub fn status(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    const OLD: &str = "(CASE WHEN e.old_value <> '' THEN as_integer(e.old_value) END)";
    const NEW: &str = "(CASE WHEN e.new_value <> '' THEN as_integer(e.new_value) END)";
    let (Predicate::HasBeen(ids) | Predicate::NeverBeen(ids) | Predicate::ChangedFrom(ids)) =
        predicate
    else {
        sql.push("1 = 1");
        return;
    };
    let positive = Predicate::OneOf(ids.clone());
    sql.push(if matches!(predicate, Predicate::NeverBeen(_)) {
        "NOT ("
    } else {
        "("
    });
    push_exists_test(
        sql,
        |sql| status_changes(sql, context),
        OLD,
        ColumnType::Number,
        &positive,
        context.catalogue,
    );
    if !matches!(predicate, Predicate::ChangedFrom(_)) {
        sql.push(" OR ");
        push_exists_test(
            sql,
            |sql| status_changes(sql, context),
            NEW,
            ColumnType::Number,
            &positive,
            context.catalogue,
        );
        sql.push(" OR i.status_id IN").bind_ids(ids);
    }
    sql.push(")");
}

/// Adds the query of the changes of the status that the viewer may read.
fn status_changes(sql: &mut Sql, context: FilterContext<'_>) {
    sql.push("SELECT 1 FROM journals j JOIN journal_details e ON e.journal_id = j.id WHERE j.issue_id = i.id AND ");
    push_visible(sql, visibility::notes(context.viewer), JOURNAL);
    sql.push(" AND e.property = 'attr' AND e.name = 'status_id'");
}

/// Adds the condition that a journal has a note or a detail that the viewer may see, over `journals
/// j` and `issues i`, as one term. A detail is visible when the viewer may see everything that it
/// refers to.
pub fn push_readable(sql: &mut Sql, context: FilterContext<'_>) {
    sql.push("(");
    push_visible(sql, visibility::notes(context.viewer), JOURNAL);
    sql.push(" AND (j.notes <> '' OR EXISTS (SELECT 1 FROM journal_details e WHERE e.journal_id = j.id AND ");
    push_visible_detail(sql, context);
    sql.push(")))");
}

/// Adds the condition that the viewer may see everything that a detail refers to, over
/// `journal_details e` and `issues i`, as one term.
fn push_visible_detail(sql: &mut Sql, context: FilterContext<'_>) {
    sql.push("CASE WHEN e.property = 'cf' THEN ");
    custom_field(sql, context);
    sql.push(" WHEN e.property = 'attr' AND e.name = 'project_id' THEN ");
    let projects: Vec<i64> = context.viewer.projects().map(|(id, _)| id.0).collect();
    for (column, glue) in [("e.old_value", " AND "), ("e.new_value", "")] {
        sql.push("COALESCE((CASE WHEN ")
            .push(column)
            .push(" <> '' THEN as_integer(")
            .push(column)
            .push(") END) IN")
            .bind_ids(&projects)
            .push(", 1 = 1)")
            .push(glue);
    }
    sql.push(" WHEN e.property = 'relation' OR (e.property = 'attr' AND e.name IN ('parent_id', 'child_id')) THEN ");
    for (column, glue) in [("e.old_value", " AND "), ("e.new_value", "")] {
        sql.push("(COALESCE(")
            .push(column)
            .push(", '') = '' OR EXISTS (SELECT 1 FROM issues d WHERE d.id = as_integer(")
            .push(column);
        sql.push(") AND ");
        push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
        sql.push("))").push(glue);
    }
    sql.push(" ELSE 1 = 1 END");
}

/// Adds the condition that the issue has a change that the viewer may see, as one term.
pub fn push_change(sql: &mut Sql, change: &Change, context: FilterContext<'_>) {
    sql.push("EXISTS (SELECT 1 FROM journals j JOIN journal_details e ON e.journal_id = j.id WHERE j.issue_id = i.id AND ");
    push_visible(sql, visibility::notes(context.viewer), JOURNAL);
    sql.push(" AND (1 = 0");
    for attribute in &change.attributes {
        match attribute {
            ChangedAttribute::Builtin(name) => {
                sql.push(" OR (e.property = 'attr' AND e.name = ")
                    .bind(*name)
                    .push(")");
            }
            ChangedAttribute::Custom(field) => {
                sql.push(" OR (e.property = 'cf' AND e.name = ")
                    .bind(field.to_string())
                    .push(")");
            }
        }
    }
    sql.push(") AND ");
    push_visible_detail(sql, context);
    if let Some(ids) = &change.from {
        sql.push(" AND (CASE WHEN e.old_value <> '' THEN as_integer(e.old_value) END) IN")
            .bind_ids(ids);
    }
    if let Some(people) = &change.by {
        sql.push(" AND j.user_id IN").bind_ids(people);
    }
    if let Some(range) = &change.on {
        let predicate = Predicate::Time(*range);
        sql.push(" AND ");
        push_test(
            sql,
            "j.created_on",
            ColumnType::Instant,
            &predicate,
            context.catalogue,
        );
    }
    sql.push(")");
}

/// Adds the condition that the viewer may see the custom field of a detail, in the project of the
/// issue.
fn custom_field(sql: &mut Sql, context: FilterContext<'_>) {
    const FIELD_ID: &str = "as_integer(e.name)";
    let (visible_everywhere, others): (Vec<&CustomField>, Vec<&CustomField>) = context
        .catalogue
        .custom_fields
        .iter()
        .partition(|field| field.visible || context.viewer.admin);
    let visible_ids: Vec<i64> = visible_everywhere.iter().map(|field| field.id.0).collect();
    sql.push("(")
        .push(FIELD_ID)
        .push(" IN")
        .bind_ids(&visible_ids);
    for field in others {
        sql.push(" OR (")
            .push(FIELD_ID)
            .push(" = ")
            .bind(field.id)
            .push(" AND i.project_id IN");
        sql.bind_ids(&super::custom_fields::projects_with_visible(
            field,
            context.viewer,
        ))
        .push(")");
    }
    sql.push(")");
}
