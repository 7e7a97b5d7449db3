//! `POST …/watch`: starts or stops watching an issue, a news item, the news of a project, a board,
//! a topic, a wiki page or a wiki.

use crate::access;
use crate::components::form_field::typed;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use axum::routing::post;
use quarry_actions::content::watchers;
use quarry_actions::content::watchers::WatchTarget;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/boards/{id}/watch", post(write_handler(board)))
        .route(
            "/boards/{board}/topics/{id}/watch",
            post(write_handler(topic)),
        )
        .route("/issues/{id}/watch", post(write_handler(issue)))
        .route("/news/{id}/watch", post(write_handler(news)))
        .route(
            "/projects/{id}/news/watch",
            post(write_handler(project_news)),
        )
        .route(
            "/projects/{id}/wiki/{title}/watch",
            post(write_handler(wiki_page)),
        )
        .route("/projects/{id}/wiki/index/watch", post(write_handler(wiki)))
}

/// `POST /issues/:id/watch`.
fn issue(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    update(
        request,
        WatchTarget::Issue(id),
        "this issue",
        paths::issue(id),
    )
}

/// `POST /news/:id/watch`.
fn news(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    update(
        request,
        WatchTarget::News(id),
        "this news item",
        paths::news(id),
    )
}

/// `POST /projects/:id/news/watch`.
fn project_news(request: &RequestContext) -> Result<Reply, Error> {
    let (id, path) = project(request, Permission::ViewNews)?;
    update(
        request,
        WatchTarget::ProjectNews(id),
        "the news of this project",
        format!("{path}/news"),
    )
}

/// `POST /boards/:id/watch`.
fn board(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    update(
        request,
        WatchTarget::Board(id),
        "this forum",
        paths::board(id),
    )
}

/// `POST /boards/:board/topics/:id/watch`.
fn topic(request: &RequestContext) -> Result<Reply, Error> {
    let board: i64 = request.id_param("board")?;
    let id: i64 = request.id_param("id")?;
    update(
        request,
        WatchTarget::Message(id),
        "this topic",
        paths::topic(board, id),
    )
}

/// `POST /projects/:id/wiki/:title/watch`.
fn wiki_page(request: &RequestContext) -> Result<Reply, Error> {
    let (id, path) = project(request, Permission::ViewWikiPages)?;
    let title = request.path_param("title");
    update(
        request,
        WatchTarget::WikiPage(id, title.to_owned()),
        "this page",
        format!("{path}/wiki/{}", paths::encode(title)),
    )
}

/// `POST /projects/:id/wiki/index/watch`.
fn wiki(request: &RequestContext) -> Result<Reply, Error> {
    let (id, path) = project(request, Permission::ViewWikiPages)?;
    update(
        request,
        WatchTarget::Wiki(id),
        "this wiki",
        format!("{path}/wiki/index"),
    )
}

/// Returns the project in the path and its address, if the viewer has the permission there.
fn project(request: &RequestContext, permission: Permission) -> Result<(ProjectId, String), Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = access::project(request, &catalogue, permission)?;
    Ok((project.id, paths::project(project)))
}

/// Makes the viewer a watcher (`do=watch`), or one no longer (`do=unwatch`), and returns to the
/// page of the record.
fn update(
    request: &RequestContext,
    target: WatchTarget,
    name: &str,
    path: String,
) -> Result<Reply, Error> {
    let is_on = match typed(&request.body, "do").as_deref() {
        Some("watch") => true,
        Some("unwatch") => false,
        _ => return Err(Error::BadRequest("do must be watch or unwatch".to_owned())),
    };
    access::found(
        request,
        request.write(move |db, viewer| watchers::set_watching(db, viewer, &target, is_on)),
    )?;
    let message = if is_on {
        format!("You watch {name}.")
    } else {
        format!("You do not watch {name} any more.")
    };
    Ok(redirect_with(request, path, &Flash::notice(message)))
}
