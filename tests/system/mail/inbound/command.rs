//! `quarry mail receive`: the exit codes for the mail server.

use super::{KEY, address, enable, issue, mail};
use quarry_world::World;
use quarry_world::process::{Service, message, quarry, run};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;

/// Passes a mail to the service at an address. Returns the exit code and what was printed.
fn receive(url: &str, key_file: &Path, mail: &[u8]) -> (i32, String) {
    let mut child = quarry(&["mail", "receive", "--url", url, "--key-file"])
        .arg(key_file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(mail);
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.is_empty());
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn key_file(folder: &Path, key: &str) -> std::path::PathBuf {
    let path = folder.join(format!("key-{}", key.len()));
    std::fs::write(&path, format!("{key}\n")).unwrap();
    path
}

/// Answers each connection with these bytes, and returns the address.
fn answering(answer: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut bytes = [0; 4096];
            let _ = stream.read(&mut bytes);
            let _ = stream.write_all(answer);
        }
    });
    format!("http://{address}")
}

#[test]
fn accepted_mail_gives_0_and_refused_ones_say_why() {
    let world = World::with_projects();
    enable(&world);
    let id = world.issue("open").create();
    let to = address(&world, "bob", issue(id));
    let files = tempfile::tempdir().unwrap();
    let right = key_file(files.path(), KEY);
    let wrong = key_file(files.path(), "wrong");
    let data = world.into_data();
    let service = Service::start(&mut data.quarry(&["serve"]));
    let url = format!("http://{}", service.address);
    let text = mail("bob", &to, "", "by pipe");
    assert_eq!(receive(&url, &right, text.as_bytes()), (0, String::new()));
    assert_eq!(
        receive(&format!("{url}/"), &right, text.as_bytes()).0,
        0,
        "again"
    );
    let bytes = mail("bob", &to, "", "GRUSS")
        .replace("utf-8", "iso-8859-1")
        .into_bytes();
    let bytes: Vec<u8> = bytes
        .into_iter()
        .map(|byte| if byte == b'U' { 0xfc } else { byte })
        .collect();
    assert_eq!(receive(&url, &right, &bytes).0, 0);
    let (code, printed) = receive(&url, &right, mail("alice", &to, "", "forged").as_bytes());
    assert_eq!(code, 65);
    assert!(
        printed.starts_with("quarry: This mail is not an answer"),
        "{printed}"
    );
    let (code, printed) = receive(&url, &wrong, text.as_bytes());
    assert_eq!(
        (code, printed.trim_end()),
        (75, "quarry: The key is wrong.")
    );
    let (code, printed) = receive(&url, &right, &vec![b'a'; 30 * 1024 * 1024 + 1]);
    assert_eq!(
        (code, printed.trim_end()),
        (65, "quarry: the mail is larger than 30 MiB")
    );
    service.terminate();
    assert!(service.ended().0.success());
    assert_eq!(
        receive(&url, &right, text.as_bytes()).0,
        75,
        "the service is gone"
    );
}

#[test]
fn mail_is_kept_whenever_the_service_may_accept_it_later() {
    let files = tempfile::tempdir().unwrap();
    let key = key_file(files.path(), KEY);
    for answer in [
        &b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"[..],
        b"HTTP/1.1 500 Internal Server Error\r\n\r\n",
        b"HTTP/1.1 429 Too Many Requests\r\n\r\n",
        b"HTTP/1.1 303 See Other\r\nLocation: /setup\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\n\r\n",
        b"HTTP/1.1 201",
        b"220 smtp.example.net ESMTP\r\n",
        b"",
    ] {
        let (code, printed) = receive(&answering(answer), &key, b"From: a@b\n\nx");
        assert_eq!(code, 75, "{printed}");
        assert_eq!(printed.lines().count(), 1, "{printed}");
    }
    for url in ["example.net", "http://", "https://127.0.0.1:1"] {
        assert_eq!(receive(url, &key, b"x").0, 75, "{url}");
    }
    let missing = files.path().join("missing");
    let url = "http://127.0.0.1:1";
    assert_eq!(receive(url, &missing, b"x").0, 75);
    std::fs::write(&missing, "\n").unwrap();
    let (code, printed) = receive(url, &missing, b"x");
    assert!(
        code == 75 && printed.contains("has no key: its first line is empty"),
        "{printed}"
    );
}

#[test]
fn mistakes_of_the_set_up_keep_the_mail() {
    let files = tempfile::tempdir().unwrap();
    let key = key_file(files.path(), KEY);
    std::fs::write(files.path().join("quarry.toml"), "body_limit = nonsense").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = quarry(arguments);
        let output = command
            .current_dir(files.path())
            .env("QUARRY_BODY_LIMIT", "nonsense")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        output.status.code().unwrap()
    };
    let key = key.to_str().unwrap();
    let receive = [
        "mail",
        "receive",
        "--url",
        "http://127.0.0.1:1",
        "--key-file",
        key,
    ];
    assert_eq!(run(&receive), 75);
    assert_eq!(
        run(&[&receive[..], &["--config", "missing.toml"]].concat()),
        75
    );
    assert_eq!(run(&[&receive[..], &["--nope"]].concat()), 75);
    assert_eq!(run(&receive[..4]), 75, "a missing option");
    assert_eq!(run(&["mail", "--log", "warn", "receive", "--nope"]), 75);
    assert_eq!(run(&["mail", "receive", "--help"]), 0);
    assert_eq!(run(&["mail", "test", "--nope"]), 2, "only this command");
}

#[test]
fn key_is_hidden_when_the_command_line_sets_it() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.path()));
    service.terminate();
    let output = run(
        folder.path(),
        &["setting", "set", "mail_handler_api_key", "a-secret"],
    );
    let log = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!log.contains("a-secret"), "{log}");
    let _ = message(&output);
}
