//! `/projects/:id/news`, `/news/:id`, `/news/:id/comments` (compatibility 11.5)

mod comments;
mod manage;

use crate::world::{Response, World};
use serde_json::{Value, json};

/// Creates a news item as this user.
fn add(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/news.json"),
        json!({ "news": fields }),
    )
}

/// Returns how many records a search of this user finds.
fn found(world: &World, login: &str, q: &str) -> i64 {
    world
        .as_user(login)
        .get(&format!("/search.json?q={q}"))
        .assert_status(200)
        .integer("/total_count")
}
