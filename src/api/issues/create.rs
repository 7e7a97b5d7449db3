//! `POST /issues`, `POST /projects/:id/issues` (compatibility 6.4).

use super::fields::{self, uploads};
use super::include::Included;
use super::reply;
use super::view::ViewContext;
use crate::actions;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates an issue: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let mut change = fields::parse(request)?;
    let uploads = uploads(request)?;
    let in_project = !request.path_param("id").is_empty();
    if in_project {
        let catalogue = request.app.store.catalogue()?;
        let project = catalogue
            .project_by(request.path_param("id"))
            .ok_or(Error::NotFound)?;
        if !request.viewer().may(Permission::AddIssues, project.id) {
            return Err(Error::Forbidden);
        }
        change.project = Patch::Set(project.id.to_string());
    }
    let clock = Arc::clone(&request.app.clock);
    let issue = request.write(move |db, viewer| {
        actions::issues::create(db, viewer, &change, &uploads, clock.as_ref())
    });
    let issue = issue.map_err(Error::by_framework)?;
    let (mut view_context, included) = request.app.read(|db| -> Result<_, Error> {
        Ok((
            ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&issue))?,
            Included::for_issue(request, db, &issue)?,
        ))
    })?;
    view_context.with_spent = in_project;
    let location = format!("{}/issues/{}", request.base_url(), issue.id);
    Ok(reply::issue(request, issue, view_context, included).created(location))
}
