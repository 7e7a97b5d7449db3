//! `DELETE /projects/:id/repository/:repository_id/revisions/:revision/issues/:issue_id`
//! (compatibility 11.10).

use super::fields;
use crate::actions::changesets;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};

/// Removes the link of an issue to a revision: 204, also when there is none.
pub fn delete_issue(request: &RequestContext) -> Result<Reply, Error> {
    let issue: IssueId = request.id_param("issue_id")?;
    let address = fields::address(request)?;
    request.write_in_project(address.project, move |db, viewer| {
        changesets::remove_issue(db, viewer, &address, issue)
    })?;
    Ok(Reply::no_content())
}
