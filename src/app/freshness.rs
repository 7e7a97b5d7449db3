//! Waiting for the index: searches wait for recent changes, and writes wait while the index lags.
//!
//! A search must find what the same user saved before it, and constant writes must not delay the
//! searches of others. Who made the changes of other nodes, or before the start, is unknown: they
//! count as everybody's own. Invariant: unless the index is more than [`OWN_TIMEOUT`] behind, a
//! search sees every change that was confirmed to its viewer before, on whatever node, if the viewer
//! is one of the [`MAX_WRITERS`] whose last changes are remembered.

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use quarry_domain::ids::UserId;
use quarry_search::Search;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time that a search waits for changes of other users.
const OTHERS_TIMEOUT: Duration = Duration::from_millis(100);
/// Maximum time that a search waits for the viewer's own last change.
const OWN_TIMEOUT: Duration = Duration::from_secs(2);
/// While the index is further behind than this, each write waits, so that the index is not starved
/// by writers.
const MAX_LAG: Duration = Duration::from_millis(200);
/// Maximum time that a write waits for an index that is behind.
const WRITE_TIMEOUT: Duration = Duration::from_millis(250);
/// Maximum number of users whose last change is remembered. The least recently used
/// entries are dropped first; searches of these users wait as for changes of others.
const MAX_WRITERS: u64 = 10_000;

/// The last change that each user, and all anonymous users together, have made on this node.
pub struct OwnChanges(Cache<Option<UserId>, i64>);

impl Default for OwnChanges {
    fn default() -> OwnChanges {
        let by_user = Cache::builder()
            .max_capacity(MAX_WRITERS)
            .eviction_policy(EvictionPolicy::lru());
        OwnChanges(by_user.build())
    }
}

impl OwnChanges {
    /// Records a committed change of a user; `None` is anonymous.
    pub fn record(&self, user: Option<UserId>, change: i64) {
        self.0
            .entry(user)
            .and_upsert_with(|entry| entry.map_or(change, |entry| entry.into_value().max(change)));
    }

    /// Returns the last change of this user; 0 for none.
    pub fn last(&self, user: Option<UserId>) -> i64 {
        self.0.get(&user).unwrap_or(0)
    }
}

/// Measures the lag of the index, by watching one change at a time until it is indexed.
#[derive(Debug, Default)]
pub struct IndexLag(Mutex<Option<(Instant, i64)>>);

impl IndexLag {
    /// Returns the watched change if it was committed more than [`MAX_LAG`] ago and is not indexed
    /// yet. Once it is indexed, `last` is watched.
    #[allow(
        clippy::disallowed_methods,
        reason = "the lag is real time, not the time of records"
    )]
    fn overdue(&self, last: i64, is_indexed: impl Fn(i64) -> bool) -> Option<i64> {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match *watched {
            Some((since, change)) if !is_indexed(change) => {
                (since.elapsed() > MAX_LAG).then_some(change)
            }
            _ => {
                *watched = (!is_indexed(last)).then(|| (Instant::now(), last));
                None
            }
        }
    }

    /// Delays a write for up to [`WRITE_TIMEOUT`] while the index is more than [`MAX_LAG`] behind
    /// the last change `last`. Blocks.
    pub fn wait_before_write(&self, search: &Search, last: i64) {
        let overdue = self.overdue(last, |change| search.has_indexed(change));
        // A rebuild may take long, and catches up quickly afterwards.
        if let Some(change) = overdue.filter(|_| !search.is_rebuilding()) {
            search.wait_until(change, WRITE_TIMEOUT);
        }
    }
}

/// Asks the index to commit the changes up to `last` soon, and returns its freshness for a search
/// that has waited for `waited` for them. `own_last` is the last change of its viewer.
pub fn freshness(search: &Search, last: i64, own_last: i64, waited: Duration) -> Freshness {
    if search.request_commit(last) {
        return Freshness::Current;
    }
    // The first index takes longer to build than a search may wait.
    if !search.is_ready() {
        return Freshness::Stale;
    }
    if waited < OTHERS_TIMEOUT {
        return Freshness::Wait(OTHERS_TIMEOUT.saturating_sub(waited));
    }
    if search.has_indexed(own_last) {
        return Freshness::Stale;
    }
    if waited < OWN_TIMEOUT {
        return Freshness::Wait(OWN_TIMEOUT.saturating_sub(waited));
    }
    tracing::warn!(
        search.waited_for = own_last,
        "a search was answered before the index had the viewer's own last change"
    );
    Freshness::Stale
}

/// The state of the index from the perspective of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// The index has every change.
    Current,
    /// The index lacks changes that may be indexed soon. Wait for at most this time: up to
    /// `OTHERS_TIMEOUT` for changes of others, up to `OWN_TIMEOUT` for the viewer's own.
    Wait(Duration),
    /// The index lacks changes; do not wait any longer.
    Stale,
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "in a test a panic is the message; real time is what is measured"
)]
mod tests {
    use super::*;
    use crate::App;
    use quarry_config::{Config, Limits, LogFormat};
    use quarry_domain::clock::{FixedClock, SystemEntropy};
    use quarry_domain::index_feed::kind::Kind;
    use quarry_domain::values::trusted_proxies::TrustedProxies;
    use quarry_store::transaction::changes;
    use std::sync::Arc;

    /// Returns a service whose index is not updated.
    fn app(folder: &std::path::Path) -> Arc<App> {
        let config = Config {
            data: folder.to_owned(),
            server: None,
            index: folder.join("index"),
            listen: String::new(),
            body_limit: 0,
            log: "off".to_owned(),
            log_format: LogFormat::Text,
            limits: Limits::default(),
            trusted_proxies: TrustedProxies::default(),
            mail: None,
            mail_imap: None,
            base_path: quarry_config::BasePath::default(),
            socket_mode: 0o660,
            tls: None,
            monitoring: quarry_config::Monitoring::default(),
            backup: None,
            backs_up_before_upgrade: true,
            file: None,
        };
        let clock = FixedClock("2026-11-20T12:00:00Z".parse().unwrap());
        App::open(&config, Arc::new(clock), Arc::new(SystemEntropy)).unwrap()
    }

    #[test]
    fn viewer_waits_longer_for_own_changes_than_for_others() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(folder.path());
        let writer = Some(UserId(7));
        let other = Some(UserId(8));
        let change = app
            .store
            .write(|db| changes::record(db, Kind::News, 1i64))
            .unwrap();
        app.own_changes.record(writer, change);
        assert_eq!(
            (
                app.freshness(change, other, Duration::ZERO),
                app.freshness(change, writer, Duration::ZERO)
            ),
            (
                Freshness::Wait(OTHERS_TIMEOUT),
                Freshness::Wait(OTHERS_TIMEOUT)
            )
        );
        assert_eq!(
            (
                app.freshness(change, other, OTHERS_TIMEOUT),
                app.freshness(change, writer, OTHERS_TIMEOUT)
            ),
            (
                Freshness::Stale,
                Freshness::Wait(OWN_TIMEOUT - OTHERS_TIMEOUT)
            )
        );
        assert_eq!(app.freshness(change, writer, OWN_TIMEOUT), Freshness::Stale);
        std::thread::scope(|scope| {
            scope.spawn(|| app.search.run_indexer());
            while app.freshness(change, writer, Duration::ZERO) != Freshness::Current {
                std::thread::sleep(Duration::from_millis(1));
            }
            app.search.stop();
        });
        app.close();
    }

    #[test]
    fn changes_before_the_start_count_as_own_changes() {
        let folder = tempfile::tempdir().unwrap();
        let first = app(folder.path());
        let change = first
            .store
            .write(|db| changes::record(db, Kind::News, 1i64))
            .unwrap();
        first.close();
        drop(first);
        let second = app(folder.path());
        assert_eq!(second.store.others_change(), change);
        assert_eq!(
            second.freshness(change, None, OTHERS_TIMEOUT),
            Freshness::Wait(OWN_TIMEOUT.saturating_sub(OTHERS_TIMEOUT)),
            "nothing is indexed yet"
        );
    }

    #[test]
    fn index_is_overdue_after_the_maximum_lag() {
        let lag = IndexLag::default();
        assert_eq!(lag.overdue(5, |_| true), None);
        // Starts to watch change 6.
        assert_eq!(lag.overdue(6, |_| false), None);
        while lag.overdue(7, |_| false).is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(
            lag.overdue(9, |_| false),
            Some(6),
            "the first missing change"
        );
        assert_eq!(
            lag.overdue(9, |change| change <= 6),
            None,
            "the index catches up"
        );
    }

    #[test]
    fn latest_change_of_each_user_counts() {
        let changes = OwnChanges::default();
        assert_eq!((changes.last(None), changes.last(Some(UserId(7)))), (0, 0));
        changes.record(Some(UserId(7)), 9);
        // Two requests of one user may finish in either order.
        changes.record(Some(UserId(7)), 8);
        changes.record(None, 5);
        assert_eq!(
            [None, Some(UserId(7)), Some(UserId(8))].map(|user| changes.last(user)),
            [5, 9, 0]
        );
    }
}
