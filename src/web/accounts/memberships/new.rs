//! `/projects/:id/memberships/new`: adds members to a project.

use super::address::{form_frame, members_path};
use super::roles;
use crate::access;
use crate::components::form_field::{Choice, FieldKind, FormField, choice, typed};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::memberships as actions;
use quarry_actions::accounts::memberships::{Candidates, NewMemberships};
use quarry_domain::access::membership::managed_roles;
use quarry_domain::ids::{PrincipalId, RoleId};
use quarry_domain::values::patch::Patch;
use std::collections::HashSet;

/// Maximum number of users and groups in the list. The others are found by name.
const MAX_CANDIDATES: usize = 50;
/// Minimum number of users and groups for which the form has a search.
const MIN_SEARCHABLE: usize = 10;
/// The name of the users and groups in the form, as in the API.
const PRINCIPALS: &str = "membership[user_ids][]";

#[derive(Template)]
#[template(path = "accounts/memberships/new.html")]
struct NewMembersPage {
    frame: Frame,
    project: String,
    project_id: ProjectId,
    action: String,
    members: String,
    principals: FormField,
    roles: FormField,
    /// The words of the search; `None` if there are only a few users and groups.
    words: Option<String>,
    /// Number of users and groups that match and are not in the list.
    others: usize,
    /// Messages that belong to no field.
    messages: Vec<String>,
    /// Whether the viewer may add users to the service.
    may_add_users: bool,
}

/// `GET`: the form, filled from the query string (`membership[user_ids][]=…`, and `name` for the
/// words to search for).
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: adds the members, or shows the form again: with messages, or with other users and groups
/// (`do=search`).
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (id, path) = request.app.read(|db| {
        let project = managed_project(request, db.catalogue())?;
        Ok::<_, Error>((project.id, members_path(project)))
    })?;
    if typed(&request.body, "do").is_some_and(|text| text == "search") {
        return again(request, ValidationErrors::new(), StatusCode::OK);
    }
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    let new = match parse_memberships(request) {
        Ok(new) => new,
        Err(Error::Invalid(errors)) => return again(request, errors, invalid),
        Err(error) => return Err(error),
    };
    let count = new.principals.len();
    let first = new.principals.first().copied();
    match request.write_in_project(id, move |db, viewer| actions::create(db, viewer, id, &new)) {
        Ok(_) => {}
        Err(Error::Invalid(errors)) => return again(request, errors, invalid),
        Err(error) => return Err(error),
    }
    let catalogue = request.app.store.catalogue()?;
    let message = match first.and_then(|id| catalogue.principal_name(id)) {
        Some(name) if count == 1 => format!("{name} is a member now."),
        _ => format!("{count} members were added."),
    };
    Ok(redirect_with(request, path, &Flash::notice(message)))
}

/// Shows the form again.
fn again(
    request: &RequestContext,
    errors: ValidationErrors,
    status: StatusCode,
) -> Result<Reply, Error> {
    let reply = request
        .app
        .read(|db| page(request, db, &request.body, errors))?;
    Ok(reply.with_status(status))
}

/// Parses the users and groups, each once, and their roles.
fn parse_memberships(request: &RequestContext) -> Result<NewMemberships, Error> {
    let mut body = BodyFields::from_body(request, "membership")?;
    let principals: Patch<Vec<PrincipalId>> = body.ids("user_ids", "Users");
    let mut principals = principals.value().cloned().unwrap_or_default();
    principals.sort_unstable();
    principals.dedup();
    let roles: Patch<Vec<RoleId>> = body.ids("role_ids", "Roles");
    body.check()?;
    Ok(NewMemberships {
        principals,
        roles: roles.value().cloned().unwrap_or_default(),
    })
}

/// Returns the project in the path, if the viewer may manage its members.
fn managed_project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
) -> Result<&'c Project, Error> {
    let project = access::project(request, catalogue, Permission::ViewProject)?;
    if request.viewer().may(Permission::ManageMembers, project.id) {
        Ok(project)
    } else {
        Err(Error::Forbidden)
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = managed_project(request, catalogue)?;
    let words = typed(form, "name").unwrap_or_default();
    let found = actions::candidates(db, viewer, project.id, &words, MAX_CANDIDATES)?;
    let mut principals = FormField::new(
        FieldKind::Checkboxes,
        PRINCIPALS,
        "Users and groups",
        typed(form, PRINCIPALS).unwrap_or_default(),
    );
    principals.choices = choices(request, db, project, &principals, &found)?;
    let offered = managed_roles(catalogue, viewer, project.id);
    let default = actions::default_role(db, &offered, Some(project.id))?;
    let default: Vec<RoleId> = default.into_iter().collect();
    let mut roles = roles::field(catalogue, &offered, &default, form);
    let messages = roles::assign_errors(errors, &mut roles, Some(&mut principals));
    let is_searchable = !words.is_empty() || found.total > MIN_SEARCHABLE;
    let page = NewMembersPage {
        frame: form_frame(
            request,
            db,
            project,
            format!("Add members to {}", project.name),
        ),
        project: project.name.clone(),
        project_id: project.id,
        action: format!("{}/memberships/new", paths::project(project)),
        members: members_path(project),
        principals,
        roles,
        words: is_searchable.then_some(words),
        others: found.total - found.principals.len(),
        messages,
        may_add_users: viewer.admin,
    };
    render(&page.frame, &page)
}

/// Returns the users and groups of the list: first the chosen ones that the viewer may add, then
/// those that match the search.
fn choices(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    field: &FormField,
    found: &Candidates,
) -> Result<Vec<Choice>, Error> {
    let chosen: HashSet<PrincipalId> = field
        .value
        .split('\n')
        .filter_map(|id| id.parse().ok())
        .map(PrincipalId)
        .collect();
    let mut listed: Vec<PrincipalId> = Vec::new();
    if !chosen.is_empty() {
        let possible = actions::candidates(db, request.viewer(), project.id, "", usize::MAX)?;
        listed.extend(
            possible
                .principals
                .into_iter()
                .filter(|id| chosen.contains(id)),
        );
    }
    listed.extend(found.principals.iter().filter(|id| !chosen.contains(id)));
    Ok(listed
        .into_iter()
        .map(|id| choice(id, label(db.catalogue(), id)))
        .collect())
}

/// Returns the name, with a suffix that distinguishes people of the same name.
fn label(catalogue: &Catalogue, principal: PrincipalId) -> String {
    let name = catalogue.principal_name(principal).unwrap_or_default();
    match catalogue.users.get(&UserId(principal.0)) {
        Some(user) => format!("{name} ({})", user.login),
        None => format!("{name} (group)"),
    }
}
