//! What an event is about, in words for administrators.

use super::fields::join;
use super::{StoredEvent, ValueChange};
use crate::catalogue::Catalogue;
use crate::ids::UserId;

impl StoredEvent {
    /// Returns the record that has changed, such as "membership Bob". A record that is the only one
    /// of its type has no name.
    pub fn subject(&self, catalogue: &Catalogue) -> String {
        let record = record_label(&self.record);
        let user = match self.record.as_str() {
            "login" | "switch" | "user" => catalogue.users.get(&UserId(self.record_id)),
            _ => None,
        };
        match (&self.name, user) {
            (Some(name), _) => format!("{record} {name}"),
            (None, Some(user)) => format!("{record} {}", user.login),
            (None, None) if self.record_id > 0 => format!("{record} {}", self.record_id),
            (None, None) => record,
        }
    }

    /// Returns the details. Of somebody who joined or left a group, the name, or the id after a deletion.
    pub fn details_with_names(&self, catalogue: &Catalogue) -> Option<String> {
        let details = self.details.as_deref()?;
        let name = match self.record.as_str() {
            "group" => self.principal.and_then(|id| catalogue.principal_name(id)),
            _ => None,
        };
        Some(name.unwrap_or(details).to_owned())
    }

    /// Whether a change is one of the users of a group, and not of a custom field with such a name.
    pub fn changes_users(&self, change: &ValueChange) -> bool {
        self.record == "group"
            && matches!(self.change.as_str(), "created" | "updated" | "deleted")
            && change.field.starts_with("users")
    }
}

/// Returns the type of a record in words.
pub fn record_label(record: &str) -> String {
    record.replace('_', " ")
}

/// Returns a list such as "user 5, user 7" with the names of those who still exist.
pub fn with_user_names(catalogue: &Catalogue, list: &str) -> String {
    let users = list.split(", ").map(|part| {
        let id = part.strip_prefix("user ").and_then(|id| id.parse().ok());
        let name = id.and_then(|id| catalogue.principal_name(UserId(id).into()));
        name.unwrap_or(part).to_owned()
    });
    join(users)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_of_groups_are_lists_of_users() {
        let changes_users = |record: &str, change: &str, field: &str| {
            let event = StoredEvent {
                record: record.to_owned(),
                change: change.to_owned(),
                ..StoredEvent::default()
            };
            event.changes_users(&ValueChange {
                field: field.to_owned(),
                before: None,
                after: None,
            })
        };
        assert!(changes_users("group", "created", "users"));
        assert!(changes_users("group", "updated", "users (removed → added)"));
        assert!(!changes_users("group", "updated", "name"));
        assert!(!changes_users("role", "updated", "users"));
        // The name of a custom field.
        assert!(!changes_users(
            "group",
            "custom field values",
            "users affected"
        ));
    }
}
