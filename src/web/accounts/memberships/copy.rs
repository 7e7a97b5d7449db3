//! `/projects/:id/memberships/copy`: copies the members of another project.

use super::address::{form_frame, members_path};
use crate::access;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::prelude::*;
use quarry_actions::accounts::memberships as actions;
use quarry_domain::validation::ValidationError;

/// The name of the field with the project to copy from.
const FROM: &str = "from_project_id";

/// `GET`: asks for the project to copy from.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: copies its members.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = access::managed_project(request, &catalogue, Permission::ManageMembers)?;
    let to = project.id;
    save(
        request,
        || {
            let from = typed(&request.body, FROM).unwrap_or_default();
            let from = from.trim().parse().map(ProjectId).ok();
            let viewer = request.viewer();
            let from = from.filter(|id| viewer.may(Permission::ManageMembers, *id));
            let from = from.ok_or_else(|| {
                let error = ValidationError::new(FROM, "Project", "must be one of the list");
                Error::Invalid(error.into())
            })?;
            request.write_in_project(to, move |db, viewer| actions::copy(db, viewer, from, to))
        },
        |added| {
            let message = match added {
                0 => "Nobody was added: all of them are members already.".to_owned(),
                1 => "1 member was added.".to_owned(),
                _ => format!("{added} members were added."),
            };
            Ok((members_path(project), message))
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::managed_project(request, catalogue, Permission::ManageMembers)?;
    let others = catalogue.tree.iter();
    let others = others
        .filter(|id| **id != project.id && viewer.may(Permission::ManageMembers, **id))
        .filter_map(|id| catalogue.projects.get(id));
    let choices: Vec<_> = others.map(|other| choice(other.id, &other.name)).collect();
    let frame = form_frame(request, db, project, "Copy members".to_owned());
    let action = format!("{}/memberships/copy", paths::project(project));
    let is_empty = choices.is_empty();
    let value = typed(&request.body, FROM).unwrap_or_default();
    let field = FormField::new(FieldKind::Select, FROM, "From the project", value);
    let page = FormPage::new(frame, action, vec![field.with_choices(choices)])
        .with_heading("Copy members")
        .with_submit("Copy")
        .with_cancel(members_path(project))
        .with_paragraph("Its members become members here, with the roles that they have there. Those who are members already stay as they are.");
    if is_empty {
        return page
            .with_refusal("There is no other project whose members you may manage.")
            .render();
    }
    page.with_errors(errors).render()
}
