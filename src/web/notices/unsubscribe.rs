//! `/unsubscribe/:link`: ends a kind of mails without a login.
//!
//! Mail programs send one `POST` to the link in a mail (RFC 8058). Invariant: the pages reveal nothing
//! about the user and the [`Subscription`] of the link.

use crate::components::form_page::FormPage;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::notices::unsubscribe::{self, PATH, Subscription};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new().route(
        "/unsubscribe/{link}",
        get(read_handler(show).open()).post(write_handler(update).open()),
    )
}

/// `GET`: asks for confirmation, because programs follow links in mails.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let link = request.path_param("link");
    let (_, subscription) = unsubscribe::verify_link(db.secrets(), link).ok_or(Error::NotFound)?;
    let frame = Frame::new(request, db, "Unsubscribe").with_width(Width::Narrow);
    FormPage::new(frame, format!("{PATH}/{link}"), Vec::new())
        .with_heading(question(subscription))
        .with_paragraph(remaining(subscription))
        .with_submit("Unsubscribe")
        .with_cancel("/")
        .render()
}

/// `POST`: ends the mails. The response is a page, because it must not be a redirect (RFC 8058).
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let link = request.path_param("link");
    let secrets = request.app.store.secrets();
    let (user, subscription) = unsubscribe::verify_link(secrets, link).ok_or(Error::NotFound)?;
    request.write(move |db, _| unsubscribe::end(db, user, subscription))?;
    request.app.read(|db| {
        let frame = Frame::new(request, db, "Unsubscribed").with_width(Width::Narrow);
        FormPage::new(frame, format!("{PATH}/{link}"), Vec::new())
            .with_heading(confirmation(subscription))
            .with_paragraph(remaining(subscription))
            .without_submit()
            .with_cancel("/")
            .render()
    })
}

/// Returns the heading of the page that asks for confirmation.
fn question(subscription: Subscription) -> &'static str {
    match subscription {
        Subscription::Digests => "No more mails about events?",
        Subscription::Reminders => "No more mails about due issues?",
        Subscription::Thread(_) => "No more mails about this?",
    }
}

/// Returns the heading of the page that confirms the end.
fn confirmation(subscription: Subscription) -> &'static str {
    match subscription {
        Subscription::Digests => "You get no more mails about events.",
        Subscription::Reminders => "You get no more mails about due issues.",
        Subscription::Thread(_) => "You get no more mails about this.",
    }
}

/// Returns what the user still gets, for both pages.
fn remaining(subscription: Subscription) -> &'static str {
    match subscription {
        Subscription::Digests => {
            "Your inbox still tells you of mentions and assignments, and of what you watch or take part in, but no longer of everything in your projects. You get no reminders of due issues either. Under Notifications you can choose again."
        }
        Subscription::Reminders => "Under Notifications you can turn them on again.",
        Subscription::Thread(_) => {
            "You will be told again when somebody mentions you or assigns it to you."
        }
    }
}
