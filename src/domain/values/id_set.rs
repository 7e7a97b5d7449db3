//! An immutable set of ids.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A sorted, immutable set of ids. Lookup is a binary search; hashing takes constant time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdSet {
    /// Two hashes of the ids with different salts, so that different sets practically never have
    /// the same fingerprints.
    fingerprints: [u64; 2],
    ids: Vec<i64>,
}

impl IdSet {
    fn from_sorted(ids: Vec<i64>) -> IdSet {
        let fingerprints = [1_u64, 2].map(|salt| {
            let mut hasher = DefaultHasher::new();
            (salt, &ids).hash(&mut hasher);
            hasher.finish()
        });
        IdSet { fingerprints, ids }
    }

    /// Whether `id` is in the set.
    pub fn contains(&self, id: impl Into<i64>) -> bool {
        self.ids.binary_search(&id.into()).is_ok()
    }

    /// Returns the number of ids.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the ids in ascending order.
    pub fn as_slice(&self) -> &[i64] {
        &self.ids
    }

    /// Returns the ids that are in either set.
    #[must_use]
    pub fn union(&self, other: &IdSet) -> IdSet {
        self.ids.iter().chain(&other.ids).copied().collect()
    }

    /// Returns the ids that are in both sets.
    pub fn intersection(&self, other: &IdSet) -> IdSet {
        IdSet::from_sorted(
            self.ids
                .iter()
                .copied()
                .filter(|id| other.contains(*id))
                .collect(),
        )
    }
}

impl Default for IdSet {
    fn default() -> IdSet {
        IdSet::from_sorted(Vec::new())
    }
}

impl Hash for IdSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprints.hash(state);
    }
}

impl<T: Into<i64>> FromIterator<T> for IdSet {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let mut ids: Vec<i64> = ids.into_iter().map(Into::into).collect();
        ids.sort_unstable();
        ids.dedup();
        IdSet::from_sorted(ids)
    }
}
