//! Groups of users.

use crate::ids::{PrincipalId, UserId};

/// A group of users.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The id. Users and groups share one id space.
    pub id: PrincipalId,
    pub name: String,
    pub users: Vec<UserId>,
    /// Whether its users need a second factor.
    pub requires_second_factor: bool,
}
