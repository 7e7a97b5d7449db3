//! The program of `sendmail:`.

use super::{count, insert, send, world_with};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a program that keeps its arguments and its input, and ends with this code.
fn program(folder: &Path, code: i32) -> String {
    let path = folder.join("sendmail");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > {0}/arguments\ncat > {0}/message\necho 'no such user' >&2\nexit {code}\n",
        folder.display()
    );
    // A program that is still open for writing cannot be run: it is written under another name.
    let new = folder.join("new");
    fs::write(&new, script).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).unwrap();
    fs::rename(&new, &path).unwrap();
    format!("sendmail:{}", path.display())
}

#[test]
fn program_gets_the_message_and_the_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let world = world_with(&program(folder.path(), 0));
    insert(&world, &["bob"]);
    assert_eq!(send(&world).sent, 1);
    let arguments = fs::read_to_string(folder.path().join("arguments")).unwrap();
    let lines: Vec<&str> = arguments.lines().collect();
    assert_eq!(lines[..4], ["-i", "-f", "quarry@example.org", "--"]);
    assert!(lines[4].starts_with("bob@"), "{arguments}");
    let message = fs::read_to_string(folder.path().join("message")).unwrap();
    assert!(message.contains("Subject: "), "{message}");
}

#[test]
fn exit_code_says_whether_to_try_again() {
    for (code, state, error) in [
        (75, "waiting", "exit status: 75: no such user"),
        (1, "waiting", "exit status: 1: no such user"),
        (67, "failed", "exit status: 67: no such user"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let world = world_with(&program(folder.path(), code));
        insert(&world, &["bob"]);
        let report = send(&world);
        assert_eq!(report.postponed + report.failed, 1, "{code}");
        assert_eq!(count(&world, state), 1, "{code}");
        let shown: String = world.database().value("SELECT error FROM mails");
        assert!(shown.ends_with(error), "{shown}");
    }
}

#[test]
fn missing_program_counts_no_attempts() {
    let world = world_with("sendmail:/nowhere/sendmail");
    insert(&world, &["bob"]);
    let reason = send(&world).unavailable.unwrap();
    assert!(reason.starts_with("/nowhere/sendmail: "), "{reason}");
    assert_eq!(count(&world, "waiting"), 1);
}
