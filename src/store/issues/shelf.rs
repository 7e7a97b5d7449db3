//! Issues as they were read lately, for lists that are asked for again and again.
//!
//! Invariant: what is on the shelf is what the store says after the change up to which the shelf has followed. It is used by
//! snapshots of that very change alone, and an issue that has changed since is taken off before.

use crate::domain::issue::Issue;
use crate::store::{Read, StoreError, changes};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// About how many bytes the issues may have together; when there are more, all are put away.
const BYTES: usize = 32 * 1024 * 1024;
/// With more changes behind, everything is put away.
const ANEW: i64 = 5_000;

/// The shelf of a store.
#[derive(Default)]
pub struct Shelf(Mutex<Issues>);

#[derive(Default)]
struct Issues {
    /// The change up to which it has followed, and the version of names and rights.
    under: (i64, i64),
    issues: HashMap<i64, Arc<Issue>>,
    bytes: usize,
}

impl Shelf {
    /// These issues in their order, as of the snapshot; `read` is asked for those that are not there, and may answer them in any order.
    /// `None` where one of them is not to be had, and where the shelf is ahead of the snapshot.
    pub(super) fn take(
        &self,
        db: &Read<'_>,
        ids: &[i64],
        read: impl FnOnce(Vec<i64>) -> Result<Vec<Issue>, StoreError>,
    ) -> Result<Option<Vec<Arc<Issue>>>, StoreError> {
        let under = (changes::last(db)?, db.catalogue().version);
        let mut known: Vec<Option<Arc<Issue>>> = {
            let mut shelf = self.lock();
            shelf.follow(db, under)?;
            if shelf.under != under {
                return Ok(None);
            }
            ids.iter().map(|id| shelf.issues.get(id).cloned()).collect()
        };
        let missing: Vec<i64> = ids.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(id, _)| *id).collect();
        if !missing.is_empty() {
            let read: HashMap<i64, Arc<Issue>> = read(missing)?.into_iter().map(|issue| (issue.id.0, Arc::new(issue))).collect();
            for (id, place) in ids.iter().zip(&mut known).filter(|(_, known)| known.is_none()) {
                *place = read.get(id).cloned();
            }
            self.lock().put(under, read);
        }
        Ok(known.into_iter().collect())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Issues> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Issues {
    fn follow(&mut self, db: &Read<'_>, under: (i64, i64)) -> Result<(), StoreError> {
        if self.under >= under {
            return Ok(());
        }
        let same_names = self.under.1 == under.1;
        match changes::issues_since(db, Some(self.under.0).filter(|_| same_names), under.0, ANEW)? {
            Some(changed) => changed.into_iter().flatten().for_each(|id| {
                let gone = self.issues.remove(&id);
                self.bytes -= gone.map_or(0, |issue| size(&issue));
            }),
            None => (self.issues, self.bytes) = (HashMap::new(), 0),
        }
        self.under = under;
        Ok(())
    }

    /// Keeps what was read, unless the shelf has gone on in the meantime.
    fn put(&mut self, under: (i64, i64), read: HashMap<i64, Arc<Issue>>) {
        if self.under != under {
            return;
        }
        for (id, issue) in read {
            if self.bytes > BYTES {
                (self.issues, self.bytes) = (HashMap::new(), 0);
            }
            self.bytes += size(&issue);
            let before = self.issues.insert(id, issue);
            self.bytes -= before.map_or(0, |issue| size(&issue));
        }
    }
}

fn size(issue: &Issue) -> usize {
    size_of::<Issue>() + 64 + issue.subject.len() + issue.description.as_ref().map_or(0, String::len)
}
