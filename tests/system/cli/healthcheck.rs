//! `quarry healthcheck`.

use quarry_world::process::{Service, message, quarry, run};
use quarry_world::wait::{TIMEOUT, until};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Output;

#[track_caller]
fn failed(output: &Output, sentence: &str) {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.starts_with("quarry: ") && text.contains(sentence),
        "{text}"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn service_is_found_by_its_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder));
    let port = service.address.rsplit_once(':').unwrap().1;
    for host in ["127.0.0.1", "0.0.0.0", "localhost"] {
        std::fs::write(
            folder.join("quarry.toml"),
            format!("listen = \"{host}:{port}\"\n"),
        )
        .unwrap();
        assert_eq!(message(&run(folder, &["healthcheck"])), "ok");
    }
    until(TIMEOUT, "the index is ready", || {
        run(folder, &["healthcheck", "--ready"]).status.success()
    });
    let ready = message(&run(folder, &["healthcheck", "--ready"]));
    assert!(ready.contains("\"index\":\"ok\""), "{ready}");
    let elsewhere = tempfile::tempdir().unwrap();
    let listen = ["healthcheck", "--listen", &service.address];
    assert_eq!(
        message(&run(elsewhere.path(), &listen)),
        "ok",
        "it needs no data folder"
    );
    service.terminate();
    assert!(service.ended().0.success());
    failed(&run(folder, &["healthcheck"]), "/healthz does not answer: ");
}

#[test]
fn response_of_another_program_does_not_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _request = stream.read(&mut [0; 1024]).unwrap();
        let body = "a\u{1b}[2K\nb\u{9b}31m\u{202e}\u{2028}c";
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 500 Error\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
    });
    failed(
        &run(folder.path(), &["healthcheck", "--listen", &address]),
        r"/healthz answers 500: a\u{1b}[2K\nb\u{9b}31m\u{202e}\u{2028}c",
    );
    other.join().unwrap();
}

#[test]
fn every_failure_has_the_same_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    failed(
        &run(
            folder,
            &["healthcheck", "--timeout", "1", "--listen", &address],
        ),
        "no complete answer within 1s",
    );
    failed(
        &run(folder, &["healthcheck", "--listen", "127.0.0.1:0"]),
        "the service listens on a free port",
    );
    failed(
        &run(folder, &["healthcheck", "--listen", "3000"]),
        "--listen is \"3000\"",
    );
    std::fs::write(folder.join("quarry.toml"), "lisen = 1\n").unwrap();
    failed(&run(folder, &["healthcheck"]), "did you mean `listen`?");
}
