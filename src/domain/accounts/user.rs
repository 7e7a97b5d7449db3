//! Users, and the builtin principals.

use crate::ids::UserId;
use jiff::Timestamp;
use strum::FromRepr;

/// The state of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, FromRepr)]
#[repr(i64)]
pub enum UserStatus {
    /// May log in.
    #[default]
    Active = 1,
    /// Has registered and waits for activation.
    Registered = 2,
    /// May not log in.
    Locked = 3,
    /// The anonymous user, as whom nobody logs in. No other user has this state.
    Anonymous = 0,
}

impl UserStatus {
    /// Returns the code in the database and in the API.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// Returns the state with this code that a user can have.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::from_repr(code).filter(|status| *status != Self::Anonymous)
    }
}

/// A user, without secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The login; compared ignoring case.
    pub login: String,
    /// First name.
    pub firstname: String,
    /// Last name.
    pub lastname: String,
    /// The default mail address; empty if unknown.
    pub mail: String,
    /// Whether the mail address is shown to administrators only.
    pub hides_mail: bool,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The state.
    pub status: UserStatus,
    /// When the account was created.
    pub created_on: Timestamp,
    /// When it was last updated.
    pub updated_on: Timestamp,
    /// When the password was last changed.
    pub passwd_changed_on: Option<Timestamp>,
    /// The scheme of the second factor, such as `totp`; `None` without a second factor.
    pub twofa_scheme: Option<String>,
    /// Whether the user must change the password before anything else.
    pub must_change_password: bool,
    /// The language of the pages, such as `en`; empty for the default.
    pub language: String,
    /// The time zone as stored: an IANA name, or Redmine's name of a zone; empty for UTC.
    pub time_zone: String,
    /// Which events the user wants mail about; empty for the default.
    pub mail_notification: String,
    /// The digest of the picture, if there is one; an update of the user does not write it.
    pub picture: Option<String>,
    /// The name, in the format of the setting `user_format`; the store does not write it.
    pub name: String,
}

/// The choices of `mail_notification`, with their labels.
pub const MAIL_NOTIFICATIONS: [(&str, &str); 6] = [
    ("all", "For any event on all my projects"),
    ("selected", "For any event on the selected projects only"),
    (
        "only_my_events",
        "Only for things I watch or I am involved in",
    ),
    (
        "only_assigned",
        "Only for things I watch or I am assigned to",
    ),
    ("only_owner", "Only for things I watch or I am the owner of"),
    ("none", "No events"),
];

impl User {
    /// Whether the user logs in with a second factor.
    pub fn has_second_factor(&self) -> bool {
        self.twofa_scheme
            .as_deref()
            .is_some_and(|scheme| !scheme.is_empty())
    }
}

/// A builtin user or group of Redmine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinPrincipal {
    /// The author of records that were created without login, or by a deleted user.
    Anonymous,
    /// The group of everybody who is not logged in.
    AnonymousGroup,
    /// The group of all users in projects of which they are not members.
    NonMemberGroup,
}

impl BuiltinPrincipal {
    const TABLE: [(Self, &'static str, &'static str); 3] = [
        (Self::Anonymous, "AnonymousUser", "Anonymous"),
        (Self::AnonymousGroup, "GroupAnonymous", "Anonymous users"),
        (Self::NonMemberGroup, "GroupNonMember", "Non member users"),
    ];

    /// Returns the stored type.
    pub fn type_name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// Returns the principal with this stored type.
    pub fn parse(type_name: &str) -> Option<Self> {
        Self::TABLE
            .iter()
            .find(|row| row.1 == type_name)
            .map(|row| row.0)
    }

    /// Returns the name of a group in the API; `None` for the anonymous user.
    pub fn group_name(self) -> Option<&'static str> {
        match self {
            Self::Anonymous => None,
            Self::AnonymousGroup => Some("anonymous"),
            Self::NonMemberGroup => Some("non_member"),
        }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Self::TABLE[self as usize].2
    }
}
