//! `/users/:id/two_factor` and `/users/:id/delete`: what needs a confirmation with the password of
//! the administrator.

use super::edit::find_user;
use super::password::frame_below;
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::{audit_user, require_password, save};
use crate::prelude::*;
use quarry_actions::accounts::users as actions;
use quarry_actions::accounts::users::Actor;

const SECOND_FACTOR_OFF: &str = "Two-factor authentication of the user is off.";

/// `GET /users/:id/two_factor`: asks for confirmation.
pub fn confirm_second_factor_removal(
    request: &RequestContext,
    db: &Read<'_>,
) -> Result<Reply, Error> {
    if request.viewer().user == Some(find_user(request, db)?.id) {
        return Ok(Reply::redirect("/my/two_factor".to_owned()));
    }
    second_factor_page(request, db, ValidationErrors::new())
}

/// `POST /users/:id/two_factor`: switches it off. The sessions of the user end.
pub fn remove_second_factor(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find_user(request, db).map(|user| (user.id, user.login.clone())))?;
    if request.viewer().user == Some(id) {
        return Ok(Reply::see_other("/my/two_factor".to_owned()));
    }
    save(
        request,
        || {
            require_password(request)?;
            request.write(move |db, viewer| {
                actions::switch_off_second_factor(db, Actor::Viewer(viewer), id)
            })
        },
        |change| {
            audit_user(request, id, &login, &[change]);
            Ok((paths::edit_user(id), SECOND_FACTOR_OFF.to_owned()))
        },
        |db, errors| second_factor_page(request, db, errors),
    )
}

fn second_factor_page(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let user = find_user(request, db)?;
    let title = format!("Two-factor authentication of {}", user.name);
    let frame = frame_below(request, db, user, title);
    let action = format!("/users/{}/two_factor", user.id);
    let page =
        FormPage::confirmation(frame, action, "Switch off").with_cancel(paths::edit_user(user.id));
    let page = if user.has_second_factor() {
        page.with_paragraph(
            "Switch it off when the user has lost both phone and recovery codes. The user then \
             logs in with the password alone. All sessions of the user end.",
        )
        .with_fields([FormField::own_password("").required()])
    } else {
        page.with_paragraph("It is off.").without_submit()
    };
    page.with_errors(errors).render()
}

/// `GET /users/:id/delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    delete_page(request, db, ValidationErrors::new())
}

/// `POST /users/:id/delete`: deletes the user.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find_user(request, db).map(|user| (user.id, user.login.clone())))?;
    save(
        request,
        || {
            require_password(request)?;
            request.write(move |db, viewer| actions::delete(db, Actor::Viewer(viewer), id))
        },
        |change| {
            audit_user(request, id, &login, &[change]);
            let message = format!("The user {login} was deleted.");
            Ok(("/users".to_owned(), message))
        },
        |db, errors| delete_page(request, db, errors),
    )
}

fn delete_page(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let user = find_user(request, db)?;
    let name = &user.name;
    let frame = frame_below(request, db, user, format!("Delete {name}"));
    FormPage::confirmation(frame, format!("/users/{}/delete", user.id), "Delete")
        .with_heading(format!("Delete {name}?"))
        .with_paragraph(format!(
            "What {name} ({}) wrote stays, under the name Anonymous: issues, notes, time entries, \
             wiki pages, messages, files. Issues assigned to the user have no assignee any more. \
             Memberships, watched issues, API key, sessions and private queries are deleted.",
            user.login
        ))
        .with_paragraph("This cannot be undone. To prevent logins only, lock the user instead.")
        .with_fields([FormField::own_password("").required()])
        .with_cancel(paths::edit_user(user.id))
        .with_errors(errors)
        .render()
}
