//! Further mail addresses of users.

use crate::ids::UserId;
use jiff::Timestamp;

/// A further mail address of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmailAddress {
    pub id: i64,
    pub user: UserId,
    pub address: String,
    /// Whether mail goes to it, too.
    pub notify: bool,
    /// When it was added.
    pub created_on: Timestamp,
    /// When it last changed.
    pub updated_on: Timestamp,
}
