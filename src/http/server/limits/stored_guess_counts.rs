//! The numbers of wrong guesses in the store, so that guesses on several nodes count together.
//!
//! A guess is compared after a read, and only a wrong one writes. Invariant: once wrong guesses are
//! delayed, one guess is compared after each delay, on whatever node.

use super::guess_limits::{
    FAILURE_TTL, GuessTarget, KNOWN_ADDRESS_TTL, LoginLimits, MAX_ACCOUNT_DELAY, MAX_ADDRESS_DELAY,
    delay,
};
use crate::error::Error;
use jiff::Timestamp;
use quarry_store::accounts::guesses::{self, Guesses};
use quarry_store::{Store, StoreError, Write};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Time after which the store is told again that an address is known.
const KNOWN_ADDRESS_REFRESH: Duration = Duration::from_secs(24 * 3600);

/// Maximum clock skew between nodes, which all follow the clock of the database server.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(60);

/// The counts in the store. Every function blocks.
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
    /// Uses the counts of this store.
    pub fn new(store: Arc<Store>) -> StoreCounts {
        StoreCounts(store)
    }

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

    /// Fails with [`Error::TooManyAttempts`] while further guesses are refused. Returns whether there
    /// was a delay.
    pub fn check(&self, target: &GuessTarget) -> Result<bool, Error> {
        let keys = self.keys(target);
        let limits = target.limits;
        self.0.read(|db| {
            let stored = guesses::find(db, keys.all())?;
            refuse_delayed(&keys, limits, &stored, db.now())?;
            let delaying = keys.delaying(limits, stored.contains_key(&keys.known));
            Ok(delaying
                .iter()
                .any(|counted| is_after_delay(&stored, counted.key)))
        })
    }

    /// Takes the only guess after a delay. Fails when another node has taken it.
    pub fn take(&self, target: &GuessTarget) -> Result<(), Error> {
        let keys = self.keys(target);
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

    /// Counts a wrong guess, also for its address if that `counts_address`.
    pub fn fail(&self, target: &GuessTarget, counts_address: bool) -> Result<(), Error> {
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

    /// Forgets the failures of the account, and remembers the address.
    pub fn succeed(&self, target: &GuessTarget) -> Result<(), StoreError> {
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

    /// Gives a guess back that was neither right nor wrong.
    pub fn give_back(&self, target: &GuessTarget) -> Result<(), StoreError> {
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
        // A clock that was ahead has set a later time: no delay is longer, even with clock skew.
        let latest = after(now, counted.max_delay + MAX_CLOCK_SKEW);
        if let Some(retry_on) = retry_on.filter(|time| *time > now && *time <= latest) {
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
