//! How long searches wait for the index, and writers for an index that falls behind: what a user saved must be found by that user's
//! next search, and writers at full speed must not slow everybody's searches.
//!
//! Invariant: unless the index is more than [`OWN_TIMEOUT`] behind, a search sees every change that the service had answered to the
//! same viewer before.

use super::App;
use crate::domain::ids::UserId;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time that a search waits for changes of other users.
const OTHERS_TIMEOUT: Duration = Duration::from_millis(100);
/// Maximum time that a search waits for the viewer's own last change.
const OWN_TIMEOUT: Duration = Duration::from_secs(2);
/// While the index is further behind than this, each write waits, so that the index is not starved by writers.
const MAX_LAG: Duration = Duration::from_millis(200);
/// Maximum time that a write waits for an index that is behind.
const WRITE_TIMEOUT: Duration = Duration::from_millis(250);
/// Maximum number of users whose last change is remembered. Those of the least recent writers are dropped first; their searches
/// wait as for changes of others.
const MAX_WRITERS: u64 = 10_000;

/// The last change of each user, and of all anonymous users together.
pub struct OwnChanges {
    by_user: Cache<Option<UserId>, i64>,
    /// The last change before the service started. It is not known whose the changes up to it are: they count as everybody's own.
    before_start: i64,
}

impl OwnChanges {
    /// Nothing is known about changes up to `before_start`.
    pub fn new(before_start: i64) -> OwnChanges {
        let by_user = Cache::builder().max_capacity(MAX_WRITERS).eviction_policy(EvictionPolicy::lru()).build();
        OwnChanges { by_user, before_start }
    }

    /// Remembers a committed change of a user; `None` is anonymous.
    pub fn record(&self, user: Option<UserId>, change: i64) {
        self.by_user.entry(user).and_upsert_with(|known| known.map_or(change, |known| known.into_value().max(change)));
    }

    /// The last change that a search of this user must see.
    fn last(&self, user: Option<UserId>) -> i64 {
        self.by_user.get(&user).unwrap_or(0).max(self.before_start)
    }
}

/// Measures how far the index is behind: one change at a time is watched until the index has it.
#[derive(Debug, Default)]
pub struct IndexLag(Mutex<Option<(Instant, i64)>>);

impl IndexLag {
    /// The watched change, if it was committed longer than [`MAX_LAG`] ago and is still missing. Otherwise watches `last` once the
    /// index has the one before.
    #[allow(clippy::disallowed_methods, reason = "the lag is real time, not the time of records")]
    fn overdue(&self, last: i64, is_indexed: impl Fn(i64) -> bool) -> Option<i64> {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match *watched {
            Some((since, change)) if !is_indexed(change) => (since.elapsed() > MAX_LAG).then_some(change),
            _ => {
                *watched = (!is_indexed(last)).then(|| (Instant::now(), last));
                None
            }
        }
    }
}

impl App {
    /// Holds a writer back for up to 250 ms while the index is more than 200 ms behind. Blocks; call it before a write.
    pub fn wait_before_write(&self) {
        let overdue = self.index_lag.overdue(self.store.last_change(), |change| self.search.has_reached(change));
        // A rebuild may take long, and what it has missed is taken in quickly.
        if let Some(change) = overdue.filter(|_| !self.search.is_rebuilding()) {
            self.search.wait_until(change, WRITE_TIMEOUT);
        }
    }

    /// Whether a search of this viewer that has waited so long for the changes up to `last` should go on waiting.
    pub fn freshness(&self, last: i64, viewer: Option<UserId>, waited: Duration) -> Freshness {
        if self.search.request(last) {
            return Freshness::Current;
        }
        if waited < OTHERS_TIMEOUT {
            return Freshness::Wait;
        }
        let own = self.own_changes.last(viewer);
        if self.search.has_reached(own) {
            return Freshness::Stale;
        }
        if waited < OWN_TIMEOUT {
            return Freshness::Wait;
        }
        tracing::warn!(search.waited_for = own, "a search was answered before the index had the viewer's own last change");
        Freshness::Stale
    }
}

/// What a search can expect of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It has every change.
    Current,
    /// It may soon have the changes that it lacks, and they are worth a wait: up to 100 ms for anybody's, up to 2 s for the viewer's own.
    Wait,
    /// It lacks changes.
    Stale,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "in a test a panic is the message; real time is what is measured")]
mod tests {
    use super::*;
    use crate::config::{Config, Limits, LogFormat};
    use crate::domain::clock::{FixedClock, SystemEntropy};
    use crate::domain::kind::Kind;
    use crate::domain::trusted_proxies::TrustedProxies;
    use crate::store::changes;
    use std::sync::Arc;

    /// A service whose index is not kept up to date yet.
    fn app(folder: &std::path::Path) -> Arc<App> {
        let config = Config {
            data: folder.to_owned(),
            index: folder.join("index"),
            listen: String::new(),
            body_limit: 0,
            log: "off".to_owned(),
            log_format: LogFormat::Text,
            limits: Limits::default(),
            trusted_proxies: TrustedProxies::default(),
        };
        let clock = FixedClock("2026-11-20T12:00:00Z".parse().unwrap());
        App::open(&config, Arc::new(clock), Arc::new(SystemEntropy)).unwrap()
    }

    #[test]
    fn a_viewer_waits_longer_for_own_changes_than_for_others() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(folder.path());
        let (writer, other) = (Some(UserId(7)), Some(UserId(8)));
        let change = app.store.write(|db| changes::record(db, Kind::News, 1i64)).unwrap();
        app.own_changes.record(writer, change);
        let freshness = |viewer, waited| app.freshness(change, viewer, waited);
        assert_eq!((freshness(other, Duration::ZERO), freshness(writer, Duration::ZERO)), (Freshness::Wait, Freshness::Wait));
        assert_eq!((freshness(other, OTHERS_TIMEOUT), freshness(writer, OTHERS_TIMEOUT)), (Freshness::Stale, Freshness::Wait));
        assert_eq!(freshness(writer, OWN_TIMEOUT), Freshness::Stale);
        std::thread::scope(|scope| {
            scope.spawn(|| app.search.follow());
            while freshness(writer, Duration::ZERO) != Freshness::Current {
                std::thread::sleep(Duration::from_millis(1));
            }
            app.search.stop();
        });
        app.close();
    }

    #[test]
    fn changes_from_before_the_start_count_as_everybodys_own() {
        let folder = tempfile::tempdir().unwrap();
        let first = app(folder.path());
        let change = first.store.write(|db| changes::record(db, Kind::News, 1i64)).unwrap();
        first.close();
        drop(first);
        assert_eq!(app(folder.path()).own_changes.last(None), change);
    }

    #[test]
    fn an_index_that_is_behind_for_long_is_overdue() {
        let lag = IndexLag::default();
        assert_eq!(lag.overdue(5, |_| true), None);
        // Watched from here on.
        assert_eq!(lag.overdue(6, |_| false), None);
        while lag.overdue(7, |_| false).is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(lag.overdue(9, |_| false), Some(6), "the first that is missing");
        assert_eq!(lag.overdue(9, |change| change <= 6), None, "the index goes on");
    }

    #[test]
    fn the_latest_change_of_each_user_counts() {
        let changes = OwnChanges::new(3);
        assert_eq!((changes.last(None), changes.last(Some(UserId(7)))), (3, 3));
        changes.record(Some(UserId(7)), 9);
        // Two requests of one user may end in either order.
        changes.record(Some(UserId(7)), 8);
        changes.record(None, 5);
        assert_eq!([None, Some(UserId(7)), Some(UserId(8))].map(|user| changes.last(user)), [5, 9, 3]);
    }
}
