//! `POST /projects/:id/repositories` (compatibility 13.3).

use super::fields;
use super::show::repository_reply;
use crate::actions::repositories;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Adds a repository: 201 with it and the URL of its changesets.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let new = fields::parse_new(request)?;
    let project = request.path_param("id").to_owned();
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| {
        repositories::create(db, viewer, &project, &new, clock.as_ref())
    })?;
    request.app.read(|db| {
        let repository = repositories::find(db, request.viewer(), id)?;
        let project = db
            .catalogue()
            .projects
            .get(&repository.project)
            .map_or("", |project| &project.identifier);
        let location = format!(
            "{}/projects/{project}/repository/{id}/revisions",
            request.base_url()
        );
        Ok(repository_reply(request, db, repository).created(location))
    })
}
