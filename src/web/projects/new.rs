//! `/projects/new`: the form for a new project.

use super::new_fields::{NewProjectFields, fields};
use crate::actions::projects::{self as actions, may_create};
use crate::domain::permission::Permission;
use crate::http::{Error, Reply, RequestContext, project_fields};
use crate::store::Read;
use crate::web::components::form_field::assign_errors;
use crate::web::frame::{Flash, Frame, Width, project_path};
use crate::web::memberships::members_path;
use crate::web::render::{redirect_with, render};
use crate::wire::Input;
use askama::Template;
use axum::http::StatusCode;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "projects/new.html")]
struct NewProjectPage {
    frame: Frame,
    fields: NewProjectFields,
    /// Messages that belong to no field.
    messages: Vec<String>,
}

/// `GET`: the form, filled from the query string: `project[name]=…` and, as in Redmine,
/// `parent_id`, the id or identifier of the parent.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, Vec::new())
}

/// `POST`: creates the project. Redirects to its members if the viewer may add some.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    if !may_create(request.viewer()) {
        return Err(Error::Forbidden);
    }
    let again = |messages: Vec<String>| {
        let reply = request
            .app
            .read(|db| page(request, db, &request.body, messages))?;
        Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    let change = match project_fields::parse(&request.body) {
        Ok(change) => change,
        Err(Error::Invalid(messages)) => return again(messages),
        Err(error) => return Err(error),
    };
    let clock = Arc::clone(&request.app.clock);
    let id = match request
        .write(move |db, viewer| actions::create(db, viewer, &change, clock.as_ref()))
    {
        Ok(id) => id,
        Err(Error::Invalid(messages)) => return again(messages),
        Err(Error::NotFound) => {
            return again(vec![
                "A chosen tracker has been deleted meanwhile; choose others".to_owned(),
            ]);
        }
        Err(error) => return Err(error),
    };
    request.app.read(|db| {
        let catalogue = db.catalogue();
        let viewer = request.viewer().renewed(catalogue);
        let created = catalogue.projects.get(&id).filter(|_| viewer.sees(id));
        let (path, message) = match created {
            Some(project) if viewer.may(Permission::ManageMembers, id) => (
                members_path(project),
                format!(
                    "The project {} was created. Its members are on this page.",
                    project.name
                ),
            ),
            Some(project) => (
                project_path(project),
                format!("The project {} was created.", project.name),
            ),
            None => (
                "/projects".to_owned(),
                "The project was created. You cannot see it.".to_owned(),
            ),
        };
        Ok(redirect_with(request, path, &Flash::notice(message)))
    })
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: &Input,
    messages: Vec<String>,
) -> Result<Reply, Error> {
    let offered = actions::new(db.catalogue(), request.viewer(), request.app.clock.as_ref())?;
    let mut fields = fields(request, db.catalogue(), &offered, form);
    let messages = assign_errors(fields.iter_mut(), messages);
    let frame = Frame::new(request, db, "New project")
        .with_width(Width::Narrow)
        .below("Projects", "/projects");
    let page = NewProjectPage {
        frame,
        fields,
        messages,
    };
    render(&page.frame, &page)
}
