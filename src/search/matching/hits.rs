//! The documents of a segment that match, one after the other, in whichever way is the fastest.

use tantivy::{DocId, TERMINATED};

use super::bm25::MARGIN;
use super::cursor::Cursor;
use super::sieve::Sieve;
use super::sought::Sought;
use crate::search::snapshot::Segment;

/// Stands at a document that may match, and goes forward only.
pub(in crate::search) struct Hits {
    cursor: Cursor,
    /// Whether every document of the cursor matches with the score of its bound.
    is_sure: bool,
    sieve: Option<Sieve>,
    doc: DocId,
    /// More than this the document does not score, with all that only ranks, where the sieve is sure of it.
    sifted: Option<f32>,
    /// More than this what only ranks does not add to a score.
    most: f32,
}

impl Hits {
    /// Stands at the first. `ranking` adds to scores where it stands.
    pub fn open(sought: &Sought, ranking: &[&Sought], segment: Segment<'_>) -> tantivy::Result<Hits> {
        Ok(Hits::of(sought.open(segment)?, Sieve::open(sought, ranking, segment)?, ranking))
    }

    pub(super) fn of(cursor: Cursor, sieve: Option<Sieve>, ranking: &[&Sought]) -> Hits {
        let most = ranking.iter().map(|sought| sought.most() * MARGIN).sum();
        let mut hits = Hits { is_sure: cursor.is_sure(), doc: cursor.doc(), cursor, sieve, sifted: None, most };
        if hits.sieve.is_some() {
            hits.advance();
        }
        hits
    }

    /// The document where it stands; [`TERMINATED`] behind the last.
    #[inline]
    pub fn doc(&self) -> DocId {
        self.doc
    }

    /// Goes to the next.
    #[inline]
    pub fn advance(&mut self) -> DocId {
        match &mut self.sieve {
            None => self.doc = self.cursor.advance(),
            Some(sieve) => {
                let next = sieve.advance();
                self.doc = next.map_or(TERMINATED, |sifted| sifted.doc);
                self.sifted = next.and_then(|sifted| sifted.bound);
            }
        }
        self.doc
    }

    /// Whether the document matches where it stands.
    #[inline]
    pub fn holds(&mut self) -> bool {
        self.sifted.is_some() || ((self.sieve.is_none() || self.cursor.seek(self.doc) == self.doc) && self.cursor.holds())
    }

    /// More than this it does not score, with all that only ranks, where it holds. Cheap.
    #[inline]
    pub fn bound(&self) -> f32 {
        self.sifted.unwrap_or_else(|| self.cursor.bound() * MARGIN + self.most)
    }

    /// The score without what only ranks, where it holds.
    pub fn score(&mut self) -> f32 {
        if self.sifted.is_some() {
            self.cursor.seek(self.doc);
        } else if self.is_sure {
            return self.cursor.bound();
        }
        self.cursor.score()
    }
}
