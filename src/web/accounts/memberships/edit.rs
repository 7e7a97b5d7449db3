//! `/memberships/:id/edit` and `/memberships/:id/delete`: changes the roles of a member, and
//! removes it.

use super::address::{form_frame, members_path, redirect_after_change};
use super::roles::{self, RoleLabel};
use crate::access;
use crate::components::form_field::{FormField, typed};
use crate::form::form_merge::{CONFLICT, ORIGINAL, merge, original, save_merged};
use crate::form::show_again;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::memberships as actions;
use quarry_actions::accounts::memberships::deletion_refusal;
use quarry_domain::access::membership::{Membership, managed_roles};
use quarry_domain::ids::{MembershipId, RoleId};
use quarry_domain::validation::ValidationError;
use quarry_domain::values::patch::Patch;

#[derive(Template)]
#[template(path = "accounts/memberships/edit.html")]
struct EditPage {
    frame: Frame,
    id: MembershipId,
    name: String,
    project: String,
    members: String,
    roles: FormField,
    /// The roles that are saved, see [`form_merge`](crate::form::form_merge).
    original: String,
    /// The roles that the viewer cannot change here.
    fixed: Vec<RoleLabel>,
    may_delete: bool,
    /// Messages that belong to no field.
    messages: Vec<String>,
}

/// `GET`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    edit_page(request, db, &Input::Null, ValidationErrors::new())
}

/// `POST`: replaces the roles that the viewer may give. Inherited ones stay.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    save_merged(
        || try_update(request),
        |busy| {
            request
                .app
                .read(|db| edit_page(request, db, &request.body, busy))
        },
    )
}

/// The same; fails with `Outdated` when somebody saves anything between the merge and the write.
fn try_update(request: &RequestContext) -> Result<Reply, Error> {
    let (membership, name, version) = request.app.read(|db| {
        let (membership, _) = find_membership(request, db)?;
        let name = db
            .catalogue()
            .principal_name(membership.principal)
            .unwrap_or_default()
            .to_owned();
        Ok::<_, Error>((membership, name, db.catalogue().version))
    })?;
    let roles = match parse_roles(request) {
        Ok(roles) => roles,
        Err(Error::Invalid(errors)) => {
            return show_again(request, |db| edit_page(request, db, &request.body, errors));
        }
        Err(error) => return Err(error),
    };
    if typed(&request.body, ORIGINAL).is_some() {
        let merged = request.app.read(|db| -> Result<_, Error> {
            let (membership, project) = find_membership(request, db)?;
            if db.catalogue().version != version {
                return Err(Error::Outdated);
            }
            let saved = roles_field(request, db.catalogue(), &membership, project, &Input::Null);
            Ok(merge(&request.body, &[saved]))
        })?;
        if !merged.conflicts.is_empty() {
            let error = ValidationError::for_record(CONFLICT);
            let reply = request
                .app
                .read(|db| edit_page(request, db, &request.body, error.into()))?;
            return Ok(reply.with_status(StatusCode::CONFLICT));
        }
        if merged
            .form
            .get("membership")
            .is_none_or(|form| form.get("role_ids").is_none())
        {
            let text = format!("The roles of {name} were saved.");
            return redirect_after_change(request, membership.project, text);
        }
    }
    let id = membership.id;
    let saved = request.write(move |db, viewer| {
        if db.catalogue().version != version {
            return Err(ActionError::Outdated);
        }
        actions::update(db, viewer, id, &roles)
    });
    match saved {
        Ok(()) => redirect_after_change(
            request,
            membership.project,
            format!("The roles of {name} were saved."),
        ),
        Err(Error::Invalid(errors)) => {
            show_again(request, |db| edit_page(request, db, &request.body, errors))
        }
        Err(error) => Err(error),
    }
}

fn parse_roles(request: &RequestContext) -> Result<Vec<RoleId>, Error> {
    let mut body = BodyFields::from_body(request, "membership")?;
    let roles: Patch<Vec<RoleId>> = body.ids("role_ids", "Roles");
    body.check()?;
    Ok(roles.value().cloned().unwrap_or_default())
}

/// Returns the membership in the path and its project, if the viewer may manage its members.
pub fn find_membership<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
) -> Result<(Membership, &'c Project), Error> {
    let viewer = request.viewer();
    let membership = access::found(request, actions::find(db, viewer, request.id_param("id")?))?;
    let project = db
        .catalogue()
        .projects
        .get(&membership.project)
        .filter(|project| viewer.sees(project.id));
    let project = project.ok_or_else(|| access::missing(request))?;
    if viewer.may(Permission::ManageMembers, project.id) {
        Ok((membership, project))
    } else {
        Err(Error::Forbidden)
    }
}

/// Returns the choice of the roles that the viewer may give and take.
fn roles_field(
    request: &RequestContext,
    catalogue: &Catalogue,
    membership: &Membership,
    project: &Project,
    form: &Input,
) -> FormField {
    let managed = managed_roles(catalogue, request.viewer(), project.id);
    let offered: Vec<RoleId> = managed
        .into_iter()
        .filter(|role| !membership.roles.contains(&(*role, true)))
        .collect();
    let own: Vec<RoleId> = membership.own_roles().collect();
    roles::field(catalogue, &offered, &own, form)
}

fn edit_page(
    request: &RequestContext,
    db: &Read<'_>,
    form: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let (membership, project) = find_membership(request, db)?;
    let name = catalogue
        .principal_name(membership.principal)
        .unwrap_or_default();
    let managed = managed_roles(catalogue, request.viewer(), project.id);
    let fixed = Membership {
        roles: membership
            .roles
            .iter()
            .copied()
            .filter(|(role, is_inherited)| *is_inherited || !managed.contains(role))
            .collect(),
        ..membership.clone()
    };
    let saved = roles_field(request, catalogue, &membership, project, &Input::Null);
    let mut roles = roles_field(request, catalogue, &membership, project, form);
    let messages = roles::assign_errors(errors, &mut roles, None);
    let page = EditPage {
        frame: form_frame(
            request,
            db,
            project,
            format!("Roles of {name} in {}", project.name),
        ),
        id: membership.id,
        name: name.to_owned(),
        project: project.name.clone(),
        members: members_path(project),
        roles,
        original: original([&saved]),
        fixed: roles::labels(catalogue, &fixed),
        may_delete: deletion_refusal(&membership, &managed).is_none(),
        messages,
    };
    render(&page.frame, &page)
}

#[derive(Template)]
#[template(path = "accounts/memberships/delete.html")]
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
    delete_page(request, db)
}

/// `POST`: removes the member.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (id, project, message) = request.app.read(|db| {
        let (membership, project) = find_membership(request, db)?;
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
            .read(|db| delete_page(request, db))?
            .with_status(StatusCode::UNPROCESSABLE_ENTITY)),
        Err(error) => Err(error),
    }
}

fn delete_page(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (membership, project) = find_membership(request, db)?;
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
