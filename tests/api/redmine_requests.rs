//! Requests as other programs send them to Redmine.

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::{Response, World};
use serde_json::json;

/// Encodes a text in UTF-16, little endian, with a byte order mark.
fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn bodies_are_read_in_the_encodings_and_types_that_programs_send() {
    let world = World::with_projects();
    let bob = world.as_user("bob");
    let xml = |encoding: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{encoding}\"?><issue><project_id>open</project_id><subject>Größe</subject></issue>"
        )
    };
    let latin: Vec<u8> = xml("ISO-8859-1").chars().map(|c| c as u8).collect();
    let form = "--x\r\nContent-Disposition: form-data; name=\"issue[project_id]\"\r\n\r\nopen\r\n\
                --x\r\nContent-Disposition: form-data; name=\"issue[subject]\"\r\n\r\nGröße\r\n--x--\r\n";
    let json = "{\"issue\":{\"project_id\":\"open\",\"subject\":\"Größe\"}}";
    for (content_type, body) in [
        ("application/xml", latin),
        ("text/xml", utf_16(&xml("UTF-16"))),
        ("multipart/form-data; boundary=x", form.as_bytes().to_vec()),
        ("text/x-json", json.as_bytes().to_vec()),
    ] {
        bob.send(Method::POST, "/issues.json", Some(content_type), body)
            .assert_status(201)
            .assert_json_path("/issue/subject", "Größe");
    }
    let other = xml("ISO-8859-2").into_bytes();
    bob.send(Method::POST, "/issues.json", Some("application/xml"), other)
        .assert_status(400)
        .assert_contains("the encoding `ISO-8859-2` is not accepted");
    let broken = b"<\0?\0\xd8".to_vec();
    bob.send(
        Method::POST,
        "/issues.json",
        Some("application/xml"),
        broken,
    )
    .assert_status(400);
}

#[test]
fn requests_without_a_body_may_have_the_content_type_of_a_form() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let alice = world.as_user("alice");
    let path = format!("/issues/{id}.json");
    let send = |method| {
        alice.send(
            method,
            &path,
            Some("multipart/form-data; boundary=x"),
            vec![],
        )
    };
    send(Method::GET).assert_status(200);
    send(Method::DELETE).assert_status(200);
}

#[test]
fn include_can_be_repeated() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let issue = world.as_user("admin").get(&format!(
        "/issues/{id}.json?include[]=journals&include[]=watchers,attachments"
    ));
    for name in ["journals", "watchers", "attachments"] {
        assert!(issue.json()["issue"][name].is_array(), "{name}");
    }
}

#[test]
fn missing_records_that_redmine_leaves_to_its_framework_have_its_error() {
    let world = World::with_projects();
    world.set(Setting::RedmineCompatibility, "1");
    let admin = world.as_user("admin");
    let group = admin
        .post("/groups.json", json!({"group": {"name": "Quality"}}))
        .assert_status(201)
        .json_path("/group/id");
    let is_of_framework = |answer: &Response| {
        let error = "{\"status\":404,\"error\":\"Not Found\"";
        answer.status == 404 && answer.body.starts_with(error)
    };
    let text = json!({"wiki_page": {"text": "t"}});
    let page = admin.put("/projects/open/wiki/dots.in.title.json", text);
    assert!(is_of_framework(&page), "{page:?}");
    for (path, expected) in [
        ("/time_entries/abc.json", true),
        ("/time_entries/999.json", false),
        (&format!("/groups/{group}/users/999.json"), true),
        ("/groups/999/users/2.json", false),
    ] {
        let answer = admin.delete(path);
        assert_eq!(is_of_framework(&answer), expected, "{path}: {answer:?}");
        let is_empty = answer.status == 404 && answer.body.is_empty();
        assert_eq!(is_empty, !expected, "{path}: {answer:?}");
    }
}
