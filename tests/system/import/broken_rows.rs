//! Rows that cannot be imported are reported, and the others are imported.

use super::complete::{problems, reported};
use super::loader::{copy, counts, ours};
use quarry_world::redmine_import::{fixture, import};
use std::path::Path;
use std::process::Output;

#[test]
fn broken_rows_are_reported_and_the_others_imported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "UPDATE issues SET project_id = 999 WHERE id = 40;
             UPDATE issues SET start_date = '2024-13-45' WHERE id = 41;
             UPDATE issues SET assigned_to_id = 999 WHERE id = 42;
             UPDATE issues SET subject = CAST(x'ff41' AS TEXT) WHERE id = 43;
             UPDATE journals SET journalized_type = 'Gadget' WHERE id = 8;
             UPDATE watchers SET watchable_type = 'Gadget' WHERE id IN (1, 2);
             UPDATE custom_values SET customized_type = 'Gadget' WHERE id = 1;
             UPDATE attachments SET container_id = 999 WHERE id = 1;
             UPDATE attachments SET container_type = 'Gadget' WHERE id = 2;
             UPDATE attachments SET container_type = NULL, container_id = NULL WHERE id = 3;
             UPDATE wiki_pages SET title = 'WIKI' WHERE id = 2;
             UPDATE issues SET parent_id = 31 WHERE id = 30;
             UPDATE issues SET parent_id = 30 WHERE id = 31;
             UPDATE projects SET parent_id = 6 WHERE id = 6;
             UPDATE users SET auth_source_id = 1, twofa_totp_key = 'aes-256-cbc:x--y' WHERE id = 8;
             INSERT INTO auth_sources (id, type, name, host, port) VALUES (1, 'AuthSourceLdap', 'directory', 'ldap.example.net', 389);
             CREATE TABLE gadgets (id integer, name text);
             INSERT INTO gadgets VALUES (1, 'a'), (2, 'b');",
        )
        .unwrap();
    let output = import(&data, &database, &[]);
    assert_eq!(output.status.code(), Some(1));
    let output_text = String::from_utf8(output.stdout).unwrap();
    for sentence in [
        "issues 40: broken: project_id refers to projects 999, which does not exist",
        "issues 41: in part: start_date is \"2024-13-45\", not a date",
        "issues 42: in part: assigned_to_id refers to users 999, which does not exist",
        "issues 43: broken: subject is not UTF-8",
        "wiki_pages 2: broken: constraint violated: UNIQUE constraint failed",
        "issues (parent) 31: broken: parent_id forms a cycle",
        "projects (parent) 6: broken: parent_id forms a cycle",
        "users 8: in part: twofa_totp_key is encrypted with a key from the source's configuration, which the import does not read",
        "some users have their passwords in a directory (LDAP)",
        "gadgets ",
        "attachments 1: broken: container_id refers to issues 999, which does not exist",
    ] {
        assert!(output_text.contains(sentence), "{sentence}\n{output_text}");
    }
    // Rows that belong to unsupported records are skipped, not broken.
    for (what, rows) in [
        ("journals with journalized_type", 1),
        ("watchers with watchable_type", 2),
        ("custom_values with customized_type", 1),
        ("attachments with container_type", 1),
    ] {
        let line = output_text
            .lines()
            .find(|line| line.starts_with(&format!("{what} \"Gadget\"")))
            .unwrap_or_else(|| panic!("{what}\n{output_text}"));
        assert_eq!(
            line.split_whitespace().nth(4),
            Some(rows.to_string().as_str()),
            "{line}"
        );
    }
    let ours = ours(&data);
    assert_eq!(counts(&ours, "attachments", ""), 5);
    assert_eq!(
        counts(
            &ours,
            "attachments",
            "WHERE id = 3 AND container_id IS NULL"
        ),
        1
    );
    assert_eq!(counts(&ours, "issues", ""), 46);
    assert_eq!(counts(&ours, "wiki_pages", ""), 6);
    assert_eq!(
        counts(&ours, "issues", "WHERE id = 42 AND assigned_to_id IS NULL"),
        1
    );
}

#[test]
fn issue_without_its_status_or_priority_gets_the_default_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "UPDATE issues SET status_id = 999 WHERE id = 40;
             UPDATE issues SET priority_id = 999 WHERE id = 41;",
        )
        .unwrap();
    let value = |sql: &str| {
        redmine
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    let status = value(
        "SELECT default_status_id FROM trackers t JOIN issues i ON i.tracker_id = t.id WHERE i.id = 40",
    );
    let priority = value(
        "SELECT id FROM enumerations WHERE type = 'IssuePriority' ORDER BY is_default DESC, position LIMIT 1",
    );
    let (output, report) = reported(&data, &database, &[]);
    assert!(output.status.success(), "{report}");
    let in_part = |id, reason: String| (id, "in part".to_owned(), reason);
    let expected = [
        in_part(
            40,
            format!(
                "status_id refers to issue_statuses 999, which does not exist; the default, {status}, is used"
            ),
        ),
        in_part(
            41,
            format!(
                "priority_id refers to enumerations 999, which does not exist; the default, {priority}, is used"
            ),
        ),
    ];
    assert_eq!(problems(&report, "issues"), expected);
    let condition =
        format!("WHERE id = 40 AND status_id = {status} OR id = 41 AND priority_id = {priority}");
    assert_eq!(counts(&ours(&data), "issues", &condition), 2);
}

#[test]
fn rows_whose_id_is_too_small_or_too_large_are_broken() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "UPDATE news SET id = -5 WHERE id = (SELECT MIN(id) FROM news);
             INSERT INTO issue_categories (id, project_id, name) VALUES
                 (0, 1, 'zero'), (281474976710656, 1, 'largest'), (281474976710657, 1, 'too large');",
        )
        .unwrap();
    let (output, report) = reported(&data, &database, &[]);
    assert_eq!(output.status.code(), Some(1), "{report}");
    let broken = |id| {
        let reason = "id is not between 1 and 281474976710656".to_owned();
        (id, "broken".to_owned(), reason)
    };
    let too_large = broken(281_474_976_710_657);
    assert_eq!(problems(&report, "news"), [broken(-5)]);
    assert_eq!(
        problems(&report, "issue_categories"),
        [broken(0), too_large]
    );
    let ours = ours(&data);
    assert_eq!(counts(&ours, "news", "WHERE id < 1"), 0);
    assert_eq!(
        counts(&ours, "issue_categories", "WHERE name = 'largest'"),
        1
    );
}

#[track_caller]
fn rejected(output: &Output, code: i32, sentence: &str) {
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!("quarry: {sentence}\n")
    );
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn other_databases_are_rejected_without_creating_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let missing = folder.path().join("missing.db").display().to_string();
    rejected(
        &import(&data, &format!("sqlite:{missing}"), &[]),
        2,
        &format!("there is no file {missing}"),
    );
    let text = folder.path().join("text.db");
    std::fs::write(
        &text,
        "not a database, whatever else it may be, and long enough to be looked at",
    )
    .unwrap();
    let output = import(&data, &format!("sqlite:{}", text.display()), &[]);
    rejected(
        &output,
        2,
        &format!(
            "{} is not the database of a Redmine: file is not a database",
            text.display()
        ),
    );
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "DELETE FROM schema_migrations WHERE version > '2015' AND length(version) = 14",
        )
        .unwrap();
    let sentence = "upgrade it to 4.2 or later first";
    assert!(String::from_utf8_lossy(&import(&data, &database, &[]).stderr).contains(sentence));
    redmine
        .execute_batch("INSERT INTO schema_migrations VALUES ('20290101000000')")
        .unwrap();
    let newer =
        "this Redmine is newer than 7.0 (its last migration is 20290101000000): use a newer Quarry";
    rejected(&import(&data, &database, &[]), 1, newer);
    redmine.execute_batch("DROP TABLE issues").unwrap();
    rejected(
        &import(&data, &database, &[]),
        2,
        &format!("{database} is not the database of a Redmine: it has no table issues"),
    );
    let sentence = "\"redmine.sqlite3\" is not the URL of a supported database: write sqlite:PATH, postgres://USER:PASSWORD@HOST/NAME or mysql://USER:PASSWORD@HOST/NAME";
    rejected(&import(&data, "redmine.sqlite3", &[]), 2, sentence);
    assert!(!data.exists());
    assert!(fixture().starts_with("sqlite:") && Path::new(&fixture()[7..]).exists());
}
