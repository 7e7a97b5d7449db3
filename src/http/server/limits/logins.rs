//! Limits on login attempts: one at a time per account and address, few at once in all, with
//! growing delays after failures.
//!
//! After a number of failures, set by two settings, further attempts are refused for one second,
//! then two, four and so on. Failures from an address with an earlier successful login to the
//! account are counted separately, so that guesses from elsewhere do not lock out the owner.

use super::client_id::network_of;
use super::guess_counts::GuessCounts;
use super::guess_limits::GuessTarget;
pub use super::guess_limits::LoginLimits;
use super::semaphore::{BoundedSemaphore, KeyedPermit, KeyedSemaphores};
use crate::error::Error;
use metrics::counter;
use quarry_config::{Limit, Limits};
use quarry_domain::accounts::guess_permit::GuessPermit;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Maximum number of waiting attempts for one account, or from one address.
const MAX_QUEUE_PER_KEY: usize = 8;
/// Maximum number of attempts that wait for a CPU.
const MAX_QUEUE: usize = 32;
/// What failures count for.
#[derive(Clone, Copy, Debug)]
pub enum Account<'a> {
    /// The password of the user with this login.
    Login(&'a str),
    /// The second factor of the user with this login.
    SecondFactor(&'a str),
    /// The set-up, from this address.
    SetUp(IpAddr),
    /// The applications at this address.
    Applications(IpAddr),
    /// The mail servers at this address.
    MailServers(IpAddr),
    /// Clients at this address that fetch the metrics.
    Metrics(IpAddr),
    /// The forms that create accounts, from this address.
    Registrations(IpAddr),
    /// The forms for lost passwords, from this address.
    LostPasswords(IpAddr),
}

/// How the names of accounts for [`Account::Registrations`] begin.
const REGISTRATIONS: &str = "registrations";
/// The same for [`Account::LostPasswords`].
const LOST_PASSWORDS: &str = "lost passwords";

impl Account<'_> {
    /// Returns a name that no other account has, whatever somebody types as a login. The addresses of a
    /// network have one name together.
    fn name(self) -> String {
        match self {
            Account::Login(login) => format!("login {}", lower_case(login)),
            Account::SecondFactor(login) => format!("second factor {}", lower_case(login)),
            Account::SetUp(address) => format!("set-up {}", network_of(address)),
            Account::Applications(address) => format!("applications {}", network_of(address)),
            Account::MailServers(address) => format!("mail servers {}", network_of(address)),
            Account::Metrics(address) => format!("metrics {}", network_of(address)),
            Account::Registrations(address) => {
                format!("{REGISTRATIONS} {}", network_of(address))
            }
            Account::LostPasswords(address) => {
                format!("{LOST_PASSWORDS} {}", network_of(address))
            }
        }
    }
}

impl Account<'_> {
    /// Returns the label `kind` of failures in the metrics.
    fn kind(self) -> &'static str {
        match self {
            Account::Login(_) => "password",
            Account::SecondFactor(_) => "second_factor",
            Account::SetUp(_) => "set_up",
            Account::Applications(_) => "application",
            Account::MailServers(_) => "mail_server",
            Account::Metrics(_) => "metrics_token",
            Account::Registrations(_) => "registration",
            Account::LostPasswords(_) => "lost_password",
        }
    }
}

/// Returns the login as the catalogue looks it up. The lower case of a character depends on those around
/// it: a sigma at the end of a word has a form of its own.
fn lower_case(login: &str) -> String {
    let cut: String = login.chars().take(MAX_LOGIN_CHARS).collect();
    cut.to_lowercase()
}

/// Longer logins are cut to this number of characters; no account has one.
const MAX_LOGIN_CHARS: usize = 255;

/// Failed logins, and permits to verify passwords.
pub struct LoginThrottle {
    counts: GuessCounts,
    accounts: KeyedSemaphores<String>,
    addresses: KeyedSemaphores<IpAddr>,
    cpus: BoundedSemaphore,
}

/// Whether a request may compare a secret.
#[derive(Default)]
pub enum AttemptPermission {
    /// The route has no secret, or the form was sent without one.
    #[default]
    Nothing,
    /// Not yet, because of earlier failures. Has the seconds to wait.
    Delayed(u64),
    /// Once.
    Allowed(LoginAttempt),
}

/// The result of the comparison of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// The secret is right.
    Right,
    /// The secret is wrong, or there is no such active account.
    Wrong,
    /// It counts neither as a success nor as a failure.
    Uncounted,
}

impl Guess {
    /// Returns [`Guess::Right`] if the secret was right, and [`Guess::Wrong`] otherwise.
    pub fn from_match(is_right: bool) -> Guess {
        if is_right { Guess::Right } else { Guess::Wrong }
    }
}

/// The permission to compare one secret, with a place in the queues of its account and address.
pub struct LoginAttempt {
    throttle: Arc<LoginThrottle>,
    target: GuessTarget,
    kind: &'static str,
    _permits: (KeyedPermit, KeyedPermit, OwnedSemaphorePermit),
}

impl LoginThrottle {
    /// Creates a throttle with these counts of failures.
    pub fn new(cpus: usize, limits: &Limits, counts: GuessCounts) -> LoginThrottle {
        let wait = limits.duration(Limit::QueueTimeout);
        let queue = limits.queue_length(MAX_QUEUE);
        let queue_per_key = limits.queue_length(MAX_QUEUE_PER_KEY);
        LoginThrottle {
            counts,
            accounts: KeyedSemaphores::new(move || BoundedSemaphore::new(1, queue_per_key, wait)),
            addresses: KeyedSemaphores::new(move || BoundedSemaphore::new(1, queue_per_key, wait)),
            cpus: BoundedSemaphore::new((cpus / 2).max(1), queue, wait),
        }
    }

    /// Returns how many attempts wait.
    pub fn waiting(&self) -> usize {
        self.cpus.waiting() + self.accounts.waiting() + self.addresses.waiting()
    }

    /// Waits for a permit. Fails with [`Error::TooManyAttempts`] after too many failures, and with
    /// [`Error::Overloaded`] when too many attempts are waiting.
    pub async fn acquire(
        self: &Arc<Self>,
        account: Account<'_>,
        address: IpAddr,
        limits: LoginLimits,
    ) -> Result<LoginAttempt, Error> {
        let target = GuessTarget {
            account: account.name(),
            address: network_of(address),
            limits,
        };
        let address_permit = self.addresses.acquire(target.address).await?;
        let account_permit = self.accounts.acquire(target.account.clone()).await?;
        let is_after_delay = self.counts.check(&target)?;
        let cpu = self.cpus.acquire().await?;
        if is_after_delay {
            self.counts.take(&target)?;
        }
        Ok(LoginAttempt {
            throttle: Arc::clone(self),
            target,
            kind: account.kind(),
            _permits: (address_permit, account_permit, cpu),
        })
    }
}

impl LoginAttempt {
    /// Compares a secret, and counts the result. An error is not counted. Blocks.
    pub fn compare<T>(
        self,
        compare: impl FnOnce(GuessPermit) -> Result<(Guess, T), Error>,
    ) -> Result<T, Error> {
        #[expect(
            clippy::disallowed_methods,
            reason = "an attempt exists only within the limits on guesses"
        )]
        let permit = GuessPermit::issue();
        let compared = compare(permit);
        match &compared {
            Ok((Guess::Right, _)) => self.succeed(),
            // A guess that cannot be counted gets no answer.
            Ok((Guess::Wrong, _)) => self.fail()?,
            Ok((Guess::Uncounted, _)) | Err(_) => self.throttle.counts.give_back(&self.target),
        }
        compared.map(|(_, outcome)| outcome)
    }

    /// Records a successful login: forgets failures for the account, and remembers the address.
    /// Blocks.
    pub fn succeed(self) {
        self.throttle.counts.succeed(&self.target);
    }

    /// Records a failed login. Forms that create accounts, and those for lost passwords, are no failed
    /// logins of their address.
    fn fail(self) -> Result<(), Error> {
        let account = &self.target.account;
        let counts_address =
            !account.starts_with(REGISTRATIONS) && !account.starts_with(LOST_PASSWORDS);
        if counts_address {
            counter!("quarry_login_failures_total", "kind" => self.kind).increment(1);
        }
        self.throttle.counts.fail(&self.target, counts_address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use quarry_domain::clock::Clock;
    use std::time::{Duration, Instant};

    const LIMITS: LoginLimits = LoginLimits {
        per_account: 3,
        per_address: 5,
    };

    /// A clock whose delays do not end.
    struct StoppedClock(Instant);

    impl Clock for StoppedClock {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH
        }

        fn instant(&self) -> Instant {
            self.0
        }
    }

    fn throttle() -> Arc<LoginThrottle> {
        Arc::new(LoginThrottle::new(
            2,
            &Limits::default(),
            GuessCounts::in_memory(Arc::new(StoppedClock(Instant::now()))),
        ))
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    async fn fail(throttle: &Arc<LoginThrottle>, account: &str, last: u8) -> bool {
        let attempt = throttle
            .acquire(Account::Login(account), address(last), LIMITS)
            .await;
        attempt.and_then(LoginAttempt::fail).is_ok()
    }

    #[tokio::test]
    async fn account_is_blocked_after_failures_from_anywhere() {
        let throttle = throttle();
        for last in 1..=3 {
            assert!(fail(&throttle, "Alice", last).await);
        }
        let refused = throttle
            .acquire(Account::Login("alice"), address(9), LIMITS)
            .await
            .err();
        assert!(
            matches!(refused, Some(Error::TooManyAttempts(1))),
            "{refused:?}"
        );
        assert!(
            throttle
                .acquire(Account::Login("bob"), address(9), LIMITS)
                .await
                .is_ok()
        );
    }

    #[tokio::test]
    async fn address_is_blocked_after_failures_with_any_account() {
        let throttle = throttle();
        for account in ["a", "b", "c", "d", "e"] {
            assert!(fail(&throttle, account, 1).await);
        }
        assert!(!fail(&throttle, "f", 1).await);
        assert!(fail(&throttle, "f", 2).await);
    }

    #[tokio::test]
    async fn owner_at_a_known_address_is_not_locked_out_by_other_addresses() {
        let throttle = throttle();
        throttle
            .acquire(Account::Login("alice"), address(7), LIMITS)
            .await
            .unwrap()
            .succeed();
        for last in 1..=3 {
            assert!(fail(&throttle, "alice", last).await);
        }
        assert!(!fail(&throttle, "alice", 8).await);
        assert!(
            throttle
                .acquire(Account::Login("alice"), address(7), LIMITS)
                .await
                .is_ok()
        );
    }

    #[tokio::test]
    async fn owner_at_a_known_address_is_not_locked_out_by_other_accounts() {
        let throttle = throttle();
        throttle
            .acquire(Account::Login("alice"), address(1), LIMITS)
            .await
            .unwrap()
            .succeed();
        for account in ["a", "b", "c", "d", "e"] {
            assert!(fail(&throttle, account, 1).await);
        }
        assert!(!fail(&throttle, "f", 1).await);
        assert!(
            throttle
                .acquire(Account::Login("alice"), address(1), LIMITS)
                .await
                .is_ok()
        );
    }

    #[test]
    fn addresses_of_a_network_and_spellings_of_a_login_count_together() {
        let [first, second] = ["2001:db8:1:3::1", "2001:db8:1:3:ffff::2"]
            .map(|address| address.parse::<IpAddr>().unwrap());
        for account in [
            Account::SetUp,
            Account::Applications,
            Account::MailServers,
            Account::Metrics,
            Account::Registrations,
            Account::LostPasswords,
        ] {
            assert_eq!(account(first).name(), account(second).name());
        }
        for login in ["ΑΣ-ΑΣ", "ας-ας", "Ας-Ας"] {
            assert_eq!(Account::Login(login).name(), "login ας-ας");
        }
    }

    #[tokio::test]
    async fn login_that_reads_like_another_account_counts_for_itself() {
        let throttle = throttle();
        for login in [
            "second factor bob",
            "second factor of bob",
            "applications 192.0.2.1",
            "set-up 192.0.2.1",
        ] {
            for last in 1..=3 {
                assert!(fail(&throttle, login, last).await);
            }
        }
        for account in [
            Account::SecondFactor("bob"),
            Account::Applications(address(1)),
            Account::SetUp(address(1)),
        ] {
            assert!(
                throttle.acquire(account, address(9), LIMITS).await.is_ok(),
                "{account:?}"
            );
        }
    }

    #[test]
    fn long_login_is_truncated() {
        let name = Account::Login(&"x".repeat(40_000)).name();
        assert_eq!(name.len(), "login ".len() + MAX_LOGIN_CHARS);
    }

    #[tokio::test]
    async fn success_resets_failures_and_zero_disables_the_limits() {
        let throttle = throttle();
        assert!(fail(&throttle, "alice", 1).await && fail(&throttle, "alice", 1).await);
        throttle
            .acquire(Account::Login("alice"), address(1), LIMITS)
            .await
            .unwrap()
            .succeed();
        assert!(fail(&throttle, "alice", 1).await && fail(&throttle, "alice", 1).await);
        let off = LoginLimits {
            per_account: 0,
            per_address: 0,
        };
        for _ in 0..50 {
            throttle
                .acquire(Account::Login("carol"), address(2), off)
                .await
                .unwrap()
                .fail()
                .unwrap();
        }
        assert!(
            throttle
                .acquire(Account::Login("carol"), address(2), off)
                .await
                .is_ok()
        );
    }

    #[tokio::test]
    async fn attempts_for_one_account_run_one_at_a_time() {
        let throttle = throttle();
        let _first = throttle
            .acquire(Account::Login("alice"), address(1), LIMITS)
            .await
            .unwrap();
        let waiting = tokio::time::timeout(
            Duration::from_millis(20),
            throttle.acquire(Account::Login("alice"), address(2), LIMITS),
        )
        .await;
        assert!(waiting.is_err(), "the second waits for the first");
    }
}
