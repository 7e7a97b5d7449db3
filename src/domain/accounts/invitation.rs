//! Invitations: links with which new users choose their first password.

use crate::ids::UserId;
use jiff::{SignedDuration, Timestamp};

/// How long a link is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(3 * 24);

/// An invitation of a user who has no password yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invitation {
    pub user: UserId,
    pub created_on: Timestamp,
    pub expires_on: Timestamp,
}

impl Invitation {
    /// Whether its link can no longer be used.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_on <= now
    }
}
