//! Which issues fit a condition, as sets of their numbers in memory, so that a long walk through the issues is made once and not at
//! every request.
//!
//! Invariant: a set says what the issues say. It knows the last change that it has seen, and before it answers, the issues that have
//! changed since are asked again, and they alone. Whoever shows issues by it reads them from the store by the whole condition
//! once more, so that no set can show what is not to be seen.

use super::{Read, StoreError, changes};
use moka::sync::Cache;
use roaring::RoaringTreemap;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many bytes all sets may have together, and how long one stays that nobody asks for.
const BYTES: u64 = 64 * 1024 * 1024;
const UNUSED: Duration = Duration::from_secs(3600);
/// With more changes behind, a set is made anew.
const ANEW: i64 = 50_000;

/// What tells one question from every other: two fingerprints, so that no two questions share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u64, u64);

impl Key {
    /// The key of what is hashed.
    pub fn of(question: impl Hash) -> Key {
        let fingerprint = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, &question).hash(&mut hasher);
            hasher.finish()
        };
        Key(fingerprint(1), fingerprint(2))
    }
}

/// Something that can be asked of issues. The answer must depend on nothing but what is written together with a numbered change of
/// the issue, and on what is in the key.
pub trait Question {
    /// What tells it from every other.
    fn key(&self) -> Key;
    /// All issues that fit.
    fn all(&self, db: &Read<'_>) -> Result<Ids, StoreError>;
    /// Those of these issues that fit.
    fn among(&self, db: &Read<'_>, issues: &[i64]) -> Result<Vec<i64>, StoreError>;
}

/// A set of numbers of issues.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ids(RoaringTreemap);

impl Ids {
    /// The set of these numbers, in ascending order.
    pub fn ascending(ids: impl IntoIterator<Item = i64>) -> Ids {
        let mut set = RoaringTreemap::new();
        for id in ids {
            if set.try_push(turned(id)).is_err() {
                set.insert(turned(id));
            }
        }
        Ids(set)
    }

    /// How many there are.
    pub fn len(&self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    /// Those that are in both sets.
    pub fn both(&self, other: &Ids) -> Ids {
        Ids(&self.0 & &other.0)
    }

    /// How many are in both sets.
    pub fn common(&self, other: &Ids) -> i64 {
        i64::try_from(self.0.intersection_len(&other.0)).unwrap_or(i64::MAX)
    }

    /// Those in at least one of the sets.
    pub fn either(&self, other: &Ids) -> Ids {
        Ids(&self.0 | &other.0)
    }

    /// In ascending or descending order, from the place `offset`, at most `limit`.
    pub fn page(&self, offset: i64, limit: i64, descending: bool) -> Vec<i64> {
        let (Ok(offset), Ok(limit)) = (u64::try_from(offset), usize::try_from(limit)) else { return Vec::new() };
        let Some(behind) = self.0.len().checked_sub(offset).and_then(|left| left.checked_sub(1)) else { return Vec::new() };
        let Some(first) = self.0.select(if descending { behind } else { offset }) else { return Vec::new() };
        let mut ids = self.0.iter();
        if descending {
            ids.advance_back_to(first);
            return ids.rev().take(limit).map(number).collect();
        }
        ids.advance_to(first);
        ids.take(limit).map(number).collect()
    }

    fn put(&mut self, id: i64, fits: bool) {
        if fits {
            self.0.insert(turned(id))
        } else {
            self.0.remove(turned(id))
        };
    }

    fn bytes(&self) -> u32 {
        u32::try_from(self.0.serialized_size()).unwrap_or(u32::MAX).saturating_add(256)
    }
}

/// Signed numbers in the order of unsigned ones.
fn turned(id: i64) -> u64 {
    id.cast_unsigned() ^ (1 << 63)
}

fn number(turned: u64) -> i64 {
    (turned ^ (1 << 63)).cast_signed()
}

/// The sets of a store.
pub struct Sets(Cache<Key, Arc<Mutex<Set>>>);

impl Default for Sets {
    fn default() -> Sets {
        let weight = |_: &Key, set: &Arc<Mutex<Set>>| set.try_lock().map_or(u32::MAX, |set| set.ids.bytes());
        Sets(Cache::builder().weigher(weight).max_capacity(BYTES).time_to_idle(UNUSED).build())
    }
}

#[derive(Default)]
struct Set {
    /// The change up to which it holds; `None` before it is made.
    seq: Option<i64>,
    ids: Arc<Ids>,
}

impl Sets {
    /// The set of the issues that fit, as of the snapshot, or as of a later one that another request has made known; and whether it
    /// is that of the snapshot. Not for a transaction that writes: what it sees may be undone, and must not be told to others.
    pub(super) fn of(&self, db: &Read<'_>, question: &dyn Question) -> Result<(Arc<Ids>, bool), StoreError> {
        let (key, last) = (question.key(), changes::last(db)?);
        let remembered = self.0.get_with(key, Arc::default);
        let mut set = db.lock(&remembered)?;
        if set.seq.is_none_or(|seq| seq < last) {
            let made = set.seq.is_none();
            // Half of the changes may be in it when this fails.
            let outcome = set.follow(db, last, question);
            set.seq = outcome.as_ref().ok().map(|()| last);
            outcome?;
            let ids = Arc::clone(&set.ids);
            drop(set);
            if made {
                // Weighed again, now that there is something in it.
                self.0.insert(key, remembered);
            }
            return Ok((ids, true));
        }
        Ok((Arc::clone(&set.ids), set.seq == Some(last)))
    }
}

impl Set {
    fn follow(&mut self, db: &Read<'_>, last: i64, question: &dyn Question) -> Result<(), StoreError> {
        let Some(changed) = changes::issues_since(db, self.seq, last, ANEW)? else {
            self.ids = Arc::new(question.all(db)?);
            return Ok(());
        };
        for page in changed {
            let fit: HashSet<i64> = question.among(db, &page)?.into_iter().collect();
            let ids = Arc::make_mut(&mut self.ids);
            page.into_iter().for_each(|id| ids.put(id, fit.contains(&id)));
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
        #[test]
        fn a_page_of_a_set_is_that_of_the_list(
            ids in prop::collection::btree_set(prop_oneof![1_i64..300, 65_000_i64..66_000, any::<i64>()], 0..200),
            other in prop::collection::btree_set(1_i64..300, 0..100),
            offset in 0_i64..250,
            limit in 0_i64..120,
        ) {
            let (set, second) = (Ids::ascending(ids.iter().copied()), Ids::ascending(other.iter().copied()));
            let (skip, take) = (usize::try_from(offset).unwrap(), usize::try_from(limit).unwrap());
            let up: Vec<i64> = ids.iter().copied().skip(skip).take(take).collect();
            let down: Vec<i64> = ids.iter().rev().copied().skip(skip).take(take).collect();
            prop_assert_eq!(set.page(offset, limit, false), up);
            prop_assert_eq!(set.page(offset, limit, true), down);
            prop_assert_eq!(set.len(), i64::try_from(ids.len()).unwrap());
            let both: BTreeSet<i64> = ids.intersection(&other).copied().collect();
            prop_assert_eq!(set.common(&second), i64::try_from(both.len()).unwrap());
            prop_assert_eq!(set.both(&second).page(0, 999, false), Vec::from_iter(both));
            prop_assert_eq!(set.either(&second).page(0, 999, false), Vec::from_iter(&ids | &other));
        }
    }
}
