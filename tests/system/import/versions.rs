//! Other versions of Redmine: missing and additional tables and columns are handled and reported.

use super::complete::{assert_complete, count, reported};
use super::loader::{copy, counts, ours};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Additions after 5.0, the version of the fixture.
const LATER: [&str; 7] = [
    "issue_statuses.description",
    "journals.updated_by_id",
    "journals.updated_on",
    "queries.description",
    "reactions",
    "roles.default_time_entry_activity_id",
    "trackers.private_by_default",
];

fn names(list: &Value) -> BTreeSet<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn redmine_4_2_is_imported_without_newer_columns() {
    let folder = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "ALTER TABLE projects DROP COLUMN default_issue_query_id;
             ALTER TABLE users DROP COLUMN twofa_required;
             DELETE FROM schema_migrations WHERE version > '20200826153402' AND length(version) = 14;",
        )
        .unwrap();
    let data = folder.path().join("data");
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success());
    let earlier = ["projects.default_issue_query_id", "users.twofa_required"];
    assert_eq!(
        names(&report["missing"]),
        LATER
            .into_iter()
            .chain(earlier)
            .map(str::to_owned)
            .collect()
    );
    assert_complete(&data);
    // A table that every version has is reported if missing, and the rest is imported.
    redmine
        .execute_batch("DROP TABLE comments; ALTER TABLE time_entries DROP COLUMN author_id")
        .unwrap();
    let data = folder.path().join("lacking");
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success());
    assert!(
        names(&report["missing"]).is_superset(
            &["comments", "time_entries.author_id"]
                .map(str::to_owned)
                .into()
        )
    );
    assert_eq!(
        counts(&ours(&data), "time_entries", "WHERE author_id IS NULL"),
        7
    );
}

fn left_out_rows(report: &Value, what: &str) -> Option<Value> {
    report["left"]
        .as_array()
        .unwrap()
        .iter()
        .find(|left| left["what"] == what)
        .map(|left| left["rows"].clone())
}

#[test]
fn redmine_7_0_is_imported_with_unknown_columns_and_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "ALTER TABLE roles ADD COLUMN default_time_entry_activity_id integer;
             ALTER TABLE issue_statuses ADD COLUMN description text;
             ALTER TABLE trackers ADD COLUMN private_by_default boolean DEFAULT 0 NOT NULL;
             ALTER TABLE journals ADD COLUMN updated_on datetime;
             ALTER TABLE journals ADD COLUMN updated_by_id integer;
             ALTER TABLE queries ADD COLUMN description text;
             CREATE TABLE reactions (id integer PRIMARY KEY, reactable_type text, reactable_id integer, user_id integer,
                                     created_at datetime, updated_at datetime);
             UPDATE roles SET default_time_entry_activity_id = 9 WHERE id = 3;
             UPDATE issue_statuses SET description = 'nobody has looked at it' WHERE id = 1;
             UPDATE trackers SET private_by_default = 1 WHERE id = 3;
             UPDATE journals SET updated_on = '2025-01-01 00:00:00', updated_by_id = 5 WHERE id = 5;
             UPDATE queries SET description = 'what is open' WHERE id = 1;
             INSERT INTO reactions VALUES (1, 'Issue', 1, 6, '2025-01-01', '2025-01-01'), (2, 'Journal', 5, 6, '2025-01-01', '2025-01-01'),
                                          (3, 'Gadget', 5, 6, '2025-01-01', '2025-01-01');
             CREATE TABLE webhooks (id integer PRIMARY KEY, url text);
             INSERT INTO webhooks VALUES (1, 'https://example.net');
             CREATE TABLE oauth_applications (id integer PRIMARY KEY, name text);
             ALTER TABLE projects ADD COLUMN colour text;
             ALTER TABLE projects ADD COLUMN empty text;
             UPDATE projects SET colour = 'red' WHERE id < 3;
             INSERT INTO schema_migrations VALUES ('20260101000000'), ('20260301-plugin_of_somebody');",
        )
        .unwrap();
    let data = folder.path().join("data");
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success());
    assert_eq!(report["missing"], json!([]));
    assert_complete(&data);
    let ours = ours(&data);
    assert_eq!(
        counts(&ours, "roles", "WHERE default_time_entry_activity_id = 9"),
        1
    );
    assert_eq!(
        counts(
            &ours,
            "issue_statuses",
            "WHERE description = 'nobody has looked at it'"
        ),
        1
    );
    assert_eq!(counts(&ours, "trackers", "WHERE private_by_default = 1"), 1);
    assert_eq!(
        counts(
            &ours,
            "journals",
            "WHERE updated_by_id = 5 AND updated_on = 1735689600000000"
        ),
        1
    );
    assert_eq!(
        counts(&ours, "queries", "WHERE description = 'what is open'"),
        1
    );
    assert_eq!(count(&report, "reactions", "taken"), 2);
    assert_eq!(
        left_out_rows(&report, "reactions with reactable_type \"Gadget\""),
        Some(json!(1))
    );
    assert_eq!(
        (
            left_out_rows(&report, "webhooks"),
            left_out_rows(&report, "oauth_applications")
        ),
        (Some(json!(1)), Some(json!(0)))
    );
    let columns = report["columns_left"].as_array().unwrap();
    assert!(
        columns.contains(&json!(["projects.colour", 2])),
        "{columns:?}"
    );
    assert!(!columns.iter().any(|column| column[0] == "projects.empty"));
}
