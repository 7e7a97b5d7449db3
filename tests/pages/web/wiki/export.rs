//! Wiki pages as files.

use super::{save, write};
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::World;
use quarry_world::attachments::file;
use quarry_world::browser::Browser;
use serde_json::json;

const PATH: &str = "/projects/open/wiki/P%C3%BCmp_room";
const TEXT: &str = "# Pümp room\n\n[[Wiki|home]] [out](https://example.net/) ![](pump.png) ![](gone.png)\n\n<script>alert(1)</script> <b onclick=\"x()\">bold</b>";

#[test]
fn page_is_exported_as_a_document_and_as_text() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "start");
    write(&world, "open/wiki/P%C3%BCmp_room", TEXT);
    save(
        &world,
        "open/wiki/P%C3%BCmp_room",
        json!({"text": format!("{TEXT}\n\nMore")}),
    )
    .assert_status(200);
    file(
        &world,
        "alice",
        ContainerType::Record(Kind::WikiPage),
        2,
        "pump.png",
        "not really a picture",
    );
    let dave = Browser::logged_in(&world, "dave");
    let document = dave.get(&format!("{PATH}.html")).assert_status(200);
    let document = document
        .assert_header("content-type", "text/html; charset=utf-8")
        .assert_header(
            "content-disposition",
            "attachment; filename=\"P_mp_room.html\"; filename*=UTF-8''P%C3%BCmp_room.html",
        )
        .assert_contains("<h1>Pümp room</h1>")
        .assert_contains("href=\"http://quarry.test/projects/open/wiki/Wiki\"")
        .assert_contains("href=\"https://example.net/\"")
        .assert_contains("src=\"data:image/png;base64,bm90IHJlYWxseSBhIHBpY3R1cmU=\"")
        .assert_contains("More");
    for hostile in [
        "<script",
        "<b onclick",
        " src=\"/",
        " href=\"/",
        "authenticity_token",
    ] {
        assert!(!document.body.contains(hostile), "{hostile}: {document:?}");
    }
    assert_eq!(
        document.body.matches("Pümp room</h").count(),
        1,
        "{document:?}"
    );
    assert!(
        document
            .header("content-security-policy")
            .contains("sandbox")
    );
    let text = dave.get(&format!("{PATH}.txt")).assert_status(200);
    let text = text.assert_header("content-type", "text/plain; charset=utf-8");
    assert_eq!(text.body, format!("{TEXT}\n\nMore"));
    assert!(
        text.header("content-disposition")
            .starts_with("attachment; filename=\"P_mp_room.txt\"")
    );
    let _ = dave.get(&format!("{PATH}.odt")).assert_status(406);
    let _ = dave
        .get("/projects/open/wiki/Nothing.html")
        .assert_status(404);
    let _ = dave.get(&format!("{PATH}/export/docx")).assert_status(404);
}

#[test]
fn old_versions_are_exported_for_those_who_may_see_them() {
    let world = World::with_projects();
    write(&world, "open/wiki/Manual", "one");
    save(&world, "open/wiki/Manual", json!({"text": "two"})).assert_status(200);
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(
        alice
            .get("/projects/open/wiki/Manual.txt?version=1")
            .assert_status(200)
            .body,
        "one"
    );
    assert_eq!(
        alice
            .get("/projects/open/wiki/Manual.txt")
            .assert_status(200)
            .body,
        "two"
    );
    world.sql("DELETE FROM role_permissions WHERE name = 'view_wiki_edits'");
    let _ = alice
        .get("/projects/open/wiki/Manual.txt?version=1")
        .assert_status(404);
    save(
        &world,
        "open/wiki/Manual",
        json!({"text": "two", "title": "Handbook"}),
    )
    .assert_status(200);
    let moved = alice
        .get("/projects/open/wiki/Manual.html")
        .assert_status(302);
    assert_eq!(moved.location(), "/projects/open/wiki/Handbook.html");
}
