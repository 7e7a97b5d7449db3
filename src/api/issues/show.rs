//! `GET /issues/:id` (compatibility 6.1).

use super::include::Included;
use super::reply;
use super::view::ViewContext;
use crate::actions::issues;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns the issue with the included data; 403 when the viewer cannot see it, 404 when it does
/// not exist.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let issue = issues::find(db, request.viewer(), id)?;
    let view_context =
        ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&issue))?;
    let included = Included::for_issue(request, db, &issue)?;
    Ok(reply::issue(request, issue, view_context, included))
}
