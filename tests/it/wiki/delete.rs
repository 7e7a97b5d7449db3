//! `DELETE /projects/:project_id/wiki/:title`

use super::{found, page, put, titles, world, write};
use crate::world::World;
use quarry::domain::ids::ProjectId;
use quarry::domain::project::ProjectStatus;
use quarry::store::projects;
use serde_json::json;

/// Root, below it Kid, below that Grand_kid; and Other.
fn family() -> World {
    let world = world();
    write(&world, "open/wiki/Root", "zeppelin");
    let _ = put(&world, "alice", "open/wiki/Kid", json!({"text": "zeppelin", "parent_title": "Root"})).expect(201);
    let _ = put(&world, "alice", "open/wiki/Grand_kid", json!({"text": "zeppelin", "parent_title": "Kid"})).expect(201);
    write(&world, "open/wiki/Other", "other");
    world
}

/// The number of a page, as a search knows it.
fn number(world: &World, title: &str) -> i64 {
    let hits = world.as_user("alice").get(&format!("/search.json?wiki_pages=1&q={title}")).expect(200).json();
    let hit = hits["results"].as_array().unwrap().iter().find(|hit| hit["title"] == format!("Wiki: {title}")).unwrap();
    hit["id"].as_i64().unwrap()
}

#[test]
fn what_is_deleted_is_gone_with_its_versions_and_not_found() {
    let world = family();
    let _ = put(&world, "bob", "open/wiki/Root", json!({"text": "zeppelin two"})).expect(200);
    assert_eq!(found(&world, "zeppelin").len(), 3);
    let answer = world.as_user("bob").delete("/projects/open/wiki/root.json").expect(200);
    assert_eq!(answer.body, "");
    assert_eq!(found(&world, "zeppelin").len(), 2);
    for path in ["Root.json", "Root/1.json", "Root.xml"] {
        let _ = world.as_user("alice").get(&format!("/projects/open/wiki/{path}")).expect(404);
    }
    let _ = world.as_user("alice").delete("/projects/open/wiki/Root.xml").expect(404);
    // Those below stand alone, and a page of the same title begins anew.
    assert_eq!(page(&world, "open/wiki/Kid").get("parent"), None);
    assert_eq!(page(&world, "open/wiki/Grand_kid")["parent"]["title"], "Kid");
    write(&world, "open/wiki/Root", "new");
    assert_eq!(page(&world, "open/wiki/Root")["version"], 1);
}

#[test]
fn those_below_can_go_too() {
    let world = family();
    let _ = world.as_user("bob").delete("/projects/open/wiki/Root.json?todo=destroy").expect(200);
    assert_eq!((titles(&world), found(&world, "zeppelin").len()), (vec!["Other".to_owned()], 0));
}

#[test]
fn those_below_can_hang_on_another_page() {
    let world = family();
    let other = number(&world, "Other");
    let _ = world.as_user("bob").delete(&format!("/projects/open/wiki/Root.json?todo=reassign&reassign_to_id={other}")).expect(200);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Other");
    let grand_kid = number(&world, "Grand_kid");
    let _ = world.as_user("bob").delete(&format!("/projects/open/wiki/Other.json?reassign_to_id={grand_kid}")).expect(422);
    assert_eq!(titles(&world), ["Grand_kid", "Kid", "Other"]);
}

#[test]
fn what_is_not_understood_deletes_nothing() {
    let world = family();
    write(&world, "secret/wiki/Hidden", "text");
    let (root, hidden) = (number(&world, "Root"), number(&world, "Hidden"));
    for query in ["todo=destory", "todo=reassign", "todo=reassign&reassign_to_id=999", "reassign_to_id=x", "todo=reassign&reassign_to_id=0"]
    {
        assert_eq!(world.as_user("bob").delete(&format!("/projects/open/wiki/Root.json?{query}")).expect(422).errors().len(), 1, "{query}");
    }
    for heir in [root, hidden] {
        let _ = world.as_user("alice").delete(&format!("/projects/open/wiki/Root.xml?todo=reassign&reassign_to_id={heir}")).expect(422);
    }
    assert_eq!(titles(&world).len(), 4);
    assert_eq!(page(&world, "open/wiki/Kid")["parent"]["title"], "Root");
}

#[test]
fn titles_that_led_to_it_lead_nowhere_then() {
    let world = family();
    let _ = put(&world, "alice", "open/wiki/Other", json!({"text": "other", "title": "Another"})).expect(200);
    let _ = world.as_user("dave").get("/projects/open/wiki/Other.json").expect(302);
    let _ = world.as_user("bob").delete("/projects/open/wiki/Other.json").expect(200);
    for title in ["Other", "Another"] {
        let _ = world.as_user("dave").get(&format!("/projects/open/wiki/{title}.json")).expect(404);
    }
}

#[test]
fn rights_decide() {
    let world = family();
    let _ = put(&world, "alice", "open/wiki/Sidebar", json!({"text": "side", "parent_title": "Kid"})).expect(201);
    write(&world, "secret/wiki/Hidden", "text");
    for login in ["carol", "dave"] {
        let _ = world.as_user(login).delete("/projects/open/wiki/Root.json").expect(403);
        let _ = world.as_user(login).delete("/projects/open/wiki/Nope.json").expect(403);
        let _ = world.as_user(login).delete("/projects/secret/wiki/Hidden.xml").expect(403);
    }
    let _ = world.anonymous().delete("/projects/open/wiki/Root.json").expect(401);
    let _ = world.as_user("alice").delete("/projects/missing/wiki/Root.json").expect(404);
    let _ = world.as_user("bob").delete("/projects/open/wiki/Sidebar.json").expect(403);
    // A protected page does not go with another one either.
    let _ = world.as_user("bob").delete("/projects/open/wiki/Root.json?todo=destroy").expect(403);
    // A single version cannot be deleted.
    let _ = world.as_user("alice").delete("/projects/open/wiki/Root/1.json").expect(403);
    let _ = world.anonymous().delete("/projects/open/wiki/Root/1.json").expect(401);
    let _ = world.as_user("alice").delete("/projects/missing/wiki/Root/1.json").expect(404);
    assert_eq!(titles(&world).len(), 5);
    world.write(|db| projects::set_status(db, ProjectId(1), ProjectStatus::Closed));
    let _ = world.as_user("alice").delete("/projects/open/wiki/Root.json").expect(403);
    world.write(|db| projects::set_status(db, ProjectId(1), ProjectStatus::Active));
    let _ = world.as_user("alice").delete("/projects/open/wiki/Root.json?todo=destroy").expect(200);
}
