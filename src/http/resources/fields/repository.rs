//! The fields of a repository in a request.

use crate::{BodyFields, Error};
use quarry_actions::repositories::RepositoryChange;
use quarry_domain::projects::repository::Repository;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Parses the object `repository` of a new one.
pub fn parse_new(input: &Input) -> Result<Repository, Error> {
    let mut body = BodyFields::from_input(input, "repository")?;
    let new = Repository {
        identifier: body.text("identifier", "Identifier").apply_trimmed(""),
        scm: body.text("scm", "SCM").apply_trimmed(""),
        url: body.text("url", "URL").apply_trimmed(""),
        is_default: body.boolean("is_default", "Is default") == Patch::Set(true),
        ..Repository::default()
    };
    body.check()?;
    Ok(new)
}

/// Parses the object `repository` of an update. `scm` cannot be changed and is ignored.
pub fn parse_change(input: &Input) -> Result<RepositoryChange, Error> {
    let mut body = BodyFields::from_input(input, "repository")?;
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
