//! `GET /issues`, `GET /projects/:id/issues` (compatibility 6.3).

use super::include::Included;
use super::view::{self, ViewContext};
use crate::domain::issue::Issue;
use crate::http::issue_list::{self, IssuePage};
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns a page of the matching issues that the viewer can see; only open ones, unless the
/// request filters by status.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let IssuePage {
        issues: page,
        total,
        pagination,
        warning,
        ..
    } = issue_list::load(request, db)?;
    let view_context = ViewContext::load(db, &request.viewer_context, &page)?;
    let included = Included::for_list(request, db, &page)?;
    let describe = move |w: &mut Fields, issue: Arc<Issue>| {
        view::issue(w, &issue, &view_context);
        included.write(w, &issue);
    };
    let meta = pagination.meta(total, page.len());
    let reply = Reply::list("issues", "issue", page, describe, meta);
    Ok(reply.with_warning(warning))
}
