//! `quarry demo`.

use super::process::{Service, quarry, run, told};

/// The commands among what was said.
fn tries(service: &Service) -> Vec<&str> {
    service.said.iter().map(String::as_str).filter(|line| line.starts_with("curl ")).collect()
}

/// Does what a shell and curl would do with the address of a command that reads.
fn follow(service: &Service, command: &str) -> (u16, String) {
    let quoted: Vec<&str> = command.split('\'').skip(1).step_by(2).collect();
    let path = quoted[1].strip_prefix("http://").and_then(|rest| rest.strip_prefix(service.address.as_str())).unwrap();
    service.ask(path, &[quoted[0]])
}

#[test]
fn the_world_is_loaded_once_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    // What an interrupted load leaves behind.
    std::fs::create_dir(folder.path().join("loading")).unwrap();
    std::fs::write(folder.path().join("loading/quarry.sqlite3"), "half a world").unwrap();
    let first = Service::start(quarry(&["demo", "--data"]).arg(folder.path()));
    assert!(!folder.path().join("loading").exists());
    for login in ["admin", "alice", "bob", "carol", "dave", "erin", "frank", "gina"] {
        assert!(first.said.iter().any(|line| line.starts_with(login)), "{login}: {:?}", first.said);
    }
    assert!(first.said.iter().any(|line| line.starts_with("bob ") && line.contains(" bobbobbob ")));
    let commands = tries(&first);
    assert_eq!(commands.len(), 3);
    let (status, body) = follow(&first, commands[0]);
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"total_count\":") && !body.contains("\"total_count\":0"), "{body}");
    let (status, body) = follow(&first, commands[1]);
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"total_count\":") && !body.contains("\"total_count\":0"), "{body}");
    let said = first.said.join("\n");
    let users = told(&run(folder.path(), &["user", "list"]));
    assert_eq!(users.lines().count(), 9, "{users}");
    assert!(users.lines().any(|line| line.contains("erin") && line.contains("locked")), "{users}");
    let address = first.address.clone();
    first.terminate();
    assert!(first.ended().0.success());

    let second = Service::start(quarry(&["demo", "--data"]).arg(folder.path()));
    assert_eq!(second.said.join("\n").replace(&second.address, &address), said, "another start has the same keys");
}

#[test]
fn data_of_ones_own_is_not_taken_for_the_demonstration() {
    let folder = tempfile::tempdir().unwrap();
    let own = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    own.terminate();
    assert!(own.ended().0.success());
    let output = run(folder.path(), &["demo", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds other data than the demonstration world"));
}
