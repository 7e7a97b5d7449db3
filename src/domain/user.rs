//! Users and groups.

use super::ids::{PrincipalId, UserId};
use jiff::Timestamp;

/// The state of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserStatus {
    /// May log in.
    Active,
    /// Has registered and waits to be let in.
    Registered,
    /// Is shut out.
    Locked,
}

impl UserStatus {
    /// Returns the code in the database and in the API.
    pub fn code(self) -> i64 {
        match self {
            Self::Active => 1,
            Self::Registered => 2,
            Self::Locked => 3,
        }
    }

    /// Returns the state with this code.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::Active, Self::Registered, Self::Locked].into_iter().find(|status| status.code() == code)
    }
}

/// A user, without secrets.
#[derive(Clone, Debug)]
pub struct User {
    /// The id.
    pub id: UserId,
    /// The name to log in with; compared without regard to case.
    pub login: String,
    /// First name.
    pub firstname: String,
    /// Last name.
    pub lastname: String,
    /// First mail address, empty when unknown.
    pub mail: String,
    /// Whether the mail address is kept from people who are not administrators.
    pub hides_mail: bool,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The state.
    pub status: UserStatus,
    /// When the account was made.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
    /// When the password was last changed.
    pub passwd_changed_on: Option<Timestamp>,
    /// The second factor in use, such as `totp`; `None` when there is none.
    pub twofa_scheme: Option<String>,
    /// Whether the password must be changed before it counts again.
    pub must_change_password: bool,
    /// First and last name, as shown everywhere.
    pub name: String,
}

impl User {
    /// Whether the user logs in with a second factor.
    pub fn has_second_factor(&self) -> bool {
        self.twofa_scheme.as_deref().is_some_and(|scheme| !scheme.is_empty())
    }
}

/// A group of users.
#[derive(Clone, Debug)]
pub struct Group {
    /// The number, from the same space as those of users.
    pub id: PrincipalId,
    /// The name.
    pub name: String,
    /// Who is in it.
    pub users: Vec<UserId>,
}

/// Somebody whom nobody made: who is not logged in, and the two groups to which everybody belongs by not being a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinPrincipal {
    /// The author of what was written without logging in, or by somebody whose account is gone.
    Anonymous,
    /// Everybody who is not logged in.
    AnonymousGroup,
    /// Everybody who is logged in, in the projects of which they are not members.
    NonMemberGroup,
}

impl BuiltinPrincipal {
    const TABLE: [(Self, &'static str, &'static str); 3] = [
        (Self::Anonymous, "AnonymousUser", "Anonymous"),
        (Self::AnonymousGroup, "GroupAnonymous", "Anonymous users"),
        (Self::NonMemberGroup, "GroupNonMember", "Non member users"),
    ];

    /// The type under which the store keeps it.
    pub fn type_name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// The one of this stored type.
    pub fn parse(type_name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|row| row.1 == type_name).map(|row| row.0)
    }

    /// The name, as shown everywhere.
    pub fn name(self) -> &'static str {
        Self::TABLE[self as usize].2
    }
}
