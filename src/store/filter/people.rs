//! Conditions on the people around an issue: who watches it, and what its assignee is.

use super::{Kept, Reader, test, test_many, turned};
use crate::domain::permission::Permission;
use crate::domain::query::filter::Test;
use crate::domain::visibility;
use crate::store::sql::Sql;

/// Whether one of these watches. That of oneself is always known, that of others where the viewer may see who watches.
pub fn watcher(sql: &mut Sql, asked: &Test, reader: Reader<'_>) {
    let rows = |sql: &mut Sql| {
        sql.push("SELECT 1 FROM watchers w WHERE w.watchable_type = 'Issue' AND w.watchable_id = i.id AND (i.project_id IN");
        sql.bind_ids(&reader.viewer.projects_with(Permission::ViewIssueWatchers).map(|id| id.0).collect::<Vec<_>>());
        if let Some(user) = reader.viewer.user {
            sql.push(" OR w.user_id = ").bind(user);
        }
        sql.push(")");
    };
    test_many(sql, rows, "w.user_id", Kept::Number, asked, reader.catalogue);
}

/// Whether the principal in the column `who`, such as the assignee, is one of these groups or in one of them. Groups that the viewer may not
/// know of do not count.
pub fn group(sql: &mut Sql, who: &str, asked: &Test, reader: Reader<'_>) {
    let groups = &reader.catalogue.groups;
    let members = |ids: Option<&[i64]>| {
        let wanted = groups.values().filter(|group| ids.is_none_or(|ids| ids.contains(&group.id.0)));
        let wanted = wanted.filter(|group| visibility::knows(reader.viewer, reader.catalogue, group.id));
        wanted.flat_map(|group| group.users.iter().map(|user| user.0).chain([group.id.0])).collect::<Vec<i64>>()
    };
    let people = match asked {
        Test::OneOf(ids) => Test::OneOf(members(Some(ids))),
        Test::NoneOf(ids) => Test::NoneOf(members(Some(ids))),
        Test::Missing => Test::NoneOf(members(None)),
        _ => Test::OneOf(members(None)),
    };
    test(sql, who, Kept::Number, &people, reader.catalogue);
}

/// Whether the principal in the column `who`, such as the assignee, has one of these roles in the project in the column `project`,
/// as a member, through a group, or from the project above.
pub fn role(sql: &mut Sql, who: &str, project: &str, asked: &Test) {
    let (negated, wanted) = turned(asked);
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" });
    sql.push("WITH RECURSIVE up (id) AS (SELECT ").push(project);
    sql.push(" UNION SELECT p.parent_id FROM up u JOIN projects p ON p.id = u.id ");
    sql.push("WHERE p.inherit_members = 1 AND p.parent_id IS NOT NULL) ");
    sql.push("SELECT 1 FROM up u JOIN members m ON m.project_id = u.id JOIN member_roles r ON r.member_id = m.id ");
    sql.push("WHERE ").push(who).push(" IS NOT NULL AND (m.user_id = ").push(who);
    sql.push(" OR m.user_id IN (SELECT g.group_id FROM group_users g WHERE g.user_id = ").push(who).push("))");
    if let Test::OneOf(ids) = &wanted {
        sql.push(" AND r.role_id IN").bind_ids(ids);
    }
    sql.push(")");
}
