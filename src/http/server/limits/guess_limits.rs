//! The limits on wrong guesses: how many have no delay, and how the delays grow.

use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use std::net::IpAddr;
use std::time::Duration;

/// Maximum delay for an account; shorter than for an address, because it also affects the owner.
pub(super) const MAX_ACCOUNT_DELAY: Duration = Duration::from_secs(60);
/// Maximum delay for an address.
pub(super) const MAX_ADDRESS_DELAY: Duration = Duration::from_secs(15 * 60);
/// Time after the last failure when failures are forgotten.
pub(super) const FAILURE_TTL: Duration = Duration::from_secs(3600);
/// Time after which an address with a successful login is forgotten.
pub(super) const KNOWN_ADDRESS_TTL: Duration = Duration::from_secs(30 * 24 * 3600);

/// Number of failures without a delay, from the settings; 0 for any number.
#[derive(Clone, Copy, Debug)]
pub struct LoginLimits {
    /// For one account.
    pub per_account: u32,
    /// From one address.
    pub per_address: u32,
}

impl LoginLimits {
    /// Creates the limits from the settings.
    pub fn from_settings(catalogue: &Catalogue) -> LoginLimits {
        LoginLimits {
            per_account: limit(catalogue, Setting::FailedLoginsPerAccount),
            per_address: limit(catalogue, Setting::FailedLoginsPerAddress),
        }
    }
}

fn limit(catalogue: &Catalogue, setting: Setting) -> u32 {
    catalogue.setting(setting).parse().unwrap_or(0)
}

/// What a guess counts for.
#[derive(Clone, Debug)]
pub struct GuessTarget {
    /// The name of the account.
    pub account: String,
    /// The address of the client, or its network.
    pub address: IpAddr,
    pub limits: LoginLimits,
}

/// Returns one second, two, four and so on, up to `max`.
pub(super) fn delay(doublings: u32, max: Duration) -> Duration {
    Duration::from_secs(1 << doublings.min(20)).min(max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_a_maximum() {
        let max = Duration::from_secs(60);
        let delays: Vec<u64> = [0, 1, 5, 6, 99]
            .into_iter()
            .map(|doublings| delay(doublings, max).as_secs())
            .collect();
        assert_eq!(delays, [1, 2, 32, 60, 60]);
    }
}
