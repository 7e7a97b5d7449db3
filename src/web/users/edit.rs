//! `/users/:id/edit`: changes a user.

use super::user_form::{Errors, Typed, UserForm};
use crate::components::time::Moment;
use crate::form::{audit_user, check_password, show_again};
use crate::frame::{Crumb, Flash, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use quarry_actions::ActionError;
use quarry_actions::invitations;
use quarry_actions::users as actions;
use quarry_actions::users::Actor;
use quarry_domain::access::inheritance::{role_ids_by_project, with_groups};
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::ids::UserId;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_store::accounts::users;

const SAVED: &str = "The user is saved.";
const OUTDATED: &str = "Somebody else changed this user meanwhile; load the page again";

/// Maximum number of projects.
const MAX_PROJECTS: usize = 100;

#[derive(Template)]
#[template(path = "users/edit.html")]
struct EditUserPage {
    frame: Frame,
    id: UserId,
    name: String,
    form: UserForm,
    status: UserStatus,
    is_viewer: bool,
    /// Whether an invitation can let the user choose a first password.
    is_without_password: bool,
    has_second_factor: bool,
    created: Moment,
    last_login: Option<Moment>,
    password_changed: Option<Moment>,
    projects: Vec<(Crumb, String)>,
}

impl EditUserPage {
    fn is_active(&self) -> bool {
        self.status == UserStatus::Active
    }

    fn is_registered(&self) -> bool {
        self.status == UserStatus::Registered
    }
}

/// Returns the user in the path.
pub fn find<'c>(request: &RequestContext, db: &'c Read<'_>) -> Result<&'c User, Error> {
    db.catalogue()
        .users
        .get(&request.id_param("id")?)
        .ok_or(Error::NotFound)
}

/// `GET /users/:id/edit`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let typed = Typed::stored(db, find(request, db)?)?;
    page(request, db, typed, Errors::default())
}

/// `POST /users/:id/edit`: changes the user. Making somebody an administrator, or an ordinary user
/// again, needs the own password.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let (id, was_admin) = request
        .app
        .read(|db| find(request, db).map(|user| (user.id, user.admin)))?;
    let typed = Typed::sent(request)?;
    if typed.admin != was_admin
        && let Some(error) = check_password(request)?
    {
        return show_again(request, |db| {
            page(
                request,
                db,
                typed.clone(),
                Errors {
                    password: Some(error),
                    ..Errors::default()
                },
            )
        });
    }
    let change = typed.to_change();
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        // The flag may have changed since it was compared.
        if db
            .catalogue()
            .users
            .get(&id)
            .is_some_and(|user| user.admin != was_admin)
        {
            return Err(Error::Conflict(OUTDATED.to_owned()));
        }
        match actions::update(db, Actor::Viewer(viewer), id, &change) {
            Err(ActionError::Invalid(invalid)) => Ok(Err(Box::new(Errors::new(invalid)))),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    match outcome {
        Ok(updated) => {
            let login = request
                .app
                .store
                .catalogue()?
                .users
                .get(&id)
                .map(|user| user.login.clone())
                .unwrap_or_default();
            audit_user(request, id, &login, &updated.changes);
            Ok(redirect_with(
                request,
                paths::edit_user(id),
                &Flash::notice(SAVED),
            ))
        }
        Err(errors) => show_again(request, |db| page(request, db, typed.clone(), *errors)),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    typed: Typed,
    errors: Errors,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let user = find(request, db)?;
    let roles = role_ids_by_project(catalogue, &with_groups(catalogue, user.id.into()));
    let projects = catalogue.tree.iter().filter_map(|id| {
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
    let frame = Frame::for_administration(request, db, format!("{} – user", user.name))
        .with_width(Width::TwoColumns);
    let page = EditUserPage {
        frame: frame.below("Users", "/users"),
        id: user.id,
        name: user.name.clone(),
        form: UserForm::new(db, typed, errors),
        status: user.status,
        is_viewer: request.viewer().user == Some(user.id),
        is_without_password: invitations::may_be_invited(db, user.id)?,
        has_second_factor: user.has_second_factor(),
        created: Moment::new(user.created_on),
        last_login: users::last_login(db, user.id)?.map(Moment::new),
        password_changed: user.passwd_changed_on.map(Moment::new),
        projects: projects.take(MAX_PROJECTS).collect(),
    };
    render(&page.frame, &page)
}
