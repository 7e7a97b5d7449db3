//! What is answered.

use super::{OF_NOTHING, is_empty, send};
use crate::attachments::{files, upload};
use crate::world::World;
use axum::http::Method;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quarry::domain::setting::Setting;

const HELLO: &str = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

#[test]
fn a_file_is_answered_with_its_token() {
    let world = World::new();
    let alice = world.as_user("alice");
    let answer = send(&alice, "/uploads.json?filename=hello.txt", "hello world").expect(201);
    assert_eq!(answer.body, format!("{{\"upload\":{{\"id\":1,\"token\":\"1.{HELLO}\"}}}}"));
    assert_eq!(answer.location, "http://quarry.test/attachments/1");
    let answer = send(&alice, "/uploads.xml?filename=h%C3%A9llo%20w.txt&content_type=text/csv", "hello world").expect(201);
    let wanted = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><upload><id>2</id><token>2.{HELLO}</token></upload>");
    assert_eq!(answer.body, wanted);
    assert_eq!(files(&world), [format!("b9/{HELLO}")]);
    let kept = alice.get("/attachments/2.json").expect(200).json()["attachment"].clone();
    assert_eq!((kept["filename"].as_str(), kept["content_type"].as_str()), (Some("héllo w.txt"), Some("text/csv")));
    assert_eq!((kept["filesize"].as_i64(), kept["description"].as_str()), (Some(11), Some("")));
}

#[test]
fn nothing_is_a_content_too() {
    let world = World::new();
    let answer = send(&world.as_user("dave"), "/uploads.json?filename=empty.txt", "").expect(201);
    assert_eq!(answer.json()["upload"]["token"], format!("1.{OF_NOTHING}"));
    assert_eq!(files(&world), [format!("e3/{OF_NOTHING}")]);
    let answer = world.as_user("dave").get("/attachments/download/1").expect(200);
    assert_eq!((answer.body.as_str(), answer.header("content-length")), ("", "0"));
}

#[test]
fn without_a_name_it_gets_one() {
    let world = World::new();
    let alice = world.as_user("alice");
    for (id, query) in [(1, ""), (2, "?filename="), (3, "?filename=%20")] {
        let _ = send(&alice, &format!("/uploads.json{query}"), "x").expect(201);
        let name = alice.get(&format!("/attachments/{id}.json")).expect(200).json()["attachment"]["filename"].clone();
        assert!(name.as_str().is_some_and(|name| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())), "{name}");
    }
}

#[test]
fn names_lead_nowhere_and_can_be_shown() {
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
        let id = send(&alice, &format!("/uploads.json?filename={sent}"), "x").expect(201).json()["upload"]["id"].clone();
        let file = alice.get(&format!("/attachments/{id}.json")).expect(200).json()["attachment"].clone();
        assert_eq!(file["filename"], kept);
        let address = file["content_url"].as_str().unwrap().strip_prefix("http://quarry.test").unwrap().to_owned();
        let answer = alice.get(&address).expect(200);
        assert_eq!(answer.body, "x");
        assert!(answer.header("content-disposition").starts_with("attachment; filename=\""), "{answer:?}");
    }
    let long = |count: usize| format!("/uploads.json?filename={}", "n".repeat(count));
    let _ = send(&alice, &long(255), "x").expect(201);
    assert_eq!(send(&alice, &long(300), "y").expect(422).errors(), ["File is too long (maximum is 255 characters)"]);
    assert_eq!(send(&alice, "/uploads.xml?filename=a%2F", "y").expect(422).errors(), ["File cannot be blank"]);
    let answer = send(&alice, "/uploads.json?filename=a&content_type=text%0D%0A", "y").expect(422);
    assert_eq!(answer.errors(), ["Content type is invalid (a media type such as text/plain is expected)"]);
    assert_eq!(files(&world).len(), 1, "what was refused has left nothing");
}

#[test]
fn whoever_is_logged_in_may_send() {
    let world = World::new();
    let address = "/uploads.json?filename=x.txt";
    for login in ["admin", "alice", "dave"] {
        let _ = send(&world.as_user(login), address, "x").expect(201);
    }
    let _ = send(&world.as_user("erin"), address, "y").expect(401);
    let _ = send(&world.anonymous(), address, "y").expect(401);
    world.set(Setting::LoginRequired, "0");
    let answer = send(&world.anonymous(), address, "y").expect(401);
    assert_eq!(answer.authenticate, "Basic realm=\"Quarry API\", charset=\"UTF-8\"");
    let _ = send(&world.anonymous().basic("bob", "bobbobbob"), address, "x").expect(201);
    let _ = send(&world.anonymous().basic("bob", "wrong"), address, "y").expect(401);
    world.set(Setting::RestApiEnabled, "0");
    let _ = send(&world.as_user("alice"), address, "y").expect(401);
    assert_eq!(files(&world).len(), 1);
}

#[test]
fn only_bytes_are_taken() {
    let world = World::new();
    let alice = world.as_user("alice");
    for kind in [Some("text/plain"), Some("application/json"), Some("multipart/form-data; boundary=x"), Some(""), None] {
        let answer = alice.send(Method::POST, "/uploads.json?filename=x.txt", kind, b"{}".to_vec()).expect(406);
        assert!(answer.errors()[0].contains("application/octet-stream"), "{answer:?}");
    }
    let answer = alice.send(Method::POST, "/uploads.xml", Some("text/plain"), b"x".to_vec()).expect(406);
    assert!(answer.content_type.starts_with("application/xml"));
    let _ = send(&alice, "/uploads.yaml", "x").expect(406);
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let _ = alice.send(method, "/uploads.json", Some("application/octet-stream"), b"x".to_vec()).expect(404);
    }
    let _ = send(&alice, "/uploads.json?filename=%FF", "x").expect(400);
    assert!(is_empty(&world));
    let _ = alice.send(Method::POST, "/uploads.json", Some("Application/Octet-Stream; x=y"), b"x".to_vec()).expect(201);
}

#[test]
fn the_size_is_bounded_by_its_own_setting() {
    let world = World::new();
    world.set(Setting::AttachmentMaxSize, "1");
    let alice = world.as_user("alice");
    let answer = send(&alice, "/uploads.json?filename=big", vec![b'x'; 1025]).expect(422);
    assert_eq!(answer.errors(), ["This file cannot be uploaded because it exceeds the maximum allowed file size (1024)"]);
    let answer = send(&alice, "/uploads.xml?filename=big", vec![b'x'; 100_000]).expect(422);
    assert!(answer.body.starts_with("<?xml"), "{answer:?}");
    assert!(is_empty(&world));
    let _ = send(&alice, "/uploads.json?filename=big", vec![b'x'; 1024]).expect(201);
    // Other bodies are bounded to 1 MiB here.
    world.set(Setting::AttachmentMaxSize, "3000");
    let _ = send(&alice, "/uploads.json?filename=big", vec![b'y'; 3_072_000]).expect(201);
    assert_eq!(alice.get("/attachments/2.json").expect(200).json()["attachment"]["filesize"], 3_072_000);
    assert_eq!(alice.get("/attachments/download/2/big").expect(200).body.len(), 3_072_000);
    let _ = upload(&world, "alice", "small", "z");
}

#[test]
fn whatever_the_name_the_file_comes_back() {
    let world = World::new();
    let alice = world.as_user("alice");
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&("\\PC{0,20}|.{0,300}", "[a-z/+;=\" é\r\n-]{0,20}"), |(name, kind)| {
        let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let address = format!("/uploads.json?filename={}&content_type={}", encoded(&name), encoded(&kind));
        let answer = send(&alice, &address, "the content");
        prop_assert!([201, 422].contains(&answer.status), "{answer:?}");
        if answer.status == 201 {
            let id = answer.json()["upload"]["id"].clone();
            let file = alice.get(&format!("/attachments/{id}.json")).expect(200).json()["attachment"].clone();
            let address = file["content_url"].as_str().unwrap().strip_prefix("http://quarry.test").unwrap().to_owned();
            let answer = alice.get(&address);
            prop_assert!(answer.status == 200 && answer.body == "the content", "{file} {answer:?}");
            prop_assert!(answer.header("content-disposition").starts_with("attachment; filename="), "{answer:?}");
            prop_assert_eq!(answer.header("content-type"), file["content_type"].as_str().unwrap());
        }
        Ok(())
    });
    outcome.unwrap();
}
