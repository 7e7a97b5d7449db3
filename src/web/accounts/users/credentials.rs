//! `/users/:id/sessions` and `/users/:id/api_key`: how a user is logged in, for administrators, who
//! can end it.

use super::edit::find_user;
use crate::components::form_page::FormPage;
use crate::components::list_page::{Cell, ListPage};
use crate::components::time::Moment;
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::accounts::{account, sessions};
use quarry_domain::accounts::user::User;
use quarry_domain::administration::audit::{AuditEvent, RecordType};

fn frame(request: &RequestContext, db: &Read<'_>, user: &User, title: &str) -> Frame {
    Frame::for_administration(request, db, format!("{title} of {}", user.name))
        .below("Users", "/users")
        .below(user.name.as_str(), paths::edit_user(user.id))
}

/// `GET /users/:id/sessions`: the browsers in which the user is logged in.
pub fn list_sessions(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user = find_user(request, db)?;
    let rows = sessions::list(db, user.id)?.into_iter().map(|session| {
        vec![
            Cell::Text(session.user_agent),
            Cell::Text(session.address),
            Cell::Moment(Some(Moment::new(session.created_on))),
            Cell::Moment(Some(Moment::new(session.used_on))),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let has_sessions = !rows.is_empty();
    let frame = frame(request, db, user, "Sessions");
    let page = ListPage::new(frame, &["Browser", "Address", "Since", "Last used"], rows)
        .with_empty(
            "The user has no sessions.",
            "API keys work without a session.",
        );
    if has_sessions {
        page.with_button(
            "End all sessions",
            format!("/users/{}/sessions/end", user.id),
        )
        .render()
    } else {
        page.render()
    }
}

/// `GET /users/:id/sessions/end`: asks for confirmation.
pub fn confirm_end(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user = find_user(request, db)?;
    let path = format!("/users/{}/sessions", user.id);
    FormPage::confirmation(
        frame(request, db, user, "End all sessions"),
        format!("{path}/end"),
        "End sessions",
    )
    .with_heading(format!("End all sessions of {}?", user.name))
    .with_paragraph("The user must log in again in every browser. API keys keep working.")
    .with_cancel(path)
    .render()
}

/// `POST /users/:id/sessions/end`: ends all sessions of the user.
pub fn end_sessions(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.app.read(|db| find_user(request, db).cloned())?;
    let id = user.id;
    let login = user.login;
    save(
        request,
        || {
            request.write(move |db, viewer| {
                if !viewer.admin {
                    return Err(ActionError::Forbidden);
                }
                let ended = sessions::end_others(db, id, None)?;
                db.audit(AuditEvent::new(RecordType::User, id, "sessions ended").with_name(&login));
                Ok(ended)
            })
        },
        |ended| {
            let message = match ended {
                1 => "1 session was ended.".to_owned(),
                _ => format!("{ended} sessions were ended."),
            };
            Ok((paths::edit_user(id), message))
        },
        |db, _| list_sessions(request, db),
    )
}

/// `GET /users/:id/api_key`: asks whether the API key is to stop working.
pub fn confirm_key(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    key_page(request, db, ValidationErrors::new())
}

/// `POST /users/:id/api_key`: replaces the API key by one that only the user can see.
pub fn revoke_key(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.app.read(|db| find_user(request, db).cloned())?;
    let id = user.id;
    let login = user.login;
    save(
        request,
        || {
            request.write(move |db, viewer| {
                if !viewer.admin {
                    return Err(ActionError::Forbidden);
                }
                account::reset_key(db, id)?;
                db.audit(
                    AuditEvent::new(RecordType::User, id, "API key revoked").with_name(&login),
                );
                Ok(())
            })
        },
        |()| {
            let message = "The API key no longer works. The user finds a new one under My account.";
            Ok((paths::edit_user(id), message.to_owned()))
        },
        |db, errors| key_page(request, db, errors),
    )
}

fn key_page(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let user = find_user(request, db)?;
    FormPage::confirmation(
        frame(request, db, user, "API key"),
        format!("/users/{}/api_key", user.id),
        "Revoke",
    )
    .with_heading(format!("Revoke the API key of {}?", user.name))
    .with_paragraph(
        "Programs that use it are refused from now on. The user finds a new key under My account.",
    )
    .with_cancel(paths::edit_user(user.id))
    .with_errors(errors)
    .render()
}
