//! `DELETE /projects/:id` (compatibility 8)

use super::{make, nothing_is_hidden, permit, world};
use crate::attachments::files;
use axum::http::Method;
use quarry::actions::projects;
use quarry::domain::access::permission::Permission;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{FixedClock, SystemEntropy};
use quarry::domain::ids::{ProjectId, UserId};
use quarry::store::Store;
use quarry::store::projects::deletion;
use quarry_world::World;
use quarry_world::process::message;
use quarry_world::redmine_import::{fixture, import};
use quarry_world::wait::until;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tables whose rows do not belong to a project.
const OUTSIDE: &[&str] = &[
    "account_warnings",
    "address_changes",
    "address_links",
    "audit_events",
    "auth_sources",
    "blobs",
    "changes",
    "counters",
    "custom_field_enumerations",
    "custom_fields",
    "custom_fields_roles",
    "custom_fields_trackers",
    "email_addresses",
    "epochs",
    "group_users",
    "guesses",
    "imported",
    "invitations",
    "issue_statuses",
    "known_devices",
    "lost_passwords",
    "mail_status",
    "mailbox_status",
    "mails",
    "nodes",
    "notice_threads",
    "notices",
    "oauth_applications",
    "oauth_grants",
    "oauth_tokens",
    "received_mails",
    "recovery_codes",
    "redmine_settings",
    "registrations",
    "reminder_days",
    "role_permissions",
    "roles",
    "roles_managed_roles",
    "secret_fingerprints",
    "sessions",
    "settings",
    "store_properties",
    "trackers",
    "user_pictures",
    "users",
    "workflow_permissions",
    "workflow_transitions",
];

/// Rows that the fixture lacks, one for each table of project data.
const MORE: &str = "
    INSERT INTO queries (type, name, project_id, user_id) VALUES ('IssueQuery', 'here', 1, 1);
    INSERT INTO issue_ranks (issue_id, rank) SELECT id, id FROM issues;
    INSERT INTO issue_board_limits (project_id, field, value_id, maximum) SELECT id, 'status', 1, 3 FROM projects;
    INSERT INTO original_mails (journal_id, sender, subject, sent_on, body, received_on) SELECT id, '', '', '', '', 0 FROM journals;
    INSERT INTO original_issue_mails (issue_id, sender, subject, sent_on, body, received_on) SELECT id, '', '', '', '', 0 FROM issues;
    INSERT INTO original_message_mails (message_id, sender, subject, sent_on, body, received_on) SELECT id, '', '', '', '', 0 FROM messages;
    INSERT INTO new_issue_addresses (user_id, project_id, number) SELECT 1, id, 1 FROM projects;
    INSERT INTO timers (user_id, issue_id, started_on) SELECT u.id, (SELECT MIN(id) FROM issues WHERE project_id = 1), 0 FROM users u WHERE u.login <> '';
    INSERT INTO queries_roles (query_id, role_id) SELECT id, 3 FROM queries WHERE project_id IS NOT NULL;
    INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on) SELECT 'Issue', id, 1, 0 FROM issues;
    INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on) SELECT 'Journal', id, 1, 0 FROM journals;
    INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on) SELECT 'Comment', id, 1, 0 FROM comments;
    INSERT INTO reactions (reactable_type, reactable_id, user_id, created_on) SELECT 'Message', id, 1, 0 FROM messages;
    INSERT INTO changed_paths (changeset_id, action, path) SELECT id, 'A', '/' FROM changesets;
    INSERT INTO changeset_parents (changeset_id, parent_id) SELECT MAX(id), MIN(id) FROM changesets;
    INSERT INTO changesets_issues (changeset_id, issue_id) SELECT MIN(c.id), MAX(i.id) FROM changesets c, issues i;
    INSERT INTO enumerations (type, name, position, project_id, parent_id) VALUES ('TimeEntryActivity', 'Ours', 1, 1, 8);
    INSERT INTO former_identifiers (identifier, project_id) SELECT 'former-' || identifier, id FROM projects;
    INSERT INTO saved_replies (project_id, name, content) SELECT id, 'here', 'text' FROM projects;
    INSERT INTO issue_templates (project_id, tracker_id, name, subject, description) SELECT id, 1, 'here', '', 'text' FROM projects;
    INSERT INTO watchers (watchable_type, watchable_id, user_id) SELECT 'Wiki', id, 2 FROM wikis;
    INSERT INTO watchers (watchable_type, watchable_id, user_id) SELECT 'WikiPage', id, 2 FROM wiki_pages;
    INSERT INTO watchers (watchable_type, watchable_id, user_id) SELECT 'Board', id, 2 FROM boards;
    INSERT INTO watchers (watchable_type, watchable_id, user_id) SELECT 'EnabledModule', id, 2 FROM enabled_modules;
    UPDATE projects SET default_version_id = 2, default_assigned_to_id = 3;
    UPDATE boards SET parent_id = (SELECT MIN(id) FROM boards) WHERE id > (SELECT MIN(id) FROM boards);
    UPDATE issues SET fixed_version_id = 2, parent_id = (SELECT MIN(id) FROM issues WHERE project_id = 1) WHERE project_id = 6;";

fn count_sql(table: &str) -> String {
    match table {
        "enumerations" => {
            "SELECT COUNT(*) FROM enumerations WHERE project_id IS NOT NULL".to_owned()
        }
        "queries" => "SELECT COUNT(*) FROM queries WHERE project_id IS NOT NULL".to_owned(),
        "custom_values" => {
            "SELECT COUNT(*) FROM custom_values WHERE customized_type <> 'Principal'".to_owned()
        }
        table => format!("SELECT COUNT(*) FROM {table}"),
    }
}

/// Counts the rows of every table with project data.
#[allow(
    clippy::disallowed_methods,
    reason = "a test looks into files as anybody may"
)]
fn inside(folder: &std::path::Path, first: &str) -> BTreeMap<String, i64> {
    let connection = rusqlite::Connection::open(folder.join("quarry.sqlite3")).unwrap();
    connection.execute_batch(first).unwrap();
    let mut tables = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        .unwrap();
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let inside = tables
        .into_iter()
        .filter(|table| !OUTSIDE.contains(&table.as_str()));
    let counted = inside.map(|table| {
        (
            table.clone(),
            connection
                .query_row(&count_sql(&table), [], |row| row.get(0))
                .unwrap(),
        )
    });
    let counted = counted.collect();
    let broken: i64 = connection
        .query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(broken, 0, "something refers to what is gone");
    counted
}

/// An imported world with at least one row of everything.
fn full() -> (tempfile::TempDir, Store, Viewer) {
    let folder = tempfile::tempdir().unwrap();
    message(&import(folder.path(), &fixture(), &[]));
    let before = inside(folder.path(), MORE);
    assert!(
        before.values().all(|count| *count > 0),
        "the world lacks something: {before:?}"
    );
    let clock = FixedClock("2026-11-20T12:00:00Z".parse().unwrap());
    let store = Store::open_with(folder.path(), Arc::new(clock), Arc::new(SystemEntropy)).unwrap();
    let admin = Viewer::new(&store.catalogue().unwrap(), Some(UserId(1)));
    (folder, store, admin)
}

#[test]
fn delete_removes_all_contents() {
    let (folder, store, admin) = full();
    for project in ["1", "2", "4", "archived-delta", "6"] {
        let admin = Viewer::new(&store.catalogue().unwrap(), admin.user);
        let project = project.to_owned();
        let unfinished = store
            .write(move |db| projects::delete(db, &admin, &project))
            .unwrap();
        assert!(unfinished.hidden.is_empty(), "they are small");
        inside(folder.path(), "");
    }
    store.close();
    let after = inside(folder.path(), "");
    assert!(
        after.values().all(|count| *count == 0),
        "something was left: {after:?}"
    );
    drop(store);
    // Dropping the world compares index and store.
    drop(World::over(folder));
}

#[test]
fn delete_keeps_records_of_other_projects() {
    let (folder, store, admin) = full();
    let issues = "SELECT COUNT(*) FROM issues WHERE project_id <> 1 AND project_id <> 7";
    let notes = "SELECT COUNT(*) FROM wiki_pages";
    let before = (
        counted(folder.path(), issues),
        counted(folder.path(), notes),
    );
    let inside = counted(
        folder.path(),
        "SELECT COUNT(*) FROM wiki_pages p JOIN wikis w ON w.id = p.wiki_id WHERE w.project_id IN (1, 7)",
    );
    store
        .write(move |db| projects::delete(db, &admin, "public-alpha").map(drop))
        .unwrap();
    assert_eq!(
        (
            counted(folder.path(), issues),
            counted(folder.path(), notes)
        ),
        (before.0, before.1 - inside)
    );
    assert_eq!(
        counted(
            folder.path(),
            "SELECT COUNT(*) FROM issues WHERE parent_id IS NOT NULL AND project_id = 6"
        ),
        0
    );
    assert_eq!(
        counted(
            folder.path(),
            "SELECT COUNT(*) FROM projects WHERE default_version_id IS NOT NULL"
        ),
        0
    );
    store.close();
}

#[allow(
    clippy::disallowed_methods,
    reason = "a test looks into files as anybody may"
)]
fn counted(folder: &std::path::Path, sql: &str) -> i64 {
    rusqlite::Connection::open(folder.join("quarry.sqlite3"))
        .unwrap()
        .query_row(sql, [], |row| row.get(0))
        .unwrap()
}

fn issue_body(project: i64) -> Value {
    json!({"issue": {"project_id": project, "subject": "zeppelin", "notes": "x"}})
}

#[test]
fn deleted_project_is_not_found() {
    let world = world();
    let child = make(
        &world,
        "child",
        json!({"parent_id": 1, "description": "zeppelin"}),
    );
    for project in [1, 2, child] {
        world
            .as_user("admin")
            .post("/issues.json", issue_body(project))
            .assert_status(201);
    }
    assert_eq!(world.count_hits("admin", "zeppelin"), 4);
    let response = world
        .as_user("admin")
        .delete("/projects/open.json")
        .assert_status(200);
    assert_eq!(response.body, "");
    assert_eq!(world.count_hits("admin", "zeppelin"), 1);
    for gone in [
        "/projects/open.json",
        "/projects/child.xml",
        "/issues/1.json",
        "/issues/3.json",
    ] {
        world.as_user("admin").get(gone).assert_status(404);
    }
    world
        .as_user("admin")
        .delete("/projects/open.xml")
        .assert_status(404);
    assert_eq!(
        make(&world, "open", json!({})),
        child + 1,
        "the identifier is free, the number is not given again"
    );
    nothing_is_hidden(&world);
}

#[test]
fn large_project_is_deleted_in_batches() {
    let world = world();
    let now = world.app.clock.now();
    for n in 0..1200 {
        world.write(move |db| {
            let news = quarry::domain::content::news::News {
                project: ProjectId(1),
                author: UserId(2),
                title: format!("zeppelin number {n}"),
                created_on: now,
                ..Default::default()
            };
            quarry::store::content::news::insert(db, &news).map(drop)
        });
    }
    assert_eq!(world.count_hits("admin", "zeppelin"), 1200);
    world
        .as_user("alice")
        .delete("/projects/open.json")
        .assert_status(200);
    assert_eq!(world.count_hits("admin", "zeppelin"), 0);
    nothing_is_hidden(&world);
    world
        .as_user("admin")
        .get("/projects/1.json")
        .assert_status(404);
}

#[test]
fn interrupted_deletion_stays_hidden_and_resumes_after_restart() {
    let (folder, store, _) = full();
    let doomed = vec![ProjectId(1), ProjectId(7)];
    store
        .write(move |db| {
            deletion::hide(db, &doomed)
                .and_then(|()| deletion::delete_batch(db, &doomed, 3))
                .map(drop)
        })
        .unwrap();
    store.close();
    drop(store);
    assert!(
        counted(
            folder.path(),
            "SELECT COUNT(*) FROM issues WHERE project_id = 1"
        ) > 0,
        "it was interrupted"
    );
    let world = World::over(folder);
    let admin = world.anonymous().with("X-Service-API-Key", &"a".repeat(40));
    for path in [
        "/projects/1.json",
        "/projects/public-alpha.json",
        "/projects/alpha-child.json",
    ] {
        admin.get(path).assert_status(404);
    }
    assert!(
        !admin
            .get("/issues.json?status_id=*&limit=100")
            .assert_status(200)
            .body
            .contains("Public Alpha")
    );
    until(quarry_world::wait::TIMEOUT, "it goes on", || {
        world.app.store.read(deletion::hidden).unwrap().is_empty()
    });
    assert_eq!(
        counted(
            &world.app.config.data,
            "SELECT COUNT(*) FROM issues WHERE project_id IN (1, 7)"
        ),
        0
    );
}

fn upload(world: &World, text: &str) -> String {
    let sent = world.as_user("alice").send(
        Method::POST,
        "/uploads.json?filename=a.txt",
        Some("application/octet-stream"),
        text.into(),
    );
    sent.assert_status(201).json()["upload"]["token"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn file_contents_are_deleted_unless_shared() {
    let world = world();
    for (project, text) in [(1, "only here"), (1, "in both"), (2, "in both")] {
        let issue = json!({"issue": {"project_id": project, "subject": "x", "uploads": [{"token": upload(&world, text), "filename": "a.txt"}]}});
        world
            .as_user("alice")
            .post("/issues.json", issue.to_string())
            .assert_status(201);
    }
    assert_eq!(files(&world).len(), 2);
    world
        .as_user("admin")
        .delete("/projects/1.json")
        .assert_status(200);
    assert_eq!(files(&world).len(), 1);
    world
        .as_user("admin")
        .delete("/projects/2.json")
        .assert_status(200);
    assert_eq!(files(&world).len(), 0);
}

fn create_issue(world: &World, issue: serde_json::Value) -> i64 {
    let response = world
        .as_user("alice")
        .post("/issues.json", json!({ "issue": issue }).to_string())
        .assert_status(201)
        .json();
    response["issue"]["id"].as_i64().unwrap()
}

fn due_date(world: &World, id: i64) -> Value {
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json_path("/issue/due_date")
}

#[test]
fn values_derived_from_deleted_issues_are_updated() {
    let world = world();
    world.set(Setting::CrossProjectSubtasks, "system");
    let above = create_issue(&world, json!({"project_id": 2, "subject": "above"}));
    create_issue(
        &world,
        json!({"project_id": 2, "subject": "stays", "parent_issue_id": above, "due_date": "2026-12-01"}),
    );
    create_issue(
        &world,
        json!({"project_id": 1, "subject": "goes", "parent_issue_id": above, "due_date": "2026-12-24"}),
    );
    assert_eq!(due_date(&world, above), "2026-12-24");
    world
        .as_user("admin")
        .delete("/projects/1.json")
        .assert_status(200);
    assert_eq!(due_date(&world, above), "2026-12-01");
}

#[test]
fn delete_requires_permission() {
    let world = world();
    make(&world, "child", json!({"parent_id": 1}));
    for login in ["carol", "dave"] {
        world
            .as_user(login)
            .delete("/projects/open.json")
            .assert_status(403);
    }
    world
        .anonymous()
        .delete("/projects/open.json")
        .assert_status(401);
    world
        .as_user("alice")
        .delete("/projects/open.json")
        .assert_status(403);
    world
        .as_user("admin")
        .delete("/projects/child.json")
        .assert_status(200);
    permit(&world, &[Permission::DeleteProject]);
    world
        .as_user("carol")
        .delete("/projects/secret.json")
        .assert_status(403);
    world
        .as_user("alice")
        .put("/projects/open/close.json", "")
        .assert_status(204);
    world
        .as_user("carol")
        .delete("/projects/open.json")
        .assert_status(200);
    world
        .as_user("admin")
        .put("/projects/secret/archive.json", "")
        .assert_status(204);
    world
        .as_user("alice")
        .delete("/projects/secret.json")
        .assert_status(403);
    world
        .as_user("admin")
        .delete("/projects/secret.json")
        .assert_status(200);
}
