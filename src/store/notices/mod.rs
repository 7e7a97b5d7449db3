//! Notices, and the choices of users about their threads.

pub mod reminders;
pub mod waiting_mails;

use crate::engine::{Row, StatementError, Value};
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::content::activity::EventReference;
use quarry_domain::content::activity::EventType;
use quarry_domain::ids::UserId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::{Notice, Thread};
use quarry_domain::notices::reasons::{Reason, Reasons};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const COLUMNS: &str = "id, user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on, is_read, is_done, mail_on";

/// Converts a row; `None` for codes of a later version.
fn from_row(row: &Row<'_>) -> Result<Option<Notice>, StatementError> {
    let id = row.next()?;
    let user = row.next()?;
    let kind = kind_from_code(row.next()?);
    let thread_id = row.next()?;
    let event_type = EventType::from_repr(row.next()?);
    let event_id = row.next()?;
    let version = row.next()?;
    let reasons = Reasons::from_code(row.next()?);
    let created_on = row.next()?;
    let is_read = row.next()?;
    let is_done = row.next()?;
    let mail_on = row.next()?;
    let (Some(kind), Some(event_type)) = (kind, event_type) else {
        return Ok(None);
    };
    Ok(Some(Notice {
        id,
        user,
        thread: Thread::new(kind, thread_id),
        event: EventReference {
            event_type,
            id: event_id,
            version,
        },
        reasons,
        created_on,
        is_read,
        is_done,
        mail_on,
    }))
}

fn kind_from_code(code: i64) -> Option<Kind> {
    u8::try_from(code).ok().and_then(Kind::from_code)
}

fn list(db: &Read<'_>, conditions: &str, values: &[Value]) -> Result<Vec<Notice>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM notices WHERE {conditions}");
    Ok(db
        .rows(&sql, values, from_row)?
        .into_iter()
        .flatten()
        .collect())
}

/// The notices of several users about the same event, for the same reasons.
pub struct NewNotices {
    pub users: Vec<UserId>,
    pub thread: Thread,
    pub event: EventReference,
    pub reasons: Reasons,
    /// Whether they are in the inbox.
    pub has_entry: bool,
    /// When their mail is due; `None` without mail.
    pub mail_on: Option<Timestamp>,
}

/// Inserts notices.
pub fn insert(db: &mut Write<'_>, new: &NewNotices) -> Result<(), StoreError> {
    let users: Vec<i64> = new.users.iter().map(|user| user.0).collect();
    let is_put_away = i64::from(!new.has_entry);
    db.execute(
        "INSERT INTO notices (user_id, thread_kind, thread_id, event_type, event_id, event_version, reasons, created_on, is_read, is_done, mail_on) \
         SELECT value, CAST(?2 AS BIGINT), CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), CAST(?5 AS BIGINT), CAST(?6 AS BIGINT), CAST(?7 AS BIGINT), CAST(?8 AS BIGINT), CAST(?9 AS BIGINT), CAST(?9 AS BIGINT), CAST(?10 AS BIGINT) FROM ids(?1) recipients",
        &[
            Value::Ids(users),
            i64::from(new.thread.kind.code()).into(),
            new.thread.id.into(),
            new.event.event_type.code().into(),
            new.event.id.into(),
            new.event.version.into(),
            new.reasons.code().into(),
            db.now().into(),
            is_put_away.into(),
            new.mail_on.into(),
        ],
    )?;
    Ok(())
}

/// Returns the notices of a user that are put away, or those that are not, with ids below `before`, the
/// latest first.
pub fn list_by_user(
    db: &Read<'_>,
    user: UserId,
    is_done: bool,
    before: i64,
    limit: i64,
) -> Result<Vec<Notice>, StoreError> {
    let conditions = "user_id = ?1 AND is_done = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4";
    let values = [user.into(), is_done.into(), before.into(), limit.into()];
    list(db, conditions, &values)
}

/// Returns the unread ones, with ids below `before`, of the latest `latest` notices of a user that are not
/// done, the latest first.
pub fn list_unread(
    db: &Read<'_>,
    user: UserId,
    before: i64,
    latest: i64,
    limit: i64,
) -> Result<Vec<Notice>, StoreError> {
    let conditions = "id IN (SELECT id FROM (SELECT id, is_read FROM notices WHERE user_id = ?1 AND is_done = 0 \
                      ORDER BY id DESC LIMIT ?3) latest WHERE is_read = 0 AND id < ?2) ORDER BY id DESC LIMIT ?4";
    let values = [user.into(), before.into(), latest.into(), limit.into()];
    list(db, conditions, &values)
}

/// Returns the notices of a user about a thread, the latest first.
pub fn list_by_thread(
    db: &Read<'_>,
    user: UserId,
    thread: Thread,
    limit: i64,
) -> Result<Vec<Notice>, StoreError> {
    let conditions =
        "user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3 ORDER BY id DESC LIMIT ?4";
    let kind = i64::from(thread.kind.code());
    let values = [user.into(), kind.into(), thread.id.into(), limit.into()];
    list(db, conditions, &values)
}

/// Returns the users with a notice about an event that mentions them.
pub fn list_mentioned(
    db: &Read<'_>,
    thread: Thread,
    event: EventReference,
) -> Result<Vec<UserId>, StoreError> {
    let sql = "SELECT user_id FROM notices WHERE thread_kind = ?1 AND thread_id = ?2 \
               AND event_type = ?3 AND event_id = ?4 AND (reasons & ?5) <> 0";
    let kind = i64::from(thread.kind.code());
    let mentioned = Reasons::default().with(Reason::Mentioned).code();
    db.column(
        sql,
        &[
            kind.into(),
            thread.id.into(),
            event.event_type.code().into(),
            event.id.into(),
            mentioned.into(),
        ],
    )
}

/// Whether a notice of a user about a thread is unread.
pub fn has_unread(db: &Read<'_>, user: UserId, thread: Thread) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM notices WHERE user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3 AND is_read = 0 LIMIT 1";
    let kind = i64::from(thread.kind.code());
    let values = [user.into(), kind.into(), thread.id.into()];
    Ok(db.column::<i64>(sql, &values)?.pop().is_some())
}

/// A state of notices that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeState {
    Unread,
    Read,
    /// Removed from the inbox, which implies read.
    Done,
}

impl NoticeState {
    fn assignments(self) -> &'static str {
        match self {
            NoticeState::Unread => "is_read = 0, is_done = 0",
            NoticeState::Read => "is_read = 1",
            NoticeState::Done => "is_read = 1, is_done = 1",
        }
    }

    /// Returns the condition of notices that are not in this state.
    fn condition(self) -> &'static str {
        match self {
            NoticeState::Unread => "(is_read = 1 OR is_done = 1)",
            NoticeState::Read => "is_read = 0",
            NoticeState::Done => "is_done = 0",
        }
    }
}

/// Changes the state of the notices of a user about a thread, up to the notice with the id `last`.
/// Returns how many it changed.
pub fn set_state(
    db: &mut Write<'_>,
    user: UserId,
    thread: Thread,
    last: i64,
    state: NoticeState,
) -> Result<usize, StoreError> {
    let sql = format!(
        "UPDATE notices SET {} WHERE user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3 AND id <= ?4 AND {}",
        state.assignments(),
        state.condition(),
    );
    let kind = i64::from(thread.kind.code());
    db.execute(
        &sql,
        &[user.into(), kind.into(), thread.id.into(), last.into()],
    )
}

/// Makes the notices of a user about a thread unread, up to the notice with the id `last`. Those that are put
/// away stay there, unless all of them are.
pub fn set_unread(
    db: &mut Write<'_>,
    user: UserId,
    thread: Thread,
    last: i64,
) -> Result<(), StoreError> {
    let kind = i64::from(thread.kind.code());
    let values = [user.into(), kind.into(), thread.id.into(), last.into()];
    let of_thread = "user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3 AND id <= ?4";
    let open = format!("SELECT id FROM notices WHERE {of_thread} AND is_done = 0 LIMIT 1");
    let is_open = db.column::<i64>(&open, &values)?.pop().is_some();
    if is_open {
        let sql = format!(
            "UPDATE notices SET is_read = 0 WHERE {of_thread} AND is_done = 0 AND is_read = 1"
        );
        db.execute(&sql, &values)?;
    } else {
        set_state(db, user, thread, last, NoticeState::Unread)?;
    }
    Ok(())
}

/// Changes the state of those of these notices of a user that are neither put away nor hidden until later.
/// Returns how many it changed.
pub fn set_state_by_ids(
    db: &mut Write<'_>,
    user: UserId,
    ids: Vec<i64>,
    state: NoticeState,
) -> Result<usize, StoreError> {
    let sql = format!(
        "UPDATE notices SET {} WHERE user_id = ?1 AND is_done = 0 AND id IN ids(?2) AND {} \
         AND NOT EXISTS (SELECT 1 FROM notice_threads later WHERE later.user_id = ?1 AND later.hidden_until > ?3 \
         AND later.thread_kind = notices.thread_kind AND later.thread_id = notices.thread_id)",
        state.assignments(),
        state.condition(),
    );
    let now = db.now();
    db.execute(&sql, &[user.into(), Value::Ids(ids), now.into()])
}

/// The choices of a user about a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadChoice {
    pub thread: Thread,
    /// Whether the user is told only of mentions and new assignments.
    pub is_muted: bool,
    /// Until when its notices are hidden.
    pub hidden_until: Option<Timestamp>,
}

/// Returns the choices of a user about the threads of these notices.
pub fn choices(
    db: &Read<'_>,
    user: UserId,
    notices: &[Notice],
) -> Result<HashMap<Thread, ThreadChoice>, StoreError> {
    let mut threads: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for Notice { thread, .. } in notices {
        let kind = i64::from(thread.kind.code());
        threads.entry(kind).or_default().insert(thread.id);
    }
    let sql = "SELECT thread_kind, thread_id, is_muted, hidden_until FROM notice_threads \
               WHERE user_id = ?1 AND thread_kind = ?2 AND thread_id IN ids(?3)";
    let mut choices = HashMap::new();
    for (kind, ids) in threads {
        let ids = Value::Ids(ids.into_iter().collect());
        let found = db.rows(sql, &[user.into(), kind.into(), ids], choice_from_row)?;
        choices.extend(
            found
                .into_iter()
                .flatten()
                .map(|choice| (choice.thread, choice)),
        );
    }
    Ok(choices)
}

/// Returns the choices of a user about a thread.
pub fn choice(db: &Read<'_>, user: UserId, thread: Thread) -> Result<ThreadChoice, StoreError> {
    let sql = "SELECT thread_kind, thread_id, is_muted, hidden_until FROM notice_threads \
               WHERE user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3";
    let kind = i64::from(thread.kind.code());
    let values = [user.into(), kind.into(), thread.id.into()];
    let stored = db.first(sql, &values, choice_from_row)?.flatten();
    Ok(stored.unwrap_or(ThreadChoice {
        thread,
        is_muted: false,
        hidden_until: None,
    }))
}

fn choice_from_row(row: &Row<'_>) -> Result<Option<ThreadChoice>, StatementError> {
    let kind = kind_from_code(row.next()?);
    let id = row.next()?;
    let is_muted = row.next()?;
    let hidden_until = row.next()?;
    Ok(kind.map(|kind| ThreadChoice {
        thread: Thread::new(kind, id),
        is_muted,
        hidden_until,
    }))
}

/// Saves the choices of a user about a thread.
pub fn save_choice(
    db: &mut Write<'_>,
    user: UserId,
    choice: &ThreadChoice,
) -> Result<(), StoreError> {
    let kind = i64::from(choice.thread.kind.code());
    let key = [user.into(), kind.into(), choice.thread.id.into()];
    if !choice.is_muted && choice.hidden_until.is_none() {
        let sql =
            "DELETE FROM notice_threads WHERE user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3";
        return db.execute(sql, &key).map(drop);
    }
    let [user, kind, id] = key;
    db.execute(
        "INSERT INTO notice_threads (user_id, thread_kind, thread_id, is_muted, hidden_until) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (user_id, thread_kind, thread_id) DO UPDATE SET is_muted = excluded.is_muted, hidden_until = excluded.hidden_until",
        &[
            user,
            kind,
            id,
            choice.is_muted.into(),
            choice.hidden_until.into(),
        ],
    )?;
    Ok(())
}

/// Returns the users who have muted a thread.
pub fn muted_by(db: &Read<'_>, thread: Thread) -> Result<Vec<UserId>, StoreError> {
    let sql = "SELECT user_id FROM notice_threads WHERE thread_kind = ?1 AND thread_id = ?2 AND is_muted = 1";
    let kind = i64::from(thread.kind.code());
    db.column(sql, &[kind.into(), thread.id.into()])
}

/// Deletes notices from before this time, at most `limit`, and choices whose time has passed.
/// Returns the number of deleted notices.
pub fn delete_old(db: &mut Write<'_>, before: Timestamp, limit: i64) -> Result<usize, StoreError> {
    db.execute(
        "DELETE FROM notice_threads WHERE is_muted = 0 AND hidden_until < ?1",
        &[db.now().into()],
    )?;
    db.execute(
        "DELETE FROM notices WHERE id IN (SELECT id FROM notices ORDER BY id LIMIT ?2) AND created_on < ?1",
        &[before.into(), limit.into()],
    )
}

/// Returns those of these notices that belong to the user, oldest first.
pub fn list_by_ids(db: &Read<'_>, user: UserId, ids: &[i64]) -> Result<Vec<Notice>, StoreError> {
    let conditions = "user_id = ?1 AND id IN ids(?2) ORDER BY id";
    list(db, conditions, &[user.into(), Value::Ids(ids.to_vec())])
}
