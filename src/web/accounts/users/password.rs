//! `/users/:id/password`: replaces the password of another user.

use super::edit::find_user;
use super::user_form::{new_password, new_password_fields};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::{audit_user, is_checked, require_password, save_with_reply};
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::users as actions;
use quarry_actions::accounts::users::{Actor, UserChange};
use quarry_domain::accounts::user::User;

const CHANGED: &str = "The password is changed.";

#[derive(Template)]
#[template(path = "accounts/users/generated.html")]
struct GeneratedPage {
    frame: Frame,
    id: UserId,
    login: String,
    password: String,
}

/// `GET /users/:id/password`: the form. The own password has a page of its own.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.viewer().user == Some(find_user(request, db)?.id) {
        return Ok(Reply::redirect("/my/password".to_owned()));
    }
    page(request, db, ValidationErrors::new())
}

/// `POST /users/:id/password`: sets a password, or generates one and shows it once. The sessions of
/// the user end.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find_user(request, db).map(|user| (user.id, user.login.clone())))?;
    if request.viewer().user == Some(id) {
        return Ok(Reply::see_other("/my/password".to_owned()));
    }
    save_with_reply(
        request,
        || {
            let change = UserChange {
                password: Some(new_password(request)?),
                must_change_password: Some(is_checked(request, "must_change_passwd")),
                ..UserChange::default()
            };
            require_password(request)?;
            let updated = request
                .write(move |db, viewer| actions::update(db, Actor::Viewer(viewer), id, &change))?;
            audit_user(request, id, &login, &updated.changes);
            Ok(updated.password)
        },
        |generated| match generated {
            Some(password) => show_generated(request, id, password),
            None => Ok(redirect_with(
                request,
                paths::edit_user(id),
                &Flash::notice(CHANGED),
            )),
        },
        |db, errors| page(request, db, errors),
    )
}

/// Renders the page with a generated password, which is stored nowhere.
pub fn show_generated(
    request: &RequestContext,
    id: UserId,
    password: String,
) -> Result<Reply, Error> {
    request.app.read(|db| {
        let user = db.catalogue().users.get(&id).ok_or(Error::NotFound)?;
        let page = GeneratedPage {
            frame: frame_below(request, db, user, format!("Password of {}", user.name)),
            id,
            login: user.login.clone(),
            password,
        };
        render(&page.frame, &page)
    })
}

/// Returns the frame of a page with this title about one thing of a user.
pub fn frame_below(request: &RequestContext, db: &Read<'_>, user: &User, title: String) -> Frame {
    Frame::new(request, db, title)
        .with_width(Width::Slim)
        .below("Users", "/users")
        .below(user.name.as_str(), paths::edit_user(user.id))
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let user = find_user(request, db)?;
    let frame = frame_below(request, db, user, format!("New password of {}", user.name));
    let form = FieldBuilder::without_object(&request.body);
    let fields = new_password_fields(form, "Must change the password at the next login");
    FormPage::new(frame, format!("/users/{}/password", user.id), fields.into())
        .with_fields([FormField::own_password("").required()])
        .with_paragraph("It ends all sessions of the user. API keys stay.")
        .with_submit("Change password")
        .with_cancel(paths::edit_user(user.id))
        .with_errors(errors)
        .render()
}
