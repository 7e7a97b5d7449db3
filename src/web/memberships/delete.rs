//! `/memberships/:id/delete`: removes a member, after a page that asks for confirmation.

use super::address::{form_frame, members_path, redirect_after_change};
use super::edit::find;
use crate::actions::memberships::{self as actions, deletion_refusal};
use crate::domain::ids::MembershipId;
use crate::domain::membership::managed_roles;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::frame::{Frame, Width};
use crate::web::render::render;
use askama::Template;
use axum::http::StatusCode;

#[derive(Template)]
#[template(path = "memberships/delete.html")]
struct DeletePage {
    frame: Frame,
    id: MembershipId,
    name: String,
    project: String,
    members: String,
    is_group: bool,
    /// Whether the viewer is the member, or in the group.
    is_own: bool,
    /// Why the member cannot be removed.
    refusal: Option<String>,
}

/// `GET`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db)
}

/// `POST`: removes the member.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (id, project, message) = request.app.read(|db| {
        let (membership, project) = find(request, db)?;
        let name = db
            .catalogue()
            .principal_name(membership.principal)
            .unwrap_or_default();
        Ok::<_, Error>((
            membership.id,
            project.id,
            format!("{name} is no longer a member of {}.", project.name),
        ))
    })?;
    match request.write(move |db, viewer| actions::delete(db, viewer, id)) {
        Ok(()) => redirect_after_change(request, project, message),
        Err(Error::Invalid(_)) => Ok(request
            .app
            .read(|db| page(request, db))?
            .with_status(StatusCode::UNPROCESSABLE_ENTITY)),
        Err(error) => Err(error),
    }
}

fn page(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (membership, project) = find(request, db)?;
    let name = catalogue
        .principal_name(membership.principal)
        .unwrap_or_default();
    let refusal = deletion_refusal(&membership, &managed_roles(catalogue, viewer, project.id));
    let page = DeletePage {
        frame: form_frame(
            request,
            db,
            project,
            format!("Remove {name} from {}", project.name),
        )
        .with_width(Width::Slim),
        id: membership.id,
        name: name.to_owned(),
        project: project.name.clone(),
        members: members_path(project),
        is_group: catalogue.groups.contains_key(&membership.principal),
        is_own: viewer.principals.contains(&membership.principal),
        refusal: refusal.map(|message| format!("{message}.")),
    };
    render(&page.frame, &page)
}
