//! `GET /projects/:project_id/wiki`, `…/wiki/:title`, `…/wiki/:title/:version`

use super::{page, update, write};
use quarry::domain::access::permission::{Permission, PermissionSet};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::ProjectId;
use quarry::store::administration::roles;
use quarry::store::content::wiki;
use quarry_world::{REPORTER, World};
use serde_json::json;

#[test]
fn page_has_the_same_content_in_json_and_xml() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "h1. <Rocket>\n\nsecond line");
    update(
        &world,
        "bob",
        "open/wiki/Kid%20page",
        json!({"text": "kid", "comments": "first & last", "parent_title": "Wiki"}),
    )
    .assert_status(201);
    let body = world
        .as_user("dave")
        .get("/projects/open/wiki/Kid_page.json")
        .assert_status(200)
        .body;
    let expected = "{\"wiki_page\":{\"title\":\"Kid_page\",\"parent\":{\"title\":\"Wiki\"},\"text\":\"kid\",\"version\":1,\
                  \"author\":{\"id\":3,\"name\":\"bob Tester\"},\"comments\":\"first \\u0026 last\",\"project\":{\"id\":1,\"name\":\"open\"},\
                  \"created_on\":\"2026-11-20T12:00:00Z\",\"updated_on\":\"2026-11-20T12:00:00Z\"}}";
    assert_eq!(body, expected);
    let body = world
        .as_user("dave")
        .get("/projects/open/wiki/Wiki.xml")
        .assert_status(200)
        .body;
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><wiki_page><title>Wiki</title><text>h1. &lt;Rocket&gt;\n\nsecond line</text>\
                  <version>1</version><author id=\"2\" name=\"alice Tester\"/><comments/><project id=\"1\" name=\"open\"/><created_on>2026-11-20T12:00:00Z</created_on>\
                  <updated_on>2026-11-20T12:00:00Z</updated_on></wiki_page>";
    assert_eq!(body, expected);
}

#[test]
fn titles_match_in_any_spelling() {
    let world = World::with_projects();
    write(&world, "open/wiki/child%20page", "child");
    write(&world, "open/wiki/%C3%84hre%20%C3%96l", "corn");
    for path in [
        "Child_Page",
        "child_page",
        "CHILD%20PAGE",
        "child%20%20page",
        "Child%2C_page%3A",
    ] {
        assert_eq!(
            page(&world, &format!("open/wiki/{path}"))["title"],
            "Child_page",
            "{path}"
        );
    }
    // Case differences, and combining marks as separate characters.
    for path in [
        "%C3%A4hre_%C3%B6l",
        "%C3%84HRE_%C3%96L",
        "a%CC%88hre_o%CC%88l",
    ] {
        assert_eq!(
            page(&world, &format!("1/wiki/{path}"))["text"],
            "corn",
            "{path}"
        );
    }
    for path in ["Ahre_Ol", "Nope", "%3A", "Child.page", "%00", "Child_page_"] {
        world
            .as_user("alice")
            .get(&format!("/projects/open/wiki/{path}.json"))
            .assert_status(404);
    }
    assert_eq!(
        world
            .as_user("alice")
            .get("/projects/open/wiki/Child_page%FF.json")
            .status,
        400
    );
}

#[test]
fn imported_titles_that_differ_in_case_stay_distinct() {
    let world = World::with_projects();
    world.write(|db| {
        let wiki = wiki::insert(db, ProjectId(1))?;
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        for (title, text) in [("Päge", "small"), ("PÄge", "large")] {
            let version = WikiVersion {
                version: 1,
                updated_on: now,
                text: text.to_owned(),
                ..WikiVersion::default()
            };
            wiki::insert_page(
                db,
                &WikiPage {
                    wiki,
                    title: title.to_owned(),
                    created_on: now,
                    ..WikiPage::default()
                },
                &[version],
            )?;
        }
        Ok(())
    });
    assert_eq!(page(&world, "open/wiki/P%C3%A4ge")["text"], "small");
    assert_eq!(page(&world, "open/wiki/P%C3%84ge")["text"], "large");
    let without_author = page(&world, "open/wiki/p%C3%84GE");
    assert_eq!(
        (
            without_author["text"].as_str(),
            without_author.get("author")
        ),
        (Some("large"), None)
    );
}

#[test]
fn old_versions_are_shown_by_number() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "one");
    update(
        &world,
        "bob",
        "open/wiki/Wiki",
        json!({"text": "two", "comments": "better"}),
    )
    .assert_status(200);
    for (path, text, author) in [
        ("Wiki/1.json", "one", 2),
        ("Wiki/2.json", "two", 3),
        ("Wiki.json?version=1", "one", 2),
        ("Wiki.json?version=", "two", 3),
        ("wiki/1.json?include=attachments", "one", 2),
    ] {
        let response = world
            .as_user("dave")
            .get(&format!("/projects/open/wiki/{path}"))
            .assert_status(200)
            .json();
        assert_eq!(response["wiki_page"]["text"], text, "{path}");
        assert_eq!(response["wiki_page"]["author"]["id"], author, "{path}");
    }
    for path in [
        "Wiki/3.json",
        "Wiki/0.json",
        "Wiki/-1.xml",
        "Wiki/abc.json",
        "Wiki.json?version=99",
        "Wiki.json?version=abc",
        "Nope/1.json",
    ] {
        world
            .as_user("dave")
            .get(&format!("/projects/open/wiki/{path}"))
            .assert_status(404);
    }
    world
        .as_user("alice")
        .get("/projects/open/wiki/date_index.json")
        .assert_status(406);
}

#[test]
fn old_versions_require_their_own_permission() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "one");
    update(&world, "alice", "open/wiki/Wiki", json!({"text": "two"})).assert_status(200);
    world.write(|db| {
        roles::set_permissions(
            db,
            REPORTER,
            PermissionSet::NONE.with(Permission::ViewWikiPages),
        )
    });
    world
        .as_user("carol")
        .get("/projects/open/wiki/Wiki.json")
        .assert_status(200);
    for path in ["Wiki/1.json", "Wiki/99.json", "Wiki.xml?version=1"] {
        let response = world
            .as_user("carol")
            .get(&format!("/projects/open/wiki/{path}"))
            .assert_status(403);
        assert!(!response.body.contains("one"), "{response:?}");
    }
}

#[test]
fn wiki_path_shows_the_start_page() {
    let world = World::with_projects();
    world
        .as_user("dave")
        .get("/projects/open/wiki.json")
        .assert_status(404);
    write(&world, "open/wiki/Other", "other");
    world
        .as_user("dave")
        .get("/projects/open/wiki.json")
        .assert_status(404);
    write(&world, "open/wiki/Wiki", "welcome");
    assert_eq!(page(&world, "open/wiki")["text"], "welcome");
    // Managers of the wiki may choose the start page; for others the field is ignored.
    update(
        &world,
        "bob",
        "open/wiki/Other",
        json!({"text": "other", "is_start_page": true}),
    )
    .assert_status(200);
    assert_eq!(page(&world, "open/wiki")["text"], "welcome");
    update(
        &world,
        "alice",
        "open/wiki/Other",
        json!({"text": "other", "is_start_page": "1"}),
    )
    .assert_status(200);
    assert_eq!(page(&world, "open/wiki")["text"], "other");
}

#[test]
fn show_requires_permission() {
    let world = World::with_projects();
    write(&world, "secret/wiki/Hidden", "kryptonite");
    for path in [
        "secret/wiki/Hidden",
        "secret/wiki/Nope",
        "secret/wiki",
        "secret/wiki/Hidden/1",
    ] {
        for format in ["json", "xml"] {
            let response = world
                .as_user("dave")
                .get(&format!("/projects/{path}.{format}"))
                .assert_status(403);
            assert!(!response.body.contains("kryptonite"), "{response:?}");
            world
                .anonymous()
                .get(&format!("/projects/{path}.{format}"))
                .assert_status(401);
        }
    }
    world
        .as_user("dave")
        .get("/projects/missing/wiki/Hidden.json")
        .assert_status(404);
    write(&world, "open/wiki/Wiki", "for everybody");
    world
        .anonymous()
        .get("/projects/open/wiki/Wiki.json")
        .assert_status(401);
    world.set(Setting::LoginRequired, "0");
    world
        .anonymous()
        .get("/projects/open/wiki/Wiki.json")
        .assert_status(200);
}
