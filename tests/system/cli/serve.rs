//! `quarry serve`.

use base64::Engine;
use quarry_world::process::{Service, message, quarry, response, run};
use quarry_world::wait::TIMEOUT;
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn empty_directory_gets_an_administrator_with_the_password_of_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    assert_eq!(service.printed, Vec::<String>::new());
    assert!(!service.address.ends_with(":0"));
    assert_eq!(service.get("/healthz", &[]).0, 200);
    assert_eq!(service.get("/issues.json", &[]).0, 401);
    assert!(message(&run(folder.path(), &["user", "list"])).contains("admin"));
    service.terminate();
    assert!(service.ended().0.success());

    let again = Service::start(
        quarry(&["serve", "--data"])
            .arg(folder.path())
            .env_remove("QUARRY_ADMIN_PASSWORD"),
    );
    assert_eq!(
        again.printed,
        Vec::<String>::new(),
        "an existing folder is never set up"
    );
}

#[test]
fn api_can_be_enabled_while_the_service_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quarry(&["serve", "--data"]);
    let service = Service::start(
        command
            .arg(folder.path())
            .env("QUARRY_ADMIN_PASSWORD", "of my own choice"),
    );
    assert_eq!(service.printed, Vec::<String>::new());
    let key = message(&run(folder.path(), &["user", "key", "admin"]));
    let header = format!("X-Service-API-Key: {key}");
    assert_eq!(service.get("/users/current.json", &[&header]).0, 401);
    assert_eq!(
        message(&run(
            folder.path(),
            &["setting", "set", "rest_api_enabled", "1"]
        )),
        "rest_api_enabled = 1"
    );
    let (status, body) = service.get("/users/current.json", &[&header]);
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"login\":\"admin\""), "{body}");
    let fresh = message(&run(folder.path(), &["user", "key", "admin", "--reset"]));
    assert_ne!(fresh, key);
    assert_eq!(service.get("/users/current.json", &[&header]).0, 401);
}

#[test]
fn shutdown_waits_for_running_requests() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    message(&run(
        folder.path(),
        &["setting", "set", "rest_api_enabled", "1"],
    ));
    let key = message(&run(folder.path(), &["user", "key", "admin"]));
    let mut slow = TcpStream::connect(&service.address).unwrap();
    slow.set_read_timeout(Some(TIMEOUT)).unwrap();
    let header = "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n";
    write!(
        slow,
        "POST /issues.json HTTP/1.1\r\nX-Service-API-Key: {key}\r\n{header}\r\n"
    )
    .unwrap();
    // `100 Continue` shows that the request is running.
    let mut expected = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    slow.read_exact(&mut expected).unwrap();
    assert_eq!(expected, *b"HTTP/1.1 100 Continue\r\n\r\n");
    service.terminate();
    service.takes_no_connection();
    write!(slow, "{{}}").unwrap();
    assert_eq!(response(slow).0, 422);
    let (status, logged) = service.ended();
    assert!(status.success());
    assert!(logged.contains("closed"), "{logged}");
    assert!(
        !folder.path().join("quarry.sqlite3-wal").exists(),
        "the store was not closed"
    );
}

#[test]
fn api_keys_are_not_logged() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--log", "trace", "--data"]).arg(folder.path()));
    service.get(
        "/issues.json?key=key-of-a-test&x=1",
        &["X-Service-API-Key: key-of-a-test"],
    );
    service.terminate();
    let (_, logged) = service.ended();
    assert!(!logged.contains("key-of-a-test"), "{logged}");
}

fn basic_credentials(text: &str) -> String {
    format!(
        "Authorization: Basic {}",
        base64::engine::general_purpose::STANDARD.encode(text)
    )
}

fn has_line(logged: &str, words: &[&str]) -> bool {
    logged
        .lines()
        .any(|line| words.iter().all(|word| line.contains(word)))
}

#[test]
fn logins_and_switched_users_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(
        quarry(&["serve", "--data"])
            .arg(folder.path())
            .env("QUARRY_ADMIN_PASSWORD", "adminadmin"),
    );
    message(&run(
        folder.path(),
        &["setting", "set", "rest_api_enabled", "1"],
    ));
    let right = basic_credentials("admin:adminadmin");
    assert_eq!(
        service
            .get(
                "/users/current.json",
                &[&basic_credentials("admin:wrong\nline")]
            )
            .0,
        401
    );
    assert_eq!(service.get("/users/current.json", &[&right]).0, 200);
    assert_eq!(
        service
            .get(
                "/users/current.json",
                &[&right, "X-Service-Switch-User: nobody"]
            )
            .0,
        412
    );
    service.terminate();
    let (_, logged) = service.ended();
    assert!(
        has_line(
            &logged,
            &[
                "login.outcome=\"failure\"",
                "user.login=\"admin\"",
                "client.address=127.0.0.1"
            ]
        ),
        "{logged}"
    );
    assert!(
        has_line(
            &logged,
            &["login.outcome=\"success\"", "user.login=\"admin\""]
        ),
        "{logged}"
    );
    assert!(
        has_line(
            &logged,
            &[
                "switch.outcome=\"failure\"",
                "switch.to=\"nobody\"",
                "user.login=\"admin\""
            ]
        ),
        "{logged}"
    );
    assert!(
        !logged.contains("wrong") && !logged.contains("adminadmin"),
        "{logged}"
    );
}

#[test]
fn foreign_directory_is_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.tex"), "").unwrap();
    for command in ["serve", "demo"] {
        let output = run(folder.path(), &[command, "--listen", "127.0.0.1:0"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("it contains thesis.tex"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn port_in_use_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(folder.path(), &["serve", "--listen", &address]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .starts_with(&format!("quarry: cannot listen on {address}: "))
    );
}
