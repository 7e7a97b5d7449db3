//! `POST …/reactions`: adds the viewer's reaction to an issue, a note, a news item, a comment or a
//! message (`do=add`), or removes it (`do=remove`). `content` of the form or the query string is what it says, by default a thumb up.

use crate::access;
use crate::components::form_field::typed;
use crate::frame::local_path::local_path;
use crate::prelude::*;
use axum::routing::post;
use quarry_actions::content::reactions;
use quarry_actions::content::reactions::ReactionTarget;
use quarry_http::resources::fields::reaction::parse_content;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/{id}/reactions", post(write_handler(issue)))
        .route("/journals/{id}/reactions", post(write_handler(journal)))
        .route("/messages/{id}/reactions", post(write_handler(message)))
        .route("/news/{id}/reactions", post(write_handler(news)))
        .route(
            "/news/{id}/comments/{comment_id}/reactions",
            post(write_handler(comment)),
        )
}

/// `POST /issues/:id/reactions`.
fn issue(request: &RequestContext) -> Result<Reply, Error> {
    update(request, ReactionTarget::Issue(request.id_param("id")?))
}

/// `POST /journals/:id/reactions`.
fn journal(request: &RequestContext) -> Result<Reply, Error> {
    update(request, ReactionTarget::Journal(request.id_param("id")?))
}

/// `POST /news/:id/reactions`.
fn news(request: &RequestContext) -> Result<Reply, Error> {
    update(request, ReactionTarget::News(request.id_param("id")?))
}

/// `POST /news/:id/comments/:comment_id/reactions`.
fn comment(request: &RequestContext) -> Result<Reply, Error> {
    update(
        request,
        ReactionTarget::Comment(request.id_param("id")?, request.id_param("comment_id")?),
    )
}

/// `POST /messages/:id/reactions`.
fn message(request: &RequestContext) -> Result<Reply, Error> {
    update(request, ReactionTarget::Message(request.id_param("id")?))
}

/// Changes the reaction, and leads back to the page at `back_url`, to the element `anchor`.
fn update(request: &RequestContext, target: ReactionTarget) -> Result<Reply, Error> {
    let is_on = match typed(&request.body, "do").as_deref() {
        Some("add") => true,
        Some("remove") => false,
        _ => return Err(Error::BadRequest("do must be add or remove".to_owned())),
    };
    let typed_content = typed(&request.body, "content");
    let content = match typed_content.as_deref() {
        Some(name) => parse_content(Some(name))?,
        None => parse_content(request.query_param("content").as_deref())?,
    };
    let found = request
        .app
        .read(|db| reactions::list(db, request.viewer(), &target));
    access::found(request, found)?;
    request.write(move |db, viewer| {
        if is_on {
            reactions::create(db, viewer, &target, content)
        } else {
            reactions::delete(db, viewer, &target, content)
        }
    })?;
    let back = typed(&request.body, "back_url").unwrap_or_default();
    let page = local_path(&back)
        .unwrap_or("/")
        .split('#')
        .next()
        .unwrap_or("/");
    let anchor = request
        .query_param("anchor")
        .filter(|anchor| is_anchor(anchor))
        .map(|anchor| format!("#{anchor}"));
    Ok(Reply::see_other(format!(
        "{page}{}",
        anchor.unwrap_or_default()
    )))
}

fn is_anchor(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
