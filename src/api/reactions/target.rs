//! The record in the path of a request about reactions (compatibility 13.8).

use crate::actions::reactions::ReactionTarget;
use crate::http::{Error, RequestContext};

/// A type of record in the path of a request about its reactions.
pub trait TargetPath {
    /// Parses the record in the path.
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error>;
}

/// An issue: `/issues/:id/reactions`.
pub struct ToIssue;

impl TargetPath for ToIssue {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Issue(request.id_param("id")?))
    }
}

/// A journal: `/journals/:id/reactions`.
pub struct ToJournal;

impl TargetPath for ToJournal {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Journal(request.id_param("id")?))
    }
}

/// A news item: `/news/:id/reactions`.
pub struct ToNews;

impl TargetPath for ToNews {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::News(request.id_param("id")?))
    }
}

/// A comment: `/news/:id/comments/:comment_id/reactions`.
pub struct ToComment;

impl TargetPath for ToComment {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Comment(
            request.id_param("id")?,
            request.id_param("comment_id")?,
        ))
    }
}

/// A topic or reply: `/messages/:id/reactions`.
pub struct ToMessage;

impl TargetPath for ToMessage {
    fn parse(request: &RequestContext) -> Result<ReactionTarget, Error> {
        Ok(ReactionTarget::Message(request.id_param("id")?))
    }
}
