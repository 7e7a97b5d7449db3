//! The links in mails that end a kind of mails without a login.
//!
//! A link contains the id of its recipient and what is ended, and is signed. Invariant: it concerns one
//! user and one [`Subscription`].

use crate::notices::{inbox, notice_mails};
use crate::prelude::*;
use quarry_domain::content::mail_secrets::{DIGESTS, REMINDERS};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_store::Secrets;

/// The path below which the links are.
pub const PATH: &str = "/unsubscribe";
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
}

/// Returns the URL of the link in a mail to this user.
pub fn url(secrets: &Secrets, base_url: &str, user: UserId, subscription: Subscription) -> String {
    let link = format!("{user}-{}", subscription.code());
    let signature = secrets.sign_unsubscribe(&link);
    format!("{base_url}{PATH}/{link}-{signature}")
}

/// Returns the user and the subscription of a link; `None` if its signature is not valid.
pub fn verify_link(secrets: &Secrets, link: &str) -> Option<(UserId, Subscription)> {
    let (signed, signature) = link.rsplit_once('-').filter(|_| link.len() <= MAX_LINK)?;
    if !secrets.verify_unsubscribe(signed, signature) {
        return None;
    }
    let (user, code) = signed.split_once('-')?;
    Some((UserId(user.parse().ok()?), Subscription::parse(code)?))
}

/// Ends the mails of an active user.
pub fn end(
    db: &mut Write<'_>,
    user: UserId,
    subscription: Subscription,
) -> Result<(), ActionError> {
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
}
