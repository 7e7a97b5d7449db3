//! Sorting of slices by a key, compiled once for all types.
//!
//! Invariant: equal items keep their order, and each key is calculated once. The sort of the
//! standard library is compiled for each type and each key, about 6 KB each time; lists of pages
//! have dozens of both. Here positions are sorted.

use std::cmp::Ordering;

/// Sorts slices; for lists that somebody reads, not for ids of whole tables.
pub trait StableSort<T> {
    /// Sorts by a comparison.
    fn stable_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);
    /// Sorts by a key.
    fn stable_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> StableSort<T> for [T] {
    fn stable_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let swaps = swaps(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        for (a, b) in swaps {
            self.swap(a, b);
        }
    }

    fn stable_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let swaps = swaps(self.len(), &mut |a, b| keys[a].cmp(&keys[b]));
        for (a, b) in swaps {
            self.swap(a, b);
        }
    }
}

/// Returns the swaps that, made one after the other, sort items whose positions are compared.
fn swaps(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut sorted: Vec<usize> = (0..length).collect();
    sorted.sort_by(|a, b| compare(*a, *b));
    let mut swaps = Vec::new();
    for start in 0..length {
        // From where each item comes is a permutation, whose cycles are followed once.
        let mut position = start;
        loop {
            let from = std::mem::replace(&mut sorted[position], position);
            if from == start || from == position {
                break;
            }
            swaps.push((position, from));
            position = from;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_are_sorted_as_the_standard_library_sorts(items in proptest::collection::vec((0u8..8, any::<u16>()), 0..60)) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut by_key = items.clone();
            by_key.stable_sort_by_key(|item| item.0);
            prop_assert_eq!(&by_key, &expected);
            let mut compared = items;
            compared.stable_sort_by(|a, b| a.0.cmp(&b.0));
            prop_assert_eq!(compared, expected);
        }
    }
}
