//! `POST /projects/:id/repository/:repository_id/revisions/:revision/issues` (compatibility 11.10).

use super::fields;
use crate::actions::changesets;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};
use crate::wire::Input;

/// Links an issue to a revision: 204. `issue_id` is outside of any object, as in Redmine, and may
/// have a `#`.
pub fn create_issue(request: &RequestContext) -> Result<Reply, Error> {
    let address = fields::address(request)?;
    let text = request
        .body
        .get("issue_id")
        .and_then(Input::as_text)
        .unwrap_or_default();
    // What is not a number becomes 0, which is the id of no issue.
    let issue = IssueId(text.trim().trim_start_matches('#').parse().unwrap_or(0));
    request.write_in_project(address.project, move |db, viewer| {
        changesets::add_issue(db, viewer, &address, issue)
    })?;
    Ok(Reply::no_content())
}
