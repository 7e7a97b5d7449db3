//! The watchers of issues, news, forums and wikis (compatibility 6.7 and 13.6).

use crate::prelude::*;
use axum::routing::{self, post};
use quarry_actions::content::watchers;
use quarry_actions::content::watchers::WatchTarget;
use quarry_domain::ids::{PrincipalId, ProjectId};
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/boards/{id}/watchers",
            get(read_handler(list::<OfBoard>)).post(write_handler(create::<OfBoard>)),
        )
        .route(
            "/boards/{id}/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfBoard>)),
        )
        .route(
            "/issues/{id}/watchers",
            post(write_handler(create::<OfIssue>)),
        )
        .route(
            "/issues/{id}/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfIssue>)),
        )
        .route(
            "/messages/{id}/watchers",
            get(read_handler(list::<OfMessage>)).post(write_handler(create::<OfMessage>)),
        )
        .route(
            "/messages/{id}/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfMessage>)),
        )
        .route(
            "/news/{id}/watchers",
            get(read_handler(list::<OfNews>)).post(write_handler(create::<OfNews>)),
        )
        .route(
            "/news/{id}/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfNews>)),
        )
        .route(
            "/projects/{id}/news/watchers",
            get(read_handler(list::<OfProjectNews>)).post(write_handler(create::<OfProjectNews>)),
        )
        .route(
            "/projects/{id}/news/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfProjectNews>)),
        )
        .route(
            "/projects/{id}/wiki/index/watchers",
            get(read_handler(list::<OfWiki>)).post(write_handler(create::<OfWiki>)),
        )
        .route(
            "/projects/{id}/wiki/index/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfWiki>)),
        )
        .route(
            "/projects/{id}/wiki/{title}/watchers",
            get(read_handler(list::<OfWikiPage>)).post(write_handler(create::<OfWikiPage>)),
        )
        .route(
            "/projects/{id}/wiki/{title}/watchers/{user_id}",
            routing::delete(write_handler(delete::<OfWikiPage>)),
        )
}

/// `GET` of the watchers of a record (compatibility 13.6).
///
/// Returns a page of the watchers, in the order in which they were added.
fn list<T: TargetPath>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let watchers = watchers::list(db, request.viewer(), &T::parse(request)?)?;
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(watchers);
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "watchers",
        "watcher",
        page,
        move |w: &mut Fields, id: PrincipalId| {
            w.field("id", id.0);
            w.field("name", catalogue.principal_name(id).unwrap_or_default());
        },
        meta,
    ))
}

/// Maximum number of watchers in one request.
const MAX_WATCHERS: usize = 1000;

/// `POST` to the watchers of a record (compatibility 6.7 and 13.6).
///
/// Adds watchers: 204, also for users who watch already and for users who are ignored.
fn create<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let users = parse_user_ids(&request.body)?;
    request.write(move |db, viewer| watchers::create(db, viewer, &target, &users))?;
    Ok(Reply::no_content())
}

/// Parses `user_id`, or `user_id` and `user_ids` in the object `watcher`. Values that are not ids
/// are ignored, and so is `user_ids` outside the object, as observed.
fn parse_user_ids(body: &Input) -> Result<Vec<PrincipalId>, Error> {
    let single = [body.get("user_id"), body.at(&["watcher", "user_id"])]
        .into_iter()
        .flatten();
    let several = body.at(&["watcher", "user_ids"]);
    let listed = several
        .and_then(Input::as_list)
        .unwrap_or_default()
        .iter()
        .chain(several.filter(|value| value.as_list().is_none()));
    let values: Vec<&Input> = single.chain(listed).collect();
    if values.len() > MAX_WATCHERS {
        return Err(Error::invalid(format!(
            "Watchers are too many (maximum is {MAX_WATCHERS} in one request)"
        )));
    }
    Ok(values.into_iter().filter_map(parse_id).collect())
}

fn parse_id(value: &Input) -> Option<PrincipalId> {
    value
        .as_text()
        .and_then(|text| text.trim().parse().ok())
        .map(PrincipalId)
}

/// `DELETE` of a watcher of a record (compatibility 6.7 and 13.6).
///
/// Removes a watcher: 204, also for a user who does not watch.
fn delete<T: TargetPath>(request: &RequestContext) -> Result<Reply, Error> {
    let target = T::parse(request)?;
    let watcher: PrincipalId = request.id_param("user_id")?;
    request.write(move |db, viewer| watchers::delete(db, viewer, &target, watcher))?;
    Ok(Reply::no_content())
}

/// A type of record in the path of a request about its watchers.
pub trait TargetPath {
    /// Parses the record in the path.
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error>;
}

/// An issue: `/issues/:id/watchers`.
pub struct OfIssue;

impl TargetPath for OfIssue {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::Issue(request.id_param("id")?))
    }
}

/// A news item: `/news/:id/watchers`.
pub struct OfNews;

impl TargetPath for OfNews {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::News(request.id_param("id")?))
    }
}

/// The news of a project: `/projects/:id/news/watchers`.
pub struct OfProjectNews;

impl TargetPath for OfProjectNews {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::ProjectNews(project(request)?))
    }
}

/// A board: `/boards/:id/watchers`.
pub struct OfBoard;

impl TargetPath for OfBoard {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::Board(request.id_param("id")?))
    }
}

/// A topic, or the topic of a reply: `/messages/:id/watchers`.
pub struct OfMessage;

impl TargetPath for OfMessage {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::Message(request.id_param("id")?))
    }
}

/// A wiki page: `/projects/:id/wiki/:title/watchers`.
pub struct OfWikiPage;

impl TargetPath for OfWikiPage {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::WikiPage(
            project(request)?,
            request.path_param("title").to_owned(),
        ))
    }
}

/// The wiki of a project: `/projects/:id/wiki/index/watchers`.
pub struct OfWiki;

impl TargetPath for OfWiki {
    fn parse(request: &RequestContext) -> Result<WatchTarget, Error> {
        Ok(WatchTarget::Wiki(project(request)?))
    }
}

fn project(request: &RequestContext) -> Result<ProjectId, Error> {
    Ok(request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id)
}
