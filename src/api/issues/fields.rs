//! Parses the body of a request about an issue (compatibility 6.4 and 6.5).

use crate::actions::attachments::NewUpload;
use crate::api::attachments::view;
use crate::domain::issue::IssueChange;
use crate::http::{Error, RequestContext, issue_fields};

/// Parses the object `issue`; without one nothing changes. A value of the wrong type is a 422 that
/// names it.
pub fn parse(request: &RequestContext) -> Result<IssueChange, Error> {
    issue_fields::parse(request, &request.body)
}

/// Returns the uploads to attach to the issue.
pub fn uploads(request: &RequestContext) -> Result<Vec<NewUpload>, Error> {
    request
        .body
        .get("issue")
        .map_or_else(|| Ok(Vec::new()), view::uploads)
}
