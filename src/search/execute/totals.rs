//! Counts the hits of several queries in one pass over the postings of their words.

use super::deadline::{DeadlineCheck, check_deadline};
use super::filters::{Filters, SegmentFilters};
use crate::scoring::{MatchWindows, Weight};
use crate::snapshot::{Segment, Snapshot};
use tantivy::{DocId, TERMINATED};

/// A query whose hits are counted.
pub(crate) struct CountedQuery {
    /// The indexes of its words among those of all queries; without any nothing is counted.
    pub words: Vec<usize>,
    /// Whether every word must match, or any.
    pub all_words: bool,
}

/// Returns the number of hits of each query: of documents that pass the filters and match its
/// words. `words` are the distinct words of all queries; `leading` matches all documents that may
/// pass the filters, if they are few.
pub(crate) fn totals(
    snapshot: &Snapshot,
    filters: Filters<'_>,
    leading: Option<&Weight>,
    words: &[Weight],
    queries: &[CountedQuery],
) -> tantivy::Result<Vec<u64>> {
    let mut totals = vec![0; queries.len()];
    let mut add = |windows: &MatchWindows| {
        for (total, query) in totals.iter_mut().zip(queries) {
            *total += u64::from(query.count(windows));
        }
    };
    let mut deadline = DeadlineCheck::default();
    for segment in snapshot.segments()? {
        let mut filters = SegmentFilters::new(segment, filters)?;
        if let Some(leading) = leading {
            let docs = passing_docs(leading, segment, &mut filters)?;
            let mut rest = docs.as_slice();
            if rest.is_empty() {
                continue;
            }
            let mut windows = MatchWindows::new(words, segment)?;
            while !rest.is_empty() {
                check_deadline()?;
                rest = &rest[windows.advance_among(rest)..];
                add(&windows);
            }
            continue;
        }
        let mut windows = MatchWindows::new(words, segment)?;
        loop {
            check_deadline()?;
            let may_count = |doc| {
                deadline.tick()?;
                Ok(filters.kind(doc).is_some())
            };
            if !windows.advance(may_count)? {
                break;
            }
            windows.retain(|doc| Ok(filters.kind(doc).is_some() && !filters.excludes(doc)))?;
            add(&windows);
        }
    }
    Ok(totals)
}

/// Returns the documents of a segment that match and pass the filters.
fn passing_docs(
    leading: &Weight,
    segment: Segment<'_>,
    filters: &mut SegmentFilters<'_>,
) -> tantivy::Result<Vec<DocId>> {
    let mut docs = Vec::new();
    let mut deadline = DeadlineCheck::default();
    let mut scorer = leading.scorer(segment)?;
    let mut doc = scorer.doc();
    while doc != TERMINATED {
        deadline.tick()?;
        if filters.kind(doc).is_some() && !filters.excludes(doc) {
            docs.push(doc);
        }
        doc = scorer.advance();
    }
    Ok(docs)
}

impl CountedQuery {
    /// A query of one word.
    pub fn word(index: usize) -> CountedQuery {
        CountedQuery {
            words: vec![index],
            all_words: true,
        }
    }

    /// Counts the hits in a window.
    fn count(&self, windows: &MatchWindows) -> u32 {
        let mut words = self.words.iter().map(|word| &windows.matched()[*word]);
        let Some(mut hits) = words.next().copied() else {
            return 0;
        };
        for word in words {
            for (hits, word) in hits.iter_mut().zip(word) {
                *hits = if self.all_words {
                    *hits & word
                } else {
                    *hits | word
                };
            }
        }
        hits.into_iter().map(u64::count_ones).sum()
    }
}
