//! Uploads over a socket: aborted bodies and a killed service.

use quarry::actions::content::attachments;
use quarry::domain::access::viewer::Viewer;
use quarry::domain::ids::UserId;
use quarry::domain::index_feed::kind::Kind;
use quarry::store::Store;
use quarry_world::data_folder::{self, KEY};
use quarry_world::environment;
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::wait::{TIMEOUT, until};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// Timeout for the service to notice a closed connection.
const SOON: Duration = Duration::from_secs(120);

fn start(folder: &Path) -> Service {
    Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(folder))
}

/// A data directory with an API key of the administrator and a high size limit.
fn prepare(folder: &Path) {
    let first = start(folder);
    first.terminate();
    assert!(first.ended().0.success());
    data_folder::prepare(folder);
    message(&run(
        folder,
        &["setting", "set", "attachment_max_size", "102400"],
    ));
}

/// Sends the head of an upload and a part of its body; returns the connection.
fn begin(address: &str, announced: &str, body: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let head = format!(
        "POST /uploads.json?filename=a.bin HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {KEY}\r\n\
         Content-Type: application/octet-stream\r\n{announced}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    stream
}

fn response(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("files"));
    entries.map_or(Vec::new(), |entries| {
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    })
}

fn is_arriving(folder: &TempDir) -> bool {
    names(folder.path())
        .iter()
        .any(|name| name.starts_with("arriving"))
}

#[test]
fn aborted_upload_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let service = start(folder.path());
    let half = vec![7; 600_000];

    let stream = begin(&service.address, "Content-Length: 1200000", &half);
    until(SOON, "it arrives", || is_arriving(&folder));
    drop(stream);
    until(SOON, "the connection is gone, and so is what came", || {
        !is_arriving(&folder)
    });

    let stream = begin(&service.address, "Content-Length: 1200000", &half);
    until(SOON, "it arrives", || is_arriving(&folder));
    stream.shutdown(Shutdown::Write).unwrap();
    until(SOON, "no more comes, and what came is gone", || {
        !is_arriving(&folder)
    });

    let stream = begin(
        &service.address,
        "Transfer-Encoding: chunked",
        b"5\r\nabcde\r\n7\r\nab",
    );
    until(SOON, "it arrives", || is_arriving(&folder));
    stream.shutdown(Shutdown::Write).unwrap();
    until(SOON, "no more comes, and what came is gone", || {
        !is_arriving(&folder)
    });

    let stream = begin(
        &service.address,
        "Transfer-Encoding: chunked",
        b"5\r\nabcde\r\n0\r\n\r\n",
    );
    assert!(
        response(stream).starts_with("HTTP/1.1 201"),
        "a body without a length is fine"
    );
    assert_eq!(names(folder.path()), ["36"]);
    service.terminate();
    assert!(service.ended().0.success());
}

#[test]
fn upload_survives_a_kill_and_can_be_attached() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut service = start(folder.path());
    let text = response(begin(
        &service.address,
        "Content-Length: 11",
        b"hello world",
    ));
    assert!(text.starts_with("HTTP/1.1 201"), "{text}");
    // Another upload is in progress.
    let stream = begin(
        &service.address,
        "Content-Length: 9000000",
        &vec![1; 3_000_000],
    );
    until(SOON, "it arrives", || {
        names(folder.path())
            .iter()
            .any(|name| name.starts_with("arriving"))
    });
    service.kill();
    drop(stream);

    let service = start(folder.path());
    let key = format!("X-Service-API-Key: {KEY}");
    assert_eq!(
        service.get("/attachments/download/1/a.bin", &[&key]),
        (200, "hello world".to_owned())
    );
    service.terminate();
    assert!(service.ended().0.success());
    let token = "1.b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";
    let store = Store::open(folder.path()).unwrap();
    let attached = store.write::<_, quarry::actions::ActionError>(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(UserId(1)));
        let upload = attachments::NewUpload {
            token: token.to_owned(),
            ..Default::default()
        };
        attachments::attach(db, &viewer, Kind::Project, 1, &[upload])
    });
    assert_eq!(attached.unwrap()[0].filename, "a.bin");
    store.close();

    let service = start(folder.path());
    assert_eq!(
        service.get("/attachments/download/1/a.bin", &[&key]),
        (200, "hello world".to_owned())
    );
    assert!(
        response(begin(&service.address, "Content-Length: 5", b"other"))
            .starts_with("HTTP/1.1 201")
    );
    assert_eq!(
        service.get("/attachments/download/2", &[&key]),
        (200, "other".to_owned())
    );
    service.terminate();
    assert!(service.ended().0.success());
}

/// Uploads and deletes until the service is killed; returns the expected files by id.
fn send_until_it_dies(address: &str, writer: usize, kept: &Mutex<Vec<(String, String)>>) {
    for n in 0..10_000 {
        // Every second content is shared by all.
        let content = if n % 2 == 0 {
            "the same".to_owned()
        } else {
            format!("writer {writer} number {n}")
        };
        let Some(response) = requested(address, "POST /uploads.json?filename=a", &content)
            .filter(|response| response.starts_with("HTTP/1.1 201"))
        else {
            break;
        };
        let id = response
            .split("\"id\":")
            .nth(1)
            .unwrap()
            .split(',')
            .next()
            .unwrap()
            .to_owned();
        if n % 3 == 0 {
            if requested(address, &format!("DELETE /attachments/{id}.json"), "").is_none() {
                break;
            }
        } else {
            kept.lock().unwrap().push((id, content));
        }
    }
}

/// Returns `None` if the service ends before the response is complete.
fn requested(address: &str, what: &str, body: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(SOON)).ok()?;
    let head =
        format!("{what} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {KEY}\r\n");
    let kind = "Content-Type: application/octet-stream";
    write!(
        stream,
        "{head}{kind}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    (text.ends_with('}') || text.contains("content-length: 0")).then_some(text)
}

#[test]
fn killed_service_loses_no_content() {
    /// Number of kills in all rounds.
    const ROUNDS: u64 = 8;
    /// Minimum number of files that each round keeps.
    const EACH_ROUND: usize = 7;
    let rounds = environment::rounds("QUARRY_KILLS", ROUNDS);
    let seed = environment::seed();
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let kept = Mutex::new(Vec::new());
    for round in 0..rounds {
        let mut service = start(folder.path());
        std::thread::scope(|threads| {
            for writer in 0..4 {
                let address = service.address.clone();
                let kept = &kept;
                threads.spawn(move || send_until_it_dies(&address, writer, kept));
            }
            // The kill comes at a different moment of the writes in each round.
            std::thread::sleep(Duration::from_millis(80 + 41 * ((seed + round) % ROUNDS)));
            until(TIMEOUT, "enough is sent", || {
                kept.lock().unwrap().len() >= (round as usize + 1) * EACH_ROUND
            });
            service.kill();
        });
    }
    let kept = kept.into_inner().unwrap();
    let service = start(folder.path());
    let key = format!("X-Service-API-Key: {KEY}");
    let missing = kept
        .iter()
        .filter(|(id, content)| {
            service.get(&format!("/attachments/download/{id}"), &[&key]) != (200, content.clone())
        })
        .count();
    println!(
        "{rounds} kills, {} files answered 201 and not deleted, {missing} missing",
        kept.len()
    );
    assert_eq!(missing, 0);
    service.terminate();
    assert!(service.ended().0.success());
}
