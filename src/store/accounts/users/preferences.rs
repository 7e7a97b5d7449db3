//! The preferences of users: a JSON object, of which only the keys that rules depend on are known
//! here.

use crate::{Read, StoreError, Write, json};
use quarry_domain::accounts::preferences::Preferences;
use quarry_domain::ids::{QueryId, UserId};
use quarry_domain::values::text::parse_bool;
use serde_json::{Map, Value};

/// The key of the order of histories: `asc` or `desc`.
const SORTING: &str = "comments_sorting";
/// The key of the list of events that make the user a watcher of an issue.
const AUTO_WATCH: &str = "auto_watch_on";
/// In that list: that the user contributed.
const CONTRIBUTED: &str = "issue_contributed_to";
/// In that list: that somebody mentioned the user. Redmine does not know it.
const MENTIONED: &str = "mentioned";
/// The key of whether the user gets no mail about what they do themselves.
const NOT_OWN_EVENTS: &str = "no_self_notified";
/// The key of whether the user is told of all issues with a high priority.
const HIGH_PRIORITY: &str = "notify_about_high_priority_issues";
/// The key of how often the user gets a digest. Redmine does not know it.
const DIGEST: &str = "mail_digest";
/// The key of whether the user is reminded of due issues. Redmine does not know it.
const REMINDERS: &str = "mail_reminders";
/// The key of the id of a saved query.
const DEFAULT_QUERY: &str = "default_issue_query";

/// Returns the preferences of a user; the defaults of a user who never had any. Preferences from
/// before Redmine had automatic watching do not have its key: then it is off, as in Redmine.
pub fn find(db: &Read<'_>, user: UserId) -> Result<Preferences, StoreError> {
    Ok(load(db, user)?.map_or_else(Preferences::default, |values| from_values(&values)))
}

/// Returns the preferences of all users who have some that differ from the defaults in whom they
/// are told of.
pub fn all(db: &Read<'_>) -> Result<Vec<(UserId, Preferences)>, StoreError> {
    let sql = format!(
        "SELECT id, preferences_json FROM users WHERE preferences_json LIKE '%{NOT_OWN_EVENTS}%' OR preferences_json LIKE '%{HIGH_PRIORITY}%' \
         OR preferences_json LIKE '%{DIGEST}%' OR preferences_json LIKE '%{REMINDERS}%'"
    );
    let rows = db.rows(&sql, &[], |row| {
        Ok((row.next()?, row.next::<Option<String>>()?))
    })?;
    let users = rows
        .into_iter()
        .filter_map(|(user, text)| match json::parse(text.as_deref()) {
            Value::Object(values) => Some((user, from_values(&values))),
            _ => None,
        });
    Ok(users.collect())
}

fn from_values(values: &Map<String, Value>) -> Preferences {
    Preferences {
        newest_first: values
            .get(SORTING)
            .is_some_and(|sorting| json::to_text(sorting) == "desc"),
        watches_contributions: values
            .get(AUTO_WATCH)
            .is_some_and(|on| on.to_string().contains(CONTRIBUTED)),
        default_query: values
            .get(DEFAULT_QUERY)
            .and_then(|id| json::to_text(id).trim().parse().ok())
            .map(QueryId),
        watches_mentions: values
            .get(AUTO_WATCH)
            .is_some_and(|on| on.to_string().contains(MENTIONED)),
        mails_own_events: values
            .get(NOT_OWN_EVENTS)
            .map(json::to_text)
            .is_some_and(|not| !not.is_empty() && parse_bool(&not) == Some(false)),
        follows_high_priority: values
            .get(HIGH_PRIORITY)
            .is_some_and(|on| parse_bool(&json::to_text(on)) == Some(true)),
        digest: values
            .get(DIGEST)
            .and_then(|name| json::to_text(name).parse().ok()),
        gets_reminders: values
            .get(REMINDERS)
            .is_none_or(|on| parse_bool(&json::to_text(on)) != Some(false)),
    }
}

/// Updates the preferences of a user. Keys of imported preferences that are not known here stay as
/// they are.
pub fn update(
    db: &mut Write<'_>,
    user: UserId,
    preferences: Preferences,
) -> Result<(), StoreError> {
    let before = find(db, user)?;
    if before == preferences {
        return Ok(());
    }
    let stored = load(db, user)?;
    let is_new = stored.is_none();
    let mut values = stored.unwrap_or_default();
    if before.newest_first != preferences.newest_first {
        values.insert(
            SORTING.to_owned(),
            Value::from(if preferences.newest_first {
                "desc"
            } else {
                "asc"
            }),
        );
    }
    if is_new
        || before.watches_contributions != preferences.watches_contributions
        || before.watches_mentions != preferences.watches_mentions
    {
        let occasions = values
            .get(AUTO_WATCH)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let mut occasions: Vec<String> = occasions
            .map(json::to_text)
            .filter(|name| !name.is_empty() && name != CONTRIBUTED && name != MENTIONED)
            .collect();
        if preferences.watches_contributions {
            occasions.push(CONTRIBUTED.to_owned());
        }
        if preferences.watches_mentions {
            occasions.push(MENTIONED.to_owned());
        }
        values.insert(AUTO_WATCH.to_owned(), Value::from(occasions));
    }
    // As Redmine stores them.
    let text = |is_on: bool| Value::from(if is_on { "1" } else { "0" });
    if before.mails_own_events != preferences.mails_own_events {
        values.insert(
            NOT_OWN_EVENTS.to_owned(),
            text(!preferences.mails_own_events),
        );
        db.unaudited_catalogue_changed()?;
    }
    if before.follows_high_priority != preferences.follows_high_priority {
        values.insert(
            HIGH_PRIORITY.to_owned(),
            text(preferences.follows_high_priority),
        );
        db.unaudited_catalogue_changed()?;
    }
    if before.gets_reminders != preferences.gets_reminders {
        values.insert(REMINDERS.to_owned(), text(preferences.gets_reminders));
        db.unaudited_catalogue_changed()?;
    }
    if before.digest != preferences.digest {
        match preferences.digest {
            Some(digest) => values.insert(DIGEST.to_owned(), Value::from(digest.name())),
            None => values.remove(DIGEST),
        };
        db.unaudited_catalogue_changed()?;
    }
    match preferences.default_query {
        Some(query) => {
            values.insert(DEFAULT_QUERY.to_owned(), Value::from(query.to_string()));
        }
        None => {
            values.remove(DEFAULT_QUERY);
        }
    }
    save(db, user, values)
}

/// Writes all preferences of a user.
pub(super) fn save(
    db: &mut Write<'_>,
    user: UserId,
    values: Map<String, Value>,
) -> Result<(), StoreError> {
    let text = Value::Object(values).to_string();
    db.execute(
        "UPDATE users SET preferences_json = ?2 WHERE id = ?1",
        &[user.into(), text.as_str().into()],
    )?;
    Ok(())
}

/// Returns the stored preferences, to be saved with a change. Those of a user who never had any say
/// what the defaults are for [`find`].
pub(super) fn load_or_default(
    db: &Read<'_>,
    user: UserId,
) -> Result<Map<String, Value>, StoreError> {
    let defaults = || {
        let occasions = Value::from(vec![CONTRIBUTED, MENTIONED]);
        Map::from_iter([(AUTO_WATCH.to_owned(), occasions)])
    };
    Ok(load(db, user)?.unwrap_or_else(defaults))
}

/// Returns the stored preferences; `None` if there are none.
pub(super) fn load(db: &Read<'_>, user: UserId) -> Result<Option<Map<String, Value>>, StoreError> {
    let column: Option<Option<String>> = db.first(
        "SELECT preferences_json FROM users WHERE id = ?1",
        &[user.into()],
        |row| row.next(),
    )?;
    Ok(match json::parse(column.flatten().as_deref()) {
        Value::Object(values) => Some(values),
        _ => None,
    })
}
