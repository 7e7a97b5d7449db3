//! `quarry demo`.

use quarry_world::process::{Service, message, quarry, run};

/// Returns the commands in the output.
fn tries(service: &Service) -> Vec<&str> {
    service
        .printed
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("curl "))
        .collect()
}

/// Runs a printed curl command.
fn run_curl(service: &Service, command: &str) -> (u16, String) {
    let quoted: Vec<&str> = command.split('\'').skip(1).step_by(2).collect();
    let path = quoted[1]
        .strip_prefix("http://")
        .and_then(|rest| rest.strip_prefix(service.address.as_str()))
        .unwrap();
    service.get(path, &[quoted[0]])
}

#[test]
fn demo_data_is_loaded_once() {
    let folder = tempfile::tempdir().unwrap();
    // Files left by an interrupted load.
    std::fs::create_dir(folder.path().join("loading")).unwrap();
    std::fs::write(folder.path().join("loading/quarry.sqlite3"), "half a world").unwrap();
    let first = Service::start(quarry(&["demo", "--data"]).arg(folder.path()));
    assert!(!folder.path().join("loading").exists());
    for login in [
        "admin", "alice", "bob", "carol", "dave", "erin", "frank", "gina",
    ] {
        assert!(
            first.printed.iter().any(|line| line.starts_with(login)),
            "{login}: {:?}",
            first.printed
        );
    }
    assert!(
        first
            .printed
            .iter()
            .any(|line| line.starts_with("bob ") && line.contains(" bobbobbob "))
    );
    let commands = tries(&first);
    assert_eq!(commands.len(), 3);
    let (status, body) = run_curl(&first, commands[0]);
    assert_eq!(status, 200, "{body}");
    assert!(
        body.contains("\"total_count\":") && !body.contains("\"total_count\":0"),
        "{body}"
    );
    let (status, body) = run_curl(&first, commands[1]);
    assert_eq!(status, 200, "{body}");
    assert!(
        body.contains("\"total_count\":") && !body.contains("\"total_count\":0"),
        "{body}"
    );
    let text = first.printed.join("\n");
    let users = message(&run(folder.path(), &["user", "list"]));
    assert_eq!(users.lines().count(), 9, "{users}");
    assert!(
        users
            .lines()
            .any(|line| line.contains("erin") && line.contains("locked")),
        "{users}"
    );
    let address = first.address.clone();
    first.terminate();
    assert!(first.ended().0.success());

    let second = Service::start(quarry(&["demo", "--data"]).arg(folder.path()));
    assert_eq!(
        second.printed.join("\n").replace(&second.address, &address),
        text,
        "another start has the same keys"
    );
}

#[test]
fn folder_with_other_data_is_refused_by_the_demo_and_none_of_its_keys_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let own = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    own.terminate();
    assert!(own.ended().0.success());
    let names = [
        "--firstname",
        "Alice",
        "--lastname",
        "A",
        "--mail",
        "a@example.net",
    ];
    message(&run(
        folder.path(),
        &[&["user", "add", "alice"], &names[..]].concat(),
    ));
    let key = message(&run(folder.path(), &["user", "key", "alice"]));
    let output = run(folder.path(), &["demo", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        !printed.contains("alice") && !printed.contains(&key),
        "{printed}"
    );
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("contains other data than the demonstration data")
    );
}

#[test]
fn index_is_verified_and_rebuilt_while_the_service_runs() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["demo", "--data"]).arg(folder.path()));
    let verified = message(&run(folder.path(), &["index", "verify"]));
    assert!(verified.ends_with("index and records agree"), "{verified}");
    assert!(
        verified
            .lines()
            .any(|line| line.split_whitespace().eq(["all", "all", "12077", "12077"])),
        "{verified}"
    );
    let rebuilt = message(&run(folder.path(), &["index", "rebuild"]));
    assert_eq!(rebuilt, "the index was rebuilt: 12077 documents");
    let (status, body) = run_curl(&service, tries(&service)[0]);
    assert_eq!(status, 200, "{body}");
    service.terminate();
    assert!(service.ended().0.success());

    // An index without the records.
    let other = folder.path().join("other");
    let service = Service::start(quarry(&["serve", "--data"]).arg(&other));
    service.terminate();
    assert!(service.ended().0.success());
    let index = other.join("index").display().to_string();
    let output = run(
        folder.path(),
        &["index", "verify", "--json", "--index", &index],
    );
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["agrees"], &report["records"], &report["documents"]),
        (&false.into(), &12077.into(), &0.into())
    );
}
