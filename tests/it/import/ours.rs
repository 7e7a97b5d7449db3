//! What was made, changed or removed here is not mixed up with what comes again from the source.

use super::loader::{copy, counts, ours};
use super::world::{count, fixture, import, problems, reported};
use crate::cli::process::told;
use rusqlite::Connection;
use std::path::PathBuf;

/// A world that has moved in: its folder, the source's address, and both databases to be changed.
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
    let (path, redmine) = copy(folder.path());
    let database = format!("sqlite:{}", path.display());
    told(&import(&data, &database, &[]));
    let ours = ours(&data);
    Moved { _folder: folder, data, database, redmine, ours }
}

const NEW_ISSUE: &str = "INSERT INTO issues (id, tracker_id, project_id, subject, status_id, priority_id, author_id, created_on, updated_on, lft, rgt) \
                         VALUES (900, 1, 1, 'made there', 1, 2, 5, '2026-01-01', '2026-01-01', 1, 2)";

#[test]
fn what_was_made_here_gets_nothing_of_a_row_with_the_same_number() {
    let world = moved();
    world.ours.execute_batch("INSERT INTO issues (id, tracker_id, project_id, subject, status_id, priority_id, author_id, created_on, updated_on) VALUES (900, 1, 2, 'made here', 1, 2, 6, 0, 0)").unwrap();
    world.redmine.execute_batch(NEW_ISSUE).unwrap();
    let more = "UPDATE issues SET parent_id = 1 WHERE id = 900;
         INSERT INTO journals (id, journalized_id, journalized_type, user_id, notes, created_on) VALUES (900, 900, 'Issue', 5, 'of the other', '2026-01-01');
         INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 900, 6);";
    world.redmine.execute_batch(more).unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    let another = "leads to issues 900, which is another one here";
    let kept = |reason: String| vec![(900, "kept ours".to_owned(), reason)];
    assert_eq!(problems(&report, "issues"), kept("a record with this number was made here".to_owned()));
    assert_eq!(problems(&report, "issues (parent)"), kept(format!("id {another}")));
    assert_eq!(problems(&report, "journals"), kept(format!("journalized_id {another}")));
    assert_eq!(count(&report, "watchers", "kept"), 1);
    assert_eq!(counts(&world.ours, "issues", "WHERE id = 900 AND subject = 'made here' AND parent_id IS NULL"), 1);
    assert_eq!(counts(&world.ours, "journals", "WHERE issue_id = 900"), 0);
    assert_eq!(counts(&world.ours, "watchers", "WHERE watchable_id = 900"), 0);
}

#[test]
fn what_was_removed_here_stays_away_with_everything_that_belonged_to_it() {
    let world = moved();
    let journals = counts(&world.ours, "journals", "WHERE issue_id = 1");
    assert!(journals > 0);
    let removed = "DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE issue_id = 1); DELETE FROM journals WHERE issue_id = 1;";
    world.ours.execute_batch(removed).unwrap();
    world.ours.execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM issues WHERE id = 1").unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    assert_eq!(count(&report, "issues", "kept"), 1);
    assert_eq!(count(&report, "journals", "kept"), u64::try_from(journals).unwrap());
    assert_eq!(problems(&report, "journals"), []);
    assert_eq!(counts(&world.ours, "issues", "WHERE id = 1") + counts(&world.ours, "journals", "WHERE issue_id = 1"), 0);
    // What is new about it there is named.
    world.redmine.execute_batch("UPDATE issues SET subject = 'x' WHERE id = 1; INSERT INTO journals (id, journalized_id, journalized_type, user_id, notes, created_on) VALUES (901, 1, 'Issue', 5, 'n', '2026-01-01')").unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(output.status.success());
    assert_eq!(problems(&report, "issues"), [(1, "kept ours".to_owned(), "changed in the source, but ours was removed since".to_owned())]);
    let reason = "journalized_id leads to issues 1, which was removed here".to_owned();
    assert_eq!(problems(&report, "journals"), [(901, "kept ours".to_owned(), reason)]);
}

#[test]
fn what_was_set_here_where_the_source_had_nothing_stays() {
    let world = moved();
    assert_eq!(counts(&world.ours, "issues", "WHERE id IN (20, 21) AND parent_id IS NULL"), 2);
    world.ours.execute_batch("UPDATE issues SET parent_id = 3 WHERE id = 20; INSERT INTO group_users VALUES (13, 8)").unwrap();
    world.redmine.execute_batch("UPDATE issues SET parent_id = 2 WHERE id IN (20, 21); INSERT INTO groups_users VALUES (13, 7)").unwrap();
    let (_, report) = reported(&world.data, &world.database, &[]);
    let reason = "new in the source, but set here already".to_owned();
    assert_eq!(problems(&report, "issues (parent)"), [(20, "kept ours".to_owned(), reason.clone())]);
    assert_eq!(problems(&report, "groups_users"), [(13, "kept ours".to_owned(), reason)]);
    assert_eq!(counts(&world.ours, "issues", "WHERE id = 20 AND parent_id = 3 OR id = 21 AND parent_id = 2"), 2);
    assert_eq!(counts(&world.ours, "group_users", "WHERE group_id = 13 AND user_id = 8"), 1);
}

#[test]
fn what_is_gone_there_but_was_edited_here_stays_with_what_belongs_to_it() {
    let world = moved();
    let journals = counts(&world.ours, "journals", "WHERE issue_id = 1");
    world.ours.execute_batch("UPDATE issues SET subject = 'edited here' WHERE id = 1").unwrap();
    let gone = "DELETE FROM journal_details WHERE journal_id IN (SELECT id FROM journals WHERE journalized_id = 1);
         DELETE FROM journals WHERE journalized_id = 1; DELETE FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = 1;
         DELETE FROM issues WHERE id = 1; DELETE FROM journals WHERE journalized_id = 2;";
    world.redmine.execute_batch(gone).unwrap();
    let watchers = counts(&world.ours, "watchers", "WHERE watchable_type = 'Issue' AND watchable_id = 1");
    let (_, report) = reported(&world.data, &world.database, &[]);
    assert_eq!(counts(&world.ours, "journals", "WHERE issue_id = 1"), journals);
    assert_eq!(counts(&world.ours, "watchers", "WHERE watchable_type = 'Issue' AND watchable_id = 1"), watchers);
    assert_eq!(count(&report, "journals", "kept"), u64::try_from(journals).unwrap());
    assert_eq!(counts(&world.ours, "journals", "WHERE issue_id = 2"), 0);
}

#[test]
fn what_was_edited_here_keeps_what_it_belongs_to() {
    let world = moved();
    // A page whose text was changed here, and a note of an issue.
    world.ours.execute_batch("UPDATE wiki_versions SET text = 'edited here' WHERE page_id = 2; UPDATE journals SET notes = 'edited here' WHERE id = (SELECT MIN(id) FROM journals WHERE issue_id = 1)").unwrap();
    let gone = "DELETE FROM wiki_content_versions WHERE page_id = 2; DELETE FROM wiki_contents WHERE page_id = 2; DELETE FROM wiki_pages WHERE id = 2;
         DELETE FROM journals WHERE journalized_id = 1; DELETE FROM issue_relations WHERE issue_from_id = 1 OR issue_to_id = 1;
         DELETE FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = 1; DELETE FROM issues WHERE id = 1;";
    let count_all = || {
        let of_issue = counts(&world.ours, "journals", "WHERE issue_id = 1") + counts(&world.ours, "watchers", "WHERE watchable_id = 1");
        (counts(&world.ours, "wiki_pages", "WHERE id = 2"), counts(&world.ours, "issues", "WHERE id = 1"), of_issue)
    };
    let before = count_all();
    world.redmine.execute_batch(gone).unwrap();
    let (_, report) = reported(&world.data, &world.database, &[]);
    assert_eq!(count_all(), before);
    let reason = "gone from the source, but ours was edited since, or something that belongs with it".to_owned();
    assert_eq!(problems(&report, "wiki_pages"), [(2, "kept ours".to_owned(), reason.clone())]);
    assert_eq!(problems(&report, "issues"), [(1, "kept ours".to_owned(), reason)]);
}

#[test]
fn of_two_rows_for_one_place_the_first_counts_each_time() {
    let world = moved();
    world.redmine.execute_batch("INSERT INTO tokens (user_id, action, value, created_on, updated_on) SELECT user_id, action, 'of no use', created_on, updated_on FROM tokens WHERE action = 'api' AND user_id = 5").unwrap();
    let (output, report) = reported(&world.data, &world.database, &[]);
    assert!(told(&output).ends_with("nothing changed"));
    let left = report["left"].as_array().unwrap().iter().find(|left| left["what"] == "tokens (api) beyond the first with the same user_id");
    assert_eq!(left.unwrap()["rows"], 1);
}

#[test]
fn another_redmine_does_not_take_the_place_of_the_one_that_moved_in() {
    let world = moved();
    world.redmine.execute_batch("UPDATE users SET created_on = '2020-05-05'; UPDATE projects SET created_on = '2020-05-05'").unwrap();
    let output = import(&world.data, &world.database, &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "quarry: another Redmine has moved into this data folder; import into a fresh folder\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&import(&world.data, &fixture(), &[])).ends_with("nothing changed"));
}
