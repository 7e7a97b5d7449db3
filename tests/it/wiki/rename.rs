//! `PUT /projects/:project_id/wiki/:title` with another title, and what leads to a page afterwards

use super::{found, page, put, titles, world, write};
use quarry::domain::ids::ProjectId;
use quarry::store::{wiki, wiki_redirects};
use serde_json::json;

fn rename(world: &crate::world::World, from: &str, to: &str) {
    let text = page(world, &format!("open/wiki/{from}"))["text"].clone();
    let answer = put(world, "alice", &format!("open/wiki/{from}"), json!({"text": text, "title": to})).expect(200);
    assert_eq!(answer.json()["wiki_page"]["version"], 1, "a title is no text");
}

#[test]
fn the_old_title_leads_to_the_new_one_in_the_same_format() {
    let world = world();
    write(&world, "open/wiki/Old_name", "zeppelin");
    rename(&world, "Old_name", "ährenfeld new");
    assert_eq!(titles(&world), ["Ährenfeld_new"]);
    let dave = world.as_user("dave");
    let new = "http://quarry.test/projects/open/wiki/%C3%84hrenfeld_new";
    for (path, wanted) in [
        ("1/wiki/Old_name.json", format!("{new}.json")),
        ("open/wiki/old%20NAME.xml", format!("{new}.xml")),
        ("open/wiki/Old_name/1.json", format!("{new}/1.json")),
        ("open/wiki/Old_name.json?version=1&include=attachments&x=y", format!("{new}.json?version=1&include=attachments")),
    ] {
        let answer = dave.get(&format!("/projects/{path}")).expect(302);
        assert_eq!((answer.location.as_str(), answer.body.as_str()), (wanted.as_str(), ""), "{path}");
        let way = answer.location.trim_start_matches("http://quarry.test");
        assert!(dave.get(way).expect(200).body.contains("zeppelin"));
    }
    // An API key in the query does not come back.
    for query in ["key=KEY", "k%65y=KEY&version=1", "version=1&key=KEY", "key[]=KEY", "include=key&key=KEY"] {
        let query = query.replace("KEY", world.key("dave"));
        let answer = world.as_user("dave").get(&format!("/projects/open/wiki/Old_name.json?{query}")).expect(302);
        assert!(!answer.location.contains(world.key("dave")) && !answer.location.contains("key="), "{answer:?}");
    }
    assert_eq!(found(&world, "zeppelin"), ["Wiki: Ährenfeld_new"]);
    assert_eq!(found(&world, "ährenfeld"), ["Wiki: Ährenfeld_new"]);
}

#[test]
fn what_is_written_to_an_old_title_is_written_to_the_page() {
    let world = world();
    write(&world, "open/wiki/Old", "text");
    write(&world, "open/wiki/Kid", "kid");
    rename(&world, "Old", "New");
    let answer = put(&world, "bob", "open/wiki/old", json!({"text": "by the old title", "version": 1})).expect(200).json();
    assert_eq!((answer["wiki_page"]["title"].as_str(), answer["wiki_page"]["version"].as_i64()), (Some("New"), Some(2)));
    let answer = put(&world, "bob", "open/wiki/Kid", json!({"text": "kid", "parent_title": "Old"})).expect(200).json();
    assert_eq!(answer["wiki_page"]["parent"]["title"], "New");
    assert_eq!(titles(&world), ["Kid", "New"]);
}

#[test]
fn every_title_that_a_page_had_leads_to_it() {
    let world = world();
    write(&world, "open/wiki/One", "text");
    rename(&world, "One", "Two");
    rename(&world, "Two", "Three");
    let leads = |title: &str| world.as_user("dave").get(&format!("/projects/open/wiki/{title}.json")).expect(302).location;
    let three = "http://quarry.test/projects/open/wiki/Three.json";
    assert_eq!((leads("One").as_str(), leads("Two").as_str()), (three, three));
    // Back again: no circle.
    rename(&world, "Three", "One");
    assert_eq!(page(&world, "open/wiki/One")["text"], "text");
    let one = "http://quarry.test/projects/open/wiki/One.json";
    assert_eq!((leads("Three").as_str(), leads("Two").as_str()), (one, one));
}

#[test]
fn a_title_that_was_given_up_can_be_given_again() {
    let world = world();
    write(&world, "open/wiki/Old", "first");
    rename(&world, "Old", "New");
    write(&world, "open/wiki/Third", "third");
    rename(&world, "Third", "Old");
    assert_eq!(
        (page(&world, "open/wiki/Old")["text"].as_str(), page(&world, "open/wiki/New")["text"].as_str()),
        (Some("third"), Some("first"))
    );
    rename(&world, "Old", "Fourth");
    let answer = world.as_user("dave").get("/projects/open/wiki/Old.json").expect(302);
    assert!(answer.location.ends_with("/Fourth.json"), "{}", answer.location);
}

#[test]
fn no_redirect_is_left_where_none_is_wanted_or_needed() {
    let world = world();
    write(&world, "open/wiki/Old", "text");
    let _ = put(&world, "alice", "open/wiki/Old", json!({"text": "text", "title": "OLD"})).expect(200);
    assert_eq!(page(&world, "open/wiki/old")["title"], "OLD");
    let fields = json!({"text": "text", "title": "New", "redirect_existing_links": "0"});
    let _ = put(&world, "alice", "open/wiki/Old", fields).expect(200);
    let _ = world.as_user("dave").get("/projects/open/wiki/Old.json").expect(404);
    assert_eq!(titles(&world), ["New"]);
    // Nor does one come back that another page has taken the place of.
    rename(&world, "New", "Newer");
    write(&world, "open/wiki/Third", "text");
    rename(&world, "Third", "New");
    let fields = json!({"text": "text", "title": "Fourth", "redirect_existing_links": "0"});
    let _ = put(&world, "alice", "open/wiki/New", fields).expect(200);
    let _ = world.as_user("dave").get("/projects/open/wiki/New.json").expect(404);
}

#[test]
fn a_renamed_start_page_stays_the_start_page() {
    let world = world();
    write(&world, "open/wiki/Wiki", "welcome");
    rename(&world, "Wiki", "Home");
    assert_eq!(page(&world, "open/wiki")["title"], "Home");
}

#[test]
fn what_cannot_be_a_title_is_refused() {
    let world = world();
    write(&world, "open/wiki/One", "text");
    write(&world, "open/wiki/%C3%84hre", "text");
    let errors = |title: String| put(&world, "alice", "open/wiki/One", json!({"text": "text", "title": title})).expect(422).errors();
    assert_eq!(errors("ÄHRE".to_owned()), ["Title has already been taken"]);
    assert_eq!(errors("x".repeat(256)), ["Title is too long (maximum is 255 characters)"]);
    assert_eq!(errors(":".to_owned()), ["Title cannot be blank"]);
    assert_eq!(titles(&world), ["One", "Ähre"]);
}

#[test]
fn renaming_needs_a_permission_of_its_own() {
    let world = world();
    write(&world, "open/wiki/One", "text");
    // What bob may not set is passed over, and the text is taken.
    let answer = put(&world, "bob", "open/wiki/One", json!({"text": "new text", "title": "Mine"})).expect(200).json();
    assert_eq!((answer["wiki_page"]["title"].as_str(), answer["wiki_page"]["version"].as_i64()), (Some("One"), Some(2)));
    let _ = world.as_user("dave").get("/projects/open/wiki/Mine.json").expect(404);
}

#[test]
fn a_page_that_moved_to_a_hidden_project_is_not_there() {
    let world = world();
    write(&world, "open/wiki/Wiki", "text");
    write(&world, "secret/wiki/Hidden", "kryptonite");
    world.write(|db| {
        let (open, secret) = (wiki::of_project(db, ProjectId(1))?.unwrap(), wiki::of_project(db, ProjectId(2))?.unwrap());
        wiki_redirects::insert_to(db, open.id, "Moved", secret.id, "Hidden", "2026-11-20T12:00:00Z".parse().unwrap())
    });
    let answer = world.as_user("dave").get("/projects/open/wiki/Moved.json").expect(404);
    assert!(!answer.body.contains("Hidden") && answer.location.is_empty(), "{answer:?}");
    let answer = world.as_user("alice").get("/projects/open/wiki/Moved.json").expect(302);
    assert_eq!(answer.location, "http://quarry.test/projects/secret/wiki/Hidden.json");
    let _ = put(&world, "bob", "open/wiki/Kid", json!({"text": "t", "parent_title": "Moved"})).expect(422);
    // For bob the title is free: his page is his own, and the hidden one is as it was.
    let _ = put(&world, "bob", "open/wiki/Moved", json!({"text": "bob's"})).expect(201);
    let hidden = world.as_user("alice").get("/projects/secret/wiki/Hidden.json").expect(200).json();
    assert_eq!(hidden["wiki_page"]["text"], "kryptonite");
    assert_eq!(page(&world, "open/wiki/Moved")["text"], "bob's");
}
