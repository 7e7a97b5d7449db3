//! `GET /projects`

use crate::world::{REPORTER, World};
use quarry::domain::project::ProjectStatus;
use quarry::store::projects;

fn identifiers(world: &World, login: &str, query: &str) -> Vec<String> {
    let answer = world.as_user(login).get(&format!("/projects.json{query}")).expect(200).json();
    let listed: Vec<String> =
        answer["projects"].as_array().unwrap().iter().map(|project| project["identifier"].as_str().unwrap().to_owned()).collect();
    listed
}

fn world() -> World {
    let world = World::new();
    world.project("open", true, &[]);
    world.project("secret", false, &[("carol", REPORTER)]);
    let closed = world.project("closed", true, &[]);
    let archived = world.project("archived", true, &[("carol", REPORTER)]);
    world.write(move |db| projects::set_status(db, closed, ProjectStatus::Closed));
    world.write(move |db| projects::set_status(db, archived, ProjectStatus::Archived));
    world
}

#[test]
fn everybody_sees_what_is_theirs_to_see() {
    let world = world();
    assert_eq!(identifiers(&world, "dave", ""), ["open"]);
    assert_eq!(identifiers(&world, "carol", ""), ["open", "secret"]);
    assert_eq!(identifiers(&world, "admin", ""), ["open", "secret"]);
}

#[test]
fn the_status_filter_never_shows_the_archive() {
    let world = world();
    assert_eq!(identifiers(&world, "admin", "?status=5"), ["closed"]);
    assert_eq!(identifiers(&world, "admin", "?status=1|5"), ["closed", "open", "secret"]);
    assert_eq!(identifiers(&world, "admin", "?status=!1"), ["closed"]);
    assert_eq!(identifiers(&world, "admin", "?status="), ["closed", "open", "secret"]);
    for none in ["?status=9", "?status=*", "?status=x"] {
        assert!(identifiers(&world, "admin", none).is_empty(), "{none}");
    }
}

#[test]
fn pages_are_counted_in_both_formats() {
    let world = world();
    let answer = world.as_user("carol").get("/projects.json?limit=1&offset=1").expect(200).json();
    assert_eq!((answer["total_count"].as_i64(), answer["offset"].as_i64(), answer["limit"].as_i64()), (Some(2), Some(1), Some(1)));
    let xml = world.as_user("carol").get("/projects.xml?offset=7").expect(200).body;
    assert!(xml.ends_with("<projects total_count=\"2\" offset=\"7\" limit=\"25\" type=\"array\"></projects>"), "{xml}");
    let bare = world.as_user("carol").get("/projects.json?nometa=1").expect(200).json();
    assert_eq!(bare.as_object().unwrap().len(), 1);
}
