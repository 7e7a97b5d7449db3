//! `POST /projects/:id/issues/new_address`: replaces the address for new issues by mail.

use super::state::project_of_path;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use quarry_actions::content::incoming_mail::new_issue_addresses;

/// Replaces the address of the viewer. The earlier ones stop working.
pub fn renew(request: &RequestContext) -> Result<Reply, Error> {
    let found = request.app.read(|db| -> Result<_, Error> {
        let project = project_of_path(request, db)?.ok_or(Error::NotFound)?;
        Ok((project.id, paths::project(project)))
    })?;
    let (project, path) = found;
    request.write(move |db, viewer| new_issue_addresses::renew(db, viewer, project))?;
    let flash = Flash::notice("You have a new address. The old one does not work any more.");
    Ok(redirect_with(request, format!("{path}/issues/new"), &flash))
}
