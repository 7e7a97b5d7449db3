//! Writes the notices of an event.

use crate::content::activity;
use crate::notices::{notice_mails, outbox};
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::access::inheritance::roles_in_project;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::activity::EventReference;
use quarry_domain::content::watcher::{Watchable, Watcher};
use quarry_domain::ids::PrincipalId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::notified_event::NotifiedEvent;
use quarry_domain::notices::reasons::{Reason, Reasons};
use quarry_domain::notices::recipients::{EventFacts, IssueFacts, Recipient, recipients};
use quarry_store::accounts::users;
use quarry_store::content::watchers;
use quarry_store::notices;
use quarry_store::notices::NewNotices;
use std::collections::HashMap;
use std::sync::Arc;

/// An event of which people may be told.
pub(super) struct NewEvent<'e> {
    /// What it is in the setting `notified_events`, which must contain one of them.
    pub kinds: &'e [NotifiedEvent],
    pub project: ProjectId,
    pub thread: Thread,
    pub event: EventReference,
    /// Who caused it.
    pub actor: Option<UserId>,
    /// The people whom its text mentions, whether they may see it or not.
    pub mentioned: Vec<UserId>,
    /// Whether only people whom the text mentions are told.
    pub only_mentioned: bool,
    /// The record and what contains it, whose watchers are told.
    pub watchables: Vec<Watchable>,
    /// Whether it is about news, of which every member of the project is told.
    pub is_news: bool,
    pub issue: Option<IssueFacts>,
}

impl NewEvent<'_> {
    /// Creates an event without an actor, watchables and mentions.
    pub fn new(project: ProjectId, thread: Thread, event: EventReference) -> NewEvent<'static> {
        NewEvent {
            kinds: &[],
            project,
            thread,
            event,
            actor: None,
            mentioned: Vec::new(),
            only_mentioned: false,
            watchables: Vec::new(),
            is_news: false,
            issue: None,
        }
    }
}

/// Writes a notice for everybody who is told of the event.
pub(super) fn tell(db: &mut Write<'_>, new: NewEvent<'_>) -> Result<(), StoreError> {
    let catalogue = Arc::clone(db.catalogue());
    if !is_notified(&catalogue, new.kinds) {
        return Ok(());
    }
    let mut watching: Vec<PrincipalId> = Vec::new();
    for watchable in &new.watchables {
        watching.extend(watchers::list(db, *watchable)?);
    }
    let facts = EventFacts {
        project: new.project,
        actor: new.actor,
        watchers: watching,
        mentioned: mentioned(db, &catalogue, &new)?,
        is_news: new.is_news,
        only_mentioned: new.only_mentioned,
        issue: new.issue,
    };
    let mut recipients = recipients(&catalogue, &facts);
    if recipients.is_empty() {
        return Ok(());
    }
    let muted_by = notices::muted_by(db, new.thread)?;
    recipients.retain(|recipient| recipient.is_urgent || !muted_by.contains(&recipient.user));
    leave_out_unseeing(db, &catalogue, &new, &mut recipients)?;
    watch_mentions(db, new.thread, &recipients)?;
    let is_mail_on = outbox::is_on(db)?;
    for recipient in &mut recipients {
        recipient.is_mailed &= is_mail_on;
    }
    recipients.retain(|recipient| recipient.has_entry || recipient.is_mailed);
    for group in groups(&catalogue, db.now(), &new, recipients) {
        notices::insert(db, &group)?;
    }
    Ok(())
}

/// Whether the setting contains one of these events.
fn is_notified(catalogue: &Catalogue, kinds: &[NotifiedEvent]) -> bool {
    catalogue
        .list_setting(Setting::NotifiedEvents)
        .any(|name| kinds.iter().any(|kind| kind.name() == name))
}

/// Groups recipients whose notices differ only in the user.
fn groups(
    catalogue: &Catalogue,
    now: Timestamp,
    new: &NewEvent<'_>,
    recipients: Vec<Recipient>,
) -> Vec<NewNotices> {
    let mut groups: HashMap<(Reasons, bool, Option<Timestamp>), Vec<UserId>> = HashMap::new();
    for recipient in recipients {
        let user = recipient.user;
        let digest = catalogue.notice_preferences.digests.get(&user);
        let mail_on = match (recipient.is_mailed, recipient.is_urgent) {
            (false, _) => None,
            (true, true) => Some(now),
            (true, false) => Some(notice_mails::due_on(catalogue, user, digest.copied(), now)),
        };
        let key = (recipient.reasons, recipient.has_entry, mail_on);
        groups.entry(key).or_default().push(user);
    }
    let groups = groups
        .into_iter()
        .map(|((reasons, has_entry, mail_on), users)| NewNotices {
            users,
            thread: new.thread,
            event: new.event,
            reasons,
            has_entry,
            mail_on,
        });
    groups.collect()
}

/// Returns the users whom the text of an event mentions and who may see the event.
fn mentioned(
    db: &Write<'_>,
    catalogue: &Catalogue,
    new: &NewEvent<'_>,
) -> Result<Vec<UserId>, StoreError> {
    let mut users = Vec::new();
    for user in &new.mentioned {
        if activity::is_visible(db, &Viewer::new(catalogue, Some(*user)), new.event)? {
            users.push(*user);
        }
    }
    Ok(users)
}

/// Leaves out members who are told only because they are members, and may not see the event: such notices
/// would crowd the visible ones out of their inbox. Members with the same roles see the same, unless an
/// issue is their own.
fn leave_out_unseeing(
    db: &Write<'_>,
    catalogue: &Catalogue,
    new: &NewEvent<'_>,
    recipients: &mut Vec<Recipient>,
) -> Result<(), StoreError> {
    if !recipients
        .iter()
        .any(|recipient| recipient.reasons.are_of_members())
    {
        return Ok(());
    }
    let roles = roles_in_project(catalogue, new.project);
    let mut decided = HashMap::new();
    for recipient in std::mem::take(recipients) {
        if recipient.reasons.are_of_members() {
            let user = recipient.user;
            let is_admin = catalogue.users.get(&user).is_some_and(|user| user.admin);
            // Author and assignee may see more than others with their roles.
            let is_involved = new
                .issue
                .is_some_and(|issue| issue.involves(catalogue, user));
            let key = (is_admin, roles.get(&user), is_involved.then_some(user));
            let sees = match decided.get(&key) {
                Some(sees) => *sees,
                None => activity::is_visible(db, &Viewer::new(catalogue, Some(user)), new.event)?,
            };
            decided.insert(key, sees);
            if !sees {
                continue;
            }
        }
        recipients.push(recipient);
    }
    Ok(())
}

/// Adds the people who are mentioned in an issue to its watchers, if their preferences say so.
fn watch_mentions(
    db: &mut Write<'_>,
    thread: Thread,
    recipients: &[Recipient],
) -> Result<(), StoreError> {
    let mentioned = recipients
        .iter()
        .filter(|recipient| recipient.reasons.contains(Reason::Mentioned));
    for recipient in mentioned.filter(|_| thread.kind == Kind::Issue) {
        if users::preferences(db, recipient.user)?.watches_mentions {
            watchers::insert(db, &Watcher::new(IssueId(thread.id), recipient.user))?;
        }
    }
    Ok(())
}
