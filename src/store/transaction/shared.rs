//! The state that readers and the writer thread share.

use crate::data_folder::secrets::Secrets;
use crate::engine::DatabaseLocation;
use crate::transaction::cache::{IssueCache, IssueSetCache, SubjectScan};
use arc_swap::ArcSwap;
use quarry_domain::administration::audit::Origin;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::clock::{Clock, Entropy};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The state of an open store.
pub struct Shared {
    /// The data folder.
    pub folder: PathBuf,
    /// Where the records are.
    pub location: DatabaseLocation,
    /// The secrets of the data folder.
    pub secrets: Secrets,
    /// The clock for all times in records.
    pub clock: Arc<dyn Clock>,
    /// The source of random secrets.
    pub entropy: Arc<dyn Entropy>,
    /// By what this process writes, for the audit log.
    origin: OnceLock<Origin>,
    caches: ArcSwap<Caches>,
    /// Whether another history has just begun.
    is_history_new: AtomicBool,
    last_change: AtomicI64,
    /// The last change that was first seen in a snapshot, so that another process has made it.
    others_change: AtomicI64,
    /// Held by those who wait for a change, and while it is announced.
    waiting: Mutex<()>,
    changed: Condvar,
    /// The last change that the current group of writes has recorded.
    written_change: AtomicI64,
}

/// What is kept in memory about one history of the records. When a replica is promoted that lacks
/// the last changes, they may have happened in the old history only: the caches start empty again.
#[derive(Default)]
pub struct Caches {
    history: String,
    /// The catalogue of the latest snapshot.
    pub catalogue: ArcSwap<Catalogue>,
    /// Cached sets of the issues that match a filter.
    pub issue_sets: IssueSetCache,
    /// The subjects of all issues.
    pub subjects: SubjectScan,
    /// Issues that were read recently.
    pub issues: IssueCache,
}

impl Shared {
    /// Starts with empty caches.
    pub fn new(
        folder: PathBuf,
        location: DatabaseLocation,
        secrets: Secrets,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Shared {
        Shared {
            folder,
            location,
            secrets,
            clock,
            entropy,
            origin: OnceLock::new(),
            caches: ArcSwap::default(),
            is_history_new: AtomicBool::new(false),
            last_change: AtomicI64::new(0),
            others_change: AtomicI64::new(0),
            waiting: Mutex::new(()),
            changed: Condvar::new(),
            written_change: AtomicI64::new(0),
        }
    }

    /// Returns by what this process writes.
    pub fn origin(&self) -> Origin {
        self.origin.get().copied().unwrap_or_default()
    }

    /// Sets by what this process writes, once.
    pub fn set_origin(&self, origin: Origin) {
        // The first thread to set it has opened the store.
        let _ = self.origin.set(origin);
    }

    /// Returns the caches of this history of the records; empty ones if it has just begun.
    pub fn caches(&self, history: &str) -> Arc<Caches> {
        let caches = self.caches.load_full();
        if caches.history == history {
            return caches;
        }
        let caches = Arc::new(Caches {
            history: history.to_owned(),
            ..Caches::default()
        });
        let previous = self.caches.swap(Arc::clone(&caches));
        if !previous.history.is_empty() {
            self.is_history_new.store(true, Ordering::Release);
        }
        caches
    }

    /// Whether another history of the records has begun since the last call.
    pub fn take_new_history(&self) -> bool {
        self.is_history_new.load(Ordering::Acquire)
            && self.is_history_new.swap(false, Ordering::AcqRel)
    }

    /// Returns the last change that this process has committed or read.
    pub fn last_change(&self) -> i64 {
        self.last_change.load(Ordering::Acquire)
    }

    /// Returns the last change of another process that this one has seen.
    pub fn others_change(&self) -> i64 {
        self.others_change.load(Ordering::Acquire)
    }

    /// Publishes the last change of a snapshot. Another process has made it, unless it is of the
    /// group of writes that is just being committed.
    pub fn publish_snapshot(&self, change: i64) {
        if change > self.last_change() {
            if change > self.written_change.load(Ordering::Acquire) {
                self.others_change.fetch_max(change, Ordering::AcqRel);
            }
            self.publish_change(change);
        }
    }

    /// Publishes the last change before the first write of a group.
    pub fn publish_before_write(&self, change: i64) {
        if self.written_change.load(Ordering::Acquire) == 0 {
            self.publish_snapshot(change);
        }
    }

    /// Waits for a change after `seen`. Returns the last change; `None` when the timeout is over.
    pub fn wait_for_change(&self, seen: i64, timeout: Duration) -> Option<i64> {
        let guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = self
            .changed
            .wait_timeout_while(guard, timeout, |()| self.last_change() <= seen);
        let (_guard, outcome) = waiting.unwrap_or_else(PoisonError::into_inner);
        (!outcome.timed_out()).then(|| self.last_change())
    }

    /// Sets the last change, and wakes the threads that wait for it.
    pub fn publish_change(&self, change: i64) {
        if change <= self.last_change() {
            return;
        }
        let _guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.last_change.fetch_max(change, Ordering::AcqRel);
        self.changed.notify_all();
    }

    /// Sets the last change that the current group of writes has recorded.
    pub fn set_written_change(&self, change: i64) {
        self.written_change.store(change, Ordering::Release);
    }

    /// Ends the group of writes: publishes its last change if it is committed.
    pub fn end_group(&self, is_committed: bool) {
        if is_committed {
            self.publish_change(self.written_change.load(Ordering::Acquire));
        }
        self.written_change.store(0, Ordering::Release);
    }
}
