//! Conditions on related issues, parents and subtasks of the listed issue. Issues that the viewer
//! may not see do not count, and neither do those that are reached only through them.

use super::{FilterContext, split_negation, statuses};
use crate::lists::visibility::{SUBQUERY_ISSUE, push_visible};
use crate::transaction::sql::Sql;
use quarry_domain::access::visibility;
use quarry_domain::issues::relation::RelationType;
use quarry_domain::query::filter::Predicate;

/// Adds the test of the issues to which the listed issue has a relation of this type.
pub fn relation(
    sql: &mut Sql,
    kind: RelationType,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    let (negated, positive) = split_negation(predicate);
    sql.push(if negated { "NOT (" } else { "(" });
    // A relation is stored in one direction; from its other end it has the reversed type.
    for (own_column, other_column, kind, glue) in [
        ("issue_from_id", "issue_to_id", kind, " OR "),
        ("issue_to_id", "issue_from_id", kind.reversed(), ")"),
    ] {
        sql.push("EXISTS (SELECT 1 FROM issue_relations r JOIN issues d ON d.id = r.")
            .push(other_column);
        sql.push(" WHERE r.")
            .push(own_column)
            .push(" = i.id AND r.relation_type = ")
            .bind(kind.name())
            .push(" AND ");
        match &positive {
            Predicate::OneOf(ids) => {
                sql.push("d.id IN").bind_ids(ids);
            }
            Predicate::RelatedInProjects(ids) => {
                sql.push("d.project_id IN").bind_ids(ids);
            }
            Predicate::RelatedOutsideProjects(ids) => {
                sql.push("d.project_id NOT IN").bind_ids(ids);
            }
            Predicate::RelatedToOpen => {
                sql.push("d.status_id IN")
                    .bind_ids(&statuses(context.catalogue, false));
            }
            _ => {
                sql.push("1 = 1");
            }
        }
        sql.push(" AND ");
        push_visible_issues(sql, context);
        sql.push(")").push(glue);
    }
}

/// Adds the test of the parent; [`Predicate::InTree`] tests all ancestors.
pub fn parent(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    if let Predicate::InTree(ids) = predicate {
        sql.push(
            "i.parent_id IN (WITH RECURSIVE below (id) AS (SELECT d.id FROM issues d WHERE d.id IN",
        )
        .bind_ids(ids)
        .push(" AND ");
        push_visible_issues(sql, context);
        sql.push(" UNION SELECT d.id FROM below b JOIN issues d ON d.parent_id = b.id WHERE ");
        push_visible_issues(sql, context);
        sql.push(") SELECT id FROM below)");
        return;
    }
    push_exists_issue(sql, "d.id = i.parent_id", predicate, context);
}

/// Adds the test of the subtasks; [`Predicate::InTree`] tests all descendants.
pub fn child(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    if let Predicate::InTree(ids) = predicate {
        sql.push(
            "i.id IN (WITH RECURSIVE above (id) AS (SELECT d.parent_id FROM issues d WHERE d.id IN",
        )
        .bind_ids(ids)
        .push(" AND ");
        push_visible_issues(sql, context);
        sql.push(" UNION SELECT d.parent_id FROM above b JOIN issues d ON d.id = b.id WHERE ");
        push_visible_issues(sql, context);
        sql.push(") SELECT id FROM above WHERE id IS NOT NULL)");
        return;
    }
    push_exists_issue(sql, "d.parent_id = i.id", predicate, context);
}

fn push_exists_issue(sql: &mut Sql, join: &str, predicate: &Predicate, context: FilterContext<'_>) {
    let (negated, positive) = split_negation(predicate);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" })
        .push("SELECT 1 FROM issues d WHERE ")
        .push(join);
    if let Predicate::OneOf(ids) = &positive {
        sql.push(" AND d.id IN").bind_ids(ids);
    }
    sql.push(" AND ");
    push_visible_issues(sql, context);
    sql.push(")");
}

fn push_visible_issues(sql: &mut Sql, context: FilterContext<'_>) {
    push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
}
