//! The numbers of wrong guesses, and the addresses with a successful login: in the memory of the only
//! process, or in the store that several nodes share.

use super::guess_limits::{
    FAILURE_TTL, GuessTarget, KNOWN_ADDRESS_TTL, MAX_ACCOUNT_DELAY, MAX_ADDRESS_DELAY, delay,
};
use super::stored_guess_counts::StoreCounts;
use crate::error::Error;
use crate::server::blocking::run_blocking;
use moka::sync::Cache;
use quarry_domain::clock::Clock;
use quarry_store::Store;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of entries in memory for failures, and for known addresses; at most 1 KiB each.
const MAX_ENTRIES: u64 = 50_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// An account, and the address if there was a successful login from it.
    Account(String, Option<IpAddr>),
    Address(IpAddr),
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    retry_at: Option<Instant>,
}

/// The counts, where they are.
pub enum GuessCounts {
    /// In the memory of the only process.
    Memory(MemoryCounts),
    /// In the store that several nodes share; in memory as well what cannot be written there.
    Store(StoreCounts, MemoryCounts),
}

impl GuessCounts {
    /// Creates the counts in memory, with delays by this clock.
    pub fn in_memory(clock: Arc<dyn Clock>) -> GuessCounts {
        GuessCounts::Memory(MemoryCounts::new(clock))
    }

    /// Uses the counts of this store, and this clock for delays that cannot be written there.
    pub fn in_store(store: Arc<Store>, clock: Arc<dyn Clock>) -> GuessCounts {
        GuessCounts::Store(StoreCounts::new(store), MemoryCounts::new(clock))
    }

    /// Fails with [`Error::TooManyAttempts`] while further guesses are refused. Returns whether there
    /// was a delay, so that [`GuessCounts::take`] must be called.
    pub fn check(&self, target: &GuessTarget) -> Result<bool, Error> {
        match self {
            // The queues of account and address let one guess pass at a time.
            GuessCounts::Memory(counts) => counts.check(target).map(|()| false),
            GuessCounts::Store(counts, unwritten) => {
                unwritten.check(target)?;
                run_blocking(|| counts.check(target))
            }
        }
    }

    /// Takes the only guess after a delay. Fails when another node has taken it.
    pub fn take(&self, target: &GuessTarget) -> Result<(), Error> {
        match self {
            GuessCounts::Memory(_) => Ok(()),
            GuessCounts::Store(counts, _) => run_blocking(|| counts.take(target)),
        }
    }

    /// Counts a wrong guess, also for its address if that `counts_address`. Blocks.
    pub fn fail(&self, target: &GuessTarget, counts_address: bool) -> Result<(), Error> {
        match self {
            GuessCounts::Memory(counts) => {
                counts.fail(target, counts_address);
                Ok(())
            }
            GuessCounts::Store(counts, unwritten) => counts
                .fail(target, counts_address)
                .inspect_err(|_| unwritten.fail(target, counts_address)),
        }
    }

    /// Forgets the failures of the account, and remembers the address. Blocks.
    pub fn succeed(&self, target: &GuessTarget) {
        match self {
            GuessCounts::Memory(counts) => counts.succeed(target),
            GuessCounts::Store(counts, unwritten) => {
                unwritten.succeed(target);
                if let Err(error) = counts.succeed(target) {
                    tracing::warn!(error = %error, "failed logins could not be forgotten after a successful one");
                }
            }
        }
    }

    /// Gives a guess back that was neither right nor wrong. Blocks.
    pub fn give_back(&self, target: &GuessTarget) {
        match self {
            GuessCounts::Memory(_) => {}
            GuessCounts::Store(counts, _) => {
                if let Err(error) = counts.give_back(target) {
                    tracing::warn!(error = %error, "a delay of logins could not be ended");
                }
            }
        }
    }
}

/// The counts in memory.
pub struct MemoryCounts {
    clock: Arc<dyn Clock>,
    failures: Cache<Key, Failures>,
    known: Cache<(String, IpAddr), ()>,
}

impl MemoryCounts {
    fn new(clock: Arc<dyn Clock>) -> MemoryCounts {
        MemoryCounts {
            clock,
            failures: Cache::builder()
                .max_capacity(MAX_ENTRIES)
                .time_to_live(FAILURE_TTL)
                .build(),
            known: Cache::builder()
                .max_capacity(MAX_ENTRIES)
                .time_to_idle(KNOWN_ADDRESS_TTL)
                .build(),
        }
    }

    fn check(&self, target: &GuessTarget) -> Result<(), Error> {
        let now = self.clock.instant();
        let account_key = self.account_key(target);
        let is_known = matches!(account_key, Key::Account(_, Some(_)));
        let address_key = (!is_known).then_some(Key::Address(target.address));
        for key in [Some(account_key), address_key].into_iter().flatten() {
            if let Some(retry_at) = self
                .failures
                .get(&key)
                .and_then(|failures| failures.retry_at)
                .filter(|retry_at| *retry_at > now)
            {
                return Err(Error::TooManyAttempts(full_seconds(retry_at - now)));
            }
        }
        Ok(())
    }

    fn account_key(&self, target: &GuessTarget) -> Key {
        let is_known = self
            .known
            .contains_key(&(target.account.clone(), target.address));
        Key::Account(target.account.clone(), is_known.then_some(target.address))
    }

    fn fail(&self, target: &GuessTarget, counts_address: bool) {
        let account_key = self.account_key(target);
        self.count_failure(account_key, target.limits.per_account, MAX_ACCOUNT_DELAY);
        if counts_address {
            let address_key = Key::Address(target.address);
            self.count_failure(address_key, target.limits.per_address, MAX_ADDRESS_DELAY);
        }
    }

    fn count_failure(&self, key: Key, free_failures: u32, max_delay: Duration) {
        let count = self
            .failures
            .get(&key)
            .map_or(0, |failures| failures.count)
            .saturating_add(1);
        let retry_at = (free_failures > 0 && count >= free_failures)
            .then(|| self.clock.instant() + delay(count - free_failures, max_delay));
        self.failures.insert(key, Failures { count, retry_at });
    }

    fn succeed(&self, target: &GuessTarget) {
        self.failures.invalidate(&self.account_key(target));
        self.known
            .insert((target.account.clone(), target.address), ());
    }
}

/// Returns the smallest number of seconds that is not shorter.
fn full_seconds(delay: Duration) -> u64 {
    delay.as_secs() + u64::from(delay.subsec_nanos() > 0)
}
