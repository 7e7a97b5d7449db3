//! Sets of the ids of issues that match a filter, so that a scan of all issues runs once and not at
//! every request.
//!
//! Invariant: a set knows the last change that it reflects. Before it is used, the issues that have
//! changed since then are filtered again, and only those. Callers that show issues of a set read
//! them from the store with the whole condition, so a set cannot reveal an issue.

use crate::StoreError;
use crate::transaction::changes;
use crate::transaction::snapshot::Snapshot;
use moka::sync::Cache;
use roaring::RoaringTreemap;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Maximum size of all sets together, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// How long a set that is not used stays in the cache.
const IDLE_TIME: Duration = Duration::from_secs(3600);
/// With more changes than this since the last use, a set is loaded again in full.
const MAX_CHANGES: i64 = 50_000;

/// Identifies a query: two independent 64-bit hashes, so that no two queries share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetKey(u64, u64);

impl SetKey {
    /// Returns the key of a query from everything that its result depends on.
    pub fn from_hash(query: impl Hash) -> SetKey {
        SetKey(hash(1, &query), hash(2, &query))
    }
}

fn hash(salt: u64, query: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (salt, query).hash(&mut hasher);
    hasher.finish()
}

/// A filter of the issues of a snapshot whose result can be cached. The result must depend only on
/// the key, and on values that are written together with a recorded change of the issue.
pub trait SetQuery {
    /// Returns the key of the query in the cache.
    fn key(&self) -> SetKey;
    /// Returns all issues that match.
    fn load(&self) -> Result<IssueIds, StoreError>;
    /// Returns those of `issues` that match.
    fn filter(&self, issues: &[i64]) -> Result<Vec<i64>, StoreError>;
}

/// A set of ids of issues.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IssueIds(RoaringTreemap);

impl IssueIds {
    /// Returns the set of these ids; ascending order is fastest.
    pub fn from_sorted(ids: impl IntoIterator<Item = i64>) -> IssueIds {
        let mut set = RoaringTreemap::new();
        for id in ids {
            if set.try_push(to_unsigned(id)).is_err() {
                set.insert(to_unsigned(id));
            }
        }
        IssueIds(set)
    }

    /// Returns the number of ids.
    pub fn len(&self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    /// Returns the ids that are in both sets.
    pub fn intersection(&self, other: &IssueIds) -> IssueIds {
        IssueIds(&self.0 & &other.0)
    }

    /// Returns how many ids are in both sets.
    pub fn intersection_len(&self, other: &IssueIds) -> i64 {
        i64::try_from(self.0.intersection_len(&other.0)).unwrap_or(i64::MAX)
    }

    /// Returns at most `limit` ids in ascending or descending order, from position `offset` on.
    pub fn page(&self, offset: i64, limit: i64, descending: bool) -> Vec<i64> {
        let (Ok(offset), Ok(limit)) = (u64::try_from(offset), usize::try_from(limit)) else {
            return Vec::new();
        };
        let Some(from_end) = self
            .0
            .len()
            .checked_sub(offset)
            .and_then(|left| left.checked_sub(1))
        else {
            return Vec::new();
        };
        let Some(first) = self.0.select(if descending { from_end } else { offset }) else {
            return Vec::new();
        };
        let mut ids = self.0.iter();
        if descending {
            ids.advance_back_to(first);
            return ids.rev().take(limit).map(to_signed).collect();
        }
        ids.advance_to(first);
        ids.take(limit).map(to_signed).collect()
    }

    fn set_member(&mut self, id: i64, is_member: bool) {
        if is_member {
            self.0.insert(to_unsigned(id))
        } else {
            self.0.remove(to_unsigned(id))
        };
    }

    fn bytes(&self) -> u32 {
        u32::try_from(self.0.serialized_size())
            .unwrap_or(u32::MAX)
            .saturating_add(256)
    }
}

/// Maps signed ids to unsigned integers of the same order.
fn to_unsigned(id: i64) -> u64 {
    id.cast_unsigned() ^ (1 << 63)
}

fn to_signed(mapped: u64) -> i64 {
    (mapped ^ (1 << 63)).cast_signed()
}

/// The cached sets of a store.
pub struct IssueSetCache(Cache<SetKey, Arc<Mutex<CachedSet>>>);

impl Default for IssueSetCache {
    fn default() -> IssueSetCache {
        IssueSetCache(
            Cache::builder()
                .weigher(|_, set: &Arc<Mutex<CachedSet>>| CachedSet::weight(set))
                .max_capacity(MAX_BYTES)
                .time_to_idle(IDLE_TIME)
                .build(),
        )
    }
}

#[derive(Default)]
struct CachedSet {
    /// The last change that the set reflects; `None` before it is loaded.
    seq: Option<i64>,
    ids: Arc<IssueIds>,
}

impl IssueSetCache {
    /// Returns the issues that match, as of the snapshot or of a later one that another request has
    /// loaded, and whether they are those of the snapshot. Not for a transaction that writes: its
    /// uncommitted rows must not reach other requests.
    pub fn load(
        &self,
        db: &Snapshot<'_>,
        query: &dyn SetQuery,
    ) -> Result<(Arc<IssueIds>, bool), StoreError> {
        let key = query.key();
        let last = changes::last(db)?;
        let cached = self.0.get_with(key, Arc::default);
        let mut set = db.lock(&cached)?;
        if set.seq.is_none_or(|seq| seq < last) {
            let is_new = set.seq.is_none();
            // When this fails, the set may have half of the changes.
            let outcome = set.apply_changes(db, last, query);
            set.seq = outcome.as_ref().ok().map(|()| last);
            outcome?;
            let ids = Arc::clone(&set.ids);
            drop(set);
            if is_new {
                // Inserted again so that the cache weighs the loaded set.
                self.0.insert(key, cached);
            }
            return Ok((ids, true));
        }
        Ok((Arc::clone(&set.ids), set.seq == Some(last)))
    }
}

impl CachedSet {
    /// Returns the size of the ids in bytes; the maximum while another request loads them.
    fn weight(set: &Mutex<CachedSet>) -> u32 {
        set.try_lock().map_or(u32::MAX, |set| set.ids.bytes())
    }

    fn apply_changes(
        &mut self,
        db: &Snapshot<'_>,
        last: i64,
        query: &dyn SetQuery,
    ) -> Result<(), StoreError> {
        let Some(batches) = changes::issues_since(db, self.seq, last, MAX_CHANGES)? else {
            self.ids = Arc::new(query.load()?);
            return Ok(());
        };
        for changed in batches {
            let matching: HashSet<i64> = query.filter(&changed)?.into_iter().collect();
            let ids = Arc::make_mut(&mut self.ids);
            changed
                .into_iter()
                .for_each(|id| ids.set_member(id, matching.contains(&id)));
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn set_behaves_like_a_sorted_list(
            ids in prop::collection::btree_set(prop_oneof![1_i64..300, 65_000_i64..66_000, any::<i64>()], 0..200),
            other_ids in prop::collection::btree_set(1_i64..300, 0..100),
            offset in 0_i64..250,
            limit in 0_i64..120,
        ) {
            let set = IssueIds::from_sorted(ids.iter().copied());
            let other = IssueIds::from_sorted(other_ids.iter().copied());
            let skip = usize::try_from(offset).unwrap();
            let take = usize::try_from(limit).unwrap();
            let ascending: Vec<i64> = ids.iter().copied().skip(skip).take(take).collect();
            let descending: Vec<i64> = ids.iter().rev().copied().skip(skip).take(take).collect();
            prop_assert_eq!(set.page(offset, limit, false), ascending);
            prop_assert_eq!(set.page(offset, limit, true), descending);
            prop_assert_eq!(set.len(), i64::try_from(ids.len()).unwrap());
            let intersection: BTreeSet<i64> = ids.intersection(&other_ids).copied().collect();
            prop_assert_eq!(set.intersection_len(&other), i64::try_from(intersection.len()).unwrap());
            prop_assert_eq!(set.intersection(&other).page(0, 999, false), Vec::from_iter(intersection));
        }
    }
}
