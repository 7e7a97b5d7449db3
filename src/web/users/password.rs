//! `/users/:id/password`: replaces the password of another user.

use super::edit::find;
use super::user_form::Errors;
use crate::form::{PASSWORDS_DIFFER, audit_user, check_password, field, is_checked, show_again};
use crate::frame::{Flash, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use quarry_actions::ActionError;
use quarry_actions::users as actions;
use quarry_actions::users::{Actor, NewPassword, UserChange};
use quarry_domain::ids::UserId;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

const CHANGED: &str = "The password is changed.";

#[derive(Template)]
#[template(path = "users/password.html")]
struct PasswordPage {
    frame: Frame,
    id: UserId,
    generates: bool,
    must_change: bool,
    errors: Errors,
}

#[derive(Template)]
#[template(path = "users/generated.html")]
struct GeneratedPage {
    frame: Frame,
    id: UserId,
    login: String,
    password: String,
}

/// `GET /users/:id/password`: the form. The own password has a page of its own.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.viewer().user == Some(find(request, db)?.id) {
        return Ok(Reply::redirect("/my/password".to_owned()));
    }
    page(request, db, true, true, Errors::default())
}

/// `POST /users/:id/password`: sets a password, or generates one and shows it once. The sessions of
/// the user end.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find(request, db).map(|user| (user.id, user.login.clone())))?;
    if request.viewer().user == Some(id) {
        return Ok(Reply::see_other("/my/password".to_owned()));
    }
    let generates = is_checked(request, "generate_password");
    let must_change = is_checked(request, "must_change_passwd");
    let typed = field(request, "new_password");
    if !generates && typed != field(request, "new_password_confirmation") {
        return show_again(request, |db| {
            page(
                request,
                db,
                generates,
                must_change,
                Errors {
                    confirmation: Some(PASSWORDS_DIFFER.to_owned()),
                    ..Errors::default()
                },
            )
        });
    }
    if let Some(error) = check_password(request)? {
        return show_again(request, |db| {
            page(
                request,
                db,
                generates,
                must_change,
                Errors {
                    password: Some(error),
                    ..Errors::default()
                },
            )
        });
    }
    let password = if generates {
        NewPassword::Generated
    } else {
        NewPassword::Given(typed)
    };
    let change = UserChange {
        password: Some(password),
        must_change_password: Some(must_change),
        ..UserChange::default()
    };
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match actions::update(db, Actor::Viewer(viewer), id, &change) {
            Err(ActionError::Invalid(invalid)) => Ok(Err(Box::new(Errors::new(invalid)))),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    let updated = match outcome {
        Ok(updated) => updated,
        Err(errors) => {
            return show_again(request, |db| {
                page(request, db, generates, must_change, *errors)
            });
        }
    };
    audit_user(request, id, &login, &updated.changes);
    match updated.password {
        Some(password) => show_generated(request, id, password),
        None => Ok(redirect_with(
            request,
            paths::edit_user(id),
            &Flash::notice(CHANGED),
        )),
    }
}

/// Renders the page with a generated password, which is stored nowhere.
pub fn show_generated(
    request: &RequestContext,
    id: UserId,
    password: String,
) -> Result<Reply, Error> {
    request.app.read(|db| {
        let user = db.catalogue().users.get(&id).ok_or(Error::NotFound)?;
        let frame =
            Frame::new(request, db, format!("Password of {}", user.name)).with_width(Width::Slim);
        let frame = frame
            .below("Users", "/users")
            .below(user.name.as_str(), paths::edit_user(id));
        let page = GeneratedPage {
            frame,
            id,
            login: user.login.clone(),
            password,
        };
        render(&page.frame, &page)
    })
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    generates: bool,
    must_change: bool,
    errors: Errors,
) -> Result<Reply, Error> {
    let user = find(request, db)?;
    let frame =
        Frame::new(request, db, format!("New password of {}", user.name)).with_width(Width::Slim);
    let frame = frame
        .below("Users", "/users")
        .below(user.name.as_str(), paths::edit_user(user.id));
    let page = PasswordPage {
        frame,
        id: user.id,
        generates,
        must_change,
        errors,
    };
    render(&page.frame, &page)
}
