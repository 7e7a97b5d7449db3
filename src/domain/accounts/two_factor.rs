//! Who needs a second factor, by the setting `twofa` and by groups (compatibility 4).

use super::user::User;
use crate::administration::setting::Setting;
use crate::catalogue::Catalogue;
use crate::ids::UserId;

/// What the setting demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoFactorPolicy {
    /// Nobody is asked for a code. The keys of users who have a second factor are kept.
    Disabled,
    /// Users decide for themselves.
    Optional,
    /// Every user needs one.
    Required,
    /// Administrators need one, the others decide for themselves.
    RequiredForAdmins,
}

impl TwoFactorPolicy {
    /// Returns the policy of the settings.
    pub fn from_catalogue(catalogue: &Catalogue) -> TwoFactorPolicy {
        match catalogue.setting(Setting::Twofa) {
            "0" => TwoFactorPolicy::Disabled,
            "2" => TwoFactorPolicy::Required,
            "3" => TwoFactorPolicy::RequiredForAdmins,
            _ => TwoFactorPolicy::Optional,
        }
    }

    /// Returns the policy for this user: unless it is off, a group can require a second factor of
    /// its users.
    pub fn for_user(catalogue: &Catalogue, user: UserId) -> TwoFactorPolicy {
        match TwoFactorPolicy::from_catalogue(catalogue) {
            TwoFactorPolicy::Optional | TwoFactorPolicy::RequiredForAdmins
                if is_required_by_group(catalogue, user) =>
            {
                TwoFactorPolicy::Required
            }
            policy => policy,
        }
    }

    /// Whether logging in as this user needs a code.
    pub fn asks_for_code(self, user: &User) -> bool {
        self != TwoFactorPolicy::Disabled && user.has_second_factor()
    }

    /// Whether this user needs a second factor.
    pub fn is_required(self, user: &User) -> bool {
        match self {
            TwoFactorPolicy::Disabled | TwoFactorPolicy::Optional => false,
            TwoFactorPolicy::Required => true,
            TwoFactorPolicy::RequiredForAdmins => user.admin,
        }
    }

    /// Whether this user must set a second factor up before anything else.
    pub fn requires_set_up(self, user: &User) -> bool {
        self.is_required(user) && !user.has_second_factor()
    }
}

fn is_required_by_group(catalogue: &Catalogue, user: UserId) -> bool {
    catalogue
        .groups
        .values()
        .any(|group| group.requires_second_factor && group.users.contains(&user))
}
