//! The state that readers and the writer thread share.

use crate::data_folder::secrets::Secrets;
use crate::transaction::cache::{IssueCache, IssueSetCache, SubjectScan};
use arc_swap::ArcSwap;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::{Clock, Entropy};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The state of an open store.
pub struct Shared {
    /// The SQLite file.
    pub path: PathBuf,
    /// The secrets of the data folder.
    pub secrets: Secrets,
    /// The clock for all times in records.
    pub clock: Arc<dyn Clock>,
    /// The source of random secrets.
    pub entropy: Arc<dyn Entropy>,
    /// The catalogue of the latest snapshot.
    pub catalogue: ArcSwap<Catalogue>,
    /// Cached sets of the issues that match a filter.
    pub issue_sets: IssueSetCache,
    /// The subjects of all issues.
    pub subjects: SubjectScan,
    /// Issues that were read recently.
    pub issues: IssueCache,
    last_change: Mutex<i64>,
    changed: Condvar,
}

impl Shared {
    /// Starts with empty caches.
    pub fn new(
        path: PathBuf,
        secrets: Secrets,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Shared {
        Shared {
            path,
            secrets,
            clock,
            entropy,
            catalogue: ArcSwap::default(),
            issue_sets: IssueSetCache::default(),
            subjects: SubjectScan::default(),
            issues: IssueCache::default(),
            last_change: Mutex::new(0),
            changed: Condvar::new(),
        }
    }

    /// Returns the last change that this process has committed or read.
    pub fn last_change(&self) -> i64 {
        *self
            .last_change
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change after `seen`. Returns the last change; `None` when the timeout is over.
    pub fn wait_for_change(&self, seen: i64, timeout: Duration) -> Option<i64> {
        let last = self
            .last_change
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let waiting = self
            .changed
            .wait_timeout_while(last, timeout, |last| *last <= seen);
        let (last, outcome) = waiting.unwrap_or_else(PoisonError::into_inner);
        (!outcome.timed_out()).then_some(*last)
    }

    /// Sets the last change, and wakes the threads that wait for it.
    pub fn publish_change(&self, change: i64) {
        let mut last = self
            .last_change
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if change > *last {
            *last = change;
            self.changed.notify_all();
        }
    }
}
