//! A set of identifiers that is built once and asked often.

/// A sorted set of identifiers, cheap to share and to look up (binary search).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IdSet(Vec<i64>);

impl IdSet {
    /// Whether `id` is in the set.
    pub fn contains(&self, id: impl Into<i64>) -> bool {
        self.0.binary_search(&id.into()).is_ok()
    }

    /// How many identifiers there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The identifiers in ascending order.
    pub fn as_slice(&self) -> &[i64] {
        &self.0
    }

    /// Those that are in both sets.
    pub fn intersection(&self, other: &IdSet) -> IdSet {
        IdSet(self.0.iter().copied().filter(|id| other.contains(*id)).collect())
    }
}

impl<T: Into<i64>> FromIterator<T> for IdSet {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let mut ids: Vec<i64> = ids.into_iter().map(Into::into).collect();
        ids.sort_unstable();
        ids.dedup();
        Self(ids)
    }
}
