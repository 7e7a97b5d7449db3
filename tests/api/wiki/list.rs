//! `GET /projects/:project_id/wiki/index`

use super::{titles, update, write};
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::ProjectStatus;
use quarry::store::projects;
use quarry_world::World;
use serde_json::json;

#[test]
fn pages_are_sorted_by_title() {
    let world = World::with_projects();
    for title in [
        "open/wiki/zebra",
        "open/wiki/Apple",
        "open/wiki/apricot",
        "open/wiki/%C3%84hre",
        "secret/wiki/Hidden",
    ] {
        write(&world, title, "text");
    }
    assert_eq!(titles(&world), ["Apple", "Apricot", "Zebra", "Ähre"]);
    // The list has no pagination.
    let all = world
        .as_user("dave")
        .get("/projects/open/wiki/index.json?limit=1&offset=1")
        .assert_status(200);
    assert_eq!(all.array("/wiki_pages").len(), 4);
}

#[test]
fn page_has_the_same_fields_in_json_and_xml() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "root");
    update(
        &world,
        "alice",
        "open/wiki/Kid",
        json!({"text": "kid", "parent_title": "wiki"}),
    )
    .assert_status(201);
    let body = world
        .as_user("dave")
        .get("/projects/1/wiki/index.json")
        .assert_status(200)
        .body;
    let expected = "{\"wiki_pages\":[\
                  {\"title\":\"Kid\",\"parent\":{\"title\":\"Wiki\"},\"version\":1,\"created_on\":\"2026-11-20T12:00:00Z\",\"updated_on\":\"2026-11-20T12:00:00Z\"},\
                  {\"title\":\"Wiki\",\"parent\":null,\"version\":1,\"created_on\":\"2026-11-20T12:00:00Z\",\"updated_on\":\"2026-11-20T12:00:00Z\"}]}";
    assert_eq!(body, expected);
    let body = world
        .as_user("dave")
        .get("/projects/open/wiki/index.xml")
        .assert_status(200)
        .body;
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><wiki_pages type=\"array\">\
                  <wiki_page><title>Kid</title><parent title=\"Wiki\"/><version>1</version><created_on>2026-11-20T12:00:00Z</created_on>\
                  <updated_on>2026-11-20T12:00:00Z</updated_on></wiki_page>\
                  <wiki_page><title>Wiki</title><parent/><version>1</version><created_on>2026-11-20T12:00:00Z</created_on>\
                  <updated_on>2026-11-20T12:00:00Z</updated_on></wiki_page></wiki_pages>";
    assert_eq!(body, expected);
}

#[test]
fn project_without_pages_has_an_empty_list() {
    let world = World::with_projects();
    assert_eq!(
        world
            .as_user("dave")
            .get("/projects/open/wiki/index.json")
            .assert_status(200)
            .body,
        r#"{"wiki_pages":[]}"#
    );
    let xml = world
        .as_user("dave")
        .get("/projects/open/wiki/index.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.ends_with("<wiki_pages type=\"array\"></wiki_pages>"),
        "{xml}"
    );
}

#[test]
fn list_requires_permission() {
    let world = World::with_projects();
    write(&world, "secret/wiki/Hidden", "kryptonite");
    for format in ["json", "xml"] {
        let response = world
            .as_user("dave")
            .get(&format!("/projects/secret/wiki/index.{format}"))
            .assert_status(403);
        assert!(!response.body.contains("Hidden"), "{response:?}");
        world
            .anonymous()
            .get(&format!("/projects/secret/wiki/index.{format}"))
            .assert_status(401);
        world
            .as_user("dave")
            .get(&format!("/projects/missing/wiki/index.{format}"))
            .assert_status(404);
    }
    let project = quarry::domain::ids::ProjectId(2);
    world.write(move |db| {
        projects::set_modules(
            db,
            project,
            [Module::IssueTracking].into_iter().collect::<ModuleSet>(),
        )
    });
    world
        .as_user("alice")
        .get("/projects/secret/wiki/index.json")
        .assert_status(403);
    let open = quarry::domain::ids::ProjectId(1);
    world.write(move |db| projects::set_status(db, open, ProjectStatus::Archived));
    world
        .as_user("admin")
        .get("/projects/open/wiki/index.json")
        .assert_status(403);
}

#[test]
fn project_without_a_wiki_is_not_found() {
    let world = World::with_projects();
    for project in [1, 2] {
        let project = quarry::domain::ids::ProjectId(project);
        world.write(move |db| {
            projects::set_modules(
                db,
                project,
                [Module::IssueTracking].into_iter().collect::<ModuleSet>(),
            )
        });
    }
    for format in ["json", "xml"] {
        for page in ["index", "Wiki"] {
            world
                .as_user("alice")
                .get(&format!("/projects/secret/wiki/{page}.{format}"))
                .assert_status(404);
            world
                .as_user("dave")
                .get(&format!("/projects/open/wiki/{page}.{format}"))
                .assert_status(404);
            world
                .as_user("dave")
                .get(&format!("/projects/secret/wiki/{page}.{format}"))
                .assert_status(403);
        }
    }
    update(&world, "alice", "open/wiki/New", json!({"text": "text"})).assert_status(403);
}
