//! The start of a session, after each step of a login.

use super::back_url;
use super::resume::resume_page;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::devices::{self, DeviceLogin};
use quarry_actions::accounts::sessions;
use quarry_actions::accounts::sessions::NewSession;
use quarry_domain::accounts::session::{Session, SessionStep};
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::administration::audit::{Actor, AuditEvent, Origin, RecordType};
use quarry_http::PostedForm;

/// Returns what the user must do next.
pub fn next_step(
    request: &RequestContext,
    user: UserId,
    has_code: bool,
) -> Result<SessionStep, Error> {
    let catalogue = request.app.store.catalogue()?;
    let policy = TwoFactorPolicy::for_user(&catalogue, user);
    // Without the account nothing is left to do; the session is refused with the next request.
    Ok(catalogue
        .users
        .get(&user)
        .map_or(SessionStep::SecondFactor, |user| {
            sessions::next_step(policy, user, has_code)
        }))
}

/// A session that was started.
pub struct StartedSession {
    pub session: Session,
    /// Its token, which is not stored.
    pub token: String,
    /// The tokens for the device cookie; `None` while the setting is off or the login is not complete.
    device_tokens: Option<Vec<String>>,
}

impl StartedSession {
    /// Sends the cookies with a reply.
    #[must_use]
    pub fn add_cookies(&self, request: &RequestContext, reply: Reply) -> Reply {
        let (cookie, _) = request.session_cookie(&self.session, &self.token);
        let reply = reply.with_cookie(cookie);
        match &self.device_tokens {
            Some(tokens) => reply.with_cookie(request.device_cookie(tokens)),
            None => reply,
        }
    }
}

/// Ends the session of the request, if it has one, and starts a new one after a step of a login.
pub fn start(
    request: &RequestContext,
    user: UserId,
    step: SessionStep,
    is_persistent: bool,
) -> Result<StartedSession, Error> {
    begin(request, user, step, is_persistent, false)
}

/// Replaces the session of the request by a new one, after its user has changed the account.
pub fn restart(request: &RequestContext, before: &Session) -> Result<StartedSession, Error> {
    let step = SessionStep::Complete;
    begin(request, before.user, step, before.is_persistent, true)
}

fn begin(
    request: &RequestContext,
    user: UserId,
    step: SessionStep,
    is_persistent: bool,
    is_trusted: bool,
) -> Result<StartedSession, Error> {
    let address = request.address().to_string();
    let device = DeviceLogin {
        tokens: request.device_tokens(),
        address: address.clone(),
        user_agent: request.user_agent().to_owned(),
        is_trusted,
    };
    let user_agent = request.user_agent().to_owned();
    let new = NewSession {
        user,
        step,
        is_persistent,
        address,
        user_agent,
    };
    let before = request
        .session()
        .or(request.incomplete_session())
        .map(|before| before.session.clone());
    request
        .app
        .store
        .write_with_reserve(move |db| -> Result<_, Error> {
            if let Some(before) = before {
                sessions::end(db, &before)?;
            }
            let (session, token) = sessions::start(db, &new)?;
            if session.step == SessionStep::Complete && !is_trusted {
                db.set_actor(Actor::at(&new.address, Some(user), Origin::Session));
                db.audit(
                    AuditEvent::new(RecordType::Login, user, "succeeded").of_principal(user.into()),
                );
            }
            let device_tokens = match session.step {
                SessionStep::Complete => devices::record_login(db, user, &device)?,
                _ => None,
            };
            Ok(StartedSession {
                session,
                token,
                device_tokens,
            })
        })
}

/// The recovery codes of a second factor that was set up during the login.
#[derive(Template)]
#[template(path = "accounts/sessions/recovery_codes.html")]
struct RecoveryCodesPage {
    frame: Frame,
    codes: Vec<String>,
    /// Where the login leads.
    back_url: String,
}

/// Sends the cookie of a session, shows new recovery codes, and leads to the page that asked for
/// the login.
pub fn finish(
    request: &RequestContext,
    started: &StartedSession,
    back_url: &str,
    posted: Option<PostedForm>,
    codes: Vec<String>,
) -> Result<Reply, Error> {
    let session = &started.session;
    let (_, csrf_token) = request.session_cookie(session, &started.token);
    let catalogue = request.app.store.catalogue()?;
    let login = catalogue
        .users
        .get(&session.user)
        .map_or("", |user| user.login.as_str());
    tracing::info!(target: "audit", { user.login = login, client.address = %request.address(), login.outcome = "success" }, "logged in");
    let viewer = request
        .app
        .viewer_context(&catalogue, Some(session.user), None);
    let frame = |path: &str| {
        Frame::with_cookies(
            &catalogue,
            &viewer.viewer,
            |name| request.cookie(name).map(str::to_owned),
            path.to_owned(),
            String::new(),
        )
    };
    let reply = match posted {
        None if codes.is_empty() => Reply::see_other(back_url::target(back_url).to_owned()),
        None => {
            let back_url = back_url::target(back_url).to_owned();
            let mut frame = frame(&back_url).with_width(Width::Slim);
            frame.title = "Two-factor authentication".to_owned();
            frame.csrf_token = Some(csrf_token);
            let page = RecoveryCodesPage {
                frame,
                codes,
                back_url,
            };
            render(&page.frame, &page)?
        }
        Some(form) => {
            let frame = frame(&form.path);
            let mut page = resume_page(frame, &form, csrf_token, true, &catalogue, &viewer.viewer);
            page.codes = codes;
            render(&page.frame, &page)?
        }
    };
    Ok(started.add_cookies(request, reply))
}
