//! The numbers of wrong guesses, and the addresses with a successful login.
//!
//! With SQLite they are in memory. With a server they are in the store, so that guesses on several
//! nodes count together: a guess is compared after a read, and only a wrong one writes. Invariant:
//! once wrong guesses are delayed, one guess is compared after each delay, on whatever node.

use super::logins::LoginLimits;
use crate::error::Error;
use crate::server::blocking::run_blocking;
use jiff::Timestamp;
use moka::sync::Cache;
use quarry_store::accounts::guesses::{self, Guesses};
use quarry_store::{Store, StoreError, Write};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum delay for an account; shorter than for an address, because it also affects the owner.
const MAX_ACCOUNT_DELAY: Duration = Duration::from_secs(60);
/// Maximum delay for an address.
const MAX_ADDRESS_DELAY: Duration = Duration::from_secs(15 * 60);
/// Time after the last failure when failures are forgotten.
const FAILURE_TTL: Duration = Duration::from_secs(3600);
/// Time after which an address with a successful login is forgotten.
const KNOWN_ADDRESS_TTL: Duration = Duration::from_secs(30 * 24 * 3600);
/// Time after which the store is told again that an address is known.
const KNOWN_ADDRESS_REFRESH: Duration = Duration::from_secs(24 * 3600);
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

/// What a guess counts for.
#[derive(Clone, Debug)]
pub struct GuessTarget {
    /// The name of the account.
    pub account: String,
    /// The address of the client, or its network.
    pub address: IpAddr,
    pub limits: LoginLimits,
}

/// The counts, where they are.
pub enum GuessCounts {
    /// In the memory of the only process.
    Memory(MemoryCounts),
    /// In the store that several nodes share.
    Store(StoreCounts),
}

impl GuessCounts {
    /// Creates the counts in memory.
    pub fn in_memory() -> GuessCounts {
        GuessCounts::Memory(MemoryCounts {
            failures: Cache::builder()
                .max_capacity(MAX_ENTRIES)
                .time_to_live(FAILURE_TTL)
                .build(),
            known: Cache::builder()
                .max_capacity(MAX_ENTRIES)
                .time_to_idle(KNOWN_ADDRESS_TTL)
                .build(),
        })
    }

    /// Uses the counts of this store.
    pub fn in_store(store: Arc<Store>) -> GuessCounts {
        GuessCounts::Store(StoreCounts(store))
    }

    /// Fails with [`Error::TooManyAttempts`] while further guesses are refused.
    pub fn check(&self, target: &GuessTarget) -> Result<(), Error> {
        match self {
            GuessCounts::Memory(counts) => counts.check(target),
            GuessCounts::Store(counts) => run_blocking(|| counts.check(target)),
        }
    }

    /// Takes the only guess after a delay. Fails when another node has taken it.
    pub fn take(&self, target: &GuessTarget) -> Result<(), Error> {
        match self {
            // The queues of account and address let one guess pass at a time.
            GuessCounts::Memory(_) => Ok(()),
            GuessCounts::Store(counts) => run_blocking(|| counts.take(target)),
        }
    }

    /// Counts a wrong guess, also for its address if that `counts_address`. Blocks.
    pub fn fail(&self, target: &GuessTarget, counts_address: bool) -> Result<(), Error> {
        match self {
            GuessCounts::Memory(counts) => {
                counts.fail(target, counts_address);
                Ok(())
            }
            GuessCounts::Store(counts) => counts.fail(target, counts_address),
        }
    }

    /// Forgets the failures of the account, and remembers the address. Blocks.
    pub fn succeed(&self, target: &GuessTarget) {
        match self {
            GuessCounts::Memory(counts) => counts.succeed(target),
            GuessCounts::Store(counts) => {
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
            GuessCounts::Store(counts) => {
                if let Err(error) = counts.give_back(target) {
                    tracing::warn!(error = %error, "a delay of logins could not be ended");
                }
            }
        }
    }
}

/// The counts in memory.
pub struct MemoryCounts {
    failures: Cache<Key, Failures>,
    known: Cache<(String, IpAddr), ()>,
}

impl MemoryCounts {
    fn check(&self, target: &GuessTarget) -> Result<(), Error> {
        let now = Instant::now();
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
                let seconds = (retry_at - now).as_secs() + 1;
                return Err(Error::TooManyAttempts(seconds));
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
            .then(|| Instant::now() + delay(count - free_failures, max_delay));
        self.failures.insert(key, Failures { count, retry_at });
    }

    fn succeed(&self, target: &GuessTarget) {
        self.failures.invalidate(&self.account_key(target));
        self.known
            .insert((target.account.clone(), target.address), ());
    }
}

/// The counts in the store.
pub struct StoreCounts(Arc<Store>);

/// The keys of a guess, which are digests.
struct Keys {
    /// Marks the address as known.
    known: String,
    /// Failures for the account from anywhere but known addresses.
    account: String,
    /// Failures for the account from this address, if it is known.
    account_at_address: String,
    /// Failures from the address.
    address: String,
}

/// A key with its limits.
struct Counted<'k> {
    key: &'k str,
    free_failures: u32,
    max_delay: Duration,
}

impl Keys {
    fn all(&self) -> [&str; 4] {
        [
            &self.known,
            &self.account,
            &self.account_at_address,
            &self.address,
        ]
    }

    /// Returns the key of the account for this address.
    fn of_account(&self, limits: LoginLimits, is_known: bool) -> Counted<'_> {
        Counted {
            key: if is_known {
                &self.account_at_address
            } else {
                &self.account
            },
            free_failures: limits.per_account,
            max_delay: MAX_ACCOUNT_DELAY,
        }
    }

    fn of_address(&self, limits: LoginLimits) -> Counted<'_> {
        Counted {
            key: &self.address,
            free_failures: limits.per_address,
            max_delay: MAX_ADDRESS_DELAY,
        }
    }

    /// Returns the keys whose delays apply: at a known address that of the account alone.
    fn delaying(&self, limits: LoginLimits, is_known: bool) -> Vec<Counted<'_>> {
        let address = (!is_known).then(|| self.of_address(limits));
        std::iter::once(self.of_account(limits, is_known))
            .chain(address)
            .collect()
    }
}

impl Counted<'_> {
    /// Returns until when guesses are refused after this number of failures; the epoch for no delay.
    fn retry_on(&self, failures: i64, now: Timestamp) -> Timestamp {
        let failures = u32::try_from(failures).unwrap_or(u32::MAX);
        if self.free_failures == 0 || failures < self.free_failures {
            return Timestamp::UNIX_EPOCH;
        }
        after(now, delay(failures - self.free_failures, self.max_delay))
    }
}

impl StoreCounts {
    fn keys(&self, target: &GuessTarget) -> Keys {
        let address = target.address.to_string();
        let digest = |parts: &[&str]| hex::encode(self.0.secrets().fingerprint(parts));
        let account = target.account.as_str();
        Keys {
            known: digest(&["known address", account, &address]),
            account: digest(&["guesses for account", account]),
            account_at_address: digest(&["guesses for account at address", account, &address]),
            address: digest(&["guesses from address", &address]),
        }
    }

    fn check(&self, target: &GuessTarget) -> Result<(), Error> {
        let keys = self.keys(target);
        self.0.read(|db| {
            let stored = guesses::find(db, keys.all())?;
            refuse_delayed(&keys, target.limits, &stored, db.now())
        })
    }

    fn take(&self, target: &GuessTarget) -> Result<(), Error> {
        let keys = self.keys(target);
        let stored = self.0.read(|db| guesses::find(db, keys.all()))?;
        let is_known = stored.contains_key(&keys.known);
        let is_delayed = keys
            .delaying(target.limits, is_known)
            .iter()
            .any(|counted| is_after_delay(&stored, counted.key));
        if !is_delayed {
            return Ok(());
        }
        let limits = target.limits;
        self.0.write(move |db| {
            let stored = guesses::find(db, keys.all())?;
            refuse_delayed(&keys, limits, &stored, db.now())?;
            let is_known = stored.contains_key(&keys.known);
            for counted in keys.delaying(limits, is_known) {
                if let Some(guesses) = stored.get(counted.key) {
                    let retry_on = counted.retry_on(guesses.failures, db.now());
                    store(db, counted.key, guesses.failures, retry_on)?;
                }
            }
            Ok(())
        })
    }

    fn fail(&self, target: &GuessTarget, counts_address: bool) -> Result<(), Error> {
        let keys = self.keys(target);
        let limits = target.limits;
        self.0.write(move |db| {
            let stored = guesses::find(db, keys.all())?;
            let is_known = stored.contains_key(&keys.known);
            let address = counts_address.then(|| keys.of_address(limits));
            for counted in std::iter::once(keys.of_account(limits, is_known)).chain(address) {
                let failures = stored.get(counted.key).map_or(0, |stored| stored.failures) + 1;
                let retry_on = counted.retry_on(failures, db.now());
                store(db, counted.key, failures, retry_on)?;
            }
            Ok(())
        })
    }

    fn succeed(&self, target: &GuessTarget) -> Result<(), StoreError> {
        let keys = self.keys(target);
        let stored = self.0.read(|db| {
            let due = after(db.now(), KNOWN_ADDRESS_TTL - KNOWN_ADDRESS_REFRESH);
            let stored = guesses::find(db, keys.all())?;
            let is_fresh = stored
                .get(&keys.known)
                .is_some_and(|known| known.expires_on > due);
            Ok::<_, StoreError>((stored, is_fresh))
        });
        let (stored, is_fresh) = stored?;
        let is_known = stored.contains_key(&keys.known);
        let limits = target.limits;
        let account = keys.of_account(limits, is_known).key.to_owned();
        let is_taken = !is_known && is_after_delay(&stored, &keys.address);
        if is_fresh && !stored.contains_key(&account) && !is_taken {
            return Ok(());
        }
        self.0.write(move |db| {
            guesses::delete(db, &account)?;
            if is_taken {
                end_delay(db, &keys, &keys.address)?;
            }
            let known = Guesses {
                failures: 0,
                retry_on: Timestamp::UNIX_EPOCH,
                expires_on: after(db.now(), KNOWN_ADDRESS_TTL),
            };
            guesses::set(db, &keys.known, known)
        })
    }

    fn give_back(&self, target: &GuessTarget) -> Result<(), StoreError> {
        let keys = self.keys(target);
        let stored = self.0.read(|db| guesses::find(db, keys.all()))?;
        let is_known = stored.contains_key(&keys.known);
        let delaying = keys.delaying(target.limits, is_known).into_iter();
        let taken: Vec<String> = delaying
            .filter(|counted| is_after_delay(&stored, counted.key))
            .map(|counted| counted.key.to_owned())
            .collect();
        if taken.is_empty() {
            return Ok(());
        }
        self.0
            .write(move |db| taken.iter().try_for_each(|key| end_delay(db, &keys, key)))
    }
}

/// Whether the key has reached the number of failures from which on guesses are delayed.
fn is_after_delay(stored: &HashMap<String, Guesses>, key: &str) -> bool {
    stored
        .get(key)
        .is_some_and(|guesses| guesses.retry_on > Timestamp::UNIX_EPOCH)
}

fn refuse_delayed(
    keys: &Keys,
    limits: LoginLimits,
    stored: &HashMap<String, Guesses>,
    now: Timestamp,
) -> Result<(), Error> {
    let is_known = stored.contains_key(&keys.known);
    for counted in keys.delaying(limits, is_known) {
        let retry_on = stored.get(counted.key).map(|guesses| guesses.retry_on);
        if let Some(retry_on) = retry_on.filter(|retry_on| *retry_on > now) {
            let seconds = retry_on.duration_since(now).as_secs().unsigned_abs();
            return Err(Error::TooManyAttempts(seconds + 1));
        }
    }
    Ok(())
}

/// Ends the delay of a key, which another guess may follow at once.
fn end_delay(db: &mut Write<'_>, keys: &Keys, key: &str) -> Result<(), StoreError> {
    match guesses::find(db, keys.all())?.get(key) {
        // Not the epoch, so that the next guess is taken as well.
        Some(guesses) => store(db, key, guesses.failures, LONG_AGO),
        None => Ok(()),
    }
}

/// The end of a delay that is over.
const LONG_AGO: Timestamp = Timestamp::constant(1, 0);

fn store(
    db: &mut Write<'_>,
    key: &str,
    failures: i64,
    retry_on: Timestamp,
) -> Result<(), StoreError> {
    let guesses = Guesses {
        failures,
        retry_on,
        expires_on: after(db.now(), FAILURE_TTL),
    };
    guesses::set(db, key, guesses)
}

fn after(time: Timestamp, duration: Duration) -> Timestamp {
    time.saturating_add(duration).unwrap_or(Timestamp::MAX)
}

/// Returns one second, two, four and so on, up to `max`.
fn delay(doublings: u32, max: Duration) -> Duration {
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
