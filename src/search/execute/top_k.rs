//! The best hits of a search, kept in a heap while documents are collected.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A hit that may enter the results. Equal scores are ordered by date, then by key, newest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HitCandidate {
    pub score: f32,
    pub date: i64,
    pub key: u64,
}

impl HitCandidate {
    /// Orders better hits first.
    pub fn order(&self, other: &HitCandidate) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score
            .then(other.date.cmp(&self.date))
            .then_with(|| id(other.key).cmp(&id(self.key)))
            .then(self.key.cmp(&other.key))
    }
}

/// Returns the id without the content type, shifted to the top.
fn id(key: u64) -> u64 {
    key << 8
}

/// The best `k` of the inserted candidates.
pub(crate) struct TopK {
    k: usize,
    /// The worst candidate is on top.
    heap: BinaryHeap<Ranked>,
}

/// A candidate in the heap: better candidates are less.
struct Ranked(HitCandidate);

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.0.order(&other.0)
    }
}

impl TopK {
    /// Creates an empty collection of at most `k` candidates.
    pub fn new(k: usize) -> TopK {
        TopK {
            k,
            heap: BinaryHeap::new(),
        }
    }

    /// Whether a candidate with this score and date can be among the best. Its key is not needed
    /// for that.
    #[inline]
    pub fn is_competitive(&self, score: f32, date: i64) -> bool {
        if self.heap.len() < self.k {
            return true;
        }
        self.heap.peek().is_some_and(|Ranked(worst)| {
            score > worst.score || (score == worst.score && date >= worst.date)
        })
    }

    /// Inserts the candidate if it is among the best.
    pub fn insert(&mut self, candidate: HitCandidate) {
        if self.heap.len() < self.k {
            self.heap.push(Ranked(candidate));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate.order(&worst.0) == Ordering::Less
        {
            *worst = Ranked(candidate);
        }
    }

    /// Returns the candidates, best first.
    pub fn into_sorted_vec(self) -> Vec<HitCandidate> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|Ranked(candidate)| candidate)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn top_k_equals_the_first_k_after_sorting(candidates in proptest::collection::vec((0..6_u8, 0..3_i64), 0..60), k in 0..8_usize) {
            let candidates = candidates.into_iter().zip(0..);
            let mut candidates: Vec<HitCandidate> =
                candidates.map(|((score, date), key)| HitCandidate { score: f32::from(score), date, key }).collect();
            let mut top = TopK::new(k);
            for candidate in &candidates {
                if top.is_competitive(candidate.score, candidate.date) {
                    top.insert(*candidate);
                }
            }
            candidates.sort_by(HitCandidate::order);
            candidates.truncate(k);
            prop_assert_eq!(top.into_sorted_vec(), candidates);
        }
    }
}
