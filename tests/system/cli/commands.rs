//! Commands that read and change a data directory, and their error messages.

use crate::import::loader::ours;
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::redmine_import::fixture;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// Creates a data directory.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    service.terminate();
    assert!(service.ended().0.success());
    folder
}

fn run_with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = quarry(arguments);
    command
        .arg("--data")
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
pub fn rejected(output: &Output, sentence: &str) {
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!("quarry: {sentence}\n")
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

#[test]
fn settings_can_be_read_and_changed() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(
        message(&run(folder, &["setting", "get", "rest_api_enabled"])),
        "0"
    );
    assert_eq!(
        message(&run(folder, &["setting", "set", "rest_api_enabled", "on"])),
        "rest_api_enabled = 1"
    );
    assert_eq!(
        message(&run(folder, &["setting", "get", "rest_api_enabled"])),
        "1"
    );
    let list = message(&run(folder, &["setting", "list"]));
    assert!(
        list.lines()
            .any(|line| line.split_whitespace().eq(["rest_api_enabled", "1"])),
        "{list}"
    );
    rejected(
        &run(folder, &["setting", "get", "rest_api_enable"]),
        "there is no setting \"rest_api_enable\", did you mean rest_api_enabled?",
    );
    rejected(
        &run(folder, &["setting", "set", "login_required", "maybe"]),
        "login_required must be 1 or 0",
    );
}

#[test]
fn users_can_be_added_and_changed() {
    let folder = folder();
    let folder = folder.path();
    let add = [
        "user",
        "add",
        "maria",
        "--firstname",
        "María",
        "--lastname",
        "Paz",
        "--mail",
        "m@example.net",
    ];
    let added = message(&run(folder, &add));
    let words: Vec<&str> = added.split_whitespace().collect();
    assert_eq!(
        (words[1], words[2], words[3].len(), words[4], words[6].len()),
        ("maria", "password", 20, "API", 40),
        "{added}"
    );
    rejected(
        &run(folder, &add),
        "Email has already been taken; Login has already been taken",
    );
    rejected(
        &run(folder, &["user", "lock", "admin"]),
        "The last active administrator cannot be locked, deleted or made an ordinary user",
    );
    assert_eq!(message(&run(folder, &["user", "key", "maria"])), words[6]);
    assert_ne!(
        message(&run(folder, &["user", "key", "maria", "--reset"])),
        words[6]
    );
    assert_eq!(
        message(&run(folder, &["user", "password", "MARIA"])).len(),
        20
    );
    let changed = run_with_input(
        folder,
        &["user", "password", "maria", "--password-stdin"],
        "correct horse\n",
    );
    assert_eq!(message(&changed), "the password of maria was changed");
    let short = run_with_input(
        folder,
        &["user", "password", "maria", "--password-stdin"],
        "short\n",
    );
    rejected(&short, "Password is too short (minimum is 8 characters)");
    assert_eq!(
        message(&run(folder, &["user", "lock", "maria"])),
        "maria is locked"
    );
    let list = message(&run(folder, &["user", "list"]));
    let row = list.lines().find(|line| line.contains("maria")).unwrap();
    assert!(
        row.split_whitespace().eq([
            "2",
            "maria",
            "locked",
            "no",
            "María",
            "Paz",
            "m@example.net"
        ]),
        "{row}"
    );
    assert_eq!(
        message(&run(folder, &["user", "unlock", "maria"])),
        "maria is active"
    );
    rejected(
        &run(folder, &["user", "lock", "mara"]),
        "there is no user \"mara\", did you mean maria?",
    );
}

/// Returns the audit events that a command logs: origin, and the value of the field.
pub fn audit_events(output: &Output, field: &str) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    let log = String::from_utf8(output.stderr.clone()).unwrap();
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let events = events
        .filter(|event| event["target"] == "audit")
        .inspect(|event| assert_eq!(event["origin"], "command line"));
    events
        .map(|event| event[field].as_str().unwrap().to_owned())
        .collect()
}

/// Runs a command that logs in JSON.
pub fn run_with_json_log(folder: &Path, arguments: &[&str]) -> Output {
    quarry(arguments)
        .arg("--data")
        .arg(folder)
        .env("QUARRY_LOG_FORMAT", "json")
        .output()
        .unwrap()
}

fn account_changes(folder: &Path, arguments: &[&str]) -> Vec<String> {
    audit_events(&run_with_json_log(folder, arguments), "account.change")
}

#[test]
fn changes_of_rights_are_in_the_audit_log() {
    let folder = folder();
    let folder = folder.path();
    let add = [
        "user",
        "add",
        "Maria",
        "--firstname",
        "A",
        "--lastname",
        "B",
        "--mail",
        "m@example.net",
        "--admin",
    ];
    assert_eq!(
        account_changes(folder, &add),
        ["created", "administrator on"]
    );
    assert_eq!(
        account_changes(folder, &["user", "password", "maria"]),
        ["password"]
    );
    assert_eq!(
        account_changes(folder, &["user", "key", "maria", "--reset"]),
        ["api key"]
    );
    assert_eq!(account_changes(folder, &["user", "key", "maria"]), [""; 0]);
    assert_eq!(
        audit_events(
            &run_with_json_log(folder, &["user", "lock", "maria"]),
            "account.login"
        ),
        ["Maria"]
    );
    assert_eq!(
        account_changes(folder, &["user", "lock", "maria"]),
        [""; 0],
        "nothing changed"
    );
    assert_eq!(
        account_changes(folder, &["user", "unlock", "maria"]),
        ["activated"]
    );
    for expected in [vec!["2"], Vec::new()] {
        let output = run_with_json_log(folder, &["setting", "set", "twofa", "2"]);
        assert_eq!(audit_events(&output, "setting.value"), expected);
    }
    let password = run_with_json_log(folder, &["user", "password", "maria"]);
    let printed = String::from_utf8(password.stdout).unwrap();
    assert!(
        !String::from_utf8(password.stderr)
            .unwrap()
            .contains(printed.trim()),
        "no secret is logged"
    );
}

#[test]
fn secret_is_not_replaced_while_a_service_runs() {
    let folder = folder();
    let service = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(folder.path()));
    let secret = folder.path().join("secret");
    std::fs::remove_file(&secret).unwrap();
    let sentence = format!(
        "a service is running on {}; stop it first",
        folder.path().display()
    );
    rejected(&run(folder.path(), &["secret", "reset"]), &sentence);
    assert!(!secret.exists());
    service.terminate();
    assert!(service.ended().0.success());
    message(&run(folder.path(), &["secret", "reset"]));
    assert!(secret.exists());
}

#[test]
fn missing_data_directory_is_not_created() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("dta");
    for command in [["setting", "list"], ["user", "list"]] {
        let sentence = "is not a data folder of Quarry; specify one with --data, or create one with `quarry serve`";
        rejected(
            &run(&folder, &command),
            &format!("{} {sentence}", folder.display()),
        );
    }
    assert!(!folder.exists());
}

/// Returns the files below the folder with their contents.
pub fn contents(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            contents(&path, found);
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
}

fn set_schema_version(folder: &Path, version: i64) {
    ours(folder)
        .execute_batch(&format!("PRAGMA user_version = {version}"))
        .unwrap()
}

#[test]
fn database_with_an_unknown_schema_is_refused_and_left_unchanged() {
    let folder = folder();
    let folder = folder.path();
    let supported: i64 = ours(folder)
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    let newer = supported + 1;
    set_schema_version(folder, newer);
    let mut before = BTreeMap::new();
    contents(folder, &mut before);
    let message_part = format!(
        "the database has schema version {newer}, but this program supports only versions up to {supported}: "
    );
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["demo", "--listen", "127.0.0.1:0"],
        &["user", "list"],
        &["index", "verify"],
        &["index", "rebuild"],
        &["import", "redmine", "--database", &fixture()],
    ] {
        let output = run(folder, command);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            text.contains(&message_part)
                && text.ends_with("use that program, or restore a backup\n")
                && text.lines().count() == 1,
            "{text}"
        );
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let mut after = BTreeMap::new();
        contents(folder, &mut after);
        assert!(after == before, "{command:?}");
    }
    set_schema_version(folder, supported);
    assert!(message(&run(folder, &["user", "list"])).contains("admin"));
}

#[test]
fn configuration_error_is_reported_with_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quarry(&["serve", "--data"]);
    let output = command
        .arg(folder.path())
        .env("QUARRY_LISEN", "127.0.0.1:0")
        .output()
        .unwrap();
    rejected(
        &output,
        "the environment variable QUARRY_LISEN is not known, did you mean QUARRY_LISTEN?",
    );
    let file = folder.path().join("quarry.toml");
    std::fs::write(&file, "body_limits = 5\n").unwrap();
    let sentence = format!(
        "`body_limits` in {} is not known, did you mean `body_limit`?",
        file.display()
    );
    rejected(&run(folder.path(), &["serve"]), &sentence);
    std::fs::write(&file, "").unwrap();
    let sentence = "--listen is \"3000\", but must be an address and a port, such as 127.0.0.1:3000, or unix: and the absolute path of a socket";
    rejected(
        &run(folder.path(), &["serve", "--listen", "3000"]),
        sentence,
    );
    assert_eq!(quarry(&["sreve"]).output().unwrap().status.code(), Some(2));
}
