//! The page of a user, and for administrators its status.

use super::edit::find_user;
use crate::access;
use crate::components::avatar::Person;
use crate::components::time::Moment;
use crate::form::{audit_user, field};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Crumb, Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::users as actions;
use quarry_actions::accounts::users::{Actor, UserChange};
use quarry_domain::access::inheritance::role_ids_by_project;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::UserStatus;

const ACTIVATED: &str = "The user can log in.";
const REGISTERED: &str = "The user must be activated before logging in.";
const LOCKED: &str = "The user is locked.";

/// Maximum number of projects.
const MAX_PROJECTS: usize = 200;

#[derive(Template)]
#[template(path = "accounts/users/show.html")]
struct UserPage {
    frame: Frame,
    id: UserId,
    person: Person,
    login: Option<String>,
    mail: Option<String>,
    is_locked: bool,
    created: Moment,
    projects: Vec<(Crumb, String)>,
    assigned: bool,
    may_edit: bool,
}

/// `GET /users/:id`: a user, as far as the viewer may see.
///
/// Shows the user.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: UserId = request.id_param("id")?;
    let user = catalogue.users.get(&id).filter(|user| {
        let is_visible = user.status == UserStatus::Active
            && visibility::can_see_principal(viewer, catalogue, id.into());
        viewer.admin || viewer.user == Some(id) || is_visible
    });
    let user = user.ok_or_else(|| access::missing(request))?;
    let roles = role_ids_by_project(catalogue, &[id.into()]);
    let projects = catalogue
        .tree
        .iter()
        .filter(|id| viewer.sees(**id))
        .filter_map(|id| {
            let project = catalogue.projects.get(id)?;
            let roles = roles.get(id)?;
            let names: Vec<&str> = roles
                .iter()
                .filter_map(|id| Some(catalogue.role(*id)?.name.as_str()))
                .collect();
            Some((
                Crumb {
                    label: project.name.clone(),
                    path: paths::project(project),
                },
                names.join(", "),
            ))
        });
    let page = UserPage {
        frame: Frame::new(request, db, &user.name).with_width(Width::Narrow),
        id,
        person: Person::with_picture(viewer, catalogue, id.into()),
        // The login is half of the credentials: hidden from anonymous viewers.
        login: viewer.user.map(|_| user.login.clone()),
        mail: Some(user.mail.clone())
            .filter(|mail| !mail.is_empty() && (viewer.admin || !user.hides_mail)),
        is_locked: user.status != UserStatus::Active,
        created: Moment::new(user.created_on),
        projects: projects.take(MAX_PROJECTS).collect(),
        may_edit: viewer.admin,
        assigned: viewer.may_somewhere(quarry_domain::access::permission::Permission::ViewIssues),
    };
    render(&page.frame, &page)
}

/// `POST /users/:id/status`: locks a user, lets the user in again, or activates a registered one.
///
/// Sets the status with this code. Locking ends the sessions of the user.
pub fn update_status(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find_user(request, db).map(|user| (user.id, user.login.clone())))?;
    let status = field(request, "status")
        .parse()
        .ok()
        .and_then(UserStatus::from_code);
    let status = status.ok_or_else(|| Error::BadRequest("status must be 1, 2 or 3".to_owned()))?;
    let change = UserChange {
        status: Some(status),
        ..UserChange::default()
    };
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match actions::update(db, Actor::Viewer(viewer), id, &change) {
            Err(ActionError::Invalid(errors)) => Ok(Err(errors)),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    let flash = match outcome {
        Ok(updated) => {
            audit_user(request, id, &login, &updated.changes);
            Flash::notice(match status {
                UserStatus::Active => ACTIVATED,
                UserStatus::Registered => REGISTERED,
                UserStatus::Locked | UserStatus::Anonymous => LOCKED,
            })
        }
        Err(errors) => Flash::error(format!("{}.", errors.messages().join(". "))),
    };
    Ok(redirect_with(request, paths::edit_user(id), &flash))
}
