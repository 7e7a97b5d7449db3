mod attachments;
mod concurrency;
mod create;
mod delete;
mod history;
mod list;
mod protect;
mod rename;
mod show;
mod update;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Puts the fields of a page.
fn update(world: &World, login: &str, path: &str, fields: Value) -> Response {
    world.as_user(login).put(
        &format!("/projects/{path}.json"),
        json!({ "wiki_page": fields }).to_string(),
    )
}

/// Creates a page with this text.
fn write(world: &World, path: &str, text: &str) {
    update(world, "alice", path, json!({ "text": text })).assert_status(201);
}

/// Returns a page as dave sees it.
fn page(world: &World, path: &str) -> Value {
    world
        .as_user("dave")
        .get(&format!("/projects/{path}.json"))
        .assert_status(200)
        .json_path("/wiki_page")
}

/// Returns the titles of all pages of the open project.
fn titles(world: &World) -> Vec<String> {
    world
        .as_user("alice")
        .get("/projects/open/wiki/index.json")
        .assert_status(200)
        .texts("/wiki_pages", "title")
}

/// Returns the titles of the search results for a word.
fn found(world: &World, word: &str) -> Vec<String> {
    let results = world
        .as_user("alice")
        .get(&format!("/search.json?q={word}"))
        .assert_status(200)
        .json();
    results["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["title"].as_str().unwrap().to_owned())
        .collect()
}
