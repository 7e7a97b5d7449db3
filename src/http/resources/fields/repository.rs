//! The fields of a repository in a request.

use crate::resources::fields::FromBody;
use crate::{BodyFields, Error};
use quarry_actions::projects::repositories::RepositoryChange;
use quarry_domain::projects::repository::Repository;
use quarry_domain::values::patch::Patch;

impl FromBody for Repository {
    const OBJECT: &'static str = "repository";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(Repository {
            identifier: body.text("identifier", "Identifier").apply_trimmed(""),
            scm: body.text("scm", "SCM").apply_trimmed(""),
            url: body.text("url", "URL").apply_trimmed(""),
            is_default: body.boolean("is_default", "Is default") == Patch::Set(true),
            ..Repository::default()
        })
    }
}

/// `scm` cannot be changed and is ignored.
impl FromBody for RepositoryChange {
    const OBJECT: &'static str = "repository";

    fn from_fields(body: &mut BodyFields<'_>) -> Result<Self, Error> {
        Ok(RepositoryChange {
            identifier: body
                .text("identifier", "Identifier")
                .map(|text| text.trim().to_owned()),
            url: body.text("url", "URL").map(|text| text.trim().to_owned()),
            is_default: body.boolean("is_default", "Is default").value().copied(),
        })
    }
}
