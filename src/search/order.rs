//! In which order hits come, and how the best of them are kept.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

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

/// The best hits of a group.
pub(super) struct Best {
    keep: usize,
    /// The worst of them on top.
    kept: BinaryHeap<Kept>,
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
    /// Keeps the best `keep`.
    pub fn new(keep: usize) -> Best {
        Best { keep, kept: BinaryHeap::new() }
    }

    /// Whether a hit with this score and date can be among them; asked before its key is looked up.
    #[inline]
    pub fn may_enter(&self, score: f32, date: i64) -> bool {
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
        }
    }

    /// The best hits in order.
    pub fn sorted(self) -> Vec<Candidate> {
        self.kept.into_sorted_vec().into_iter().map(|Kept(hit)| hit).collect()
    }
}
