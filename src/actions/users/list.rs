//! Finding users, for administrators.

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::PrincipalId;
use crate::domain::user::{User, UserStatus};

/// Which users are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// The status; `None` for any.
    pub status: Option<UserStatus>,
    /// Words that must each occur in login, name or mail address, ignoring case.
    pub name: String,
    /// A group of theirs; nobody is in an unknown group.
    pub group: Option<PrincipalId>,
}

/// Returns the users that match, in no order.
pub fn list<'c>(catalogue: &'c Catalogue, filter: &UserFilter) -> Vec<&'c User> {
    let name = filter.name.to_lowercase();
    let words: Vec<&str> = name.split_whitespace().collect();
    let group = filter.group.map(|id| catalogue.groups.get(&id));
    let matches = |user: &&User| {
        let has_words = || {
            let texts = [
                user.login.to_lowercase(),
                user.name.to_lowercase(),
                user.mail.to_lowercase(),
            ];
            words
                .iter()
                .all(|word| texts.iter().any(|text| text.contains(word)))
        };
        filter.status.is_none_or(|status| user.status == status)
            && group.is_none_or(|group| group.is_some_and(|group| group.users.contains(&user.id)))
            && (words.is_empty() || has_words())
    };
    catalogue.users.values().filter(matches).collect()
}
