//! Responses to uploads.

use super::{OF_NOTHING, is_empty, send};
use crate::attachments::files;
use axum::http::Method;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quarry::domain::administration::setting::Setting;
use quarry_world::attachments::upload;
use quarry_world::{World, percent_encode};
use serde_json::json;

const HELLO: &str = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

#[test]
fn upload_returns_a_token() {
    let world = World::new();
    let alice = world.as_user("alice");
    let response =
        send(&alice, "/uploads.json?filename=hello.txt", "hello world").assert_status(201);
    assert_eq!(
        response.body,
        format!("{{\"upload\":{{\"id\":1,\"token\":\"1.{HELLO}\"}}}}")
    );
    assert_eq!(response.location(), "http://quarry.test/attachments/1");
    let response = send(
        &alice,
        "/uploads.xml?filename=h%C3%A9llo%20w.txt&content_type=text/csv",
        "hello world",
    )
    .assert_status(201);
    let expected = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><upload><id>2</id><token>2.{HELLO}</token></upload>"
    );
    assert_eq!(response.body, expected);
    assert_eq!(files(&world), [format!("b9/{HELLO}")]);
    let kept = alice
        .get("/attachments/2.json")
        .assert_status(200)
        .json_path("/attachment");
    assert_eq!(kept["filename"], "héllo w.txt");
    assert_eq!(kept["content_type"], "text/csv");
    assert_eq!(kept["filesize"], 11);
    assert_eq!(kept["description"], serde_json::Value::Null);
}

#[test]
fn unknown_media_type_is_null() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    let issue = world.issue("open").create();
    for (query, expected) in [
        ("filename=noext", json!(null)),
        ("filename=a.unknown&content_type=", json!(null)),
        ("filename=a.txt&content_type=", json!("text/plain")),
        (
            "filename=noext&content_type=application/octet-stream",
            json!("application/octet-stream"),
        ),
    ] {
        let upload = send(&alice, &format!("/uploads.json?{query}"), "x")
            .assert_status(201)
            .json_path("/upload");
        let body = json!({"issue": {"uploads": [{"token": upload["token"], "content_type": ""}]}});
        alice
            .put(&format!("/issues/{issue}.json"), body)
            .assert_status(200);
        let path = format!("/attachments/{}", upload["id"]);
        assert_eq!(
            alice
                .get(&format!("{path}.json"))
                .assert_status(200)
                .json_path("/attachment/content_type"),
            expected,
            "{query}"
        );
        let xml = alice.get(&format!("{path}.xml")).assert_status(200).body;
        assert_eq!(xml.contains("<content_type/>"), expected.is_null(), "{xml}");
        let download = alice
            .get(&format!("/attachments/download/{}", upload["id"]))
            .assert_status(200);
        assert!(
            download
                .content_type()
                .starts_with(expected.as_str().unwrap_or("application/octet-stream")),
            "{download:?}"
        );
    }
    let upload = send(&alice, "/uploads.json?filename=noext", "x")
        .assert_status(201)
        .json_path("/upload");
    let file = alice
        .post(
            "/projects/open/files.json",
            json!({"file": {"token": upload["token"]}}),
        )
        .assert_status(201);
    assert_eq!(file.json_path("/file/content_type"), json!(null));
}

#[test]
fn empty_file_is_accepted() {
    let world = World::new();
    let response = send(
        &world.as_user("dave"),
        "/uploads.json?filename=empty.txt",
        "",
    )
    .assert_status(201);
    assert_eq!(
        response.json()["upload"]["token"],
        format!("1.{OF_NOTHING}")
    );
    assert_eq!(files(&world), [format!("e3/{OF_NOTHING}")]);
    let response = world
        .as_user("dave")
        .get("/attachments/download/1")
        .assert_status(200);
    assert_eq!(
        (response.body.as_str(), response.header("content-length")),
        ("", "0")
    );
}

#[test]
fn upload_without_filename_gets_a_generated_name() {
    let world = World::new();
    let alice = world.as_user("alice");
    for (id, query) in [(1, ""), (2, "?filename="), (3, "?filename=%20")] {
        send(&alice, &format!("/uploads.json{query}"), "x").assert_status(201);
        let name = alice
            .get(&format!("/attachments/{id}.json"))
            .assert_status(200)
            .json_path("/attachment/filename");
        assert!(
            name.as_str().is_some_and(
                |name| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
            ),
            "{name}"
        );
    }
}

fn path_with_long_name(count: usize) -> String {
    format!("/uploads.json?filename={}", "n".repeat(count))
}

#[test]
fn filenames_are_sanitized() {
    let world = World::new();
    let alice = world.as_user("alice");
    let names = [
        ("%22quoted%22%20%27name%27.txt", "_quoted_ _name_.txt"),
        ("line%0D%0Abreak%00.txt", "line_break_.txt"),
        ("..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("C:%5Ctemp%5Ca.txt", "a.txt"),
        ("%E6%97%A5%E6%9C%AC%E8%AA%9E.txt", "日本語.txt"),
        ("report.json", "report.json"),
        ("..", "__"),
    ];
    for (sent, kept) in names {
        let id = send(&alice, &format!("/uploads.json?filename={sent}"), "x")
            .assert_status(201)
            .json_path("/upload/id");
        let file = alice
            .get(&format!("/attachments/{id}.json"))
            .assert_status(200)
            .json_path("/attachment");
        assert_eq!(file["filename"], kept);
        let address = file["content_url"]
            .as_str()
            .unwrap()
            .strip_prefix("http://quarry.test")
            .unwrap()
            .to_owned();
        let response = alice.get(&address).assert_status(200);
        assert_eq!(response.body, "x");
        assert!(
            response
                .header("content-disposition")
                .starts_with("attachment; filename=\""),
            "{response:?}"
        );
    }
    send(&alice, &path_with_long_name(255), "x").assert_status(201);
    send(&alice, &path_with_long_name(300), "y")
        .assert_status(422)
        .assert_errors(&["File is too long (maximum is 255 characters)"]);
    send(&alice, "/uploads.xml?filename=a%2F", "y")
        .assert_status(422)
        .assert_errors(&["File cannot be blank"]);
    let response = send(
        &alice,
        "/uploads.json?filename=a&content_type=text%0D%0A",
        "y",
    )
    .assert_status(422);
    assert_eq!(
        response.errors(),
        ["Content type is invalid (a media type such as text/plain is expected)"]
    );
    assert_eq!(files(&world).len(), 1, "what was refused has left nothing");
}

#[test]
fn upload_requires_login() {
    let world = World::new();
    let address = "/uploads.json?filename=x.txt";
    for login in ["admin", "alice", "dave"] {
        send(&world.as_user(login), address, "x").assert_status(201);
    }
    send(&world.as_user("erin"), address, "y").assert_status(401);
    send(&world.anonymous(), address, "y").assert_status(401);
    world.set(Setting::LoginRequired, "0");
    let response = send(&world.anonymous(), address, "y").assert_status(401);
    assert_eq!(
        response.header("www-authenticate"),
        "Basic realm=\"Quarry API\", charset=\"UTF-8\""
    );
    send(&world.anonymous().basic("bob", "bobbobbob"), address, "x").assert_status(201);
    send(&world.anonymous().basic("bob", "wrong"), address, "y").assert_status(401);
    world.set(Setting::RestApiEnabled, "0");
    send(&world.as_user("alice"), address, "y").assert_status(401);
    assert_eq!(files(&world).len(), 1);
}

#[test]
fn upload_requires_content_type_octet_stream() {
    let world = World::new();
    let alice = world.as_user("alice");
    for kind in [
        Some("text/plain"),
        Some("application/json"),
        Some("multipart/form-data; boundary=x"),
        Some(""),
        None,
    ] {
        let response = alice
            .send(
                Method::POST,
                "/uploads.json?filename=x.txt",
                kind,
                b"{}".to_vec(),
            )
            .assert_status(406);
        assert!(
            response.errors()[0].contains("application/octet-stream"),
            "{response:?}"
        );
    }
    let response = alice
        .send(
            Method::POST,
            "/uploads.xml",
            Some("text/plain"),
            b"x".to_vec(),
        )
        .assert_status(406);
    assert!(response.content_type().starts_with("application/xml"));
    send(&alice, "/uploads.yaml", "x").assert_status(406);
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        alice
            .send(
                method,
                "/uploads.json",
                Some("application/octet-stream"),
                b"x".to_vec(),
            )
            .assert_status(404);
    }
    send(&alice, "/uploads.json?filename=%FF", "x").assert_status(400);
    assert!(is_empty(&world));
    alice
        .send(
            Method::POST,
            "/uploads.json",
            Some("Application/Octet-Stream; x=y"),
            b"x".to_vec(),
        )
        .assert_status(201);
}

#[test]
fn size_is_limited_by_its_own_setting() {
    let world = World::new();
    world.set(Setting::AttachmentMaxSize, "1");
    let alice = world.as_user("alice");
    let response = send(&alice, "/uploads.json?filename=big", vec![b'x'; 1025]).assert_status(422);
    assert_eq!(
        response.errors(),
        ["This file cannot be uploaded because it exceeds the maximum allowed file size (1024)"]
    );
    let response =
        send(&alice, "/uploads.xml?filename=big", vec![b'x'; 100_000]).assert_status(422);
    assert!(response.body.starts_with("<?xml"), "{response:?}");
    assert!(is_empty(&world));
    send(&alice, "/uploads.json?filename=big", vec![b'x'; 1024]).assert_status(201);
    // Other bodies are limited to 1 MiB here.
    world.set(Setting::AttachmentMaxSize, "3000");
    send(&alice, "/uploads.json?filename=big", vec![b'y'; 3_072_000]).assert_status(201);
    alice
        .get("/attachments/2.json")
        .assert_status(200)
        .assert_json_path("/attachment/filesize", 3_072_000);
    assert_eq!(
        alice
            .get("/attachments/download/2/big")
            .assert_status(200)
            .body
            .len(),
        3_072_000
    );
    upload(&world, "alice", "small", "z");
}

#[test]
fn file_with_any_name_can_be_downloaded() {
    let world = World::new();
    let alice = world.as_user("alice");
    let mut runner = TestRunner::new(Config {
        cases: 300,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(
        &("\\PC{0,20}|.{0,300}", "[a-z/+;=\" é\r\n-]{0,20}"),
        |(name, kind)| {
            let address = format!(
                "/uploads.json?filename={}&content_type={}",
                percent_encode(&name),
                percent_encode(&kind)
            );
            let response = send(&alice, &address, "the content");
            prop_assert!([201, 422].contains(&response.status), "{response:?}");
            if response.status == 201 {
                let id = response.json_path("/upload/id");
                let file = alice
                    .get(&format!("/attachments/{id}.json"))
                    .assert_status(200)
                    .json_path("/attachment");
                let address = file["content_url"]
                    .as_str()
                    .unwrap()
                    .strip_prefix("http://quarry.test")
                    .unwrap()
                    .to_owned();
                let response = alice.get(&address);
                prop_assert!(
                    response.status == 200 && response.body == "the content",
                    "{file} {response:?}"
                );
                prop_assert!(
                    response
                        .header("content-disposition")
                        .starts_with("attachment; filename="),
                    "{response:?}"
                );
                prop_assert_eq!(
                    response.header("content-type"),
                    file["content_type"]
                        .as_str()
                        .unwrap_or("application/octet-stream")
                );
            }
            Ok(())
        },
    );
    outcome.unwrap();
}
