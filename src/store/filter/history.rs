//! Conditions on the history of an issue: the notes and changes that the viewer may read (contract 4.2).

use super::{Kept, Reader, test_many};
use crate::domain::custom_field::CustomField;
use crate::domain::query::filter::Test;
use crate::domain::visibility;
use crate::store::sql::Sql;
use crate::store::visibility::{INNER_ISSUE, JOURNAL, condition};

/// The notes that the viewer may read.
pub fn notes(sql: &mut Sql, reader: Reader<'_>) {
    sql.push("SELECT 1 FROM journals j WHERE j.issue_id = i.id AND j.notes <> '' AND ");
    condition(sql, visibility::notes(reader.viewer), JOURNAL);
}

/// The entries in which the viewer finds anything to read.
pub fn entries(sql: &mut Sql, reader: Reader<'_>) {
    sql.push("SELECT 1 FROM journals j WHERE j.issue_id = i.id AND ");
    readable(sql, reader);
}

/// Whether one of these wrote the last entry in which the viewer finds anything to read.
pub fn last(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    let (Test::OneOf(ids) | Test::NoneOf(ids)) = asked else {
        sql.push("1 = 1");
        return;
    };
    let word = if matches!(asked, Test::OneOf(_)) { " IN" } else { " NOT IN" };
    sql.push("COALESCE((SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
    readable(sql, reader);
    sql.push(" ORDER BY j.created_on DESC, j.id DESC LIMIT 1), 0)").push(word).bind_ids(ids);
}

/// What the status once was. Its changes are for everybody to read who sees the issue and the entry.
pub fn status(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    let rows = |sql: &mut Sql| {
        sql.push("SELECT 1 FROM journals j JOIN journal_details e ON e.journal_id = j.id WHERE j.issue_id = i.id AND ");
        condition(sql, visibility::notes(reader.viewer), JOURNAL);
        sql.push(" AND e.property = 'attr' AND e.name = 'status_id'");
    };
    const OLD: &str = "CAST(NULLIF(e.old_value, '') AS BIGINT)";
    const NEW: &str = "CAST(NULLIF(e.new_value, '') AS BIGINT)";
    let (Test::Once(ids) | Test::Never(ids) | Test::Left(ids)) = asked else {
        sql.push("1 = 1");
        return;
    };
    let wanted = Test::OneOf(ids.clone());
    sql.push(if matches!(asked, Test::Never(_)) { "NOT (" } else { "(" });
    test_many(sql, rows, OLD, Kept::Number, &wanted, reader.catalogue);
    if !matches!(asked, Test::Left(_)) {
        sql.push(" OR ");
        test_many(sql, rows, NEW, Kept::Number, &wanted, reader.catalogue);
        sql.push(" OR i.status_id IN").bind_ids(ids);
    }
    sql.push(")");
}

/// Adds the condition that the viewer finds something to read in an entry, over `journals j` and `issues i`, as one term: a note,
/// or a change of which the viewer may know everything that it names.
pub fn readable(sql: &mut Sql, reader: Reader<'_>) {
    sql.push("(");
    condition(sql, visibility::notes(reader.viewer), JOURNAL);
    sql.push(" AND (j.notes <> '' OR EXISTS (SELECT 1 FROM journal_details e WHERE e.journal_id = j.id AND CASE");
    sql.push(" WHEN e.property = 'cf' THEN ");
    custom_field(sql, reader);
    sql.push(" WHEN e.property = 'attr' AND e.name = 'project_id' THEN ");
    let projects: Vec<i64> = reader.viewer.projects().map(|(id, _)| id.0).collect();
    for (column, glue) in [("e.old_value", " AND "), ("e.new_value", "")] {
        sql.push("COALESCE(CAST(NULLIF(").push(column).push(", '') AS BIGINT) IN").bind_ids(&projects).push(", 1 = 1)").push(glue);
    }
    sql.push(" WHEN e.property = 'relation' OR (e.property = 'attr' AND e.name IN ('parent_id', 'child_id')) THEN ");
    for (column, glue) in [("e.old_value", " AND "), ("e.new_value", "")] {
        sql.push("(COALESCE(").push(column).push(", '') = '' OR EXISTS (SELECT 1 FROM issues d WHERE d.id = CAST(").push(column);
        sql.push(" AS BIGINT) AND ");
        condition(sql, visibility::issues(reader.viewer), INNER_ISSUE);
        sql.push("))").push(glue);
    }
    sql.push(" ELSE 1 = 1 END)))");
}

/// Whether the viewer may see the custom field that a change is about, in the project of the issue.
fn custom_field(sql: &mut Sql, reader: Reader<'_>) {
    const NUMBER: &str = "CAST(e.name AS BIGINT)";
    let everywhere = |field: &&CustomField| field.visible || reader.viewer.admin;
    let fields = &reader.catalogue.custom_fields;
    let open: Vec<i64> = fields.iter().filter(everywhere).map(|field| field.id.0).collect();
    sql.push("(").push(NUMBER).push(" IN").bind_ids(&open);
    for field in fields.iter().filter(|field| !everywhere(field)) {
        sql.push(" OR (").push(NUMBER).push(" = ").bind(field.id).push(" AND i.project_id IN");
        sql.bind_ids(&super::custom_fields::projects_showing(field, reader.viewer)).push(")");
    }
    sql.push(")");
}
