mod attachments;
mod create;
mod delete;
mod list;
mod rename;
mod show;
mod together;
mod update;

use crate::world::{Answer, DEVELOPER, MANAGER, REPORTER, World};
use serde_json::{Value, json};

/// An open project and a private one; alice manages both, bob develops and carol reports in the open one.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER), ("carol", REPORTER)]);
    world.project("secret", false, &[("alice", MANAGER)]);
    world
}

/// Sends the fields of a page.
fn put(world: &World, login: &str, path: &str, fields: Value) -> Answer {
    world.as_user(login).put(&format!("/projects/{path}.json"), &json!({ "wiki_page": fields }).to_string())
}

/// Makes a page that says `text`.
fn write(world: &World, path: &str, text: &str) {
    let _ = put(world, "alice", path, json!({ "text": text })).expect(201);
}

/// A page as dave reads it.
fn page(world: &World, path: &str) -> Value {
    world.as_user("dave").get(&format!("/projects/{path}.json")).expect(200).json()["wiki_page"].clone()
}

/// The titles in the list of the open project.
fn titles(world: &World) -> Vec<String> {
    let list = world.as_user("alice").get("/projects/open/wiki/index.json").expect(200).json();
    list["wiki_pages"].as_array().unwrap().iter().map(|page| page["title"].as_str().unwrap().to_owned()).collect()
}

/// What a search for the word finds, as titles.
fn found(world: &World, word: &str) -> Vec<String> {
    let results = world.as_user("alice").get(&format!("/search.json?q={word}")).expect(200).json();
    results["results"].as_array().unwrap().iter().map(|hit| hit["title"].as_str().unwrap().to_owned()).collect()
}
