//! `/users/new`: creates a user.

use super::password::show_generated;
use super::user_form::{Errors, Typed, UserForm};
use crate::form::{PASSWORDS_DIFFER, audit_user, check_password, field, show_again};
use crate::frame::{Flash, Frame, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use quarry_actions::ActionError;
use quarry_actions::users as actions;
use quarry_actions::users::{Actor, CreatedUser, NewPassword};
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

const CREATED: &str = "The user is created.";
const NO_PASSWORD: &str = "Enter a password, or let one be generated.";

#[derive(Template)]
#[template(path = "users/new.html")]
struct NewUserPage {
    frame: Frame,
    form: UserForm,
}

/// `GET /users/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, Typed::for_new_user(db), Errors::default())
}

/// `POST /users/new`: creates the user. A new administrator needs the password of the one who
/// creates it.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let typed = Typed::sent(request)?;
    let password = typed.new_password(request);
    match &password {
        None => {
            let message = NO_PASSWORD.to_owned();
            return show_again(request, |db| {
                page(
                    request,
                    db,
                    typed.clone(),
                    Errors {
                        new_password: Some(message),
                        ..Errors::default()
                    },
                )
            });
        }
        Some(NewPassword::Given(password))
            if *password != field(request, "new_password_confirmation") =>
        {
            return show_again(request, |db| {
                page(
                    request,
                    db,
                    typed.clone(),
                    Errors {
                        confirmation: Some(PASSWORDS_DIFFER.to_owned()),
                        ..Errors::default()
                    },
                )
            });
        }
        Some(_) => {}
    }
    if typed.admin
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
    let change = actions::UserChange {
        password,
        ..typed.to_change()
    };
    let login = change.login.value().cloned().unwrap_or_default();
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match actions::create(db, Actor::Viewer(viewer), &change) {
            Err(ActionError::Invalid(invalid)) => Ok(Err(Box::new(Errors::new(invalid)))),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    let CreatedUser {
        id,
        password,
        changes,
        ..
    } = match outcome {
        Ok(created) => created,
        Err(errors) => return show_again(request, |db| page(request, db, typed.clone(), *errors)),
    };
    audit_user(request, id, login.trim(), &changes);
    match password {
        Some(password) => show_generated(request, id, password),
        None => Ok(redirect_with(
            request,
            paths::edit_user(id),
            &Flash::notice(CREATED),
        )),
    }
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    typed: Typed,
    errors: Errors,
) -> Result<Reply, Error> {
    let frame = Frame::for_administration(request, db, "New user").with_width(Width::Medium);
    let frame = frame.below("Users", "/users");
    let page = NewUserPage {
        frame,
        form: UserForm::new(db, typed, errors),
    };
    render(&page.frame, &page)
}
