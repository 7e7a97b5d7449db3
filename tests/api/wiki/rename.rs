//! `PUT /projects/:project_id/wiki/:title` with another title, and redirects from the old one

use super::{found, page, titles, update, write};
use quarry::domain::content::wiki::WikiRedirect;
use quarry::domain::ids::ProjectId;
use quarry::store::content::{wiki, wiki_redirects};
use quarry_world::World;
use serde_json::json;

fn rename(world: &quarry_world::World, from: &str, to: &str) {
    let text = page(world, &format!("open/wiki/{from}"))["text"].clone();
    let response = update(
        world,
        "alice",
        &format!("open/wiki/{from}"),
        json!({"text": text, "title": to}),
    )
    .assert_status(200);
    assert_eq!(
        response.json()["wiki_page"]["version"],
        1,
        "a title is no text"
    );
}

#[test]
fn old_title_redirects_in_the_same_format() {
    let world = World::with_projects();
    write(&world, "open/wiki/Old_name", "zeppelin");
    rename(&world, "Old_name", "ährenfeld new");
    assert_eq!(titles(&world), ["Ährenfeld_new"]);
    let dave = world.as_user("dave");
    let new = "http://quarry.test/projects/open/wiki/%C3%84hrenfeld_new";
    for (path, expected) in [
        ("1/wiki/Old_name.json", format!("{new}.json")),
        ("open/wiki/old%20NAME.xml", format!("{new}.xml")),
        ("open/wiki/Old_name/1.json", format!("{new}/1.json")),
        (
            "open/wiki/Old_name.json?version=1&include=attachments&x=y",
            format!("{new}.json?version=1&include=attachments"),
        ),
    ] {
        let response = dave.get(&format!("/projects/{path}")).assert_status(302);
        assert_eq!(
            (response.location(), response.body.as_str()),
            (expected.as_str(), ""),
            "{path}"
        );
        let way = response.location().trim_start_matches("http://quarry.test");
        assert!(dave.get(way).assert_status(200).body.contains("zeppelin"));
    }
    // The redirect does not repeat an API key in the query.
    for query in [
        "key=KEY",
        "k%65y=KEY&version=1",
        "version=1&key=KEY",
        "key[]=KEY",
        "include=key&key=KEY",
    ] {
        let query = query.replace("KEY", world.key("dave"));
        let response = world
            .as_user("dave")
            .get(&format!("/projects/open/wiki/Old_name.json?{query}"))
            .assert_status(302);
        assert!(
            !response.location().contains(world.key("dave"))
                && !response.location().contains("key="),
            "{response:?}"
        );
    }
    assert_eq!(found(&world, "zeppelin"), ["Wiki: Ährenfeld_new"]);
    assert_eq!(found(&world, "ährenfeld"), ["Wiki: Ährenfeld_new"]);
}

#[test]
fn put_to_an_old_title_updates_the_renamed_page() {
    let world = World::with_projects();
    write(&world, "open/wiki/Old", "text");
    write(&world, "open/wiki/Kid", "kid");
    rename(&world, "Old", "New");
    let response = update(
        &world,
        "bob",
        "open/wiki/old",
        json!({"text": "by the old title", "version": 1}),
    )
    .assert_status(200)
    .json();
    assert_eq!(response["wiki_page"]["title"], "New");
    assert_eq!(response["wiki_page"]["version"], 2);
    let response = update(
        &world,
        "bob",
        "open/wiki/Kid",
        json!({"text": "kid", "parent_title": "Old"}),
    )
    .assert_status(200)
    .json();
    assert_eq!(response["wiki_page"]["parent"]["title"], "New");
    assert_eq!(titles(&world), ["Kid", "New"]);
}

fn location_of(world: &World, title: &str) -> String {
    world
        .as_user("dave")
        .get(&format!("/projects/open/wiki/{title}.json"))
        .assert_status(302)
        .location()
        .to_owned()
}

#[test]
fn all_former_titles_redirect() {
    let world = World::with_projects();
    write(&world, "open/wiki/One", "text");
    rename(&world, "One", "Two");
    rename(&world, "Two", "Three");
    let three = "http://quarry.test/projects/open/wiki/Three.json";
    assert_eq!(
        (
            location_of(&world, "One").as_str(),
            location_of(&world, "Two").as_str()
        ),
        (three, three)
    );
    // Renaming back creates no redirect loop.
    rename(&world, "Three", "One");
    assert_eq!(page(&world, "open/wiki/One")["text"], "text");
    let one = "http://quarry.test/projects/open/wiki/One.json";
    assert_eq!(
        (
            location_of(&world, "Three").as_str(),
            location_of(&world, "Two").as_str()
        ),
        (one, one)
    );
}

#[test]
fn former_title_can_be_reused() {
    let world = World::with_projects();
    write(&world, "open/wiki/Old", "first");
    rename(&world, "Old", "New");
    write(&world, "open/wiki/Third", "third");
    rename(&world, "Third", "Old");
    assert_eq!(
        (
            page(&world, "open/wiki/Old")["text"].as_str(),
            page(&world, "open/wiki/New")["text"].as_str()
        ),
        (Some("third"), Some("first"))
    );
    rename(&world, "Old", "Fourth");
    let response = world
        .as_user("dave")
        .get("/projects/open/wiki/Old.json")
        .assert_status(302);
    assert!(
        response.location().ends_with("/Fourth.json"),
        "{}",
        response.location()
    );
}

#[test]
fn redirect_is_omitted_on_request_or_for_case_changes() {
    let world = World::with_projects();
    write(&world, "open/wiki/Old", "text");
    update(
        &world,
        "alice",
        "open/wiki/Old",
        json!({"text": "text", "title": "OLD"}),
    )
    .assert_status(200);
    assert_eq!(page(&world, "open/wiki/old")["title"], "OLD");
    let fields = json!({"text": "text", "title": "New", "redirect_existing_links": "0"});
    update(&world, "alice", "open/wiki/Old", fields).assert_status(200);
    world
        .as_user("dave")
        .get("/projects/open/wiki/Old.json")
        .assert_status(404);
    assert_eq!(titles(&world), ["New"]);
    // A redirect that another page replaced does not come back.
    rename(&world, "New", "Newer");
    write(&world, "open/wiki/Third", "text");
    rename(&world, "Third", "New");
    let fields = json!({"text": "text", "title": "Fourth", "redirect_existing_links": "0"});
    update(&world, "alice", "open/wiki/New", fields).assert_status(200);
    world
        .as_user("dave")
        .get("/projects/open/wiki/New.json")
        .assert_status(404);
}

#[test]
fn renamed_start_page_stays_start_page() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "welcome");
    rename(&world, "Wiki", "Home");
    assert_eq!(page(&world, "open/wiki")["title"], "Home");
}

fn rename_errors(world: &World, title: String) -> Vec<String> {
    update(
        world,
        "alice",
        "open/wiki/One",
        json!({"text": "text", "title": title}),
    )
    .assert_status(422)
    .errors()
}

#[test]
fn invalid_titles_are_rejected() {
    let world = World::with_projects();
    write(&world, "open/wiki/One", "text");
    write(&world, "open/wiki/%C3%84hre", "text");
    assert_eq!(
        rename_errors(&world, "ÄHRE".to_owned()),
        ["Title has already been taken"]
    );
    assert_eq!(
        rename_errors(&world, "x".repeat(256)),
        ["Title is too long (maximum is 255 characters)"]
    );
    assert_eq!(
        rename_errors(&world, ":".to_owned()),
        ["Title cannot be blank"]
    );
    assert_eq!(titles(&world), ["One", "Ähre"]);
}

#[test]
fn rename_requires_its_own_permission() {
    let world = World::with_projects();
    write(&world, "open/wiki/One", "text");
    // The title is ignored without permission, and the text is saved.
    let response = update(
        &world,
        "bob",
        "open/wiki/One",
        json!({"text": "new text", "title": "Mine"}),
    )
    .assert_status(200)
    .json();
    assert_eq!(response["wiki_page"]["title"], "One");
    assert_eq!(response["wiki_page"]["version"], 2);
    world
        .as_user("dave")
        .get("/projects/open/wiki/Mine.json")
        .assert_status(404);
}

#[test]
fn page_moved_to_a_hidden_project_is_hidden() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "text");
    write(&world, "secret/wiki/Hidden", "kryptonite");
    world.write(|db| {
        let open = wiki::find_by_project(db, ProjectId(1))?.unwrap();
        let secret = wiki::find_by_project(db, ProjectId(2))?.unwrap();
        let redirect = WikiRedirect {
            wiki: open.id,
            title: "Moved".to_owned(),
            target_wiki: secret.id,
            target_title: "Hidden".to_owned(),
            created_on: "2026-11-20T12:00:00Z".parse().unwrap(),
        };
        wiki_redirects::insert(db, &redirect)
    });
    let response = world
        .as_user("dave")
        .get("/projects/open/wiki/Moved.json")
        .assert_status(404);
    assert!(
        !response.body.contains("Hidden") && response.location().is_empty(),
        "{response:?}"
    );
    let response = world
        .as_user("alice")
        .get("/projects/open/wiki/Moved.json")
        .assert_status(302);
    assert_eq!(
        response.location(),
        "http://quarry.test/projects/secret/wiki/Hidden.json"
    );
    update(
        &world,
        "bob",
        "open/wiki/Kid",
        json!({"text": "t", "parent_title": "Moved"}),
    )
    .assert_status(422);
    // Bob can use the title for his own page, and the hidden one is unchanged.
    update(&world, "bob", "open/wiki/Moved", json!({"text": "bob's"})).assert_status(201);
    let hidden = world
        .as_user("alice")
        .get("/projects/secret/wiki/Hidden.json")
        .assert_status(200)
        .json();
    assert_eq!(hidden["wiki_page"]["text"], "kryptonite");
    assert_eq!(page(&world, "open/wiki/Moved")["text"], "bob's");
}
