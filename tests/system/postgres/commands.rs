//! The commands on a database.

use super::site::Site;
use quarry_world::process::message;

/// Commands that need records.
const COMMANDS: &[&[&str]] = &[
    &["user", "list"],
    &[
        "user",
        "add",
        "ada",
        "--firstname",
        "Ada",
        "--lastname",
        "L",
        "--mail",
        "ada@example.net",
    ],
    &["user", "password", "ada"],
    &["user", "key", "ada"],
    &["user", "key", "ada", "--reset"],
    &["user", "lock", "ada"],
    &["user", "unlock", "ada"],
    &["setting", "list"],
    &["setting", "set", "app_title", "Ours"],
    &["setting", "get", "app_title"],
    &[
        "oauth",
        "app",
        "add",
        "App",
        "--redirect-uri",
        "https://example.net/",
        "--scope",
        "view_issues",
    ],
    &["oauth", "app", "list"],
    &["index", "rebuild"],
    &["index", "verify"],
    &["search", "ours", "--as", "admin"],
];

#[test]
fn commands_refuse_a_database_without_records_and_leave_it_empty() {
    let Some(site) = Site::empty() else {
        return;
    };
    for command in COMMANDS {
        let output = site.run("a", command);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(2) && error.contains("has no records of Quarry"),
            "{command:?}: {error}"
        );
    }
    let tables = "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(site.query(tables), 0);
    assert!(!site.root.path().join("a").exists());
    site.sql()
        .batch_execute("CREATE TABLE theirs (a BIGINT)")
        .unwrap();
    let output = site.run("a", COMMANDS[0]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("has tables of another program"), "{error}");
    assert_eq!(site.query(tables), 1);
}

#[test]
fn commands_work_on_a_database_while_a_node_serves_it() {
    let Some((site, _)) = Site::initialized(&[]) else {
        return;
    };
    let node = site.start("b", &[]);
    for command in COMMANDS {
        message(&site.run("a", command));
    }
    assert_eq!(
        message(&site.run("b", &["setting", "get", "app_title"])),
        "Ours"
    );
    let users = message(&site.run("b", &["user", "list"]));
    assert!(users.contains("ada@example.net"), "{users}");
    assert_eq!(node.get("/login", &[]).0, 200);
}
