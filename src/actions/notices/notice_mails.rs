//! Puts mails about notices into the outbox.
//!
//! The waiting notices of a person about a thread become one mail. For people who have chosen digests,
//! the notices of all threads become one mail, except for urgent ones. A mail in the outbox has the ids
//! of notices; its text is written when it is sent. Invariant: a notice is mailed at most once to each
//! address.

use crate::content::activity::load_visible;
use crate::notices::outbox;
use crate::prelude::*;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::mail::{Mail, MailKind, NewMail};
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::content::activity::{EventReference, EventType};
use quarry_domain::content::reply_token::ReplyTarget;
use quarry_domain::ids::JournalId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::digest::Digest;
use quarry_domain::notices::notice::{Notice, Thread};
use quarry_domain::notices::preferences::MailNotification;
use quarry_domain::notices::recipients::mail_notification;
use quarry_store::accounts::{email_addresses, users};
use quarry_store::administration;
use quarry_store::issues::journals;
use quarry_store::lists::texts::Texts;
use quarry_store::notices;
use quarry_store::notices::waiting_mails;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The parameter of a mail with the ids of its notices.
const NOTICES: &str = "notices";
/// The parameter of a digest with its interval.
const DIGEST: &str = "digest";
/// Maximum number of due notices that are loaded at once.
const BATCH: i64 = 500;
/// Time after its due time after which a notice is no longer mailed.
const MAX_DELAY: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Maximum number of notices in the mail about a thread.
const MAX_NOTICES: i64 = 50;

/// Maximum number of notices of a digest, the latest ones.
pub const MAX_DIGEST: usize = 500;
/// Number of notices that are looked at together for a digest.
const DIGEST_PAGE: i64 = 500;
/// Maximum number of such reads.
const MAX_READS: usize = 10;
/// Maximum time for which a mail in the outbox waits: more than the longest delay of another attempt.
const MAX_MAIL_WAIT: SignedDuration = SignedDuration::from_hours(9);
/// Maximum time for which mail about a notice waits: more than a week until a digest.
const MAX_NOTICE_WAIT: SignedDuration = SignedDuration::from_hours(8 * 24);
/// How long mail waits for further changes of the same thread.
const DELAY: SignedDuration = SignedDuration::from_mins(2);

/// Returns when the mail about a notice that is written now is due: with the next digest, or after
/// `DELAY`.
pub(crate) fn due_on(
    catalogue: &Catalogue,
    user: UserId,
    digest: Option<Digest>,
    now: Timestamp,
) -> Timestamp {
    let next_digest = digest.and_then(|digest| {
        let zone = time_zone::for_user(catalogue, Some(user));
        let hour = catalogue.integer_setting(Setting::DailyMailHour);
        digest.next(&zone, i8::try_from(hour).unwrap_or_default(), now)
    });
    next_digest
        .or_else(|| now.checked_add(DELAY).ok())
        .unwrap_or(now)
}

/// Makes mails due now whose due time is too far ahead: a clock that was ahead has set it.
pub fn correct_times(db: &mut Write<'_>) -> Result<(), StoreError> {
    let now = db.now();
    let latest = |wait| now.saturating_add(wait).unwrap_or(Timestamp::MAX);
    let corrected = administration::outbox::correct_times(db, latest(MAX_MAIL_WAIT))?
        + waiting_mails::correct_times(db, latest(MAX_NOTICE_WAIT))?;
    if corrected > 0 {
        tracing::warn!(
            mails = corrected,
            "mails waited for a time far ahead; the clock was wrong"
        );
    }
    Ok(())
}

/// Updates the preferences of a user. If they change the digest, the due time of waiting notices changes
/// as well.
pub(crate) fn update_preferences(
    db: &mut Write<'_>,
    user: UserId,
    change: &PreferencesChange,
) -> Result<(), StoreError> {
    let before = users::preferences(db, user)?;
    let after = change.apply_to(before);
    users::update_preferences(db, user, after)?;
    if after.digest != before.digest {
        let catalogue = Arc::clone(db.catalogue());
        let due_on = due_on(&catalogue, user, after.digest, db.now());
        waiting_mails::reschedule(db, user, due_on)?;
    }
    Ok(())
}

/// Ends the digests of a user, and all other mails about events, also those that wait: the inbox has the
/// events.
pub fn end_digests(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(before) = catalogue.users.get(&user) else {
        return Ok(());
    };
    let after = User {
        mail_notification: "none".to_owned(),
        updated_on: db.now(),
        ..before.clone()
    };
    users::update(db, &after)?;
    let change = PreferencesChange {
        digest: Patch::Clear,
        ..PreferencesChange::default()
    };
    update_preferences(db, user, &change)
}

/// Ends the reminders of a user.
pub fn end_reminders(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let change = PreferencesChange {
        gets_reminders: Some(false),
        ..PreferencesChange::default()
    };
    update_preferences(db, user, &change)
}

/// Inserts mails about a batch of the notices that are due. Returns the number of mails; 0 if none is
/// due or the outbox has no room. The mails of the outbox are counted once per batch, because other
/// writes wait meanwhile.
pub fn queue(db: &mut Write<'_>) -> Result<usize, StoreError> {
    // Such notices are left when mail was off or could not be sent for days.
    let oldest = db.now().saturating_sub(MAX_DELAY).unwrap_or(Timestamp::MIN);
    waiting_mails::cancel_overdue(db, oldest)?;
    let due = waiting_mails::list_due(db, db.now(), BATCH)?;
    // Notices for which the outbox has no room keep waiting.
    let free = usize::try_from(outbox::count_free(db)?).unwrap_or(0);
    let catalogue = Arc::clone(db.catalogue());
    let digests = &catalogue.notice_preferences.digests;
    let (digested, others): (Vec<&Notice>, Vec<&Notice>) = due
        .iter()
        .partition(|notice| digests.contains_key(&notice.user) && !notice.is_urgent());
    let users: BTreeSet<UserId> = digested.iter().map(|notice| notice.user).collect();
    let mut new = Vec::new();
    for user in users {
        if let Some(digest) = digests.get(&user) {
            let mails = digest_mails(db, user, *digest)?;
            if new.len() + mails.len() > free {
                break;
            }
            new.extend(mails);
            waiting_mails::mark_mailed_by_user(db, user)?;
        }
    }
    let threads: BTreeSet<(UserId, Thread)> = others
        .iter()
        .map(|notice| (notice.user, notice.thread))
        .collect();
    let mut told = Vec::new();
    for (user, thread) in threads {
        let waiting = waiting_mails::list_by_thread(db, user, thread, MAX_NOTICES)?;
        let ids: Vec<i64> = waiting.iter().map(|notice| notice.id).collect();
        let mail = NewMail {
            reply_target: reply_target(thread, &notes_of_notices(db, thread, &waiting)?),
            ..new_mail(MailKind::Notices, user, &ids)
        };
        let of_thread = to_all_addresses(db, mail)?;
        if new.len() + of_thread.len() > free {
            break;
        }
        new.extend(of_thread);
        told.extend(ids);
    }
    waiting_mails::mark_mailed(db, &told)?;
    outbox::insert(db, &new)
}

/// Returns the mails about all notices of a user that are due and not urgent.
fn digest_mails(db: &Read<'_>, user: UserId, digest: Digest) -> Result<Vec<NewMail>, StoreError> {
    let viewer = Viewer::new(db.catalogue(), Some(user));
    let mut ids: Vec<i64> = Vec::new();
    let mut before = i64::MAX;
    // What the user may not see must not take the room of what they may.
    for _ in 0..MAX_READS {
        let waiting = waiting_mails::list_due_by_user(db, user, before, DIGEST_PAGE)?;
        let Some(last) = waiting.last() else { break };
        before = last.id;
        let events: Vec<EventReference> = waiting.iter().map(|notice| notice.event).collect();
        let visible: HashSet<EventReference> = load_visible(db, &viewer, &events, Texts::Short)?
            .iter()
            .map(|visible| visible.event.key.reference())
            .collect();
        let visible_notices = waiting
            .iter()
            .filter(|notice| visible.contains(&notice.event));
        ids.extend(visible_notices.map(|notice| notice.id));
        if ids.len() >= MAX_DIGEST {
            break;
        }
    }
    ids.truncate(MAX_DIGEST);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mail = new_mail(MailKind::Digest, user, &ids).with_data(DIGEST, digest.name());
    to_all_addresses(db, mail)
}

/// Returns a mail about these notices.
fn new_mail(kind: MailKind, user: UserId, notices: &[i64]) -> NewMail {
    let ids: Vec<String> = notices.iter().map(ToString::to_string).collect();
    NewMail::to_user(kind, user).with_data(NOTICES, ids.join(","))
}

/// Returns a mail to each address of its user that receives notices.
pub(crate) fn to_all_addresses(db: &Read<'_>, mail: NewMail) -> Result<Vec<NewMail>, StoreError> {
    let further = match mail.user {
        Some(user) => email_addresses::list(db, user)?,
        None => Vec::new(),
    };
    let further = further.into_iter().filter(|address| address.notify);
    let to_further = further.map(|further| mail.clone().with_address(further.address));
    Ok(std::iter::once(mail.clone()).chain(to_further).collect())
}

/// Returns the notes of an issue that the notices are about, and whether each is private now.
fn notes_of_notices(
    db: &Read<'_>,
    thread: Thread,
    notices: &[Notice],
) -> Result<Vec<(JournalId, bool)>, StoreError> {
    if thread.kind != Kind::Issue {
        return Ok(Vec::new());
    }
    let changes = notices
        .iter()
        .filter(|notice| notice.event.event_type == EventType::IssueChange);
    let ids: Vec<JournalId> = changes.map(|notice| JournalId(notice.event.id)).collect();
    let notes = journals::load(db, &ids, Texts::Short)?;
    Ok(notes.iter().map(|note| (note.id, note.private)).collect())
}

/// Returns what an answer to a mail about the thread is added to; `None` for records without answers.
/// `notes` are the notes of an issue that the mail shows, and whether each is private.
pub fn reply_target(thread: Thread, notes: &[(JournalId, bool)]) -> Option<ReplyTarget> {
    let ids = || notes.iter().map(|(id, _)| *id);
    match thread.kind {
        Kind::Issue => Some(ReplyTarget::Issue {
            issue: IssueId(thread.id),
            note: ids().min().unwrap_or_default(),
            last: ids().max().unwrap_or_default(),
            // A mail that shows anything private gets a private answer.
            private: notes.iter().any(|(_, private)| *private),
        }),
        Kind::News => Some(ReplyTarget::News(thread.id)),
        Kind::Message => Some(ReplyTarget::Message(thread.id)),
        _ => None,
    }
}

/// Returns the interval of a digest from the parameters of its mail.
pub fn digest(parameter: impl Fn(&str) -> String) -> Option<Digest> {
    parameter(DIGEST).parse().ok()
}

/// Returns the notices of a mail, oldest first. Returns none if its user no longer wants mail, or its
/// address no longer receives notices. Of a thread that was muted meanwhile, only notices since then are
/// returned.
pub fn find(db: &Read<'_>, mail: &Mail) -> Result<Vec<Notice>, StoreError> {
    let Some(user) = mail.user else {
        return Ok(Vec::new());
    };
    let choice = mail_notification(db.catalogue(), user);
    if choice == MailNotification::None || !has_address(db, user, mail)? {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = mail
        .data(NOTICES)
        .split(',')
        .filter_map(|id| id.parse().ok())
        .collect();
    let mut told = notices::list_by_ids(db, user, &ids)?;
    let threads: BTreeSet<Thread> = told.iter().map(|notice| notice.thread).collect();
    for thread in threads {
        if notices::choice(db, user, thread)?.is_muted {
            // Muting marks what there is as read; what is unread came after it.
            told.retain(|notice| notice.thread != thread || !notice.is_read);
        }
    }
    Ok(told)
}

/// Whether a mail goes to the main address of its user, or to an additional one that receives notices.
pub fn has_address(db: &Read<'_>, user: UserId, mail: &Mail) -> Result<bool, StoreError> {
    if mail.address.is_empty() {
        return Ok(true);
    }
    let further = email_addresses::list(db, user)?;
    Ok(further
        .iter()
        .any(|further| further.notify && further.address == mail.address))
}
