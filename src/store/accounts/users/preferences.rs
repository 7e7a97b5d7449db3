//! The preferences of users: a JSON object, of which only the keys that rules depend on are known
//! here.

use crate::{Read, StoreError, Write, json};
use quarry_domain::accounts::preferences::Preferences;
use quarry_domain::ids::{QueryId, UserId};
use serde_json::{Map, Value};

/// The key of the order of histories: `asc` or `desc`.
const SORTING: &str = "comments_sorting";
/// The key of the list of events that make the user a watcher of an issue.
const AUTO_WATCH: &str = "auto_watch_on";
/// The only event in that list that is supported.
const CONTRIBUTED: &str = "issue_contributed_to";
/// The key of the id of a saved query.
const DEFAULT_QUERY: &str = "default_issue_query";

/// Returns the preferences of a user; the defaults of a user who never had any. Preferences from
/// before Redmine had automatic watching do not have its key: then it is off, as in Redmine.
pub fn find(db: &Read<'_>, user: UserId) -> Result<Preferences, StoreError> {
    let Some(values) = load(db, user)? else {
        return Ok(Preferences::default());
    };
    Ok(Preferences {
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
    })
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
    if is_new || before.watches_contributions != preferences.watches_contributions {
        let occasions = values
            .get(AUTO_WATCH)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let mut occasions: Vec<String> = occasions
            .map(json::to_text)
            .filter(|name| !name.is_empty() && name != CONTRIBUTED)
            .collect();
        if preferences.watches_contributions {
            occasions.push(CONTRIBUTED.to_owned());
        }
        values.insert(AUTO_WATCH.to_owned(), Value::from(occasions));
    }
    match preferences.default_query {
        Some(query) => {
            values.insert(DEFAULT_QUERY.to_owned(), Value::from(query.to_string()));
        }
        None => {
            values.remove(DEFAULT_QUERY);
        }
    }
    let text = Value::Object(values).to_string();
    db.execute(
        "UPDATE users SET preferences_json = ?2 WHERE id = ?1",
        &[user.into(), text.as_str().into()],
    )?;
    Ok(())
}

/// Returns the stored preferences; `None` if there are none.
fn load(db: &Read<'_>, user: UserId) -> Result<Option<Map<String, Value>>, StoreError> {
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
