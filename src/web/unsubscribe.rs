//! `/unsubscribe/:link`: mutes a thread without a login.
//!
//! The link in each mail contains the ids of its recipient and the thread, and is signed. Mail programs
//! send one `POST` to it (RFC 8058). Invariant: a link mutes one thread for one user, and its pages
//! reveal nothing about either.

use crate::components::form_page::FormPage;
use crate::frame::{Frame, Width};
use axum::routing::get;
use quarry_actions::inbox;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_http::{Error, Reply, RequestContext, Routes, read_handler, write_handler};
use quarry_store::{Read, Secrets};

const PATH: &str = "/unsubscribe";
/// Maximum number of characters of a link.
const MAX_LINK: usize = 100;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new().route(
        "/unsubscribe/{link}",
        get(read_handler(show).open()).post(write_handler(update).open()),
    )
}

/// Returns the URL of the link in a mail to this user about the thread.
pub fn url(db: &Read<'_>, base_url: &str, user: UserId, thread: Thread) -> String {
    let link = format!("{user}-{}-{}", thread.kind.code(), thread.id);
    let signature = db.secrets().sign_unsubscribe(&link);
    format!("{base_url}{PATH}/{link}-{signature}")
}

/// Returns the user and the thread of a link with a valid signature.
fn parse(secrets: &Secrets, link: &str) -> Option<(UserId, Thread)> {
    let (signed, signature) = link.rsplit_once('-').filter(|_| link.len() <= MAX_LINK)?;
    if !secrets.verify_unsubscribe(signed, signature) {
        return None;
    }
    let mut parts = signed.split('-');
    let user = parts.next()?.parse().ok()?;
    let kind = Kind::from_code(parts.next()?.parse().ok()?)?;
    let id = parts.next()?.parse().ok()?;
    Some((UserId(user), Thread::new(kind, id)))
}

/// `GET`: asks for confirmation, because programs follow links in mails.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let link = request.path_param("link");
    parse(db.secrets(), link).ok_or(Error::NotFound)?;
    let frame = Frame::new(request, db, "Unsubscribe").with_width(Width::Narrow);
    FormPage::new(frame, format!("{PATH}/{link}"), Vec::new())
        .with_heading("No more mails about this?")
        .with_paragraph("You will be told again when somebody mentions you or assigns it to you.")
        .with_submit("Unsubscribe")
        .with_cancel("/")
        .render()
}

/// `POST`: mutes the thread. The response is a page, because it must not be a redirect (RFC 8058).
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let link = request.path_param("link");
    let secrets = request.app.store.secrets();
    let (user, thread) = parse(secrets, link).ok_or(Error::NotFound)?;
    request.app.store.write(move |db| {
        let viewer = Viewer::new(db.catalogue(), Some(user));
        match viewer.user.filter(|user| db.catalogue().is_active(*user)) {
            Some(_) => inbox::set_muted(db, &viewer, thread, true),
            None => Ok(()),
        }
    })?;
    request.app.read(|db| {
        let frame = Frame::new(request, db, "Unsubscribed").with_width(Width::Narrow);
        FormPage::new(frame, format!("{PATH}/{link}"), Vec::new())
            .with_heading("You get no more mails about this.")
            .with_paragraph(
                "You will be told again when somebody mentions you or assigns it to you.",
            )
            .without_submit()
            .with_cancel("/")
            .render()
    })
}
