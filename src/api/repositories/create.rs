//! `POST /projects/:id/repositories` (compatibility 13.3).

use super::view::{self, RepositoryDetails};
use crate::actions::repositories::{self, NewRepository};
use crate::domain::patch::Patch;
use crate::http::{BodyFields, Error, Reply, RequestContext};
use std::sync::Arc;

/// Adds a repository: 201 with it and the URL of its changesets.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let mut body = BodyFields::from_body(request, "repository")?;
    let text = |patch: Patch<String>| patch.value().map(|text| text.trim().to_owned()).unwrap_or_default();
    let new = NewRepository {
        identifier: text(body.text("identifier", "Identifier")),
        scm: text(body.text("scm", "SCM")),
        url: text(body.text("url", "URL")),
        is_default: body.boolean("is_default", "Is default") == Patch::Set(true),
    };
    body.check()?;
    let (project, clock) = (request.path_param("id").to_owned(), Arc::clone(&request.app.clock));
    let id = request.write(move |db, viewer| repositories::create(db, viewer, &project, &new, clock.as_ref()))?;
    request.app.read(|db| {
        let details = RepositoryDetails::new(request.viewer(), repositories::find(db, request.viewer(), id)?);
        let catalogue = Arc::clone(db.catalogue());
        let project = catalogue.projects.get(&details.repository.project).map_or("", |project| &project.identifier);
        let location = format!("{}/projects/{project}/repository/{id}/revisions", request.base_url());
        Ok(Reply::object("repository", move |w| view::repository(w, &details, &catalogue)).created(location))
    })
}
