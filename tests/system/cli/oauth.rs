//! `quarry oauth app`: registers, lists and removes applications.

use super::commands::{audit_events, folder, rejected, run_with_json_log};
use quarry_world::process::{message, run};
use serde_json::{Value, json};
use std::path::Path;

const URI: &str = "https://wall.example.net/callback";

fn add<'a>(name: &'a str, uri: &'a str, scope: &'a str) -> Vec<&'a str> {
    vec![
        "oauth",
        "app",
        "add",
        name,
        "--redirect-uri",
        uri,
        "--scope",
        scope,
    ]
}

fn list(folder: &Path) -> Vec<Value> {
    let document: Value =
        serde_json::from_str(&message(&run(folder, &["oauth", "app", "list", "--json"]))).unwrap();
    document["applications"].as_array().unwrap().clone()
}

#[test]
fn applications_can_be_added_listed_and_removed() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(list(folder), Vec::<Value>::new());
    let arguments = [
        add("Wall of issues", URI, "view_project view_issues"),
        vec!["admin", "--json"],
    ]
    .concat();
    let added: Value = serde_json::from_str(&message(&run(folder, &arguments))).unwrap();
    let client_id = added["client_id"].as_str().unwrap();
    let secret = added["client_secret"].as_str().unwrap();
    assert_eq!(secret.len(), 43, "{added}");
    let public = [
        add("Pocket", "http://127.0.0.1/callback", "view_issues"),
        vec!["--public"],
    ]
    .concat();
    let printed = message(&run(folder, &public));
    assert!(
        printed.starts_with("client ID") && !printed.contains("secret"),
        "{printed}"
    );

    let applications = list(folder);
    assert_eq!(applications.len(), 2);
    let pocket = &applications[0];
    assert_eq!(
        (&pocket["name"], &pocket["confidential"], &pocket["scopes"]),
        (&json!("Pocket"), &json!(false), &json!(["view_issues"]))
    );
    let wall = &applications[1];
    assert_eq!(
        (&wall["client_id"], &wall["name"], &wall["confidential"]),
        (&json!(client_id), &json!("Wall of issues"), &json!(true))
    );
    assert_eq!(
        (&wall["redirect_uris"], &wall["scopes"]),
        (
            &json!([URI]),
            &json!(["view_project", "view_issues", "admin"])
        )
    );
    assert!(
        wall["created_on"].is_string() && wall.get("client_secret").is_none(),
        "{wall}"
    );
    let table = message(&run(folder, &["oauth", "app", "list"]));
    let row = table.lines().find(|line| line.contains(client_id)).unwrap();
    assert!(
        row.contains("Wall of issues")
            && row.contains("confidential")
            && row.contains(URI)
            && !table.contains(secret),
        "{table}"
    );

    let removed = message(&run(folder, &["oauth", "app", "remove", client_id]));
    assert_eq!(removed, "Wall of issues was deleted with all its tokens");
    assert_eq!(list(folder).len(), 1);
    let again = run(folder, &["oauth", "app", "remove", client_id]);
    assert_eq!(again.status.code(), Some(2));
    let problem = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(
        problem.starts_with(&format!("quarry: there is no application \"{client_id}\"")),
        "{problem}"
    );
    rejected(
        &run(folder, &["oauth", "app", "remove", "-begins-with-a-hyphen"]),
        "there is no application \"-begins-with-a-hyphen\"",
    );
}

#[test]
fn wrong_arguments_are_named_and_nothing_is_added() {
    let folder = folder();
    let folder = folder.path();
    for (arguments, argument, sentence) in [
        (
            add("Wall", "http://wall.example.net/", "view_issues"),
            "--redirect-uri",
            "must begin with https://",
        ),
        (
            add("Wall", "https://wall.example.net/#top", "view_issues"),
            "--redirect-uri",
            "must not have a fragment",
        ),
        (
            add("Wall", URI, "view_project view_isues"),
            "--scope",
            "there is no scope \"view_isues\", did you mean view_issues?",
        ),
    ] {
        let output = run(folder, &arguments);
        let problem = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{problem}");
        assert!(
            problem.contains(argument) && problem.contains(sentence) && output.stdout.is_empty(),
            "{argument}: {problem}"
        );
    }
    rejected(
        &run(folder, &add(" ", URI, "view_issues")),
        "Name cannot be blank",
    );
    rejected(
        &run(folder, &add("Wall", URI, " ")),
        "Scope cannot be blank",
    );
    for (missing, arguments) in [
        (
            "--redirect-uri",
            vec!["oauth", "app", "add", "Wall", "--scope", "view_issues"],
        ),
        (
            "--scope",
            vec!["oauth", "app", "add", "Wall", "--redirect-uri", URI],
        ),
        (
            "<NAME>",
            vec![
                "oauth",
                "app",
                "add",
                "--redirect-uri",
                URI,
                "--scope",
                "view_issues",
            ],
        ),
        ("<CLIENT_ID>", vec!["oauth", "app", "remove"]),
    ] {
        let output = run(folder, &arguments);
        let problem = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{problem}");
        assert!(
            problem.contains("required") && problem.contains(missing),
            "{missing}: {problem}"
        );
    }
    assert_eq!(list(folder), Vec::<Value>::new());
}

#[test]
fn changes_are_in_the_audit_log_without_secrets() {
    let folder = folder();
    let folder = folder.path();
    let added = run_with_json_log(
        folder,
        &[add("Wall", URI, "view_issues"), vec!["--json"]].concat(),
    );
    let printed: Value = serde_json::from_slice(&added.stdout).unwrap();
    assert_eq!(audit_events(&added, "oauth.change"), ["created"]);
    assert!(
        !String::from_utf8_lossy(&added.stderr)
            .contains(printed["client_secret"].as_str().unwrap()),
        "no secret is logged"
    );
    let client_id = printed["client_id"].as_str().unwrap();
    assert_eq!(
        audit_events(
            &run_with_json_log(folder, &["oauth", "app", "remove", client_id]),
            "oauth.client"
        ),
        [client_id]
    );
}
