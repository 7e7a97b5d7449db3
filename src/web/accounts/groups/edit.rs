//! `/groups/new` and `/groups/:id/edit`.

use super::form;
use super::form::{UserChoices, parse_group};
use crate::accounts::memberships::members_path;
use crate::components::form_field::{FormField, assign_errors, typed};
use crate::form::{audit_user, require_password, show_again};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::accounts::groups as actions;
use quarry_actions::accounts::groups::GroupChange;
use quarry_actions::accounts::users::RightsChange;
use quarry_domain::access::member::Member;
use quarry_domain::accounts::group::Group;
use quarry_domain::ids::PrincipalId;
use quarry_domain::validation::ValidationError;

/// The message about a change that was based on another state of the group.
pub const OUTDATED: &str = "Somebody else changed this group meanwhile; load the page again";

#[derive(Template)]
#[template(path = "accounts/groups/edit.html")]
struct GroupPage {
    frame: Frame,
    title: String,
    action: String,
    fields: Vec<FormField>,
    users: UserChoices,
    /// The password of the administrator, if a change can need it.
    password: Option<FormField>,
    /// Messages that belong to no field.
    messages: Vec<String>,
    projects: Vec<ProjectRow>,
    /// The address of the deletion; `None` for a new group.
    delete: Option<String>,
}

/// A project of a group.
pub struct ProjectRow {
    pub name: String,
    /// The address of its members.
    pub members: String,
    /// The names of the roles of the group.
    pub roles: String,
}

/// Returns the group in the path.
pub fn find_group<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
) -> Result<&'c Group, Error> {
    let id: PrincipalId = request.id_param("id")?;
    catalogue.groups.get(&id).ok_or(Error::NotFound)
}

/// Returns the projects of a group by the order of the tree.
pub fn projects(catalogue: &Catalogue, group: PrincipalId) -> Vec<ProjectRow> {
    let of_group = |member: &&Member| member.principal == group;
    let members: Vec<&Member> = catalogue.members.iter().filter(of_group).collect();
    let projects = catalogue.tree.iter().filter_map(|id| {
        let project = catalogue.projects.get(id)?;
        let member = members.iter().find(|member| member.project == *id)?;
        let given: Vec<_> = member.role_ids().collect();
        let roles = catalogue.roles.iter();
        let roles: Vec<&str> = roles
            .filter(|role| given.contains(&role.id))
            .map(|role| role.name.as_str())
            .collect();
        Some(ProjectRow {
            name: project.name.clone(),
            members: members_path(project),
            roles: roles.join(", "),
        })
    });
    projects.collect()
}

/// Logs that the groups of these users have changed.
pub fn audit(request: &RequestContext, users: &[UserId]) -> Result<(), Error> {
    let catalogue = request.app.store.catalogue()?;
    for user in users.iter().filter_map(|id| catalogue.users.get(id)) {
        audit_user(request, user.id, &user.login, &[RightsChange::Groups]);
    }
    Ok(())
}

/// `GET /groups/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None, &request.query, ValidationErrors::new())
}

/// `POST /groups/new`: creates a group, or shows the form again: with messages, or with other users
/// (`do=search`).
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    if is_search(request) {
        return again(request, None, ValidationErrors::new(), StatusCode::OK);
    }
    let change = match parse_group(&request.body) {
        Ok(change) => change,
        Err(error) => return invalid(request, None, error),
    };
    match request.write(move |db, viewer| actions::create(db, viewer, &change)) {
        Ok((id, users)) => {
            audit(request, &users)?;
            Ok(redirect_with(
                request,
                format!("/groups/{id}/edit"),
                &Flash::notice("The group was created."),
            ))
        }
        Err(error) => invalid(request, None, error),
    }
}

/// `GET /groups/:id/edit`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let group = find_group(request, db.catalogue())?;
    page(
        request,
        db,
        Some(group),
        &request.query,
        ValidationErrors::new(),
    )
}

/// `POST /groups/:id/edit`: updates the group. Taking the second factor off somebody needs the own
/// password.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let group = find_group(request, &catalogue)?.clone();
    if is_search(request) {
        return again(
            request,
            Some(&group),
            ValidationErrors::new(),
            StatusCode::OK,
        );
    }
    let change = match parse_group(&request.body) {
        Ok(change) => change,
        Err(error) => return invalid(request, Some(&group), error),
    };
    let is_guarded = weakens(&group, &change);
    if is_guarded && let Err(error) = require_password(request) {
        return invalid(request, Some(&group), error);
    }
    let id = group.id;
    let updated = request.write(move |db, viewer| -> Result<_, Error> {
        let current = db.catalogue().groups.get(&id).ok_or(Error::NotFound)?;
        if !is_guarded && weakens(current, &change) {
            return Err(Error::Conflict(OUTDATED.to_owned()));
        }
        Ok(actions::update(db, viewer, id, &change)?)
    });
    match updated {
        Ok(users) => {
            audit(request, &users)?;
            Ok(redirect_with(
                request,
                format!("/groups/{id}/edit"),
                &Flash::notice("The group was saved."),
            ))
        }
        Err(error) => invalid(request, Some(&group), error),
    }
}

/// Whether the change takes a required second factor off somebody.
fn weakens(group: &Group, change: &GroupChange) -> bool {
    group.requires_second_factor
        && (change.requires_second_factor == Some(false)
            || group.users.iter().any(|user| change.removed.contains(user)))
}

fn is_search(request: &RequestContext) -> bool {
    typed(&request.body, "do").is_some_and(|text| text == "search")
}

/// Shows the form again with the messages of an error.
fn invalid(request: &RequestContext, group: Option<&Group>, error: Error) -> Result<Reply, Error> {
    match error {
        Error::Invalid(errors) => again(request, group, errors, StatusCode::UNPROCESSABLE_ENTITY),
        Error::Conflict(message) => {
            let error = ValidationError::for_record(message);
            again(request, group, error.into(), StatusCode::CONFLICT)
        }
        error => Err(error),
    }
}

fn again(
    request: &RequestContext,
    group: Option<&Group>,
    errors: ValidationErrors,
    status: StatusCode,
) -> Result<Reply, Error> {
    let reply = show_again(request, |db| {
        // The users of the group may have changed meanwhile.
        let current = group.and_then(|group| db.catalogue().groups.get(&group.id));
        page(request, db, current.or(group), &request.body, errors)
    })?;
    Ok(reply.with_status(status))
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    group: Option<&Group>,
    form: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let mut fields = form::fields(request, db, group, form)?;
    let mut users = form::users(request, catalogue, group, form)?;
    let needs_password = group.is_some_and(|group| group.requires_second_factor);
    let mut password = needs_password
        .then(|| FormField::own_password("Only to take two-factor authentication off somebody."));
    let rows = fields.iter_mut().chain([&mut users.field]);
    let messages = assign_errors(rows.chain(&mut password), errors);
    let title = group.map_or("New group", |group| &group.name).to_owned();
    let has_errors = !messages.is_empty()
        || password.as_ref().is_some_and(FormField::is_invalid)
        || users.field.is_invalid()
        || fields.iter().any(FormField::is_invalid);
    let window = match has_errors {
        true => format!("Error: {title}"),
        false => title.clone(),
    };
    let frame = Frame::for_administration(request, db, window).below("Groups", "/groups");
    let page = GroupPage {
        frame: frame.with_width(Width::Narrow),
        title,
        action: match group {
            Some(group) => format!("/groups/{}/edit", group.id),
            None => "/groups/new".to_owned(),
        },
        fields,
        users,
        password,
        messages,
        projects: group
            .map(|group| projects(catalogue, group.id))
            .unwrap_or_default(),
        delete: group.map(|group| format!("/groups/{}/delete", group.id)),
    };
    render(&page.frame, &page)
}
