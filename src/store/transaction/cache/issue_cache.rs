//! Issues that were read recently, for lists that are requested repeatedly.
//!
//! Invariant: cached issues are those of the store as of the change in `version`. Only snapshots of
//! exactly that change use them, and an issue that has changed since is evicted first.

use crate::StoreError;
use crate::transaction::changes;
use crate::transaction::snapshot::Snapshot;
use quarry_domain::issues::issue::Issue;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Approximate maximum size of the cached issues, in bytes; when it is exceeded, the cache is
/// cleared.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// With more changes than this since the last use, the cache is cleared.
const MAX_CHANGES: i64 = 5_000;

/// The cached issues of a store.
#[derive(Default)]
pub struct IssueCache(Mutex<CachedIssues>);

#[derive(Default)]
struct CachedIssues {
    /// The last change that the issues reflect, and the version of the catalogue.
    version: (i64, i64),
    issues: HashMap<i64, Arc<Issue>>,
    bytes: usize,
}

impl IssueCache {
    /// Returns the issues with these ids in their order, as of the snapshot and this version of
    /// the catalogue. `load` reads those that are not cached, in any order.
    /// `None` when an issue cannot be loaded, and when the cache is ahead of the snapshot.
    pub fn get_or_load(
        &self,
        db: &Snapshot<'_>,
        catalogue: i64,
        ids: &[i64],
        load: impl FnOnce(Vec<i64>) -> Result<Vec<Issue>, StoreError>,
    ) -> Result<Option<Vec<Arc<Issue>>>, StoreError> {
        let version = (changes::last(db)?, catalogue);
        let mut issues: Vec<Option<Arc<Issue>>> = {
            let mut cache = self.lock();
            cache.apply_changes(db, version)?;
            if cache.version != version {
                return Ok(None);
            }
            ids.iter().map(|id| cache.issues.get(id).cloned()).collect()
        };
        let missing: Vec<i64> = ids
            .iter()
            .zip(&issues)
            .filter(|(_, issue)| issue.is_none())
            .map(|(id, _)| *id)
            .collect();
        if !missing.is_empty() {
            let loaded: HashMap<i64, Arc<Issue>> = load(missing)?
                .into_iter()
                .map(|issue| (issue.id.0, Arc::new(issue)))
                .collect();
            for (id, issue) in ids
                .iter()
                .zip(&mut issues)
                .filter(|(_, issue)| issue.is_none())
            {
                *issue = loaded.get(id).cloned();
            }
            self.lock().insert(version, loaded);
        }
        Ok(issues.into_iter().collect())
    }

    fn lock(&self) -> MutexGuard<'_, CachedIssues> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedIssues {
    fn apply_changes(&mut self, db: &Snapshot<'_>, version: (i64, i64)) -> Result<(), StoreError> {
        if self.version >= version {
            return Ok(());
        }
        let same_catalogue = self.version.1 == version.1;
        match changes::issues_since(
            db,
            Some(self.version.0).filter(|_| same_catalogue),
            version.0,
            MAX_CHANGES,
        )? {
            Some(changed) => changed.into_iter().flatten().for_each(|id| {
                let evicted = self.issues.remove(&id);
                self.bytes -= evicted.map_or(0, |issue| size(&issue));
            }),
            None => (self.issues, self.bytes) = (HashMap::new(), 0),
        }
        self.version = version;
        Ok(())
    }

    /// Caches the loaded issues, unless the cache has followed later changes in the meantime.
    fn insert(&mut self, version: (i64, i64), loaded: HashMap<i64, Arc<Issue>>) {
        if self.version != version {
            return;
        }
        for (id, issue) in loaded {
            if self.bytes > MAX_BYTES {
                (self.issues, self.bytes) = (HashMap::new(), 0);
            }
            self.bytes += size(&issue);
            let replaced = self.issues.insert(id, issue);
            self.bytes -= replaced.map_or(0, |issue| size(&issue));
        }
    }
}

fn size(issue: &Issue) -> usize {
    size_of::<Issue>()
        + 64
        + issue.subject.len()
        + issue.description.as_ref().map_or(0, String::len)
}
