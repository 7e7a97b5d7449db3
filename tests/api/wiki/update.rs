//! `PUT /projects/:project_id/wiki/:title` of an existing page

use super::{found, page, update, write};
use quarry::domain::access::permission::{Permission, PermissionSet};
use quarry::domain::access::role::Builtin;
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::wiki::{WikiPage, WikiVersion};
use quarry::domain::ids::ProjectId;
use quarry::domain::projects::project::ProjectStatus;
use quarry::store::administration::roles;
use quarry::store::content::wiki;
use quarry::store::projects;
use quarry_world::{REPORTER, Response, World};
use serde_json::json;

#[test]
fn changed_text_creates_a_version() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "obsolete zeppelin");
    let response = update(
        &world,
        "bob",
        "open/wiki/wiki",
        json!({"text": "modern rocket", "comments": "", "version": 1}),
    )
    .assert_status(200);
    let expected = json!({"wiki_page": {"title": "Wiki", "text": "modern rocket", "version": 2, "author": {"id": 3, "name": "bob Tester"},
                        "comments": "", "project": {"id": 1, "name": "open"}, "created_on": "2026-11-20T12:00:00Z", "updated_on": "2026-11-20T12:00:00Z"}});
    assert_eq!(
        (response.json(), response.location()),
        (expected.clone(), "")
    );
    assert_eq!(page(&world, "open/wiki/Wiki"), expected["wiki_page"]);
    assert_eq!(
        (found(&world, "zeppelin").len(), found(&world, "rocket")),
        (0, vec!["Wiki: Wiki".to_owned()])
    );
}

#[test]
fn unchanged_text_creates_no_version() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "text");
    for fields in [
        json!({"text": "text"}),
        json!({"text": "text", "comments": "why", "version": 99}),
        json!({"text": "text", "version": "abc"}),
    ] {
        let response = update(&world, "bob", "open/wiki/Wiki", fields)
            .assert_status(200)
            .json();
        assert_eq!(response["wiki_page"]["version"], 1);
        assert_eq!(response["wiki_page"]["author"]["id"], 2);
        assert!(response["wiki_page"]["comments"].is_null());
    }
}

#[test]
fn stale_version_conflicts_and_names_the_current_one() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "one");
    update(
        &world,
        "alice",
        "open/wiki/Wiki",
        json!({"text": "two", "version": 1}),
    )
    .assert_status(200);
    for version in [
        json!(1),
        json!(0),
        json!(3),
        json!(-1),
        json!("abc"),
        json!(2.5),
        json!("99999999999999999999"),
        json!(true),
    ] {
        let response = update(
            &world,
            "bob",
            "open/wiki/Wiki",
            json!({"text": "three", "version": version}),
        )
        .assert_status(409);
        let sentence = "The page was changed since the version that you saw: it is in version 2 now; read it again and send your text with its version";
        assert_eq!(response.errors(), [sentence]);
    }
    let xml = b"<wiki_page><text>three</text><version>1</version></wiki_page>".to_vec();
    let response = world
        .as_user("bob")
        .send(
            axum::http::Method::PUT,
            "/projects/open/wiki/Wiki.xml",
            Some("application/xml"),
            xml,
        )
        .assert_status(409);
    assert_eq!(response.errors().len(), 1);
    assert_eq!(page(&world, "open/wiki/Wiki")["text"], "two");
    for (version, text) in [
        (json!(null), "three"),
        (json!(""), "four"),
        (json!("4"), "five"),
    ] {
        update(
            &world,
            "bob",
            "open/wiki/Wiki",
            json!({"text": text, "version": version}),
        )
        .assert_status(200);
    }
    assert_eq!(page(&world, "open/wiki/Wiki")["version"], 5);
}

#[test]
fn update_requires_text() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "text");
    for fields in [
        json!({}),
        json!({"text": ""}),
        json!({"text": null}),
        json!({"comments": "c"}),
        json!({"parent_title": "Wiki"}),
    ] {
        let errors = update(&world, "alice", "open/wiki/Wiki", fields)
            .assert_status(422)
            .errors();
        assert_eq!(errors[0], "Text field cannot be blank");
    }
    let errors = update(
        &world,
        "alice",
        "open/wiki/Wiki",
        json!({"text": "t", "comments": "c".repeat(1025)}),
    )
    .assert_status(422)
    .errors();
    assert_eq!(errors, ["Comment is too long (maximum is 1024 characters)"]);
    assert_eq!(page(&world, "open/wiki/Wiki")["version"], 1);
}

fn put_below(world: &World, title: &str, parent: serde_json::Value) -> Response {
    update(
        world,
        "bob",
        &format!("open/wiki/{title}"),
        json!({"text": "text", "parent_title": parent}),
    )
}

#[test]
fn parent_title_sets_the_parent() {
    let world = World::with_projects();
    for title in ["Root", "Kid", "Grand_kid", "Other"] {
        write(&world, &format!("open/wiki/{title}"), "text");
    }
    write(&world, "secret/wiki/Hidden", "text");
    put_below(&world, "Kid", json!("root"))
        .assert_status(200)
        .assert_json_path("/wiki_page/parent", json!({"title": "Root"}));
    put_below(&world, "Grand_kid", json!("kid")).assert_status(200);
    for (title, parent) in [
        ("Root", "Grand kid"),
        ("Root", "Root"),
        ("Kid", "Grand_kid"),
    ] {
        put_below(&world, title, json!(parent))
            .assert_status(422)
            .assert_errors(&["Parent title is invalid (a page cannot stand below itself)"]);
    }
    for parent in [json!("Nope"), json!("Hidden"), json!(":")] {
        put_below(&world, "Kid", parent)
            .assert_status(422)
            .assert_errors(&["Parent title is invalid (this wiki has no such page)"]);
    }
    put_below(&world, "Kid", json!({"a": 1}))
        .assert_status(422)
        .assert_errors(&["Parent title is invalid (one value is expected, not an object)"]);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Root");
    // Missing fields stay, and empty ones clear the value.
    update(&world, "bob", "open/wiki/Kid", json!({"text": "text two"})).assert_status(200);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Root");
    assert_eq!(
        put_below(&world, "Kid", json!(""))
            .assert_status(200)
            .json()["wiki_page"]
            .get("parent"),
        None
    );
    assert_eq!(
        put_below(&world, "Grand_kid", json!(null))
            .assert_status(200)
            .json()["wiki_page"]
            .get("parent"),
        None
    );
}

fn protected(world: &World) {
    world.write(|db| {
        let wiki = wiki::find_by_project(db, ProjectId(1))?.unwrap().id;
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let version = WikiVersion {
            version: 1,
            updated_on: now,
            text: "law".to_owned(),
            ..WikiVersion::default()
        };
        wiki::insert_page(
            db,
            &WikiPage {
                wiki,
                title: "Law".to_owned(),
                protected: true,
                created_on: now,
                ..WikiPage::default()
            },
            &[version],
        )
    });
}

#[test]
fn update_requires_permission() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "text");
    write(&world, "secret/wiki/Hidden", "text");
    protected(&world);
    let body = json!({"wiki_page": {"text": "mine"}});
    for (login, path, status) in [
        ("carol", "open/wiki/Wiki.json", 403),
        ("dave", "open/wiki/Wiki.xml", 403),
        ("dave", "secret/wiki/Hidden.json", 403),
        ("bob", "secret/wiki/Hidden.json", 403),
        ("bob", "open/wiki/Law.json", 403),
        ("alice", "open/wiki/Law.json", 200),
        ("bob", "open/wiki/Wiki.json", 200),
    ] {
        world
            .as_user(login)
            .put(&format!("/projects/{path}"), &body)
            .assert_status(status);
    }
    world
        .anonymous()
        .put("/projects/open/wiki/Wiki.json", &body)
        .assert_status(401);
    world.write(|db| projects::set_status(db, ProjectId(1), ProjectStatus::Closed));
    world
        .as_user("alice")
        .put(
            "/projects/open/wiki/Wiki.json",
            json!({"wiki_page": {"text": "too late"}}),
        )
        .assert_status(403);
    assert_eq!(page(&world, "open/wiki/Wiki")["text"], "mine");
}

#[test]
fn user_without_view_permission_gets_no_content() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "a secret");
    world.write(|db| {
        roles::set_permissions(
            db,
            REPORTER,
            PermissionSet::NONE.with(Permission::EditWikiPages),
        )
    });
    let response = update(
        &world,
        "carol",
        "open/wiki/Wiki",
        json!({"text": "a report", "version": 9}),
    )
    .assert_status(409);
    assert!(!response.body.contains("version 1"), "{response:?}");
    let response = update(
        &world,
        "carol",
        "open/wiki/Wiki",
        json!({"text": "a secret"}),
    )
    .assert_status(200);
    assert_eq!(response.body, "");
    let response = update(
        &world,
        "carol",
        "open/wiki/New",
        json!({"text": "a report"}),
    )
    .assert_status(201);
    assert_eq!(
        (response.body.as_str(), response.location()),
        ("", "/projects/open/wiki/New")
    );
}

#[test]
fn anonymous_users_may_be_permitted_to_write() {
    let world = World::with_projects();
    world.set(Setting::LoginRequired, "0");
    world.write(|db| {
        let allowed = [Permission::ViewWikiPages, Permission::EditWikiPages];
        let role = db.catalogue().builtin_role(Builtin::Anonymous).unwrap().id;
        roles::set_permissions(db, role, allowed.into_iter().collect())
    });
    let body = json!({"wiki_page": {"text": "by nobody known"}});
    let created = world
        .anonymous()
        .put("/projects/open/wiki/Wiki.json", &body)
        .assert_status(201)
        .json();
    assert_eq!(
        (
            created["wiki_page"]["text"].as_str(),
            created["wiki_page"].get("author")
        ),
        (Some("by nobody known"), None)
    );
    let xml = world
        .anonymous()
        .get("/projects/open/wiki/Wiki.xml")
        .assert_status(200)
        .body;
    assert!(xml.contains("<version>1</version><comments/>"), "{xml}");
}

#[test]
fn compatibility_mode_has_the_codes_and_fields_of_redmine() {
    let world = World::with_projects();
    world.set(Setting::RedmineCompatibility, "1");
    update(&world, "alice", "open/wiki/Wiki", json!({"text": "one"}))
        .assert_status(201)
        .assert_json_path("/wiki_page/text", "one");
    assert_eq!(
        update(&world, "alice", "open/wiki/Wiki", json!({"text": "two"}))
            .assert_status(204)
            .body,
        ""
    );
    let alice = world.as_user("alice");
    let shown = alice.get("/projects/open/wiki/Wiki.json").json();
    assert_eq!(shown["wiki_page"].get("project"), None);
    let index = alice.get("/projects/open/wiki/index.json").json();
    assert_eq!(index["wiki_pages"][0]["title"], "Wiki");
    assert_eq!(index["wiki_pages"][0].get("parent"), None);
    assert_eq!(
        world
            .as_user("alice")
            .delete("/projects/open/wiki/Wiki.json")
            .assert_status(204)
            .body,
        ""
    );
}
