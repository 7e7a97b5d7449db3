//! `/unsubscribe/:link`: ends a kind of mails without a login.
//!
//! The link in each mail contains the id of its recipient and what is ended, and is signed. Mail programs
//! send one `POST` to it (RFC 8058). Invariant: a link concerns one user and one [`Subscription`], and its
//! pages reveal nothing about either.

use crate::components::form_page::FormPage;
use crate::frame::{Frame, Width};
use axum::routing::get;
use quarry_actions::{inbox, notice_mails};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::content::mail_secrets::{DIGESTS, REMINDERS};
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_http::{Error, Reply, RequestContext, Routes, read_handler, write_handler};
use quarry_store::{Read, Secrets};

const PATH: &str = "/unsubscribe";
/// Maximum number of characters of a link.
const MAX_LINK: usize = 100;

/// The mails that a link ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscription {
    /// Digests. Mails about single events do not replace them.
    Digests,
    /// Reminders of due issues.
    Reminders,
    /// Mails about one thread.
    Thread(Thread),
}

impl Subscription {
    /// Returns what stands for it in a link.
    fn code(self) -> String {
        match self {
            Subscription::Digests => DIGESTS.to_owned(),
            Subscription::Reminders => REMINDERS.to_owned(),
            Subscription::Thread(thread) => format!("{}-{}", thread.kind.code(), thread.id),
        }
    }

    fn parse(code: &str) -> Option<Subscription> {
        match code {
            DIGESTS => return Some(Subscription::Digests),
            REMINDERS => return Some(Subscription::Reminders),
            _ => {}
        }
        let (kind, id) = code.split_once('-')?;
        let kind = Kind::from_code(kind.parse().ok()?)?;
        Some(Subscription::Thread(Thread::new(kind, id.parse().ok()?)))
    }

    /// Returns the heading of the page that asks for confirmation.
    fn question(self) -> &'static str {
        match self {
            Subscription::Digests => "No more mails about events?",
            Subscription::Reminders => "No more mails about due issues?",
            Subscription::Thread(_) => "No more mails about this?",
        }
    }

    /// Returns the heading of the page that confirms the end.
    fn confirmation(self) -> &'static str {
        match self {
            Subscription::Digests => "You get no more mails about events.",
            Subscription::Reminders => "You get no more mails about due issues.",
            Subscription::Thread(_) => "You get no more mails about this.",
        }
    }

    /// Returns what the user still gets, for both pages.
    fn remaining(self) -> &'static str {
        match self {
            Subscription::Digests => {
                "Your inbox still tells you of mentions and assignments, and of what you watch or take part in, but no longer of everything in your projects. You get no reminders of due issues either. Under Notifications you can choose again."
            }
            Subscription::Reminders => "Under Notifications you can turn them on again.",
            Subscription::Thread(_) => {
                "You will be told again when somebody mentions you or assigns it to you."
            }
        }
    }
}

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new().route(
        "/unsubscribe/{link}",
        get(read_handler(show).open()).post(write_handler(update).open()),
    )
}

/// Returns the URL of the link in a mail to this user.
pub fn url(secrets: &Secrets, base_url: &str, user: UserId, subscription: Subscription) -> String {
    let link = format!("{user}-{}", subscription.code());
    let signature = secrets.sign_unsubscribe(&link);
    format!("{base_url}{PATH}/{link}-{signature}")
}

/// Returns the user and the subscription of a link with a valid signature.
fn parse(secrets: &Secrets, link: &str) -> Option<(UserId, Subscription)> {
    let (signed, signature) = link.rsplit_once('-').filter(|_| link.len() <= MAX_LINK)?;
    if !secrets.verify_unsubscribe(signed, signature) {
        return None;
    }
    let (user, code) = signed.split_once('-')?;
    Some((UserId(user.parse().ok()?), Subscription::parse(code)?))
}

/// `GET`: asks for confirmation, because programs follow links in mails.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let link = request.path_param("link");
    let (_, subscription) = parse(db.secrets(), link).ok_or(Error::NotFound)?;
    let frame = Frame::new(request, db, "Unsubscribe").with_width(Width::Narrow);
    FormPage::new(frame, format!("{PATH}/{link}"), Vec::new())
        .with_heading(subscription.question())
        .with_paragraph(subscription.remaining())
        .with_submit("Unsubscribe")
        .with_cancel("/")
        .render()
}

/// `POST`: ends the mails. The response is a page, because it must not be a redirect (RFC 8058).
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let link = request.path_param("link");
    let secrets = request.app.store.secrets();
    let (user, subscription) = parse(secrets, link).ok_or(Error::NotFound)?;
    request.write(move |db, _| {
        if !db.catalogue().is_active(user) {
            return Ok(());
        }
        match subscription {
            Subscription::Digests => Ok(notice_mails::end_digests(db, user)?),
            Subscription::Reminders => Ok(notice_mails::end_reminders(db, user)?),
            Subscription::Thread(thread) => {
                let viewer = Viewer::new(db.catalogue(), Some(user));
                inbox::set_muted(db, &viewer, thread, true)
            }
        }
    })?;
    request.app.read(|db| {
        let frame = Frame::new(request, db, "Unsubscribed").with_width(Width::Narrow);
        FormPage::new(frame, format!("{PATH}/{link}"), Vec::new())
            .with_heading(subscription.confirmation())
            .with_paragraph(subscription.remaining())
            .without_submit()
            .with_cancel("/")
            .render()
    })
}
