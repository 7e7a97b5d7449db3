//! A complete import: the same rows, passwords and keys, and everything is found.

use super::loader::{counts, ours, source};
use base64::Engine;
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::redmine_import::{FIXTURE, fixture, import};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// Like [`import`], and returns the report.
pub fn reported(folder: &Path, database: &str, more: &[&str]) -> (Output, Value) {
    let report = tempfile::NamedTempFile::new().unwrap();
    let output = import(
        folder,
        database,
        &[more, &["--report", report.path().to_str().unwrap()]].concat(),
    );
    let json = serde_json::from_slice(&std::fs::read(report.path()).unwrap()).unwrap_or_default();
    (output, json)
}

/// Returns a count of a table in a report, such as `issues` `taken`.
pub fn count(report: &Value, table: &str, what: &str) -> u64 {
    let tables = report["tables"].as_array().unwrap();
    tables
        .iter()
        .find(|found| found[0] == table)
        .map_or(0, |found| found[1][what].as_u64().unwrap())
}

fn to_text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Returns the problems of a table in a report: id, outcome and reason.
pub fn problems(report: &Value, table: &str) -> Vec<(i64, String, String)> {
    let of_table = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|problem| problem["table"] == table);
    of_table
        .map(|problem| {
            (
                problem["id"].as_i64().unwrap(),
                to_text(&problem["outcome"]),
                to_text(&problem["reason"]),
            )
        })
        .collect()
}

/// Tables of the source and of the store, with a condition on rows of the source.
const TABLES: &[(&str, &str, &str)] = &[
    ("users", "users", ""),
    ("groups_users", "group_users", ""),
    ("email_addresses", "email_addresses", ""),
    ("roles", "roles", ""),
    ("members", "members", ""),
    (
        "member_roles",
        "member_roles",
        "WHERE inherited_from IS NULL",
    ),
    (
        "member_roles",
        "inherited_member_roles",
        "WHERE inherited_from IS NOT NULL",
    ),
    ("projects", "projects", ""),
    ("projects_trackers", "project_trackers", ""),
    ("enabled_modules", "enabled_modules", ""),
    ("trackers", "trackers", ""),
    ("issue_statuses", "issue_statuses", ""),
    ("workflows", "workflow_transitions", ""),
    ("enumerations", "enumerations", ""),
    ("versions", "versions", ""),
    ("issue_categories", "issue_categories", ""),
    ("custom_fields", "custom_fields", ""),
    ("custom_fields_trackers", "custom_fields_trackers", ""),
    ("custom_fields_projects", "custom_fields_projects", ""),
    ("custom_fields_roles", "custom_fields_roles", ""),
    ("custom_values", "custom_values", ""),
    ("issues", "issues", ""),
    ("issue_relations", "issue_relations", ""),
    ("watchers", "watchers", ""),
    ("journals", "journals", ""),
    ("journal_details", "journal_details", ""),
    ("time_entries", "time_entries", ""),
    ("news", "news", ""),
    ("comments", "comments", ""),
    ("documents", "documents", ""),
    ("attachments", "attachments", ""),
    ("repositories", "repositories", ""),
    ("changesets", "changesets", ""),
    ("changesets_issues", "changesets_issues", ""),
    ("wikis", "wikis", ""),
    ("wiki_pages", "wiki_pages", ""),
    ("wiki_redirects", "wiki_redirects", ""),
    ("boards", "boards", ""),
    ("messages", "messages", ""),
    ("queries", "queries", ""),
    ("settings", "redmine_settings", ""),
];

/// Asserts that every table has as many rows as in the source. Pages have one version more: the
/// current text is separate there.
#[track_caller]
pub fn assert_complete(folder: &Path) {
    let theirs = source(Path::new(FIXTURE));
    let ours = ours(folder);
    for (from, to, rows) in TABLES {
        println!(
            "{from:<24} {:>4} {to:<24} {:>4}",
            counts(&theirs, from, rows),
            counts(&ours, to, "")
        );
        assert_eq!(
            counts(&theirs, from, rows),
            counts(&ours, to, ""),
            "{from} → {to}"
        );
    }
    let versions =
        counts(&theirs, "wiki_content_versions", "") + counts(&theirs, "wiki_contents", "");
    assert_eq!(counts(&ours, "wiki_versions", ""), versions);
}

#[test]
fn every_row_is_imported_and_a_second_run_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    message(&import(folder.path(), &fixture(), &[]));
    assert_complete(folder.path());
    let second = message(&import(folder.path(), &fixture(), &[]));
    assert!(second.ends_with("nothing changed"), "{second}");
    let verified = message(&run(folder.path(), &["index", "verify"]));
    assert!(verified.ends_with("index and records agree"), "{verified}");
}

#[test]
fn imported_users_keep_passwords_keys_and_permissions() {
    let folder = tempfile::tempdir().unwrap();
    message(&import(folder.path(), &fixture(), &[]));
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    let basic = base64::engine::general_purpose::STANDARD.encode("alice:alicealice");
    let key = format!("X-Redmine-API-Key: {}", "1".repeat(40));
    for header in [format!("Authorization: Basic {basic}"), key.clone()] {
        let (status, body) = service.get("/users/current.json", &[&header]);
        assert_eq!(status, 200, "{body}");
        let user: serde_json::Value = serde_json::from_str(&body).unwrap();
        // As Redmine responded in `01-auth` 21; the last login is recorded (23).
        let expected = serde_json::json!({
            "id": 5, "login": "alice", "admin": false, "firstname": "Alice", "lastname": "Manager",
            "created_on": "2024-01-09T09:01:00Z", "updated_on": "2024-01-09T09:01:00Z", "custom_fields": [{"id": 7, "name": "Phone", "value": null}],
            "passwd_changed_on": "2024-01-09T09:00:00Z", "twofa_scheme": null, "api_key": "1".repeat(40),
        });
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(user["user"][name], *value, "{name}");
        }
    }
    let wrong = base64::engine::general_purpose::STANDARD.encode("alice:bobbobbob");
    assert_eq!(
        service
            .get(
                "/users/current.json",
                &[&format!("Authorization: Basic {wrong}")]
            )
            .0,
        401
    );
    let (status, body) = service.get("/search.json?q=turbines", &[&key]);
    assert_eq!(status, 200, "{body}");
    assert!(
        body.contains("\"total_count\":") && !body.contains("\"total_count\":0"),
        "{body}"
    );
    let hash: String = ours(folder.path())
        .query_row(
            "SELECT password_hash FROM users WHERE login = 'alice'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    service.terminate();
    assert!(service.ended().0.success());
    // The login changed the password hash here, and nothing in the source.
    assert!(message(&import(folder.path(), &fixture(), &[])).ends_with("nothing changed"));
}

#[test]
fn dry_run_reports_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let printed = message(&import(&data, &fixture(), &["--dry-run"]));
    assert!(printed.ends_with("nothing was written"), "{printed}");
    assert!(
        printed.lines().any(|line| line
            .split_whitespace()
            .eq(["issues", "48", "0", "0", "0", "0", "0", "0"])),
        "{printed}"
    );
    assert!(!data.exists());
}

#[test]
fn import_replaces_default_data_only() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    service.terminate();
    assert!(service.ended().0.success());
    // The dry run ignores the default data, which would be replaced, and writes nothing.
    let (_, report) = reported(folder.path(), &fixture(), &["--dry-run"]);
    assert_eq!(
        (
            count(&report, "users", "taken"),
            count(&report, "users", "kept")
        ),
        (13, 0)
    );
    assert_eq!(
        (
            counts(&ours(folder.path()), "users", ""),
            counts(&ours(folder.path()), "roles", "")
        ),
        (1, 5)
    );
    message(&import(folder.path(), &fixture(), &[]));
    assert_complete(folder.path());

    let demo = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["demo", "--data"]).arg(demo.path()));
    service.terminate();
    assert!(service.ended().0.success());
    let output = import(demo.path(), &fixture(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        stderr,
        "quarry: the data folder contains projects that were not imported from a Redmine; import into a new folder\n"
    );
}
