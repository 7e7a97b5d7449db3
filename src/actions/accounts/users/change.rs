//! Changes of a user, and how the audit log names them (compatibility 11.1, operations 10).

use crate::prelude::*;
use quarry_domain::accounts::password;
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::custom_field::RequestedValues;
use quarry_domain::ids::PrincipalId;

/// A new password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewPassword {
    /// This one.
    Given(String),
    /// A random one, which is returned once.
    Generated,
}

impl NewPassword {
    /// Returns the password, and the same again if it was generated.
    pub(super) fn resolve(&self, db: &Read<'_>) -> (String, Option<String>) {
        match self {
            NewPassword::Given(password) => (password.clone(), None),
            NewPassword::Generated => {
                let password = password::generate(db.entropy());
                (password.clone(), Some(password))
            }
        }
    }
}

/// The requested attributes of a user. Unset ones stay as they are, or have the default of a new
/// user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserChange {
    pub login: Patch<String>,
    /// First name.
    pub firstname: Patch<String>,
    /// Last name.
    pub lastname: Patch<String>,
    /// Mail address.
    pub mail: Patch<String>,
    /// Whether the mail address is shown to administrators only.
    pub hides_mail: Option<bool>,
    /// The password. Without one, a new user cannot log in with a password.
    pub password: Option<NewPassword>,
    /// Whether the password must be changed at the next login.
    pub must_change_password: Option<bool>,
    /// Whether the user is an administrator.
    pub admin: Option<bool>,
    pub status: Option<UserStatus>,
    pub language: Patch<String>,
    pub time_zone: Patch<String>,
    /// Which events the user wants mail about.
    pub mail_notification: Patch<String>,
    /// Preferences that rules depend on.
    pub preferences: PreferencesChange,
    /// The groups. Unknown ones are ignored.
    pub groups: Option<Vec<PrincipalId>>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

/// A change of what somebody may do, or of what protects an account. Each is written to the
/// audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightsChange {
    /// The account is new.
    Created,
    /// The user became an administrator.
    AdminGranted,
    /// The user is no administrator any more.
    AdminRevoked,
    /// The user may log in.
    Activated,
    /// The user is locked.
    Locked,
    /// The user waits to be activated.
    Deactivated,
    /// The login changed.
    Login,
    /// The mail address changed.
    Mail,
    /// The password changed.
    Password,
    /// The password must be changed at the next login, or no longer.
    MustChangePassword,
    /// The second factor is off.
    SecondFactorOff,
    /// The groups changed.
    Groups,
    /// The account is gone.
    Deleted,
}

impl RightsChange {
    /// Returns its name in the log.
    pub fn name(self) -> &'static str {
        match self {
            RightsChange::Created => "created",
            RightsChange::AdminGranted => "administrator on",
            RightsChange::AdminRevoked => "administrator off",
            RightsChange::Activated => "activated",
            RightsChange::Locked => "locked",
            RightsChange::Deactivated => "deactivated",
            RightsChange::Login => "login",
            RightsChange::Mail => "mail",
            RightsChange::Password => "password",
            RightsChange::MustChangePassword => "must change password",
            RightsChange::SecondFactorOff => "second factor off",
            RightsChange::Groups => "groups",
            RightsChange::Deleted => "deleted",
        }
    }
}

/// Returns those of these groups that exist, each once.
pub(super) fn existing_groups(catalogue: &Catalogue, groups: &[PrincipalId]) -> Vec<PrincipalId> {
    let mut existing: Vec<PrincipalId> = groups
        .iter()
        .copied()
        .filter(|group| catalogue.groups.contains_key(group))
        .collect();
    existing.sort_unstable();
    existing.dedup();
    existing
}
