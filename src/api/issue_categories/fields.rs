//! Parses the path and the body of a request about an issue category.

use crate::actions::categories::CategoryChange;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::http::{BodyFields, Error, RequestContext};

/// Returns the project in the path; 404 when it does not exist.
pub fn project(request: &RequestContext, catalogue: &Catalogue) -> Result<ProjectId, Error> {
    catalogue
        .project_by(request.path_param("id"))
        .map(|project| project.id)
        .ok_or(Error::NotFound)
}

/// Parses the object `issue_category`.
pub fn parse(request: &RequestContext) -> Result<CategoryChange, Error> {
    let mut body = BodyFields::from_body(request, "issue_category")?;
    let change = CategoryChange {
        name: body.text("name", "Name"),
        assignee: body.id("assigned_to_id", "Assignee"),
    };
    body.check()?;
    Ok(change)
}
