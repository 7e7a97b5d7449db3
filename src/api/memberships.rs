//! Memberships of projects (compatibility 11.7).

use crate::prelude::*;
use crate::users::view::membership_roles;
use quarry_actions::accounts::memberships;
use quarry_actions::accounts::memberships::NewMemberships;
use quarry_domain::access::membership::Membership;
use quarry_domain::ids::{MembershipId, PrincipalId, RoleId, UserId};
use quarry_domain::values::patch::Patch;
use quarry_store::accounts::memberships as stored;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/memberships/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/memberships",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /projects/:id/memberships` (compatibility 11.7).
///
/// Returns a page of the memberships of a project, inherited ones too, to everybody who can see the
/// project.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let pagination = Pagination::from_query(&request.query);
    let (memberships, total) = pagination.slice(memberships::list(db, request.viewer(), project)?);
    let meta = pagination.meta(total, memberships.len());
    let describe =
        move |w: &mut _, membership: Membership| write_membership(w, &membership, &catalogue);
    Ok(Reply::list(
        "memberships",
        "membership",
        memberships,
        describe,
        meta,
    ))
}

/// `GET /memberships/:id` (compatibility 11.7).
///
/// Returns the membership, to everybody who can see its project.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let membership = memberships::find(db, request.viewer(), request.id_param("id")?)?;
    Ok(membership_reply(db, membership))
}

/// Returns a membership after a change, whatever it has done to the rights of the viewer.
fn reply_by_id(request: &RequestContext, id: MembershipId) -> Result<Reply, Error> {
    request.app.read(|db| {
        let membership = stored::find(db, id)?.ok_or(Error::NotFound)?;
        Ok(membership_reply(db, membership))
    })
}

fn membership_reply(db: &Read<'_>, membership: Membership) -> Reply {
    let catalogue = Arc::clone(db.catalogue());
    Reply::object("membership", move |w| {
        write_membership(w, &membership, &catalogue)
    })
}

/// `POST /projects/:id/memberships` (compatibility 11.7).
///
/// Makes users and groups members of a project: 201 with the membership of the first one and its
/// URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let new = parse_new(request)?;
    let id = request.write_in_project(project, move |db, viewer| {
        memberships::create(db, viewer, project, &new)
    })?;
    Ok(reply_by_id(request, id)?.created(format!("{}/memberships/{id}", request.base_url())))
}

/// `PUT /memberships/:id` (compatibility 11.7).
///
/// Replaces the roles of a membership: 200 with its new state. A body without `membership` changes
/// nothing.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: MembershipId = request.id_param("id")?;
    let roles = parse_roles(request)?;
    request.write(move |db, viewer| match roles {
        Some(roles) => memberships::update(db, viewer, id, &roles),
        None => memberships::find_managed(db, viewer, id).map(drop),
    })?;
    reply_by_id(request, id)
}

/// `DELETE /memberships/:id` (compatibility 11.7).
///
/// Deletes a membership: 200 without a body. An inherited one is a 422.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: MembershipId = request.id_param("id")?;
    request
        .write(move |db, viewer| memberships::delete(db, viewer, id))
        .map_err(Error::for_deletion)?;
    Ok(Reply::ok())
}

/// Parses the object `membership` of a new one: `user_id` or `user_ids`, of users and groups, and
/// `role_ids`.
pub fn parse_new(request: &RequestContext) -> Result<NewMemberships, Error> {
    let mut body = BodyFields::from_body(request, "membership")?;
    let mut principals = ids_of(body.ids("user_id", "User"));
    principals.extend(ids_of(body.ids("user_ids", "Users")));
    let roles: Patch<Vec<RoleId>> = body.ids("role_ids", "Roles");
    body.check()?;
    Ok(NewMemberships {
        principals,
        roles: roles.value().cloned().unwrap_or_default(),
    })
}

fn ids_of(patch: Patch<Vec<PrincipalId>>) -> Vec<PrincipalId> {
    patch.value().cloned().unwrap_or_default()
}

/// Parses the roles of the object `membership`; `None` without an object. An object without roles
/// asks for none.
pub fn parse_roles(request: &RequestContext) -> Result<Option<Vec<RoleId>>, Error> {
    let mut body = BodyFields::from_body(request, "membership")?;
    let roles: Patch<Vec<RoleId>> = body.ids("role_ids", "Roles");
    body.check()?;
    let is_sent = request
        .body
        .get("membership")
        .is_some_and(|fields| !fields.is_null());
    Ok(is_sent.then(|| roles.value().cloned().unwrap_or_default()))
}

/// Writes the fields of a membership, in the order of compatibility 11.7.
pub fn write_membership(w: &mut Fields, membership: &Membership, catalogue: &Catalogue) {
    w.field("id", membership.id.0);
    w.reference(
        "project",
        membership.project.0,
        catalogue.project_name(membership.project),
    );
    let kind = if catalogue
        .users
        .contains_key(&UserId(membership.principal.0))
    {
        "user"
    } else {
        "group"
    };
    w.reference(
        kind,
        membership.principal.0,
        catalogue
            .principal_name(membership.principal)
            .unwrap_or_default(),
    );
    membership_roles(w, membership, catalogue);
}
