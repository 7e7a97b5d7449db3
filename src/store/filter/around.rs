//! Conditions on the issues that stand around the one listed: related, above, below. Those that the viewer may not see do not
//! count, and what is beyond them is not reached through them.

use super::{Reader, statuses, turned};
use crate::domain::query::filter::Test;
use crate::domain::relation::RelationType;
use crate::domain::visibility;
use crate::store::sql::Sql;
use crate::store::visibility::{INNER_ISSUE, condition};

/// Whether there is a relation of this kind, as the listed issue sees it, to such an issue.
pub fn related(sql: &mut Sql, kind: RelationType, asked: &Test, reader: Reader<'_>) {
    let (negated, wanted) = turned(asked);
    sql.push(if negated { "NOT (" } else { "(" });
    // A relation is kept in one direction; seen from its other end it has the other name.
    for (own, other, kind, glue) in [("issue_from_id", "issue_to_id", kind, " OR "), ("issue_to_id", "issue_from_id", kind.reversed(), ")")]
    {
        sql.push("EXISTS (SELECT 1 FROM issue_relations r JOIN issues d ON d.id = r.").push(other);
        sql.push(" WHERE r.").push(own).push(" = i.id AND r.relation_type = ").bind(kind.name()).push(" AND ");
        match &wanted {
            Test::OneOf(ids) => drop(sql.push("d.id IN").bind_ids(ids)),
            Test::ToProjects(ids) => drop(sql.push("d.project_id IN").bind_ids(ids)),
            Test::OutOfProjects(ids) => drop(sql.push("d.project_id NOT IN").bind_ids(ids)),
            Test::ToOpen => drop(sql.push("d.status_id IN").bind_ids(&statuses(reader.catalogue, false))),
            _ => drop(sql.push("1 = 1")),
        }
        sql.push(" AND ");
        seen(sql, reader);
        sql.push(")").push(glue);
    }
}

/// Whether there is such an issue above.
pub fn parent(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    if let Test::Beyond(ids) = asked {
        sql.push("i.parent_id IN (WITH RECURSIVE below (id) AS (SELECT d.id FROM issues d WHERE d.id IN").bind_ids(ids).push(" AND ");
        seen(sql, reader);
        sql.push(" UNION SELECT d.id FROM below b JOIN issues d ON d.parent_id = b.id WHERE ");
        seen(sql, reader);
        sql.push(") SELECT id FROM below)");
        return;
    }
    near(sql, "d.id = i.parent_id", asked, reader);
}

/// Whether there is such an issue below.
pub fn child(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    if let Test::Beyond(ids) = asked {
        sql.push("i.id IN (WITH RECURSIVE above (id) AS (SELECT d.parent_id FROM issues d WHERE d.id IN").bind_ids(ids).push(" AND ");
        seen(sql, reader);
        sql.push(" UNION SELECT d.parent_id FROM above b JOIN issues d ON d.id = b.id WHERE ");
        seen(sql, reader);
        sql.push(") SELECT id FROM above WHERE id IS NOT NULL)");
        return;
    }
    near(sql, "d.parent_id = i.id", asked, reader);
}

fn near(sql: &mut Sql, joined: &str, asked: &Test, reader: Reader<'_>) {
    let (negated, wanted) = turned(asked);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" }).push("SELECT 1 FROM issues d WHERE ").push(joined);
    if let Test::OneOf(ids) = &wanted {
        sql.push(" AND d.id IN").bind_ids(ids);
    }
    sql.push(" AND ");
    seen(sql, reader);
    sql.push(")");
}

fn seen(sql: &mut Sql, reader: Reader<'_>) {
    condition(sql, visibility::issues(reader.viewer), INNER_ISSUE);
}
