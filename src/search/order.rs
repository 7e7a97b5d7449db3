//! In which order hits come, and how the best of them are kept.

use std::cmp::Ordering;

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
    kept: Vec<Candidate>,
    /// The worst of the best, once there are enough.
    floor: Option<Candidate>,
}

impl Best {
    /// Keeps the best `keep`.
    pub fn new(keep: usize) -> Best {
        Best { keep, kept: Vec::new(), floor: None }
    }

    /// Whether a hit with this score and date can be among them; asked before its key is looked up.
    #[inline]
    pub fn may_enter(&self, score: f32, date: i64) -> bool {
        match &self.floor {
            Some(floor) => score > floor.score || (score == floor.score && date >= floor.date),
            None => self.keep > 0,
        }
    }

    /// Takes the hit in.
    pub fn enter(&mut self, hit: Candidate) {
        self.kept.push(hit);
        if self.kept.len() >= self.keep.saturating_mul(2).max(64) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.kept.len() > self.keep && self.keep > 0 {
            self.kept.select_nth_unstable_by(self.keep - 1, Candidate::order);
            self.kept.truncate(self.keep);
            self.floor = self.kept.last().copied();
        }
    }

    /// The best hits in order.
    pub fn sorted(mut self) -> Vec<Candidate> {
        self.cut();
        self.kept.sort_unstable_by(Candidate::order);
        self.kept
    }
}
