//! `PUT /issues/:id` (compatibility 6.5).

use super::fields::{self, uploads};
use super::include::Included;
use super::reply;
use super::view::ViewContext;
use crate::actions;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates an issue: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let change = fields::parse(request)?;
    let uploads = uploads(request)?;
    let clock = Arc::clone(&request.app.clock);
    let issue = request.write(move |db, viewer| {
        actions::issues::update(db, viewer, id, &change, &uploads, clock.as_ref())
    })?;
    let (view_context, included) = request.app.read(|db| -> Result<_, Error> {
        Ok((
            ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&issue))?,
            Included::for_issue(request, db, &issue)?,
        ))
    })?;
    Ok(reply::issue(request, issue, view_context, included))
}
