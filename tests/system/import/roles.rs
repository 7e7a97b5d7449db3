//! Imported roles keep their meaning.

use super::loader::{copy, counts, ours};
use quarry_world::process::message;
use quarry_world::redmine_import::FIXTURE;
use quarry_world::redmine_import::import;
use quarry_world::{Client, World};
use serde_json::{Value, json};

fn trackers(world: &World, login: &str) -> Vec<i64> {
    let list = world
        .anonymous()
        .basic(login, &login.repeat(2))
        .get("/issues.json?status_id=*&limit=100")
        .assert_status(200)
        .json();
    let issues = list["issues"].as_array().unwrap();
    assert_eq!(list["total_count"].as_u64().unwrap() as usize, issues.len());
    issues
        .iter()
        .map(|issue| issue["tracker"]["id"].as_i64().unwrap())
        .collect::<Vec<i64>>()
}

#[test]
fn role_limited_to_trackers_stays_limited() {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    let settings = "--- !ruby/hash:ActiveSupport::HashWithIndifferentAccess\npermissions_all_trackers: \
                    !ruby/hash:ActiveSupport::HashWithIndifferentAccess\n  view_issues: '0'\n  add_issues: '1'\n\
                    permissions_tracker_ids: !ruby/hash:ActiveSupport::HashWithIndifferentAccess\n  view_issues:\n  - '2'\n";
    redmine
        .execute("UPDATE roles SET settings = ?1", [settings])
        .unwrap();
    message(&import(folder.path(), &database, &[]));
    let all = counts(&ours(folder.path()), "issues", "WHERE tracker_id = 2");
    let world = World::over(folder);
    let seen = trackers(&world, "alice");
    assert!(
        !seen.is_empty() && seen.len() as i64 <= all && seen.iter().all(|tracker| *tracker == 2),
        "{seen:?} of {all}"
    );
}

fn count_publicity_permissions(folder: &std::path::Path) -> i64 {
    counts(
        &ours(folder),
        "role_permissions",
        "WHERE name = 'select_project_publicity'",
    )
}

/// 5.0.4 has no permission `select_project_publicity`: editing a project includes its visibility.
#[test]
fn project_editors_keep_the_permission_to_change_visibility() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{FIXTURE}");
    message(&import(folder.path(), &database, &[]));
    let editing = "WHERE role_id IN (SELECT role_id FROM role_permissions WHERE name IN ('add_project', 'edit_project', 'add_subprojects')) \
                   AND name = 'select_project_publicity'";
    assert_eq!(
        count_publicity_permissions(folder.path()),
        counts(&ours(folder.path()), "role_permissions", editing)
    );
    let second = message(&import(folder.path(), &database, &[]));
    assert!(second.ends_with("nothing changed"), "{second}");
    let world = World::over(folder);
    let alice = world.anonymous().basic("alice", "alicealice");
    alice
        .put("/projects/1.json", json!({"project": {"is_public": false}}))
        .assert_status(200);
    alice
        .get("/projects/1.json")
        .assert_status(200)
        .assert_json_path("/project/is_public", false);
}

#[test]
fn existing_permission_is_not_granted_to_other_roles() {
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    redmine.execute_batch("UPDATE roles SET permissions = permissions || '- :select_project_publicity\n' WHERE id = 5").unwrap();
    let data = source.path().join("data");
    message(&import(&data, &database, &[]));
    assert_eq!(
        counts(
            &ours(&data),
            "role_permissions",
            "WHERE name = 'select_project_publicity'"
        ),
        1
    );
    // A later version has it, although no role has been granted it.
    redmine
        .execute_batch(
            "UPDATE roles SET permissions = replace(permissions, '- :select_project_publicity\n', '');
             ALTER TABLE roles ADD COLUMN default_time_entry_activity_id integer",
        )
        .unwrap();
    let data = source.path().join("later");
    message(&import(&data, &database, &[]));
    assert_eq!(
        counts(
            &ours(&data),
            "role_permissions",
            "WHERE name = 'select_project_publicity'"
        ),
        0
    );
}

fn count_deletion_permissions(folder: &std::path::Path) -> i64 {
    counts(
        &ours(folder),
        "role_permissions",
        "WHERE role_id = 5 AND name = 'delete_time_entries'",
    )
}

fn permissions(admin: &Client<'_>) -> Vec<Value> {
    admin
        .get("/roles/5.json")
        .assert_status(200)
        .array("/role/permissions")
}

/// Permissions of plugins and of earlier versions have no effect here, but are kept.
#[test]
fn unknown_permissions_are_kept_without_effect() {
    let folder = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(source.path());
    redmine
        .execute_batch(
            "UPDATE roles SET permissions = permissions || '- :delete_time_entries\n' WHERE id = 5",
        )
        .unwrap();
    message(&import(folder.path(), &database, &[]));
    assert_eq!(count_deletion_permissions(folder.path()), 1);
    let world = World::over(folder);
    let admin = world.anonymous().basic("admin", "adminadmin");
    assert!(
        !permissions(&admin).contains(&json!("delete_time_entries")),
        "it is not shown"
    );
    admin
        .put(
            "/roles/5.json",
            json!({"role": {"permissions": ["view_issues"]}}),
        )
        .assert_status(200);
    assert_eq!(permissions(&admin), [json!("view_issues")]);
    let folder = world.into_folder();
    assert_eq!(
        count_deletion_permissions(folder.path()),
        1,
        "editing the role keeps it"
    );
}
