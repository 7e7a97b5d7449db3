//! `/logout`: a button, and what it does.

use crate::actions::sessions;
use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::frame::{Flash, Frame, Width};
use crate::web::render::{redirect_with, render};
use askama::Template;

#[derive(Template)]
#[template(path = "sessions/logout.html")]
struct LogoutPage {
    frame: Frame,
}

/// `GET /logout`: asks, because a link must not log anybody out.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.session().is_none() {
        return Ok(Reply::redirect("/".to_owned()));
    }
    let page = LogoutPage {
        frame: Frame::new(request, db, "Log out").with_width(Width::Slim),
    };
    render(&page.frame, &page)
}

/// `POST /logout`: ends the session.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
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
        request
            .app
            .store
            .write_with_reserve(move |db| sessions::end(db, &ended))?;
        tracing::info!(target: "audit", { user.login = ?user, client.address = %request.address() }, "logged out");
    }
    let reply = redirect_with(
        request,
        if request.app.store.catalogue()?.is_on(Setting::LoginRequired) {
            "/login"
        } else {
            "/"
        }
        .to_owned(),
        &Flash::notice("You are logged out."),
    );
    Ok(reply.with_cookie(request.removed_session_cookie()))
}
