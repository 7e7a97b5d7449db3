//! `/users/new`: creates a user.

use super::password::show_generated;
use super::user_form::{new_password, new_password_fields, parse_user, profile, rights};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::{FormPage, Section};
use crate::form::{audit_user, require_password, save_with_reply};
use crate::frame::render::redirect_with;
use crate::frame::{Flash, Frame};
use crate::prelude::*;
use quarry_actions::accounts::users as actions;
use quarry_actions::accounts::users::Actor;

const CREATED: &str = "The user was created.";

/// `GET /users/new`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST /users/new`: creates the user. A new administrator needs the password of the one who
/// creates it.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    save_with_reply(
        request,
        || {
            let mut change = parse_user(&request.body)?;
            change.password = Some(new_password(request)?);
            if change.admin == Some(true) {
                require_password(request)?;
            }
            let login = change.login.value().cloned().unwrap_or_default();
            let created = request
                .write(move |db, viewer| actions::create(db, Actor::Viewer(viewer), &change))?;
            audit_user(request, created.id, login.trim(), &created.changes);
            Ok(created)
        },
        |created| match created.password {
            Some(password) => show_generated(request, created.id, password),
            None => Ok(redirect_with(
                request,
                paths::edit_user(created.id),
                &Flash::notice(CREATED),
            )),
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let form = FieldBuilder::without_object(&request.body);
    let mut sections = profile(db, None, form)?;
    let password = new_password_fields(form, "Must change the password at the first login");
    sections.push(Section::new("Password", password.into()).with_columns());
    let rights = rights(form, false, "Only for a new administrator.");
    sections.push(Section::new("Rights", rights.into()));
    let frame = Frame::for_administration(request, db, "New user").below("Users", "/users");
    FormPage::with_sections(frame, "/users/new", sections)
        .with_submit("Create")
        .with_cancel("/users")
        .with_errors(errors)
        .render()
}
