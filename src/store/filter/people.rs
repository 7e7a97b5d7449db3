//! Conditions on watchers, and on groups and roles of authors and assignees.

use super::{ColumnType, FilterContext, push_exists_test, push_test, split_negation};
use crate::domain::permission::Permission;
use crate::domain::query::filter::Predicate;
use crate::domain::visibility;
use crate::store::sql::Sql;

/// Adds the test of the watchers that the viewer may see: the viewer with the viewer's groups, and
/// others where the permission allows it. What the groups of the viewer watch, the viewer watches
/// too (compatibility 6.3).
pub fn watcher(sql: &mut Sql, predicate: &Predicate, context: FilterContext<'_>) {
    let own: Vec<i64> = context
        .viewer
        .principals
        .iter()
        .map(|principal| principal.0)
        .collect();
    let with_groups = |ids: &[i64]| {
        let has_viewer = context
            .viewer
            .user
            .is_some_and(|user| ids.contains(&user.0));
        ids.iter()
            .chain(own.iter().filter(|_| has_viewer))
            .copied()
            .collect::<Vec<i64>>()
    };
    let predicate = match predicate {
        Predicate::OneOf(ids) => Predicate::OneOf(with_groups(ids)),
        Predicate::NoneOf(ids) => Predicate::NoneOf(with_groups(ids)),
        other => other.clone(),
    };
    let rows = |sql: &mut Sql| {
        sql.push("SELECT 1 FROM watchers w WHERE w.watchable_type = 'Issue' AND w.watchable_id = i.id AND (i.project_id IN");
        sql.bind_ids(
            &context
                .viewer
                .projects_with(Permission::ViewIssueWatchers)
                .map(|id| id.0)
                .collect::<Vec<_>>(),
        );
        sql.push(" OR w.user_id IN").bind_ids(&own).push(")");
    };
    push_exists_test(
        sql,
        rows,
        "w.user_id",
        ColumnType::Number,
        &predicate,
        context.catalogue,
    );
}

/// Adds the test whether the principal in the column `principal` is one of these groups or a member
/// of one. Groups that the viewer may not see do not count.
pub fn group(sql: &mut Sql, principal: &str, predicate: &Predicate, context: FilterContext<'_>) {
    let groups = &context.catalogue.groups;
    let members = |ids: Option<&[i64]>| {
        let matching = groups
            .values()
            .filter(|group| ids.is_none_or(|ids| ids.contains(&group.id.0)));
        let matching = matching.filter(|group| {
            visibility::can_see_principal(context.viewer, context.catalogue, group.id)
        });
        matching
            .flat_map(|group| group.users.iter().map(|user| user.0).chain([group.id.0]))
            .collect::<Vec<i64>>()
    };
    let people = match predicate {
        Predicate::OneOf(ids) => Predicate::OneOf(members(Some(ids))),
        Predicate::NoneOf(ids) => Predicate::NoneOf(members(Some(ids))),
        Predicate::Empty => Predicate::NoneOf(members(None)),
        _ => Predicate::OneOf(members(None)),
    };
    push_test(
        sql,
        principal,
        ColumnType::Number,
        &people,
        context.catalogue,
    );
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
