//! `GET /attachments/download/:id/:filename`

use super::{attaching, file, upload, world};
use crate::world::Answer;
use axum::http::Method;
use quarry::actions::attachments::NewUpload;
use quarry::domain::kind::Kind;

#[test]
fn a_file_is_saved_and_never_shown() {
    let world = world();
    let token = upload(&world, "bob", "page.html", "<script>alert(1)</script>");
    let id = super::attach(&world, "bob", Kind::Issue, 1, &token);
    for address in [format!("/attachments/download/{id}"), format!("/attachments/download/{id}/page.html")] {
        let answer = world.as_user("carol").get(&address).expect(200);
        assert_eq!(answer.body, "<script>alert(1)</script>");
        let wanted = [
            ("content-type", "text/html"),
            ("content-length", "25"),
            ("content-disposition", "attachment; filename=\"page.html\"; filename*=UTF-8''page.html"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
            ("cache-control", "private, no-cache"),
            ("accept-ranges", "bytes"),
        ];
        for (name, value) in wanted {
            assert_eq!(answer.header(name), value, "{name}");
        }
        assert_eq!(answer.tag, format!("\"{}\"", token.split_once('.').unwrap().1));
        let head = world.as_user("carol").send(Method::HEAD, &address, None, Vec::new()).expect(200);
        assert_eq!((head.body.as_str(), head.header("content-length")), ("", "25"));
    }
}

#[test]
fn its_name_is_part_of_its_address_whatever_it_ends_with() {
    let world = world();
    for name in ["report.json", "a.xml", "no-ending", "a.b.c", "%C3%BC%20%2B%25.txt", ".hidden", "a.html"] {
        let id = file(&world, "bob", Kind::Issue, 1, name, "content");
        let bob = world.as_user("bob");
        let shown = bob.get(&format!("/attachments/{id}.json")).expect(200).json()["attachment"].clone();
        let address = shown["content_url"].as_str().unwrap().strip_prefix("http://quarry.test").unwrap().to_owned();
        assert_eq!(bob.get(&address).expect(200).body, "content", "{address}");
        for accept in ["text/html", "application/json", "application/xml", "*/*"] {
            assert_eq!(bob.clone().with("Accept", accept).get(&address).expect(200).body, "content");
        }
        for wrong in ["wrong.txt", &format!("{name}.json"), "A.XML", "%2e%2e", "a%2Fb"] {
            let _ = bob.get(&format!("/attachments/download/{id}/{wrong}")).expect(404);
        }
        let _ = bob.get(&format!("/attachments/download/{id}/{name}/more")).expect(404);
        let _ = bob.get(&format!("/attachments/download/{id}.json")).expect(404);
    }
    let _ = world.as_user("bob").get("/attachments/download/1/%FF").expect(400);
}

#[test]
fn whoever_may_not_see_it_learns_nothing_of_its_name() {
    let world = world();
    let id = file(&world, "alice", Kind::Issue, 2, "a.txt", "x");
    for address in [format!("/attachments/download/{id}/a.txt"), format!("/attachments/download/{id}/b.txt")] {
        let answer = world.as_user("dave").get(&address).expect(403);
        assert!(answer.content_type.starts_with("application/json"), "{answer:?}");
        let answer = world.as_user("dave").with("Accept", "text/html").get(&address).expect(403);
        assert!(answer.content_type.starts_with("text/html"), "{answer:?}");
        let _ = world.anonymous().get(&address).expect(401);
    }
}

#[test]
fn a_part_and_what_is_known_already() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "digits", "0123456789");
    let address = format!("/attachments/download/{id}/digits");
    let tag = world.as_user("bob").get(&address).expect(200).tag;
    let asked = |name: &str, value: &str| -> Answer { world.as_user("bob").with(name, value).get(&address) };
    let part = asked("Range", "bytes=2-4").expect(206);
    assert_eq!((part.body.as_str(), part.header("content-range"), part.header("content-length")), ("234", "bytes 2-4/10", "3"));
    assert_eq!(asked("Range", "bytes=-3").expect(206).body, "789");
    assert_eq!(asked("Range", "bytes=0-1,3-4").expect(200).body, "0123456789");
    let nowhere = asked("Range", "bytes=10-").expect(416);
    assert_eq!((nowhere.body.as_str(), nowhere.header("content-range")), ("", "bytes */10"));
    let known = asked("If-None-Match", &format!("\"other\", W/{tag}")).expect(304);
    assert_eq!((known.body.as_str(), known.tag.as_str()), ("", tag.as_str()));
    assert_eq!(asked("If-None-Match", "\"other\"").expect(200).body.len(), 10);
    let goes_on = |if_range: &str| world.as_user("bob").with("If-Range", if_range).with("Range", "bytes=8-").get(&address);
    assert_eq!((goes_on(&tag).expect(206).body, goes_on("\"other\"").expect(200).body), ("89".to_owned(), "0123456789".to_owned()));
}

#[test]
fn a_large_file_comes_whole() {
    let world = world();
    let content: String = (0..400_000).map(|n| char::from(b'a' + u8::try_from(n % 26).unwrap())).collect();
    let id = file(&world, "bob", Kind::Issue, 1, "large", &content);
    let bob = world.as_user("bob");
    assert!(bob.get(&format!("/attachments/download/{id}")).expect(200).body == content);
    let part = bob.clone().with("Range", "bytes=130000-270000").get(&format!("/attachments/download/{id}")).expect(206);
    assert!(part.body == content[130_000..=270_000]);
}

#[test]
fn without_its_content_a_file_is_described_but_not_sent() {
    let world = world();
    let id = file(&world, "bob", Kind::Issue, 1, "a.txt", "x");
    std::fs::remove_dir_all(world.app.config.data.join("files")).unwrap();
    let _ = world.as_user("bob").get(&format!("/attachments/{id}.json")).expect(200);
    let _ = world.as_user("bob").get(&format!("/attachments/download/{id}")).expect(404);
    let again = upload(&world, "bob", "a.txt", "x");
    attaching(&world, "bob", Kind::Issue, 1, vec![NewUpload { token: again, ..NewUpload::default() }]).unwrap();
    assert_eq!(world.as_user("bob").get(&format!("/attachments/download/{id}")).expect(200).body, "x", "the same content heals it");
}
