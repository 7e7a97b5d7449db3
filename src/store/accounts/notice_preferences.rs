//! What users want to be told of, as far as every event depends on it.

use super::users;
use crate::{Read, StoreError};
use quarry_domain::ids::{ProjectId, UserId};
use quarry_domain::notices::preferences::NoticePreferences;

/// Loads the preferences of all users.
pub fn load(db: &Read<'_>) -> Result<NoticePreferences, StoreError> {
    let mut loaded = NoticePreferences::default();
    let selected: Vec<(ProjectId, UserId)> = db.rows(
        "SELECT project_id, user_id FROM members WHERE mail_notification = 1 ORDER BY id",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    for (project, user) in selected {
        loaded.selected.entry(project).or_default().push(user);
    }
    for (user, preferences) in users::all_preferences(db)? {
        if preferences.mails_own_events {
            loaded.own_events.insert(user);
        }
        if preferences.follows_high_priority {
            loaded.high_priority.insert(user);
        }
        if let Some(digest) = preferences.digest {
            loaded.digests.insert(user, digest);
        }
        if !preferences.gets_reminders {
            loaded.without_reminders.insert(user);
        }
    }
    Ok(loaded)
}

/// Chooses the projects whose every event a user is told of, among those of which the user is a
/// member. Returns whether that changes anything.
pub fn select_projects(
    db: &mut crate::Write<'_>,
    user: UserId,
    projects: &[ProjectId],
) -> Result<bool, StoreError> {
    let projects: Vec<i64> = projects.iter().map(|id| id.0).collect();
    let changed = db.execute(
        "UPDATE members SET mail_notification = 1 - mail_notification \
         WHERE user_id = ?1 AND mail_notification <> CASE WHEN project_id IN ids(?2) THEN 1 ELSE 0 END",
        &[user.into(), crate::Value::Ids(projects)],
    )?;
    if changed > 0 {
        db.unaudited_catalogue_changed()?;
    }
    Ok(changed > 0)
}
