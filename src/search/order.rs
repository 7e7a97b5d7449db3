//! In which order hits come, and how the best of them are kept.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU32};

/// The order of the answer. `offset` and `limit` run over this one sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Grouped by content type; the groups by their best hit, within a group by relevance.
    #[default]
    Grouped,
    /// By relevance, types mixed.
    Relevance,
    /// Newest first, types mixed. Nothing is scored.
    Date,
}

/// A hit that may come into the answer. Equal scores are ordered by date, then by key, newest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub score: f32,
    pub date: i64,
    pub key: u64,
}

impl Candidate {
    /// Better hits first.
    pub fn order(&self, other: &Candidate) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score.then(other.date.cmp(&self.date)).then_with(|| id(other.key).cmp(&id(self.key))).then(self.key.cmp(&other.key))
    }
}

/// The id without the content type.
fn id(key: u64) -> u64 {
    key << 8
}

/// Less than this no hit of a group scores that is one of the best; what is found in several threads raises it for all.
#[derive(Clone, Default)]
pub(super) struct Bar(Arc<AtomicU32>);

impl Bar {
    /// Positive numbers have the same order as their bits.
    fn raise(&self, score: f32) {
        if score > 0.0 {
            self.0.fetch_max(score.to_bits(), atomic::Ordering::Relaxed);
        }
    }

    #[inline]
    fn is_above(&self, score: f32) -> bool {
        self.0.load(atomic::Ordering::Relaxed) > score.to_bits()
    }
}

/// The best hits of a group.
pub(super) struct Best {
    keep: usize,
    /// The worst of them on top.
    kept: BinaryHeap<Kept>,
    bar: Bar,
}

/// A hit that is kept; the better it is, the less.
struct Kept(Candidate);

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Kept {}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Kept) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kept {
    fn cmp(&self, other: &Kept) -> Ordering {
        self.0.order(&other.0)
    }
}

impl Best {
    /// Keeps the best `keep`, with all who share the bar.
    pub fn new(keep: usize, bar: Bar) -> Best {
        Best { keep, kept: BinaryHeap::new(), bar }
    }

    /// Whether a hit with this score and date can be among them; asked before its key is looked up.
    #[inline]
    pub fn may_enter(&self, score: f32, date: i64) -> bool {
        if self.bar.is_above(score) {
            return false;
        }
        if self.kept.len() < self.keep {
            return true;
        }
        self.kept.peek().is_some_and(|Kept(worst)| score > worst.score || (score == worst.score && date >= worst.date))
    }

    /// Takes the hit in, where it is one of the best.
    pub fn enter(&mut self, hit: Candidate) {
        if self.kept.len() < self.keep {
            self.kept.push(Kept(hit));
        } else if let Some(mut worst) = self.kept.peek_mut()
            && hit.order(&worst.0) == Ordering::Less
        {
            *worst = Kept(hit);
        } else {
            return;
        }
        if self.kept.len() == self.keep
            && let Some(Kept(worst)) = self.kept.peek()
        {
            self.bar.raise(worst.score);
        }
    }

    /// Takes in the best of another group.
    pub fn join(&mut self, other: Best) {
        other.kept.into_iter().for_each(|Kept(hit)| self.enter(hit));
    }

    /// The best hits in order.
    pub fn sorted(self) -> Vec<Candidate> {
        self.kept.into_sorted_vec().into_iter().map(|Kept(hit)| hit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_of_several_groups_with_one_bar_are_the_best_of_all(
            hits in proptest::collection::vec((0..6_u8, 0..3_i64, 0..4_usize), 0..60),
            keep in 0..8_usize,
        ) {
            let hits = hits.into_iter().zip(0..).map(|((score, date, group), key)| (Candidate { score: f32::from(score), date, key }, group));
            let hits: Vec<(Candidate, usize)> = hits.collect();
            let bar = Bar::default();
            let mut groups: Vec<Best> = (0..4).map(|_| Best::new(keep, bar.clone())).collect();
            for (hit, group) in &hits {
                if groups[*group].may_enter(hit.score, hit.date) {
                    groups[*group].enter(*hit);
                }
            }
            let best = groups.into_iter().reduce(|mut one, other| {
                one.join(other);
                one
            });
            let mut all: Vec<Candidate> = hits.into_iter().map(|(hit, _)| hit).collect();
            all.sort_by(Candidate::order);
            all.truncate(keep);
            prop_assert_eq!(best.unwrap().sorted(), all);
        }
    }
}
