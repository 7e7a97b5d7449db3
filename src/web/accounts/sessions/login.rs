//! `/login` and `/logout`.

use super::start::{next_step, start};
use super::{back_url, resume, steps};
use crate::components::form_page::FormPage;
use crate::form;
use crate::form::delay_message;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;
use axum::http::{HeaderName, StatusCode};
use quarry_actions::accounts::{lost_passwords, registration, sessions};
use quarry_domain::administration::audit::{Actor, AuditEvent, Origin, RecordType};
use quarry_domain::administration::setting::Setting;
use quarry_http::{PostedForm, SecretCheck};

/// What the browser forgets at the logout.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");
const LOGGED_OUT: &str = "You are logged out.";

const WRONG: &str = "Login and password do not match, or the account is not active.";

/// The login form as a page.
#[derive(Template)]
#[template(path = "accounts/sessions/login.html")]
pub struct LoginPage {
    /// The frame; its token is that of the form.
    pub frame: Frame,
    /// The login as typed.
    pub username: String,
    /// Where the login leads.
    pub back_url: String,
    /// Whether the user wants to stay logged in.
    pub autologin: bool,
    /// For how many days that is possible; 0 for not at all.
    pub autologin_days: i64,
    /// What is wrong with the attempt.
    pub error: Option<String>,
    /// Whether people can create accounts.
    pub may_register: bool,
    /// Whether people can replace lost passwords by mail.
    pub may_reset: bool,
    /// A form that was sent without a session and waits for the login.
    pub posted: Option<PostedForm>,
}

/// `/login`: the form, and the check of login and password.
///
/// Returns the login form in this frame.
pub fn login_page(frame: Frame, csrf_token: String, autologin_days: i64) -> LoginPage {
    let mut frame = frame.with_width(Width::Slim).without_search();
    frame.csrf_token = Some(csrf_token);
    LoginPage {
        frame,
        username: String::new(),
        back_url: String::new(),
        autologin: false,
        autologin_days,
        error: None,
        may_register: false,
        may_reset: false,
        posted: None,
    }
}

/// `GET /login`: the form; for a user who is logged in, a redirect.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let back_url = request.query_param("back_url").unwrap_or_default();
    let back_url = back_url::target(&back_url);
    if request.session().is_some() {
        return Ok(Reply::redirect(back_url.to_owned()));
    }
    let (csrf_token, cookie) = request.login_csrf();
    let frame = Frame::new(request, db, "Log in");
    let mut page = login_page(
        frame,
        csrf_token,
        db.catalogue().integer_setting(Setting::Autologin),
    );
    page.may_reset = lost_passwords::is_offered(db)?;
    page.may_register = registration::state_of_new_users(db)?.is_some();
    page.back_url = if back_url == "/" {
        String::new()
    } else {
        back_url.to_owned()
    };
    with_cookie(render(&page.frame, &page)?, cookie)
}

/// `POST /login`: starts a session and leads to the page that asked for it; otherwise the form
/// again.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let username = form::field(request, "username").trim().to_owned();
    let password = form::field(request, "password");
    let back_url = form::field(request, "back_url");
    let autologin = form::field(request, "autologin") == "1";
    let posted = resume::posted_form(&request.body);
    let again = |status: StatusCode, error: String| {
        let (csrf_token, cookie) = request.login_csrf();
        let reply = request.app.read(|db| {
            let frame = Frame::new(request, db, "Log in");
            let mut page = login_page(
                frame,
                csrf_token,
                db.catalogue().integer_setting(Setting::Autologin),
            );
            page.may_reset = lost_passwords::is_offered(db)?;
            page.username = username.chars().take(255).collect();
            (page.back_url, page.autologin, page.error, page.posted) =
                (back_url.clone(), autologin, Some(error), posted.clone());
            render(&page.frame, &page)
        });
        with_cookie(reply?.with_status(status), cookie)
    };
    if request.require_login_csrf().is_err() {
        return again(
            StatusCode::UNPROCESSABLE_ENTITY,
            "Log in once more. The browser must accept cookies.".to_owned(),
        );
    }
    match request.verify_password(&username, &password)? {
        SecretCheck::Right(user) => {
            let step = next_step(request, user, false)?;
            let started = start(request, user, step, autologin)?;
            steps::proceed(request, &started, &back_url, posted)
        }
        SecretCheck::Wrong => again(StatusCode::UNPROCESSABLE_ENTITY, WRONG.to_owned()),
        SecretCheck::Delayed(seconds) => {
            again(StatusCode::TOO_MANY_REQUESTS, delay_message(seconds))
        }
        SecretCheck::Missing => again(
            StatusCode::UNPROCESSABLE_ENTITY,
            "Enter login and password.".to_owned(),
        ),
    }
}

fn with_cookie(reply: Reply, cookie: Option<String>) -> Result<Reply, Error> {
    Ok(match cookie {
        Some(cookie) => reply.with_cookie(cookie),
        None => reply,
    })
}

/// `GET /logout`: asks, because a link must not log anybody out.
pub fn confirm_logout(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.session().is_none() {
        return Ok(Reply::redirect("/".to_owned()));
    }
    let frame = Frame::new(request, db, "Log out").with_width(Width::Slim);
    FormPage::new(frame, "/logout", Vec::new())
        .with_paragraph("Log out of this browser?")
        .with_submit("Log out")
        .render()
}

/// `POST /logout`: ends the session.
pub fn logout(request: &RequestContext) -> Result<Reply, Error> {
    if let Some(session) = request.session().or(request.incomplete_session()) {
        request.require_csrf()?;
        let ended = session.session.clone();
        let user = request
            .app
            .store
            .catalogue()?
            .users
            .get(&ended.user)
            .map_or_else(String::new, |user| user.login.clone());
        let actor = Actor::at(request.address(), Some(ended.user), Origin::Session);
        request.app.store.write_with_reserve(move |db| {
            db.set_actor(actor);
            let event = AuditEvent::new(RecordType::Login, ended.user, "ended");
            db.audit(event.of_principal(ended.user.into()).unlogged());
            sessions::end(db, &ended)
        })?;
        tracing::info!(target: "audit", { user.login = user, client.address = %request.address() }, "logged out");
    }
    let reply = redirect_with(
        request,
        if request.app.store.catalogue()?.is_on(Setting::LoginRequired) {
            "/login"
        } else {
            "/"
        }
        .to_owned(),
        &Flash::notice(LOGGED_OUT),
    );
    // What the browser has kept of pages must not be shown to the next person.
    Ok(reply
        .with_cookie(request.removed_session_cookie())
        .with_header(CLEAR_SITE_DATA, "\"cache\""))
}
