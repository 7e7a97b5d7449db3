//! Who changes users or applications, and whether that is allowed.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::UserId;
use crate::domain::user::{User, UserStatus};
use crate::domain::viewer::Viewer;

/// Who makes a change that is for administrators.
#[derive(Clone, Copy, Debug)]
pub enum Actor<'v> {
    /// A viewer, who must be an administrator.
    Viewer(&'v Viewer),
    /// The person who runs commands on the data folder.
    Operator,
}

impl Actor<'_> {
    /// Fails unless the actor may make it.
    pub(in crate::actions) fn require_admin(self) -> Result<(), ActionError> {
        match self {
            Actor::Viewer(viewer) if !viewer.admin => Err(ActionError::Forbidden),
            Actor::Viewer(_) | Actor::Operator => Ok(()),
        }
    }

    /// Whether the actor is this user.
    pub(super) fn is(self, user: UserId) -> bool {
        matches!(self, Actor::Viewer(viewer) if viewer.user == Some(user))
    }
}

/// Fails when the user is the last active administrator.
pub(super) fn require_another_admin(catalogue: &Catalogue, user: &User) -> Result<(), ActionError> {
    let is_active_admin = |user: &User| user.admin && user.status == UserStatus::Active;
    let has_another = || {
        catalogue
            .users
            .values()
            .any(|other| other.id != user.id && is_active_admin(other))
    };
    if is_active_admin(user) && !has_another() {
        let message =
            "The last active administrator cannot be locked, deleted or made an ordinary user";
        return Err(ActionError::Invalid(vec![message.to_owned()]));
    }
    Ok(())
}
