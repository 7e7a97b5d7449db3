//! What commands print: JSON for programs, and one exit code for one mistake.

use super::commands::{folder, rejected};
use quarry_world::process::{message, run};
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
