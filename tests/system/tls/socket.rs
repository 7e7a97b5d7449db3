//! The Unix socket.

use quarry_world::process::{Service, message, quarry, run};
use quarry_world::wait::TIMEOUT;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

fn start(folder: &Path, arguments: &[&str]) -> Service {
    let listen = format!("unix:{}", folder.join("q.sock").display());
    let mut command = quarry(&["serve", "--data"]);
    let service = Service::start_at(command.arg(folder.join("data")).args(arguments), &listen);
    assert_eq!(service.address, listen);
    service
}

fn get(folder: &Path, path: &str, headers: &[&str]) -> String {
    let mut stream = UnixStream::connect(folder.join("q.sock")).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let headers: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: projects.example.net\r\nConnection: close\r\n{headers}\r\n"
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn requests_over_the_socket_are_served_and_the_socket_is_removed_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("q.sock");
    for (mode, arguments) in [(0o660, &[][..]), (0o600, &["--socket-mode", "600"][..])] {
        let service = start(folder.path(), arguments);
        let permissions = std::fs::metadata(&socket).unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, mode);
        assert!(get(folder.path(), "/healthz", &[]).ends_with("ok\n"));
        service.terminate();
        assert!(service.ended().0.success());
        assert!(!socket.exists());
    }
}

#[test]
fn old_socket_is_replaced_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("q.sock");
    drop(UnixListener::bind(&socket).unwrap());
    assert!(socket.exists(), "a process has left it behind");
    let mut service = start(folder.path(), &[]);
    let listen = format!("unix:{}", socket.display());
    let refused = |data: &str| {
        let output = run(&folder.path().join(data), &["serve", "--listen", &listen]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("other").contains("another process does"));
    assert!(
        get(folder.path(), "/healthz", &[]).ends_with("ok\n"),
        "it goes on"
    );
    service.kill();
    assert!(start(folder.path(), &[]).printed.is_empty());
    std::fs::remove_file(&socket).ok();
    std::fs::write(&socket, "notes").unwrap();
    assert!(refused("other").contains("something else at this path"));
    assert_eq!(std::fs::read_to_string(&socket).unwrap(), "notes");
    std::fs::remove_file(&socket).unwrap();
    let target = folder.path().join("target");
    drop(UnixListener::bind(&target).unwrap());
    std::os::unix::fs::symlink(&target, &socket).unwrap();
    assert!(
        refused("other").contains("something else at this path"),
        "a link"
    );
    assert!(target.exists());
}

#[test]
fn service_that_ends_keeps_the_socket_of_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("q.sock");
    let old = start(folder.path(), &[]);
    // What a start does with a socket on which no process listens any more.
    std::fs::remove_file(&socket).unwrap();
    let listen = format!("unix:{}", socket.display());
    let mut command = quarry(&["serve", "--data"]);
    let new = Service::start_at(command.arg(folder.path().join("other")), &listen);
    old.terminate();
    assert!(old.ended().0.success());
    assert!(get(folder.path(), "/healthz", &[]).ends_with("ok\n"));
    new.terminate();
    assert!(new.ended().0.success());
    assert!(!socket.exists());
}

#[test]
fn service_without_the_lock_of_its_data_folder_touches_no_socket() {
    let folder = tempfile::tempdir().unwrap();
    let _service = start(folder.path(), &[]);
    let other = folder.path().join("other.sock");
    drop(UnixListener::bind(&other).unwrap());
    let listen = format!("unix:{}", other.display());
    for command in ["serve", "demo"] {
        let output = run(&folder.path().join("data"), &[command, "--listen", &listen]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("another service uses it"), "{message}");
        assert!(other.exists(), "{command}");
    }
}

#[test]
fn healthcheck_of_a_socket_with_a_full_queue_fails_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("q.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let _waiting = UnixStream::connect(&socket).unwrap();
    let listen = format!("unix:{}", socket.display());
    let checked = run(
        &folder.path().join("data"),
        &["healthcheck", "--timeout", "1", "--listen", &listen],
    );
    let message = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(
        message.contains("no complete answer within 1s"),
        "{message}"
    );
    let started = run(&folder.path().join("data"), &["serve", "--listen", &listen]);
    let message = String::from_utf8_lossy(&started.stderr).into_owned();
    assert!(message.contains("another process does"), "{message}");
    assert!(socket.exists());
}

#[test]
fn proxy_at_the_socket_is_trusted_as_the_loopback_address() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(folder.path(), &["--trusted-proxies", "127.0.0.1"]);
    message(&run(
        &folder.path().join("data"),
        &["setting", "set", "rest_api_enabled", "1"],
    ));
    let headers = [
        "X-Forwarded-For: 192.0.2.7",
        "X-Forwarded-Proto: https",
        "X-Service-API-Key: wrong",
    ];
    assert!(get(folder.path(), "/issues.json", &headers).starts_with("HTTP/1.1 401 "));
    let page = get(folder.path(), "/login", &headers[..2]);
    assert!(page.contains("set-cookie: __Host-"), "{page}");
    service.terminate();
    let (_, log) = service.ended();
    assert!(
        log.contains("client.address=192.0.2.7 login.method=\"api key\""),
        "{log}"
    );
}
