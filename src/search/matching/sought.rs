//! A clause with its terms looked up, for all segments at once.

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::{EnableScoring, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{InvertedIndexReader, Term};

use super::bm25::Bm25;
use super::clause::Clause;
use super::cursor::{All, Cursor, Gated, Postings};
use super::phrase::Phrase;
use super::union::Union;
use crate::search::gate::Gate;
use crate::search::snapshot::{Indexes, Segment};
use crate::search::statistics::Statistics;

/// A clause made ready for a search.
pub(in crate::search) enum Sought {
    /// Nothing has it.
    Nothing,
    /// Everything has it, with this score.
    Everything(f32),
    /// One term.
    Term(Places, Option<Bm25>),
    /// Terms, each so many positions before the last, or as many off that place as is said.
    Phrase(Vec<(Places, u32)>, u32, Option<Bm25>),
    /// What the engine finds.
    Engine(Box<dyn Weight>),
    /// One of them; whether the best score counts, or all.
    Union(Vec<Sought>, bool),
    /// All of them.
    All(Vec<Sought>),
    /// Where the text may be read.
    Gated(Box<Sought>, Gate),
}

/// Where a term is found: in each segment of the index that has it.
pub(in crate::search) struct Places {
    field: Field,
    indexes: Indexes,
    infos: Arc<[Option<TermInfo>]>,
}

impl Places {
    /// `None` when no record has it.
    fn of(term: &Term, statistics: &Statistics<'_>) -> tantivy::Result<Option<Places>> {
        let infos = statistics.infos(term)?;
        if infos.iter().flatten().all(|info| info.doc_freq == 0) {
            return Ok(None);
        }
        Ok(Some(Places { field: term.field(), indexes: statistics.indexes(term.field())?, infos }))
    }

    /// Where it stands, segment by segment.
    pub(super) fn infos(&self) -> Arc<[Option<TermInfo>]> {
        Arc::clone(&self.infos)
    }

    /// Whether it is the term that stands there; asked within one question.
    pub(super) fn is_at(&self, infos: &Arc<[Option<TermInfo>]>) -> bool {
        Arc::ptr_eq(&self.infos, infos)
    }

    /// How many records of one segment have it.
    pub(super) fn having_in(&self, segment: usize) -> u64 {
        self.infos.get(segment).and_then(Option::as_ref).map_or(0, |info| u64::from(info.doc_freq))
    }

    /// The postings of the field in one segment, and where the term stands there.
    fn at(&self, segment: usize) -> Option<(&InvertedIndexReader, &TermInfo)> {
        Some((self.indexes.get(segment)?, self.infos.get(segment)?.as_ref()?))
    }

    /// In one segment, block by block; `None` when that does not have it.
    pub(super) fn blocks(&self, segment: usize, option: IndexRecordOption) -> tantivy::Result<Option<BlockSegmentPostings>> {
        Ok(self.at(segment).map(|(index, info)| index.read_block_postings_from_terminfo(info, option)).transpose()?)
    }

    /// How long the texts are in one segment.
    pub(super) fn lengths(&self, segment: Segment<'_>) -> tantivy::Result<FieldNormReader> {
        segment.reader.get_fieldnorms_reader(self.field)
    }

    /// In one segment; `None` when that does not have it.
    fn open(&self, segment: usize, option: IndexRecordOption) -> tantivy::Result<Option<tantivy::postings::SegmentPostings>> {
        Ok(self.at(segment).map(|(index, info)| index.read_postings_from_terminfo(info, option)).transpose()?)
    }
}

impl Sought {
    /// Looks the terms up; with scores only where the order needs them.
    pub fn of(clause: &Clause, scored: bool, statistics: &Statistics<'_>) -> tantivy::Result<Sought> {
        Sought::boosted(clause, scored.then_some(1.0), None, statistics)
    }

    /// `boost`: how many times scores count; `None` for no scores. `gate`: through which gate the text is read.
    fn boosted(clause: &Clause, boost: Option<f32>, gate: Option<&Gate>, statistics: &Statistics<'_>) -> tantivy::Result<Sought> {
        let each = |clauses: &[Clause]| -> tantivy::Result<Vec<Sought>> {
            let sought = clauses.iter().map(|clause| Sought::boosted(clause, boost, gate, statistics));
            sought.filter(|sought| !matches!(sought, Ok(Sought::Nothing))).collect()
        };
        Ok(match clause {
            Clause::Nothing => Sought::Nothing,
            Clause::Everything => Sought::Everything(boost.unwrap_or(0.0)),
            Clause::Term(term) => Sought::term(term, boost, gate, statistics)?,
            Clause::Phrase(terms, slop) => Sought::phrase(terms, *slop, boost, gate, statistics)?,
            Clause::Engine(query) => Sought::Engine(query.0.weight(EnableScoring::disabled_from_searcher(statistics.searcher()))?),
            Clause::Best(clauses) => Sought::union(each(clauses)?, true),
            Clause::Any(clauses) => Sought::union(each(clauses)?, false),
            Clause::All(clauses) => match each(clauses)? {
                parts if parts.len() < clauses.len() => Sought::Nothing,
                parts => Sought::All(parts),
            },
            Clause::Gated(clause, gate) => match Sought::boosted(clause, boost, Some(gate), statistics)? {
                Sought::Nothing => Sought::Nothing,
                inner => Sought::Gated(Box::new(inner), gate.clone()),
            },
            Clause::Boosted(clause, weight) => Sought::boosted(clause, boost.map(|boost| boost * weight), gate, statistics)?,
        })
    }

    fn term(term: &Term, boost: Option<f32>, gate: Option<&Gate>, statistics: &Statistics<'_>) -> tantivy::Result<Sought> {
        let Some(places) = Places::of(term, statistics)? else { return Ok(Sought::Nothing) };
        let bm25 = boost.map(|boost| -> tantivy::Result<Bm25> {
            let rarity = statistics.rarity(term, gate)?;
            Ok(Bm25::new(rarity, boost, statistics.lengths(places.field)?))
        });
        Ok(Sought::Term(places, bm25.transpose()?))
    }

    fn phrase(
        terms: &[(usize, Term)],
        slop: u32,
        boost: Option<f32>,
        gate: Option<&Gate>,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Sought> {
        let last = terms.iter().map(|(offset, _)| *offset).max().unwrap_or(0);
        let (mut parts, mut rarity) = (Vec::with_capacity(terms.len()), 0.0);
        for (offset, term) in terms {
            let Some(places) = Places::of(term, statistics)? else { return Ok(Sought::Nothing) };
            if boost.is_some() {
                rarity += statistics.rarity(term, gate)?;
            }
            parts.push((places, u32::try_from(last - offset).unwrap_or(u32::MAX)));
        }
        let Some((first, _)) = parts.first() else { return Ok(Sought::Nothing) };
        let lengths = statistics.lengths(first.field)?;
        Ok(Sought::Phrase(parts, slop, boost.map(|boost| Bm25::new(rarity, boost, lengths))))
    }

    fn union(mut parts: Vec<Sought>, best: bool) -> Sought {
        match parts.len() {
            0 => Sought::Nothing,
            1 => parts.remove(0),
            _ => Sought::Union(parts, best),
        }
    }

    /// More than this no record scores.
    pub fn most(&self) -> f32 {
        match self {
            Sought::Nothing | Sought::Engine(_) => 0.0,
            Sought::Everything(score) => *score,
            Sought::Term(_, bm25) | Sought::Phrase(_, _, bm25) => bm25.as_ref().map_or(0.0, Bm25::most),
            Sought::Union(parts, true) => parts.iter().map(Sought::most).fold(0.0, f32::max),
            Sought::Union(parts, false) | Sought::All(parts) => parts.iter().map(Sought::most).sum(),
            Sought::Gated(inner, _) => inner.most(),
        }
    }

    /// About how many documents of a segment there are at most.
    pub(super) fn cost(&self, segment: Segment<'_>) -> u64 {
        let each = |parts: &[Sought]| parts.iter().map(|part| part.cost(segment)).collect::<Vec<_>>();
        match self {
            Sought::Nothing => 0,
            Sought::Everything(_) | Sought::Engine(_) => u64::from(segment.reader.max_doc()),
            Sought::Term(places, _) => places.having_in(segment.place),
            Sought::Phrase(terms, ..) => terms.iter().map(|(places, _)| places.having_in(segment.place)).min().unwrap_or(0),
            Sought::Union(parts, _) => each(parts).into_iter().sum(),
            Sought::All(parts) => each(parts).into_iter().min().unwrap_or(0),
            Sought::Gated(inner, _) => inner.cost(segment),
        }
    }

    /// Goes over the documents of a segment.
    pub fn open(&self, segment: Segment<'_>) -> tantivy::Result<Cursor> {
        let Segment { place, reader, columns } = segment;
        let each = |parts: &[Sought]| -> tantivy::Result<Vec<Cursor>> {
            let cursors = parts.iter().map(|part| part.open(segment));
            cursors.filter(|cursor| !matches!(cursor, Ok(Cursor::Nothing))).collect()
        };
        Ok(match self {
            Sought::Nothing => Cursor::Nothing,
            Sought::Everything(score) => Cursor::Everything { doc: 0, end: reader.max_doc(), score: *score },
            Sought::Term(places, bm25) => {
                let option = if bm25.is_some() { IndexRecordOption::WithFreqs } else { IndexRecordOption::Basic };
                let Some(postings) = places.open(place, option)? else { return Ok(Cursor::Nothing) };
                let lengths = places.lengths(segment)?;
                Cursor::Term(Box::new(Postings { postings, lengths, bm25: bm25.clone() }))
            }
            Sought::Phrase(terms, slop, bm25) => {
                let mut parts = Vec::with_capacity(terms.len());
                for (places, before) in terms {
                    match places.open(place, IndexRecordOption::WithFreqsAndPositions)? {
                        Some(postings) => parts.push((postings, *before)),
                        None => return Ok(Cursor::Nothing),
                    }
                }
                let Some((first, _)) = terms.first() else { return Ok(Cursor::Nothing) };
                Cursor::Phrase(Box::new(Phrase::of(parts, *slop, first.lengths(segment)?, bm25.clone())))
            }
            Sought::Engine(weight) => Cursor::Engine(weight.scorer(reader, 1.0)?),
            Sought::Union(parts, best) => Union::cursor(each(parts)?, *best),
            Sought::All(parts) => match each(parts)? {
                cursors if cursors.len() < parts.len() => Cursor::Nothing,
                cursors => Cursor::All(All::of(cursors)),
            },
            Sought::Gated(inner, gate) => match inner.open(segment)? {
                Cursor::Nothing => Cursor::Nothing,
                inner => Cursor::Gated(Gated { inner: Box::new(inner), classes: columns.classes(), gate: gate.clone() }),
            },
        })
    }
}
