//! `GET /attachments/download/:id/:filename`

use super::{files, lose_file, world};
use axum::http::Method;
use quarry::actions::content::attachments::NewUpload;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::attachments::{attach, attaching, file, upload};
use quarry_world::{Response, World};

#[test]
fn download_forces_saving() {
    let world = world();
    let token = upload(&world, "bob", "page.html", "<script>alert(1)</script>");
    let id = attach(&world, "bob", Kind::Issue, 1, &token);
    for address in [
        format!("/attachments/download/{id}"),
        format!("/attachments/download/{id}/page.html"),
    ] {
        let response = world.as_user("carol").get(&address).assert_status(200);
        assert_eq!(response.body, "<script>alert(1)</script>");
        let expected = [
            ("content-type", "text/html"),
            ("content-length", "25"),
            (
                "content-disposition",
                "attachment; filename=\"page.html\"; filename*=UTF-8''page.html",
            ),
            ("x-content-type-options", "nosniff"),
            (
                "content-security-policy",
                "default-src 'none'; frame-ancestors 'none'; sandbox",
            ),
            ("cache-control", "private, no-cache"),
            ("accept-ranges", "bytes"),
        ];
        for (name, value) in expected {
            assert_eq!(response.header(name), value, "{name}");
        }
        assert_eq!(
            response.header("etag"),
            format!("\"{}\"", token.split_once('.').unwrap().1)
        );
        let head = world
            .as_user("carol")
            .send(Method::HEAD, &address, None, Vec::new())
            .assert_status(200);
        assert_eq!(
            (head.body.as_str(), head.header("content-length")),
            ("", "25")
        );
    }
}

#[test]
fn filename_is_part_of_the_path_whatever_its_suffix() {
    let world = world();
    for name in [
        "report.json",
        "a.xml",
        "no-ending",
        "a.b.c",
        "%C3%BC%20%2B%25.txt",
        ".hidden",
        "a.html",
    ] {
        let id = file(&world, "bob", Kind::Issue, 1, name, "content");
        let bob = world.as_user("bob");
        let shown = bob
            .get(&format!("/attachments/{id}.json"))
            .assert_status(200)
            .json_path("/attachment");
        let address = shown["content_url"]
            .as_str()
            .unwrap()
            .strip_prefix("http://quarry.test")
            .unwrap()
            .to_owned();
        assert_eq!(
            bob.get(&address).assert_status(200).body,
            "content",
            "{address}"
        );
        for accept in ["text/html", "application/json", "application/xml", "*/*"] {
            assert_eq!(
                bob.clone()
                    .with("Accept", accept)
                    .get(&address)
                    .assert_status(200)
                    .body,
                "content"
            );
        }
        for wrong in [
            "wrong.txt",
            &format!("{name}.json"),
            "A.XML",
            "%2e%2e",
            "a%2Fb",
        ] {
            bob.get(&format!("/attachments/download/{id}/{wrong}"))
                .assert_status(404);
        }
        bob.get(&format!("/attachments/download/{id}/{name}/more"))
            .assert_status(404);
        bob.get(&format!("/attachments/download/{id}.json"))
            .assert_status(404);
    }
    world
        .as_user("bob")
        .get("/attachments/download/1/%FF")
        .assert_status(400);
}

#[test]
fn hidden_download_is_answered_like_a_missing_one() {
    let world = world();
    let id = file(&world, "alice", Kind::Issue, 2, "a.txt", "x");
    for address in [
        format!("/attachments/download/{id}/a.txt"),
        format!("/attachments/download/{id}/b.txt"),
        "/attachments/download/9999/a.txt".to_owned(),
        "/attachments/thumbnail/9999".to_owned(),
    ] {
        let response = world.as_user("dave").get(&address).assert_status(404);
        assert!(
            response.content_type().starts_with("application/json"),
            "{response:?}"
        );
        let response = world
            .as_user("dave")
            .with("Accept", "text/html")
            .get(&address)
            .assert_status(404);
        assert!(
            response.content_type().starts_with("text/html"),
            "{response:?}"
        );
        world.anonymous().get(&address).assert_status(401);
    }
}

fn get_with_header(world: &World, address: &str, name: &str, value: &str) -> Response {
    world.as_user("bob").with(name, value).get(address)
}

fn get_rest(world: &World, address: &str, if_range: &str) -> Response {
    world
        .as_user("bob")
        .with("If-Range", if_range)
        .with("Range", "bytes=8-")
        .get(address)
}

#[test]
fn range_and_conditional_requests_work() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "digits", "0123456789");
    let address = format!("/attachments/download/{id}/digits");
    let tag = world
        .as_user("bob")
        .get(&address)
        .assert_status(200)
        .header("etag")
        .to_owned();
    let part = get_with_header(&world, &address, "Range", "bytes=2-4").assert_status(206);
    assert_eq!(
        (
            part.body.as_str(),
            part.header("content-range"),
            part.header("content-length")
        ),
        ("234", "bytes 2-4/10", "3")
    );
    assert_eq!(
        get_with_header(&world, &address, "Range", "bytes=-3")
            .assert_status(206)
            .body,
        "789"
    );
    assert_eq!(
        get_with_header(&world, &address, "Range", "bytes=0-1,3-4")
            .assert_status(200)
            .body,
        "0123456789"
    );
    let nowhere = get_with_header(&world, &address, "Range", "bytes=10-").assert_status(416);
    assert_eq!(
        (nowhere.body.as_str(), nowhere.header("content-range")),
        ("", "bytes */10")
    );
    let known = get_with_header(
        &world,
        &address,
        "If-None-Match",
        &format!("\"other\", W/{tag}"),
    )
    .assert_status(304);
    assert_eq!(
        (known.body.as_str(), known.header("etag")),
        ("", tag.as_str())
    );
    assert_eq!(
        get_with_header(&world, &address, "If-None-Match", "\"other\"")
            .assert_status(200)
            .body
            .len(),
        10
    );
    assert_eq!(
        (
            get_rest(&world, &address, &tag).assert_status(206).body,
            get_rest(&world, &address, "\"other\"")
                .assert_status(200)
                .body
        ),
        ("89".to_owned(), "0123456789".to_owned())
    );
}

#[test]
fn large_file_is_complete() {
    let world = world();
    let content: String = (0..400_000)
        .map(|n| char::from(b'a' + u8::try_from(n % 26).unwrap()))
        .collect();
    let id = file(&world, "bob", Kind::Issue, 1, "large", &content);
    let bob = world.as_user("bob");
    assert!(
        bob.get(&format!("/attachments/download/{id}"))
            .assert_status(200)
            .body
            == content
    );
    let part = bob
        .clone()
        .with("Range", "bytes=130000-270000")
        .get(&format!("/attachments/download/{id}"))
        .assert_status(206);
    assert!(part.body == content[130_000..=270_000]);
}

#[test]
fn file_with_missing_content_is_not_found_until_the_content_is_back() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    for file in files(&world) {
        lose_file(&world, &file[3..]);
    }
    world
        .as_user("bob")
        .get(&format!("/attachments/{id}.json"))
        .assert_status(404);
    world
        .as_user("bob")
        .get(&format!("/attachments/download/{id}"))
        .assert_status(404);
    let again = upload(&world, "bob", "a.txt", "x");
    attaching(
        &world,
        "bob",
        Kind::Issue,
        1,
        vec![NewUpload {
            token: again,
            ..NewUpload::default()
        }],
    )
    .unwrap();
    assert_eq!(
        world
            .as_user("bob")
            .get(&format!("/attachments/download/{id}"))
            .assert_status(200)
            .body,
        "x",
        "the same content heals it"
    );
}
