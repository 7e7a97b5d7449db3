//! Memberships through groups and from parent projects, of which both sides make rows of their own.

use super::complete::{count, problems, reported};
use super::loader::{copy, ours};
use quarry_world::process::message;
use quarry_world::redmine_import::import;
use rusqlite::Connection;

/// Returns the memberships of a user: id, project and number of roles that are its own.
fn members(database: &Connection, user: i64, own_role: &str) -> Vec<(i64, i64, i64)> {
    let sql = format!(
        "SELECT m.id, m.project_id, (SELECT COUNT(*) FROM member_roles r WHERE r.member_id = m.id AND {own_role}) FROM members m \
         WHERE m.user_id = ?1 ORDER BY m.id"
    );
    let mut statement = database.prepare_cached(&sql).unwrap();
    let rows = statement
        .query_map([user], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn memberships_of_the_source_replace_inherited_ones_that_were_made_here() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    // Dave joins a group that is a member of project 2, whose members project 3 inherits. Here he
    // gets the memberships 27 and 28.
    ours(&data)
        .execute_batch("INSERT INTO group_users (group_id, user_id) VALUES (12, 8)")
        .unwrap();
    message(&import(&data, &database, &[]));
    assert_eq!(members(&ours(&data), 8, "1 = 1"), [(27, 2, 0), (28, 3, 0)]);
    // There he joins the group later; the ids are taken by other memberships, the first of them by
    // one with a role of its own.
    redmine
        .execute_batch(
            "INSERT INTO groups_users (group_id, user_id) VALUES (12, 8);
             INSERT INTO members (id, project_id, user_id, created_on) VALUES
                 (27, 7, 8, '2026-01-01'), (28, 2, 8, '2026-01-01'), (29, 3, 8, '2026-01-01');
             INSERT INTO member_roles (id, member_id, role_id, inherited_from) VALUES (27, 27, 4, NULL), (28, 28, 5, 17), (29, 29, 5, 28);",
        )
        .unwrap();
    let (output, report) = reported(&data, &database, &["--dry-run"]);
    assert!(
        output.status.success() && count(&report, "members", "taken") == 3,
        "{report}"
    );
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success(), "{report}");
    assert_eq!(
        (
            problems(&report, "members"),
            count(&report, "members", "taken")
        ),
        (Vec::new(), 3)
    );
    let expected = members(&redmine, 8, "r.inherited_from IS NULL");
    assert_eq!(expected, [(27, 7, 1), (28, 2, 0), (29, 3, 0)]);
    assert_eq!(members(&ours(&data), 8, "1 = 1"), expected);
    assert!(message(&import(&data, &database, &[])).ends_with("nothing changed"));
    // What ends there ends here.
    redmine
        .execute_batch(
            "DELETE FROM groups_users WHERE user_id = 8; DELETE FROM member_roles WHERE id IN (28, 29); DELETE FROM members WHERE id IN (28, 29)",
        )
        .unwrap();
    message(&import(&data, &database, &[]));
    assert_eq!(members(&ours(&data), 8, "1 = 1"), [(27, 7, 1)]);
}

#[test]
fn inherited_memberships_made_here_survive_an_import_of_others_with_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    ours(&data)
        .execute_batch("INSERT INTO group_users (group_id, user_id) VALUES (12, 8)")
        .unwrap();
    message(&import(&data, &database, &[]));
    redmine
        .execute_batch(
            "INSERT INTO members (id, project_id, user_id, created_on) VALUES (28, 7, 5, '2026-01-01');
             INSERT INTO member_roles (id, member_id, role_id) VALUES (28, 28, 4);",
        )
        .unwrap();
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success(), "{report}");
    assert!(members(&ours(&data), 5, "1 = 1").contains(&(28, 7, 1)));
    let kept: Vec<(i64, i64)> = members(&ours(&data), 8, "1 = 1")
        .iter()
        .map(|(_, project, roles)| (*project, *roles))
        .collect();
    assert_eq!(kept, [(2, 0), (3, 0)]);
}

#[test]
fn import_that_ended_before_the_roles_of_members_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, _redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    let all = members(&ours(&data), 11, "1 = 1");
    assert_eq!(all, [(20, 2, 0), (21, 3, 0)]);
    ours(&data)
        .execute_batch(
            "DELETE FROM member_roles; DELETE FROM inherited_member_roles;
             DELETE FROM imported WHERE source_table IN ('member_roles', 'member_roles (inherited)');",
        )
        .unwrap();
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success(), "{report}");
    assert_eq!(members(&ours(&data), 11, "1 = 1"), all);
    assert_eq!(count(&report, "member_roles", "taken"), 18);
}

#[test]
fn role_inherited_from_a_missing_membership_becomes_an_own_role() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "INSERT INTO members (id, project_id, user_id, created_on) VALUES (28, 7, 8, '2026-01-01');
             INSERT INTO member_roles (id, member_id, role_id, inherited_from) VALUES (28, 28, 4, 999);",
        )
        .unwrap();
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success(), "{report}");
    let reason = "it is inherited from member_roles 999, which does not exist; the member keeps it as an own role";
    let expected = [(28, "in part".to_owned(), reason.to_owned())];
    assert_eq!(problems(&report, "member_roles"), expected);
    assert!(members(&ours(&data), 8, "1 = 1").contains(&(28, 7, 1)));
}
