//! `/projects/:id/news`, `/news/:id`, `/news/:id/comments` (compatibility 11.5)

mod comments;
mod list;
mod manage;

use quarry_world::{Response, World};
use serde_json::{Value, json};

/// Creates a news item as this user.
fn create(world: &World, login: &str, project: &str, fields: Value) -> Response {
    world.as_user(login).post(
        &format!("/projects/{project}/news.json"),
        json!({ "news": fields }),
    )
}
