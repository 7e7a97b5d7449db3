//! `/projects/new`: creates a project.

use super::fields::ProjectFields;
use crate::components::form_page::{FormPage, Section};
use crate::form::save;
use crate::frame::Frame;
use crate::memberships::members_path;
use quarry_actions::projects as actions;
use quarry_actions::projects::may_create;
use quarry_domain::access::permission::Permission;
use quarry_domain::ids::ProjectId;
use quarry_domain::validation::ValidationErrors;
use quarry_http::resources::{fields, paths};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire::Input;

const TRACKER_DELETED: &str = "A chosen tracker has been deleted meanwhile; choose others";

/// `GET`: the form, filled from the query string: `project[name]=…` and, as in Redmine,
/// `parent_id`, the id or identifier of the parent.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: creates the project. Redirects to its members if the viewer may add some.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    if !may_create(request.viewer()) {
        return Err(Error::Forbidden);
    }
    save(
        request,
        || {
            let change = fields::project::parse(&request.body)?;
            let created = request.write(move |db, viewer| actions::create(db, viewer, &change));
            created.map_err(|error| match error {
                Error::NotFound => Error::invalid(TRACKER_DELETED.to_owned()),
                error => error,
            })
        },
        |id| created(request, id),
        |db, errors| page(request, db, &request.body, errors),
    )
}

/// Returns where the creator of a project goes on, with a message.
fn created(request: &RequestContext, id: ProjectId) -> Result<(String, String), Error> {
    let catalogue = request.app.store.catalogue()?;
    let viewer = request.viewer().renewed(&catalogue);
    let created = catalogue.projects.get(&id).filter(|_| viewer.sees(id));
    Ok(match created {
        Some(project) if viewer.may(Permission::ManageMembers, id) => (
            members_path(project),
            format!(
                "The project {} was created. Its members are on this page.",
                project.name
            ),
        ),
        Some(project) => (
            paths::project(project),
            format!("The project {} was created.", project.name),
        ),
        None => (
            "/projects".to_owned(),
            "The project was created. You cannot see it.".to_owned(),
        ),
    })
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let options = actions::new(db.catalogue(), request.viewer(), db.now())?;
    let fields = ProjectFields {
        request,
        catalogue: db.catalogue(),
        options: &options,
        sent,
    };
    let lists = fields.modules().into_iter().chain(fields.trackers());
    let sections = vec![
        Section::new("", fields.information()),
        Section::new("", lists.collect()),
    ];
    let frame = Frame::new(request, db, "New project").below("Projects", "/projects");
    FormPage::with_sections(frame, "/projects/new", sections)
        .with_submit("Create")
        .with_cancel("/projects")
        .with_errors(errors)
        .render()
}
