//! Roles mean here what they meant there.

use super::loader::{FIXTURE, copy, counts, ours};
use super::world::import;
use crate::cli::process::told;
use crate::world::World;

#[test]
fn a_role_that_is_limited_to_trackers_stays_limited() {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (path, redmine) = copy(source.path());
    let settings = "--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess\npermissions_all_trackers: \
                    !ruby/hash:ActiveSupport::HashWithIndifferentAccess\n  view_issues: '0'\n  add_issues: '1'\n\
                    permissions_tracker_ids: !ruby/hash:ActiveSupport::HashWithIndifferentAccess\n  view_issues:\n  - '2'\n";
    redmine.execute("UPDATE roles SET settings = ?1", [settings]).unwrap();
    told(&import(folder.path(), &format!("sqlite:{}", path.display()), &[]));
    let all = counts(&ours(folder.path()), "issues", "WHERE tracker_id = 2");
    let world = World::over(folder);
    let trackers = |login: &str| {
        let list = world.anonymous().basic(login, &login.repeat(2)).get("/issues.json?status_id=*&limit=100").expect(200).json();
        let issues = list["issues"].as_array().unwrap();
        assert_eq!(list["total_count"].as_u64().unwrap() as usize, issues.len());
        issues.iter().map(|issue| issue["tracker"]["id"].as_i64().unwrap()).collect::<Vec<i64>>()
    };
    let seen = trackers("alice");
    assert!(!seen.is_empty() && seen.len() as i64 <= all && seen.iter().all(|tracker| *tracker == 2), "{seen:?} of {all}");
}

/// 5.0.4 does not know the permission `select_project_publicity`: whoever edits a project says who sees it.
#[test]
fn whoever_edits_projects_goes_on_saying_who_sees_them() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{FIXTURE}");
    told(&import(folder.path(), &database, &[]));
    let given = |folder: &std::path::Path| counts(&ours(folder), "role_permissions", "WHERE name = 'select_project_publicity'");
    let editing = "WHERE role_id IN (SELECT role_id FROM role_permissions WHERE name IN ('add_project', 'edit_project', 'add_subprojects')) \
                   AND name = 'select_project_publicity'";
    assert_eq!(given(folder.path()), counts(&ours(folder.path()), "role_permissions", editing));
    let second = told(&import(folder.path(), &database, &[]));
    assert!(second.ends_with("nothing changed"), "{second}");
    let world = World::over(folder);
    let alice = world.anonymous().basic("alice", "alicealice");
    let _ = alice.put("/projects/1.json", r#"{"project":{"is_public":false}}"#).expect(200);
    assert_eq!(alice.get("/projects/1.json").expect(200).json()["project"]["is_public"], false);
}

#[test]
fn where_the_permission_is_known_nobody_gets_it_besides() {
    let source = tempfile::tempdir().unwrap();
    let (path, redmine) = copy(source.path());
    let database = format!("sqlite:{}", path.display());
    redmine.execute_batch("UPDATE roles SET permissions = permissions || '- :select_project_publicity\n' WHERE id = 5").unwrap();
    let data = source.path().join("data");
    told(&import(&data, &database, &[]));
    assert_eq!(counts(&ours(&data), "role_permissions", "WHERE name = 'select_project_publicity'"), 1);
    // A later version knows it, though no role has it.
    redmine
        .execute_batch(
            "UPDATE roles SET permissions = replace(permissions, '- :select_project_publicity\n', '');
             ALTER TABLE roles ADD COLUMN default_time_entry_activity_id integer",
        )
        .unwrap();
    let data = source.path().join("later");
    told(&import(&data, &database, &[]));
    assert_eq!(counts(&ours(&data), "role_permissions", "WHERE name = 'select_project_publicity'"), 0);
}
