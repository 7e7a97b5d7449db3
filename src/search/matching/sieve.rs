//! Which documents have all the words, many documents at a time.
//!
//! Where words stand in many documents, going from each document to the next that has them all takes longer than taking in all of their
//! postings and seeing what is left. A sieve does that for a window of documents after the other. It knows plain terms only: of a
//! document at which something else stands (a phrase, a text that not everybody may read) it says that it is not sure. Of the others it
//! knows what they can score at most, with what only ranks, so that few of them are looked at more closely.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, TERMINATED};

use super::bm25::{Bm25, MARGIN};
use super::cursor::Cursor;
use super::sought::{Places, Sought};
use crate::search::snapshot::Segment;

/// How many documents a window has: what is known of them fits into the fastest memory of a processor.
const WINDOW: usize = 4096;
/// The same in words of bits.
const BITS: usize = WINDOW / 64;
/// With fewer postings than this it is not worth the effort to begin.
const LEAST: u64 = 100;
/// Where fewer than one in so many postings is of the rarest word, it is better to look the others up for each of its documents.
const MOST_TO_RAREST: u64 = 32;
/// Where plain terms are fewer than so many times the rest, too little is sure.
const PLAIN_TO_OTHERS: u64 = 4;

/// The documents of a segment that have all the words, or seem to.
pub(in crate::search) struct Sieve {
    /// The rarest first.
    words: Vec<Word>,
    /// Terms that only rank.
    beside: Vec<Strand>,
    /// More than this the rest of what only ranks does not add.
    rest: f32,
    /// The first document of the window.
    start: DocId,
    /// What is left in the window.
    left: [u64; BITS],
    /// At which of it something else than a plain term stands.
    unsure: [u64; BITS],
    /// What terms score, those that only rank among them.
    bounds: Box<[f32; WINDOW]>,
    /// Where it is in `left`, and what is to come there.
    place: usize,
    coming: u64,
}

/// A document of a sieve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::search) struct Sifted {
    pub doc: DocId,
    /// More than this it does not score, with all that only ranks; `None` where it is not sure that it matches.
    pub bound: Option<f32>,
}

/// One word, in the ways in which it is found.
struct Word {
    terms: Vec<Strand>,
    others: Vec<Cursor>,
}

/// The postings of a term.
struct Strand {
    /// Where the term is found in the whole index.
    infos: Arc<[Option<TermInfo>]>,
    blocks: BlockSegmentPostings,
    /// The place in the block.
    at: usize,
    lengths: FieldNormReader,
    bm25: Option<Bm25>,
}

/// The ways in which a word is found in a segment, before they are opened.
#[derive(Default)]
struct Ways<'s> {
    terms: Vec<(&'s Places, Option<&'s Bm25>)>,
    others: Vec<&'s Sought>,
    /// About how many postings the terms have, and how many documents the others.
    plain: u64,
    rest: u64,
}

/// Whether going over all postings is better than going from document to document.
fn is_worth_it(words: &[Ways<'_>]) -> bool {
    let plain: u64 = words.iter().map(|ways| ways.plain).sum();
    let rest = words.iter().fold(0, |sum: u64, ways| sum.saturating_add(ways.rest));
    let least = words.iter().map(|ways| ways.plain.saturating_add(ways.rest)).min().unwrap_or(0);
    plain >= LEAST && plain <= least.saturating_mul(MOST_TO_RAREST) && rest.saturating_mul(PLAIN_TO_OTHERS) <= plain
}

impl<'s> Ways<'s> {
    /// Those of each word; `None` where a word is nowhere a plain term.
    fn of(sought: &'s Sought, segment: Segment<'_>) -> Option<Vec<Ways<'s>>> {
        let parts = if let Sought::All(parts) = sought { parts.as_slice() } else { std::slice::from_ref(sought) };
        let words = parts.iter().map(|part| {
            let mut ways = Ways::default();
            ways.take(part);
            ways.plain = ways.terms.iter().map(|(places, _)| places.having_in(segment.place)).sum();
            ways.rest = ways.others.iter().fold(0, |sum: u64, other| sum.saturating_add(other.cost(segment)));
            (ways.plain > 0).then_some(ways)
        });
        words.collect()
    }

    /// A document that is found in several ways has the sum of their bounds; that is enough where only the best counts.
    fn take(&mut self, sought: &'s Sought) {
        match sought {
            Sought::Union(parts, _) => parts.iter().for_each(|part| self.take(part)),
            Sought::Term(places, bm25) => self.terms.push((places, bm25.as_ref())),
            other => self.others.push(other),
        }
    }
}

impl Sieve {
    /// `None` where the question has another form, or another way is better. `ranking` adds to scores where it stands.
    pub fn open(sought: &Sought, ranking: &[&Sought], segment: Segment<'_>) -> tantivy::Result<Option<Sieve>> {
        match Ways::of(sought, segment) {
            Some(words) if is_worth_it(&words) => Sieve::over(&words, ranking, segment).map(Some),
            _ => Ok(None),
        }
    }

    /// Where the question has the form, whatever is better.
    #[cfg(test)]
    pub fn anyhow(sought: &Sought, ranking: &[&Sought], segment: Segment<'_>) -> tantivy::Result<Option<Sieve>> {
        Ways::of(sought, segment).map(|words| Sieve::over(&words, ranking, segment)).transpose()
    }

    fn over(words: &[Ways<'_>], ranking: &[&Sought], segment: Segment<'_>) -> tantivy::Result<Sieve> {
        let mut words: Vec<&Ways<'_>> = words.iter().collect();
        words.sort_by_key(|ways| ways.plain.saturating_add(ways.rest));
        let words = words.into_iter().map(|ways| Word::open(ways, segment)).collect::<tantivy::Result<_>>()?;
        let (left, bounds) = ([0; BITS], Box::new([0.0; WINDOW]));
        let beside = Vec::new();
        let mut sieve = Sieve { words, beside, rest: 0.0, start: 0, left, unsure: left, bounds, place: BITS, coming: 0 };
        for sought in ranking {
            sieve.rank(sought, segment)?;
        }
        Ok(sieve)
    }

    /// Takes in what adds to scores. A phrase stands no more often in a text than its rarest term, and is scored by the same lengths: what
    /// it can add is known as soon as the score of the term is.
    fn rank(&mut self, sought: &Sought, segment: Segment<'_>) -> tantivy::Result<()> {
        match sought {
            Sought::Term(places, bm25) => self.beside.extend(Strand::open(places, bm25.as_ref(), segment)?),
            Sought::Phrase(terms, _, Some(added)) => {
                let mut strands = self.words.iter_mut().flat_map(|word| &mut word.terms);
                let strand = strands.find(|strand| terms.iter().any(|(places, _)| places.is_at(&strand.infos)));
                match strand.and_then(|strand| strand.bm25.as_mut()) {
                    Some(bm25) if bm25.has_lengths_of(added) => bm25.raise(added),
                    _ => self.rest += added.most(),
                }
            }
            other => self.rest += other.most(),
        }
        Ok(())
    }

    /// The next document.
    #[inline]
    pub fn advance(&mut self) -> Option<Sifted> {
        while self.coming == 0 {
            self.place += 1;
            if self.place >= BITS && !self.fill() {
                return None;
            }
            self.coming = self.left[self.place];
        }
        let bit = self.coming & self.coming.wrapping_neg();
        self.coming ^= bit;
        let offset = self.place * 64 + bit.trailing_zeros() as usize;
        let sure = self.unsure[self.place] & bit == 0;
        Some(Sifted { doc: self.start + offset as DocId, bound: sure.then(|| (self.bounds[offset] + self.rest) * MARGIN) })
    }

    /// Goes to the next window in which something is left; `false` when there is none.
    fn fill(&mut self) -> bool {
        loop {
            let Some((first, others)) = self.words.split_first_mut() else { return false };
            self.start = first.doc();
            if self.start == TERMINATED {
                return false;
            }
            (self.left, self.unsure) = ([0; BITS], [0; BITS]);
            self.bounds.fill(0.0);
            let mut window = Window { start: self.start, bounds: &mut self.bounds, unsure: &mut self.unsure };
            first.sift(&mut window, &[u64::MAX; BITS], &mut self.left);
            for word in others {
                let before = std::mem::replace(&mut self.left, [0; BITS]);
                word.sift(&mut window, &before, &mut self.left);
                if self.left == [0; BITS] {
                    break;
                }
            }
            if self.left != [0; BITS] {
                for strand in &mut self.beside {
                    strand.sift(&mut window, &self.left, &mut [0; BITS]);
                }
                (self.place, self.coming) = (0, self.left[0]);
                return true;
            }
        }
    }
}

/// What is known of the documents of a window.
struct Window<'s> {
    start: DocId,
    bounds: &'s mut [f32; WINDOW],
    unsure: &'s mut [u64; BITS],
}

impl Window<'_> {
    /// Where a document is in it; `None` behind it.
    #[inline]
    fn offset(&self, doc: DocId) -> Option<usize> {
        let offset = (doc - self.start) as usize;
        (offset < WINDOW).then_some(offset)
    }
}

impl Word {
    fn open(ways: &Ways<'_>, segment: Segment<'_>) -> tantivy::Result<Word> {
        let terms = ways.terms.iter().filter_map(|(places, bm25)| Strand::open(places, *bm25, segment).transpose());
        let terms = terms.collect::<tantivy::Result<_>>()?;
        let others = ways.others.iter().map(|other| other.open(segment)).collect::<tantivy::Result<_>>()?;
        Ok(Word { terms, others })
    }

    /// The first document from here on.
    fn doc(&self) -> DocId {
        let terms = self.terms.iter().map(Strand::doc).min().unwrap_or(TERMINATED);
        self.others.iter().map(Cursor::doc).fold(terms, DocId::min)
    }

    /// Which of the documents in `of` the word is in.
    fn sift(&mut self, window: &mut Window<'_>, of: &[u64; BITS], into: &mut [u64; BITS]) {
        for strand in &mut self.terms {
            strand.sift(window, of, into);
        }
        for other in &mut self.others {
            let mut doc = other.seek(window.start);
            while let Some(offset) = window.offset(doc) {
                let (place, bit) = (offset / 64, 1 << (offset % 64));
                into[place] |= of[place] & bit;
                window.unsure[place] |= bit;
                doc = other.advance();
            }
        }
    }
}

impl Strand {
    /// `None` where the segment does not have the term.
    fn open(places: &Places, bm25: Option<&Bm25>, segment: Segment<'_>) -> tantivy::Result<Option<Strand>> {
        let option = if bm25.is_some() { IndexRecordOption::WithFreqs } else { IndexRecordOption::Basic };
        let Some(blocks) = places.blocks(segment.place, option)? else { return Ok(None) };
        let (infos, lengths) = (places.infos(), places.lengths(segment)?);
        Ok(Some(Strand { infos, blocks, at: 0, lengths, bm25: bm25.cloned() }))
    }

    fn doc(&self) -> DocId {
        self.blocks.docs().get(self.at).copied().unwrap_or(TERMINATED)
    }

    fn sift(&mut self, window: &mut Window<'_>, of: &[u64; BITS], into: &mut [u64; BITS]) {
        if self.doc() < window.start {
            self.at = self.blocks.seek(window.start);
        }
        loop {
            let (docs, freqs) = (self.blocks.docs(), self.blocks.freqs());
            let rest = docs.get(self.at..).unwrap_or_default();
            let here = rest.partition_point(|doc| window.offset(*doc).is_some());
            let freqs = freqs.get(self.at..).unwrap_or_default();
            match &self.bm25 {
                Some(bm25) => {
                    for (n, doc) in rest[..here].iter().enumerate() {
                        let offset = (doc - window.start) as usize % WINDOW;
                        let (place, bit) = (offset / 64, 1 << (offset % 64));
                        if of[place] & bit != 0 {
                            into[place] |= bit;
                            // A field may be indexed without frequencies.
                            let frequency = freqs.get(n).copied().unwrap_or(1);
                            window.bounds[offset] += bm25.score(self.lengths.fieldnorm_id(*doc), frequency);
                        }
                    }
                }
                None => {
                    for doc in &rest[..here] {
                        let offset = (doc - window.start) as usize % WINDOW;
                        into[offset / 64] |= of[offset / 64] & 1 << (offset % 64);
                    }
                }
            }
            self.at += here;
            if here < rest.len() || docs.is_empty() {
                return;
            }
            self.blocks.advance();
            self.at = 0;
        }
    }
}
