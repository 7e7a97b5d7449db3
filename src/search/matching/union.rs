//! Any of several.

use tantivy::{DocId, TERMINATED};

use super::cursor::{Cursor, sum_scores};

/// The documents of any of several cursors.
pub(in crate::search) struct Union {
    /// Those that are sure to match come first.
    parts: Vec<Cursor>,
    /// Where each stands, close together.
    docs: Vec<DocId>,
    /// The first of these.
    doc: DocId,
    /// Whether the best score counts, or the sum.
    best: bool,
}

impl Union {
    /// A cursor over any of these.
    pub fn cursor(mut parts: Vec<Cursor>, best: bool) -> Cursor {
        match parts.len() {
            0 => Cursor::Nothing,
            1 => parts.remove(0),
            _ => {
                parts.sort_by_key(|part| !part.is_sure());
                let docs: Vec<DocId> = parts.iter().map(Cursor::doc).collect();
                let mut union = Union { parts, docs, doc: TERMINATED, best };
                union.settle();
                Cursor::Union(Box::new(union))
            }
        }
    }

    fn settle(&mut self) -> DocId {
        self.doc = self.docs.iter().copied().min().unwrap_or(TERMINATED);
        self.doc
    }

    /// Where it stands.
    pub fn doc(&self) -> DocId {
        self.doc
    }

    /// Goes to the first document from `target` on.
    pub fn seek(&mut self, target: DocId) -> DocId {
        if self.doc >= target {
            return self.doc;
        }
        for (doc, part) in self.docs.iter_mut().zip(&mut self.parts) {
            if *doc < target {
                *doc = part.seek(target);
            }
        }
        self.settle()
    }

    /// The parts that stand at the document.
    fn there(&self) -> impl Iterator<Item = &Cursor> {
        self.docs.iter().zip(&self.parts).filter(|(doc, _)| **doc == self.doc).map(|(_, part)| part)
    }

    /// Whether one of them matches.
    pub fn holds(&mut self) -> bool {
        let doc = self.doc;
        self.docs.iter().zip(&mut self.parts).any(|(at, part)| *at == doc && part.holds())
    }

    /// Whether all of them match where they stand.
    pub fn is_sure(&self) -> bool {
        self.parts.iter().all(Cursor::is_sure)
    }

    /// More than this it does not score.
    pub fn bound(&self) -> f32 {
        let scores = self.there().map(Cursor::bound);
        if self.best { scores.fold(0.0, f32::max) } else { sum_scores(scores) }
    }

    /// The best score of those that match, or their sum.
    pub fn score(&mut self) -> f32 {
        let (doc, best) = (self.doc, self.best);
        let there = self.docs.iter().zip(&mut self.parts).filter(|(at, _)| **at == doc);
        let scores = there.map(|(_, part)| if part.holds() { part.score() } else { 0.0 });
        if best { scores.fold(0.0, f32::max) } else { sum_scores(scores) }
    }

    /// About how many documents there are at most.
    pub fn cost(&self) -> u64 {
        self.parts.iter().map(Cursor::cost).sum()
    }
}
