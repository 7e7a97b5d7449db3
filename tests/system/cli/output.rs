//! What commands print: JSON for programs, colours for terminals, and one exit code for one mistake.

use super::commands::{folder, rejected};
use quarry_world::environment::not_installed;
use quarry_world::process::{message, quarry, run, through_shell};
use serde_json::{Value, json};
use std::path::Path;

fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&message(&run(folder, arguments))).unwrap()
}

#[test]
fn commands_that_list_print_json_on_request() {
    let folder = folder();
    let folder = folder.path();
    let users = json_of(folder, &["user", "list", "--json"]);
    let admin = &users["users"][0];
    assert_eq!(
        (&admin["login"], &admin["state"], &admin["admin"]),
        (&json!("admin"), &json!("active"), &json!(true)),
        "{users}"
    );
    let settings = json_of(folder, &["setting", "list", "--json"]);
    let setting = json!({"name": "rest_api_enabled", "value": "0"});
    let listed = settings["settings"].as_array().unwrap();
    assert!(listed.contains(&setting), "{settings}");
    message(&run(folder, &["setting", "set", "rest_api_enabled", "1"]));
    let audit = ["audit", "list", "--json", "--kind", "setting"];
    let events = json_of(folder, &audit);
    let event = &events["audit_events"][0];
    assert_eq!(
        (&event["record"], &event["name"]),
        (&json!("setting"), &json!("rest_api_enabled")),
        "{events}"
    );
}

#[test]
fn unknown_user_is_a_mistake_in_every_command() {
    let folder = folder();
    for command in [
        &["user", "password", "admni"][..],
        &["user", "key", "admni"],
        &["user", "key", "admni", "--reset"],
        &["user", "lock", "admni"],
        &["user", "unlock", "admni"],
        &["audit", "list", "--user", "admni"],
        &["audit", "export", "--user", "admni"],
    ] {
        rejected(
            &run(folder.path(), command),
            "there is no user \"admni\", did you mean admin?",
        );
    }
}

/// Returns what a command that logs and one with a mistake write to a terminal.
fn on_terminal(folder: &Path, no_color: &str) -> Option<String> {
    let mut text = String::new();
    for arguments in [
        &["user", "key", "admin", "--reset", "--log", "info"][..],
        &["user", "lst"],
    ] {
        let mut command = quarry(arguments);
        command.arg("--data").arg(folder).env("NO_COLOR", no_color);
        let script = r#"command -v script >/dev/null || exit 127
            quote() { for word; do printf "'%s' " "$word"; done; }
            TERM=xterm script -qc "$(quote "$0" "$@")" /dev/null"#;
        let output = through_shell(script, &command).output().unwrap();
        if output.status.code() == Some(127) {
            not_installed("script", "bsdutils");
            return None;
        }
        text.push_str(&String::from_utf8(output.stdout).unwrap());
    }
    assert!(text.contains("admin") && text.contains("lst"), "{text}");
    Some(text)
}

#[test]
fn no_color_switches_colors_off() {
    let folder = folder();
    let Some(colored) = on_terminal(folder.path(), "") else {
        return;
    };
    // Both the log and the error have colors.
    assert!(colored.contains("\u{1b}[2m"), "{colored}");
    assert!(
        colored.contains("\u{1b}[31m") || colored.contains("\u{1b}[1m"),
        "{colored}"
    );
    let plain = on_terminal(folder.path(), "1").unwrap();
    assert!(!plain.contains('\u{1b}'), "{plain}");
}
