//! The user and the project of a question about permissions, as pages and API name them.

use crate::{Error, RequestContext};
use quarry_domain::accounts::user::BuiltinPrincipal;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{PrincipalId, UserId};
use quarry_domain::projects::project::Project;

/// The name of visitors who are not logged in, in place of the id of a user.
pub const ANONYMOUS: &str = "anonymous";

/// Returns the user in the path; `None` for anonymous.
pub fn user(request: &RequestContext, catalogue: &Catalogue) -> Result<Option<UserId>, Error> {
    if request.path_param("id") == ANONYMOUS {
        return Ok(None);
    }
    let id: UserId = request.id_param("id")?;
    if catalogue.builtin_principal(BuiltinPrincipal::Anonymous) == Some(PrincipalId::from(id)) {
        return Ok(None);
    }
    match catalogue.users.contains_key(&id) {
        true => Ok(Some(id)),
        false => Err(Error::NotFound),
    }
}

/// Returns the project in a parameter, which is an id or an identifier; `None` without one.
pub fn project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    parameter: &str,
) -> Result<Option<&'c Project>, Error> {
    let reference = request.query_param(parameter);
    match reference.as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(reference) => {
            let project = catalogue.project_by(reference);
            project.map(Some).ok_or(Error::NotFound)
        }
    }
}
