//! `GET /projects/:project_id/wiki/index`

use super::{put, titles, world, write};
use quarry::domain::module::{Module, ModuleSet};
use quarry::domain::project::ProjectStatus;
use quarry::store::projects;
use serde_json::json;

#[test]
fn all_pages_stand_in_the_order_of_the_alphabet() {
    let world = world();
    for title in ["open/wiki/zebra", "open/wiki/Apple", "open/wiki/apricot", "open/wiki/%C3%84hre", "secret/wiki/Hidden"] {
        write(&world, title, "text");
    }
    assert_eq!(titles(&world), ["Apple", "Apricot", "Zebra", "Ähre"]);
    // There is no such thing as a part of this list.
    let all = world.as_user("dave").get("/projects/open/wiki/index.json?limit=1&offset=1").expect(200);
    assert_eq!(all.json()["wiki_pages"].as_array().unwrap().len(), 4);
}

#[test]
fn a_page_has_the_same_fields_in_both_formats() {
    let world = world();
    write(&world, "open/wiki/Wiki", "root");
    let _ = put(&world, "alice", "open/wiki/Kid", json!({"text": "kid", "parent_title": "wiki"})).expect(201);
    let body = world.as_user("dave").get("/projects/1/wiki/index.json").expect(200).body;
    let wanted = "{\"wiki_pages\":[\
                  {\"title\":\"Kid\",\"parent\":{\"title\":\"Wiki\"},\"version\":1,\"created_on\":\"2026-11-20T12:00:00Z\",\"updated_on\":\"2026-11-20T12:00:00Z\"},\
                  {\"title\":\"Wiki\",\"parent\":null,\"version\":1,\"created_on\":\"2026-11-20T12:00:00Z\",\"updated_on\":\"2026-11-20T12:00:00Z\"}]}";
    assert_eq!(body, wanted);
    let body = world.as_user("dave").get("/projects/open/wiki/index.xml").expect(200).body;
    let wanted = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><wiki_pages type=\"array\">\
                  <wiki_page><title>Kid</title><parent title=\"Wiki\"/><version>1</version><created_on>2026-11-20T12:00:00Z</created_on>\
                  <updated_on>2026-11-20T12:00:00Z</updated_on></wiki_page>\
                  <wiki_page><title>Wiki</title><parent/><version>1</version><created_on>2026-11-20T12:00:00Z</created_on>\
                  <updated_on>2026-11-20T12:00:00Z</updated_on></wiki_page></wiki_pages>";
    assert_eq!(body, wanted);
}

#[test]
fn a_project_without_pages_has_an_empty_list() {
    let world = world();
    assert_eq!(world.as_user("dave").get("/projects/open/wiki/index.json").expect(200).body, r#"{"wiki_pages":[]}"#);
    let xml = world.as_user("dave").get("/projects/open/wiki/index.xml").expect(200).body;
    assert!(xml.ends_with("<wiki_pages type=\"array\"></wiki_pages>"), "{xml}");
}

#[test]
fn who_may_not_see_the_wiki_sees_no_list() {
    let world = world();
    write(&world, "secret/wiki/Hidden", "kryptonite");
    for format in ["json", "xml"] {
        let answer = world.as_user("dave").get(&format!("/projects/secret/wiki/index.{format}")).expect(403);
        assert!(!answer.body.contains("Hidden"), "{answer:?}");
        let _ = world.anonymous().get(&format!("/projects/secret/wiki/index.{format}")).expect(401);
        let _ = world.as_user("dave").get(&format!("/projects/missing/wiki/index.{format}")).expect(404);
    }
    let project = quarry::domain::ids::ProjectId(2);
    world.write(move |db| projects::set_modules(db, project, [Module::IssueTracking].into_iter().collect::<ModuleSet>()));
    let _ = world.as_user("alice").get("/projects/secret/wiki/index.json").expect(403);
    let open = quarry::domain::ids::ProjectId(1);
    world.write(move |db| projects::set_status(db, open, ProjectStatus::Archived));
    let _ = world.as_user("admin").get("/projects/open/wiki/index.json").expect(403);
}
