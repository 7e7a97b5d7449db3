//! Repeated imports: changes of the source are imported, local edits stay, deleted rows are
//! deleted.

use super::complete::assert_complete;
use super::loader::{copy, ours};
use quarry_world::process::{message, quarry, run};
use quarry_world::redmine_import::{fixture, import};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn text(folder: &Path, sql: &str) -> String {
    ours(folder).query_row(sql, [], |row| row.get(0)).unwrap()
}

fn number(folder: &Path, sql: &str) -> i64 {
    ours(folder).query_row(sql, [], |row| row.get(0)).unwrap()
}

fn subject(data: &Path, id: i64) -> String {
    text(data, &format!("SELECT subject FROM issues WHERE id = {id}"))
}

#[test]
fn local_edits_stay_and_other_records_follow_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let report = folder.path().join("report.json");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    ours(&data)
        .execute_batch("UPDATE issues SET subject = 'edited here' WHERE id IN (1, 3)")
        .unwrap();
    redmine
        .execute_batch(
            "UPDATE issues SET subject = 'changed there' WHERE id IN (1, 2);
             UPDATE roles SET permissions = '---\n- :view_issues\n' WHERE id = 5;
             INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 4, 6);
             UPDATE wiki_contents SET text = 'quartz and feldspar', version = 5 WHERE page_id = 1;",
        )
        .unwrap();
    let printed = message(&import(
        &data,
        &database,
        &["--report", report.to_str().unwrap()],
    ));
    assert!(
        printed.contains("issues 1: kept ours: changed in the source, but ours was edited since"),
        "{printed}"
    );
    assert_eq!(
        (
            subject(&data, 1).as_str(),
            subject(&data, 2).as_str(),
            subject(&data, 3).as_str()
        ),
        ("edited here", "changed there", "edited here")
    );
    assert_eq!(
        number(
            &data,
            "SELECT COUNT(*) FROM role_permissions WHERE role_id = 5"
        ),
        1
    );
    assert_eq!(
        number(
            &data,
            "SELECT COUNT(*) FROM watchers WHERE watchable_id = 4 AND user_id = 6"
        ),
        1
    );
    assert_eq!(
        text(
            &data,
            "SELECT text FROM wiki_versions v JOIN wiki_pages p ON p.id = v.page_id AND p.version = v.version WHERE p.id = 1"
        ),
        "quartz and feldspar"
    );
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    let issues = report["tables"]
        .as_array()
        .unwrap()
        .iter()
        .find(|table| table[0] == "issues")
        .unwrap();
    assert_eq!(
        (
            &issues[1]["updated"],
            &issues[1]["kept"],
            &issues[1]["unchanged"]
        ),
        (&1.into(), &1.into(), &46.into())
    );
    // Equal changes on both sides are not reported.
    ours(&data)
        .execute_batch("UPDATE issues SET subject = 'agreed' WHERE id = 4")
        .unwrap();
    redmine
        .execute_batch("UPDATE issues SET subject = 'agreed' WHERE id = 4")
        .unwrap();
    let printed = message(&import(&data, &database, &[]));
    assert!(!printed.contains("issues 4:"), "{printed}");
    // Kept local edits are reported again, and nothing else changes.
    let printed = message(&import(&data, &database, &[]));
    assert!(
        printed.contains("kept ours") && printed.ends_with("nothing changed"),
        "{printed}"
    );
    // The index follows.
    message(&run(&data, &["index", "rebuild"]));
    assert!(message(&run(&data, &["index", "verify"])).ends_with("index and records agree"));
}

#[test]
fn records_deleted_in_the_source_are_deleted_unless_referenced() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    message(&import(&data, &database, &[]));
    ours(&data)
        .execute_batch("UPDATE time_entries SET comments = 'edited here' WHERE id = 2")
        .unwrap();
    // A membership that was removed and added again has a new id in the source.
    redmine
        .execute_batch(
            "DELETE FROM time_entries WHERE id IN (1, 2);
             DELETE FROM messages WHERE id = 3;
             UPDATE boards SET last_message_id = NULL WHERE id = 2;
             DELETE FROM versions WHERE id = 4;
             UPDATE members SET id = 900 WHERE id = 1;
             UPDATE member_roles SET member_id = 900 WHERE member_id = 1;",
        )
        .unwrap();
    let needed = number(
        &data,
        "SELECT COUNT(*) FROM issues WHERE fixed_version_id = 4",
    );
    let output = import(&data, &database, &[]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.contains("time_entries 2: kept ours: deleted in the source, but ours or a record that belongs with it was edited since"),
        "{printed}"
    );
    assert!(
        printed.contains("time_entries 1: removed: deleted in the source"),
        "{printed}"
    );
    assert_eq!(
        number(
            &data,
            "SELECT COUNT(*) FROM time_entries WHERE id IN (1, 2)"
        ),
        1
    );
    assert_eq!(
        number(&data, "SELECT COUNT(*) FROM messages WHERE id = 3"),
        0
    );
    assert_eq!(
        number(&data, "SELECT COUNT(*) FROM versions WHERE id = 4"),
        i64::from(needed > 0)
    );
    assert_eq!(
        number(
            &data,
            "SELECT COUNT(*) FROM member_roles WHERE member_id = 900"
        ),
        1
    );
    assert_eq!(
        number(&data, "SELECT COUNT(*) FROM members WHERE id = 1"),
        0
    );
}

#[test]
fn killed_import_is_completed_by_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    for wait in [40, 80, 120, 160] {
        let mut command = quarry(&["import", "redmine", "--database", &fixture(), "--data"]);
        let mut child = command
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        // The process may have ended already.
        let _ = child.kill();
        child.wait().unwrap();
    }
    message(&import(folder.path(), &fixture(), &[]));
    assert_complete(folder.path());
    assert!(message(&import(folder.path(), &fixture(), &[])).ends_with("nothing changed"));
}
