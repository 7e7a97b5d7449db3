//! Finds users for administrators, and those who stand for others: the user of the command line,
//! and Anonymous.

use crate::prelude::*;
use quarry_domain::accounts::user::{BuiltinPrincipal, User, UserStatus};
use quarry_domain::ids::PrincipalId;
use quarry_store::accounts::users;

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
    catalogue
        .users
        .values()
        .filter(|user| {
            filter.status.is_none_or(|status| user.status == status)
                && group
                    .is_none_or(|group| group.is_some_and(|group| group.users.contains(&user.id)))
                && (words.is_empty() || has_words(user, &words))
        })
        .collect()
}

/// Whether login, name or address has all the words.
fn has_words(user: &User, words: &[&str]) -> bool {
    let texts = [
        user.login.to_lowercase(),
        user.name.to_lowercase(),
        user.mail.to_lowercase(),
    ];
    words
        .iter()
        .all(|word| texts.iter().any(|text| text.contains(word)))
}

/// Returns the anonymous user, who is created if there is none: only an import brings one along.
pub fn anonymous(db: &mut Write<'_>) -> Result<UserId, ActionError> {
    match users::builtin(db)?
        .into_iter()
        .find(|(_, builtin)| *builtin == BuiltinPrincipal::Anonymous)
    {
        Some((id, _)) => Ok(UserId(id.0)),
        None => Ok(users::insert_anonymous(db)?),
    }
}

/// Who changes accounts.
#[derive(Clone, Copy, Debug)]
pub enum Actor<'v> {
    /// A viewer, who must be an administrator.
    Viewer(&'v Viewer),
    /// The person who runs commands on the data folder.
    Operator,
    /// Somebody who creates an account for themselves.
    SelfRegistration,
    /// The same, where the mail address must be confirmed before the account has it.
    UnconfirmedRegistration,
}

impl Actor<'_> {
    /// Fails for a viewer who is no administrator. What people may do who register themselves is for the
    /// caller to check.
    pub(crate) fn refuse_ordinary_viewers(self) -> Result<(), ActionError> {
        match self {
            Actor::Viewer(viewer) if !viewer.admin => Err(ActionError::Forbidden),
            Actor::Viewer(_)
            | Actor::Operator
            | Actor::SelfRegistration
            | Actor::UnconfirmedRegistration => Ok(()),
        }
    }

    /// Whether the actor is this user.
    pub(super) fn is(self, user: UserId) -> bool {
        matches!(self, Actor::Viewer(viewer) if viewer.user == Some(user))
    }
}

/// Fails when the user is the last active administrator.
pub(super) fn require_another_admin(catalogue: &Catalogue, user: &User) -> Result<(), ActionError> {
    if is_active_admin(user)
        && !catalogue
            .users
            .values()
            .any(|other| other.id != user.id && is_active_admin(other))
    {
        let message =
            "The last active administrator cannot be locked, deleted or made an ordinary user";
        return Err(ActionError::invalid(message));
    }
    Ok(())
}

fn is_active_admin(user: &User) -> bool {
    user.admin && user.status == UserStatus::Active
}
