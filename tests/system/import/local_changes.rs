//! Local records and edits are not mixed up with repeated imports.

use super::complete::{count, problems, reported};
use super::loader::{copy, counts, ours};
use quarry_world::process::message;
use quarry_world::redmine_import::{fixture, import};
use rusqlite::Connection;
use std::path::PathBuf;

/// An imported data directory, the URL of the source, and both databases.
struct Moved {
    _folder: tempfile::TempDir,
    data: PathBuf,
    database: String,
    redmine: Connection,
    ours: Connection,
}

fn moved() -> Moved {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    let ours = ours(&data);
    Moved {
        _folder: folder,
        data,
        database,
        redmine,
        ours,
    }
}

const NEW_ISSUE: &str = "INSERT INTO issues (id, tracker_id, project_id, subject, status_id, priority_id, author_id, created_on, updated_on, lft, rgt) \
                         VALUES (900, 1, 1, 'made there', 1, 2, 5, '2026-01-01', '2026-01-01', 1, 2)";

fn kept(reason: String) -> Vec<(i64, String, String)> {
    vec![(900, "kept ours".to_owned(), reason)]
}

#[test]
fn local_records_are_not_overwritten_by_rows_with_the_same_id() {
    let world = moved();
    world.ours.execute_batch("INSERT INTO issues (id, tracker_id, project_id, subject, status_id, priority_id, author_id, created_on, updated_on) VALUES (900, 1, 2, 'made here', 1, 2, 6, 0, 0)").unwrap();
    world.redmine.execute_batch(NEW_ISSUE).unwrap();
    let more = "UPDATE issues SET parent_id = 1 WHERE id = 900;
         INSERT INTO journals (id, journalized_id, journalized_type, user_id, notes, created_on) VALUES (900, 900, 'Issue', 5, 'of the other', '2026-01-01');
         INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 900, 6);";
    world.redmine.execute_batch(more).unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    let another = "refers to issues 900, which is a different record here";
    assert_eq!(
        problems(&report, "issues"),
        kept("a record with this id was created here".to_owned())
    );
    assert_eq!(
        problems(&report, "issues (parent)"),
        kept(format!("id {another}"))
    );
    assert_eq!(
        problems(&report, "journals"),
        kept(format!("journalized_id {another}"))
    );
    assert_eq!(count(&report, "watchers", "kept"), 1);
    assert_eq!(
        counts(
            &world.ours,
            "issues",
            "WHERE id = 900 AND subject = 'made here' AND parent_id IS NULL"
        ),
        1
    );
    assert_eq!(counts(&world.ours, "journals", "WHERE issue_id = 900"), 0);
    assert_eq!(
        counts(&world.ours, "watchers", "WHERE watchable_id = 900"),
        0
    );
}

#[test]
fn default_query_of_a_project_is_the_imported_one_and_no_local_one_with_its_id() {
    let world = moved();
    world.ours.execute_batch("INSERT INTO queries (id, type, name, visibility) VALUES (900, 'IssueQuery', 'made here', 2)").unwrap();
    let more = "INSERT INTO queries (id, type, name, user_id, visibility) VALUES
         (900, 'IssueQuery', 'made there', 5, 2), (901, 'IssueQuery', 'new there', 5, 2);
         UPDATE projects SET default_issue_query_id = 900 WHERE id = 1; UPDATE projects SET default_issue_query_id = 901 WHERE id = 2;";
    world.redmine.execute_batch(more).unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    let reason =
        "default_issue_query_id refers to queries 900, which is a different record here".to_owned();
    assert_eq!(
        problems(&report, "projects (query)"),
        [(1, "in part".to_owned(), reason)]
    );
    assert_eq!(
        counts(
            &world.ours,
            "projects",
            "WHERE id = 1 AND default_issue_query_id IS NULL"
        ),
        1
    );
    assert_eq!(
        counts(
            &world.ours,
            "projects",
            "WHERE id = 2 AND default_issue_query_id = 901"
        ),
        1
    );
}

#[test]
fn records_deleted_locally_stay_deleted() {
    let world = moved();
    let journals = counts(&world.ours, "journals", "WHERE issue_id = 1");
    assert!(journals > 0);
    let removed = "DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE issue_id = 1); DELETE FROM journals WHERE issue_id = 1;";
    world.ours.execute_batch(removed).unwrap();
    world
        .ours
        .execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM issues WHERE id = 1")
        .unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    assert_eq!(count(&report, "issues", "kept"), 1);
    assert_eq!(
        count(&report, "journals", "kept"),
        u64::try_from(journals).unwrap()
    );
    assert_eq!(problems(&report, "journals"), []);
    assert_eq!(
        counts(&world.ours, "issues", "WHERE id = 1")
            + counts(&world.ours, "journals", "WHERE issue_id = 1"),
        0
    );
    // Its changes in the source are reported.
    world.redmine.execute_batch("UPDATE issues SET subject = 'x' WHERE id = 1; INSERT INTO journals (id, journalized_id, journalized_type, user_id, notes, created_on) VALUES (901, 1, 'Issue', 5, 'n', '2026-01-01')").unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    assert_eq!(
        problems(&report, "issues"),
        [(
            1,
            "kept ours".to_owned(),
            "changed in the source, but ours was deleted since".to_owned()
        )]
    );
    let reason = "journalized_id refers to issues 1, which was deleted here".to_owned();
    assert_eq!(
        problems(&report, "journals"),
        [(901, "kept ours".to_owned(), reason)]
    );
}

#[test]
fn local_values_stay_where_the_source_is_empty() {
    let world = moved();
    assert_eq!(
        counts(
            &world.ours,
            "issues",
            "WHERE id IN (20, 21) AND parent_id IS NULL"
        ),
        2
    );
    world
        .ours
        .execute_batch(
            "UPDATE issues SET parent_id = 3 WHERE id = 20; INSERT INTO group_users VALUES (13, 8)",
        )
        .unwrap();
    world.redmine.execute_batch("UPDATE issues SET parent_id = 2 WHERE id IN (20, 21); INSERT INTO groups_users VALUES (13, 7)").unwrap();
    let (_, report) = reported(&world.data, &world.database, &[]);
    let reason = "new in the source, but already set here".to_owned();
    assert_eq!(
        problems(&report, "issues (parent)"),
        [(20, "kept ours".to_owned(), reason.clone())]
    );
    assert_eq!(
        problems(&report, "groups_users"),
        [(13, "kept ours".to_owned(), reason)]
    );
    assert_eq!(
        counts(
            &world.ours,
            "issues",
            "WHERE id = 20 AND parent_id = 3 OR id = 21 AND parent_id = 2"
        ),
        2
    );
    assert_eq!(
        counts(
            &world.ours,
            "group_users",
            "WHERE group_id = 13 AND user_id = 8"
        ),
        1
    );
}

#[test]
fn locally_edited_records_survive_deletion_in_the_source() {
    let world = moved();
    let journals = counts(&world.ours, "journals", "WHERE issue_id = 1");
    world
        .ours
        .execute_batch("UPDATE issues SET subject = 'edited here' WHERE id = 1")
        .unwrap();
    let gone = "DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE journalized_id = 1);
         DELETE FROM journals WHERE journalized_id = 1; DELETE FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = 1;
         DELETE FROM issues WHERE id = 1; DELETE FROM journals WHERE journalized_id = 2;";
    world.redmine.execute_batch(gone).unwrap();
    let watchers = counts(
        &world.ours,
        "watchers",
        "WHERE watchable_type = 'Issue' AND watchable_id = 1",
    );
    let (_, report) = reported(&world.data, &world.database, &[]);
    assert_eq!(
        counts(&world.ours, "journals", "WHERE issue_id = 1"),
        journals
    );
    assert_eq!(
        counts(
            &world.ours,
            "watchers",
            "WHERE watchable_type = 'Issue' AND watchable_id = 1"
        ),
        watchers
    );
    assert_eq!(
        count(&report, "journals", "kept"),
        u64::try_from(journals).unwrap()
    );
    assert_eq!(counts(&world.ours, "journals", "WHERE issue_id = 2"), 0);
}

fn count_all(world: &Moved) -> (i64, i64, i64) {
    let of_issue = counts(&world.ours, "journals", "WHERE issue_id = 1")
        + counts(&world.ours, "watchers", "WHERE watchable_id = 1");
    (
        counts(&world.ours, "wiki_pages", "WHERE id = 2"),
        counts(&world.ours, "issues", "WHERE id = 1"),
        of_issue,
    )
}

#[test]
fn locally_edited_records_keep_their_parents() {
    let world = moved();
    // A locally changed page and a note of an issue.
    world.ours.execute_batch("UPDATE wiki_versions SET text = 'edited here' WHERE page_id = 2; UPDATE journals SET notes = 'edited here' WHERE id = (SELECT MIN(id) FROM journals WHERE issue_id = 1)").unwrap();
    let gone = "DELETE FROM wiki_content_versions WHERE page_id = 2; DELETE FROM wiki_contents WHERE page_id = 2; DELETE FROM wiki_pages WHERE id = 2;
         DELETE FROM journals WHERE journalized_id = 1; DELETE FROM issue_relations WHERE issue_from_id = 1 OR issue_to_id = 1;
         DELETE FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = 1; DELETE FROM issues WHERE id = 1;";
    let before = count_all(&world);
    world.redmine.execute_batch(gone).unwrap();
    let (_, report) = reported(&world.data, &world.database, &[]);
    assert_eq!(count_all(&world), before);
    let reason =
        "deleted in the source, but ours or a record that belongs with it was edited since"
            .to_owned();
    assert_eq!(
        problems(&report, "wiki_pages"),
        [(2, "kept ours".to_owned(), reason.clone())]
    );
    assert_eq!(
        problems(&report, "issues"),
        [(1, "kept ours".to_owned(), reason)]
    );
}

#[test]
fn first_of_two_conflicting_rows_wins_every_time() {
    let world = moved();
    world.redmine.execute_batch("INSERT INTO tokens (user_id, action, value, created_on, updated_on) SELECT user_id, action, 'of no use', created_on, updated_on FROM tokens WHERE action = 'api' AND user_id = 5").unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(message(&output).ends_with("nothing changed"));
    let left = report["left"]
        .as_array()
        .unwrap()
        .iter()
        .find(|left| left["what"] == "tokens (api) beyond the first with the same user_id");
    assert_eq!(left.unwrap()["rows"], 1);
}

#[test]
fn import_from_another_redmine_is_rejected() {
    let world = moved();
    world.redmine.execute_batch("UPDATE users SET created_on = '2020-05-05'; UPDATE projects SET created_on = '2020-05-05'").unwrap();
    let output = import(&world.data, &world.database, &[]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        text,
        "quarry: another Redmine has been imported into this data folder; import into a new folder\n"
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(message(&import(&world.data, &fixture(), &[])).ends_with("nothing changed"));
}
