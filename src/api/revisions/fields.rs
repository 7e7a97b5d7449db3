//! Parses the path of a request about a revision (compatibility 11.10).

use crate::actions::changesets::ChangesetAddress;
use crate::http::{Error, RequestContext};

/// Returns the address of the changeset in the path; 404 when the project does not exist.
pub fn address(request: &RequestContext) -> Result<ChangesetAddress, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let repository = request.path_param("repository_id").to_owned();
    let revision = request.path_param("revision").to_owned();
    Ok(ChangesetAddress {
        project,
        repository,
        revision,
    })
}
