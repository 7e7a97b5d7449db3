//! Conditions on watchers, and on groups and roles of authors and assignees.

use super::{ColumnType, FilterContext, push_exists_test, push_test, split_negation};
use crate::transaction::sql::Sql;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::query::filter::Predicate;

/// Adds the test of the watchers that the viewer may see: the viewer with the viewer's groups, and
/// others where the permission allows it. What the groups of the viewer watch, the viewer watches
/// too (compatibility 6.3).
pub fn watcher(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    let viewer = context.viewer;
    let predicate = match predicate {
        Predicate::OneOf(ids) => Predicate::OneOf(with_groups(ids, viewer)),
        Predicate::NoneOf(ids) => Predicate::NoneOf(with_groups(ids, viewer)),
        other => other.clone(),
    };
    push_exists_test(
        sql,
        |sql| push_watchers(sql, viewer),
        "w.user_id",
        ColumnType::Number,
        &predicate,
        context.catalogue,
    );
}

/// Returns the ids, and if the viewer is among them, those of the viewer's groups.
fn with_groups(ids: &[i64], viewer: &Viewer) -> Vec<i64> {
    let has_viewer = viewer.user.is_some_and(|user| ids.contains(&user.0));
    let own = viewer.principals.iter().filter(|_| has_viewer);
    ids.iter()
        .copied()
        .chain(own.map(|principal| principal.0))
        .collect()
}

/// Adds the query of the watchers that the viewer may see.
fn push_watchers(sql: &mut Sql, viewer: &Viewer) {
    let projects: Vec<i64> = viewer
        .projects_with(Permission::ViewIssueWatchers)
        .map(|id| id.0)
        .collect();
    let own: Vec<i64> = viewer.principals.iter().map(|id| id.0).collect();
    sql.push("SELECT 1 FROM watchers w WHERE w.watchable_type = 'Issue' AND w.watchable_id = i.id AND (i.project_id IN");
    sql.bind_ids(&projects);
    sql.push(" OR w.user_id IN").bind_ids(&own).push(")");
}

/// Adds the test whether the principal in the column `principal` is one of these groups or a member
/// of one. Groups that the viewer may not see do not count.
pub fn group(sql: &mut Sql, principal: &str, predicate: &Predicate, context: FilterContext<'_>) {
    let people = match predicate {
        Predicate::OneOf(ids) => Predicate::OneOf(members(Some(ids), context)),
        Predicate::NoneOf(ids) => Predicate::NoneOf(members(Some(ids), context)),
        Predicate::Empty => Predicate::NoneOf(members(None, context)),
        _ => Predicate::OneOf(members(None, context)),
    };
    push_test(
        sql,
        principal,
        ColumnType::Number,
        &people,
        context.catalogue,
    );
}

/// Returns these groups, or all with `None`, and their members. Groups that the viewer may not see
/// do not count.
fn members(groups: Option<&[i64]>, context: FilterContext<'_>) -> Vec<i64> {
    let FilterContext {
        viewer, catalogue, ..
    } = context;
    catalogue
        .groups
        .values()
        .filter(|group| groups.is_none_or(|ids| ids.contains(&group.id.0)))
        .filter(|group| visibility::can_see_principal(viewer, catalogue, group.id))
        .flat_map(|group| group.users.iter().map(|user| user.0).chain([group.id.0]))
        .collect()
}

/// Adds the test whether the principal in the column `principal` has one of these roles in the
/// project in the column `project`: as a member, through a group, or inherited from the parent
/// project.
pub fn role(sql: &mut Sql, principal: &str, project: &str, predicate: &Predicate) {
    let (negated, positive) = split_negation(predicate);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" });
    sql.push("WITH RECURSIVE up (id) AS (SELECT ").push(project);
    sql.push(" UNION SELECT p.parent_id FROM up u JOIN projects p ON p.id = u.id ");
    sql.push("WHERE p.inherit_members = 1 AND p.parent_id IS NOT NULL) ");
    sql.push("SELECT 1 FROM up u JOIN members m ON m.project_id = u.id JOIN member_roles r ON r.member_id = m.id ");
    sql.push("WHERE ")
        .push(principal)
        .push(" IS NOT NULL AND (m.user_id = ")
        .push(principal);
    sql.push(" OR m.user_id IN (SELECT g.group_id FROM group_users g WHERE g.user_id = ")
        .push(principal)
        .push("))");
    if let Predicate::OneOf(ids) = &positive {
        sql.push(" AND r.role_id IN").bind_ids(ids);
    }
    sql.push(")");
}
