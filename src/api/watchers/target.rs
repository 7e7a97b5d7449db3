//! The record in the path of a request about watchers (compatibility 6.7 and 13.6).

use crate::actions::watchers::WatchTarget;
use crate::domain::ids::ProjectId;
use crate::http::{Error, RequestContext};

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
