//! Parses the body of a request about a repository (compatibility 13.3).

use crate::actions::repositories::{NewRepository, RepositoryChange};
use crate::domain::patch::Patch;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object `repository` of a new one.
pub fn parse_new(request: &RequestContext) -> Result<NewRepository, Error> {
    let mut body = BodyFields::from_body(request, "repository")?;
    let trimmed = |patch: Patch<String>| {
        patch
            .value()
            .map(|text| text.trim().to_owned())
            .unwrap_or_default()
    };
    let new = NewRepository {
        identifier: trimmed(body.text("identifier", "Identifier")),
        scm: trimmed(body.text("scm", "SCM")),
        url: trimmed(body.text("url", "URL")),
        is_default: body.boolean("is_default", "Is default") == Patch::Set(true),
    };
    body.check()?;
    Ok(new)
}

/// Parses the object `repository` of an update. `scm` cannot be changed and is ignored.
pub fn parse_change(request: &RequestContext) -> Result<RepositoryChange, Error> {
    let mut body = BodyFields::from_body(request, "repository")?;
    let change = RepositoryChange {
        identifier: body
            .text("identifier", "Identifier")
            .map(|text| text.trim().to_owned()),
        url: body.text("url", "URL").map(|text| text.trim().to_owned()),
        is_default: body.boolean("is_default", "Is default").value().copied(),
    };
    body.check()?;
    Ok(change)
}
