//! A set of identifiers that is built once and asked often.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A sorted set of identifiers, cheap to share, to look up (binary search) and to compare or hash, however large it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdSet {
    /// Two fingerprints of what is in it, so that no two sets share both.
    print: [u64; 2],
    ids: Vec<i64>,
}

impl IdSet {
    fn of(ids: Vec<i64>) -> IdSet {
        let print = [1_u64, 2].map(|salt| {
            let mut hasher = DefaultHasher::new();
            (salt, &ids).hash(&mut hasher);
            hasher.finish()
        });
        IdSet { print, ids }
    }

    /// Whether `id` is in the set.
    pub fn contains(&self, id: impl Into<i64>) -> bool {
        self.ids.binary_search(&id.into()).is_ok()
    }

    /// How many identifiers there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The identifiers in ascending order.
    pub fn as_slice(&self) -> &[i64] {
        &self.ids
    }

    /// Those that are in both sets.
    pub fn intersection(&self, other: &IdSet) -> IdSet {
        IdSet::of(self.ids.iter().copied().filter(|id| other.contains(*id)).collect())
    }
}

impl Default for IdSet {
    fn default() -> IdSet {
        IdSet::of(Vec::new())
    }
}

impl Hash for IdSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.print.hash(state);
    }
}

impl<T: Into<i64>> FromIterator<T> for IdSet {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let mut ids: Vec<i64> = ids.into_iter().map(Into::into).collect();
        ids.sort_unstable();
        ids.dedup();
        IdSet::of(ids)
    }
}
