//! `GET /issues/:id/relations` (compatibility 6.8).

use super::view;
use crate::actions::issues;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, relations};

/// Returns the relations of an issue to issues that the viewer can see.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let issue = issues::find(db, request.viewer(), id)?;
    let relations = view::of_issue(
        issue.id,
        &relations::list_visible(db, request.viewer(), &[issue.id.0])?,
    );
    Ok(Reply::list(
        "relations",
        "relation",
        relations,
        view::relation,
        Vec::new(),
    ))
}
