//! Collects the hits of a compiled search, segment by segment: exact total, counts by type and facet, and the best of each group.

use tantivy::fastfield::AliveBitSet;
use tantivy::{DocId, Searcher, TERMINATED};

use super::bonus::{Bonuses, Weighed};
use super::facts::{Counts, Facet, Facts, Need};
use super::mapping::Ranking;
use super::matching::{Cursor, Hits, MARGIN, Sought};
use super::order::Order;
use super::patience::Clock;
use super::schema::{Class, record};
use super::snapshot::{Columns, Segment, Snapshot, plain};
use super::top_k::{Candidate, TopK};
use super::visibility::Filter;
use crate::domain::kind::Kind;

/// A search whose terms are looked up in one snapshot.
pub(super) struct CompiledSearch<'s> {
    pub snapshot: &'s Snapshot,
    /// What the viewer may find.
    pub filter: Filter,
    pub query: Sought,
    /// Hits match none of these.
    pub excluded: Vec<Sought>,
    /// Hits meet all of these.
    pub needs: &'s [Need],
    /// Hits are counted by these.
    pub facets: &'s [Facet],
    pub order: Order,
    /// What only ranks; empty where the order has no scores.
    pub bonuses: Vec<Weighed>,
    /// How many hits of each group to keep: offset and limit together.
    pub keep: usize,
    pub ranking: Ranking,
    /// Seconds since 1970.
    pub now: i64,
}

/// What a search has collected.
pub(super) struct Collected {
    /// How many hits each content type has, by [`Kind::code`].
    pub counts: [u64; 7],
    /// One group per content type when the order is grouped, otherwise one.
    pub groups: Vec<TopK>,
    /// The best score of all.
    pub max_score: f32,
    /// How many hits have each value of each facet.
    pub facets: Vec<Counts>,
}

impl Collected {
    /// Returns a page of the one sequence: the groups by their best hit, each in its order.
    pub fn into_page(self, offset: usize, limit: usize) -> Vec<Candidate> {
        let grouped = self.groups.len() > 1;
        let groups = self.groups.into_iter().enumerate();
        let mut groups: Vec<(u64, Vec<Candidate>)> = groups
            .map(|(kind, top)| (if grouped { self.counts[kind] } else { self.counts.iter().sum() }, top.into_sorted_vec()))
            .filter(|(_, hits)| !hits.is_empty())
            .collect();
        groups.sort_by(|(_, one), (_, other)| one[0].order(&other[0]));
        let mut page = Vec::new();
        let mut skip = offset as u64;
        for (count, hits) in groups {
            if skip < count {
                page.extend(hits.into_iter().skip(skip as usize).take(limit - page.len()));
            }
            skip = skip.saturating_sub(count);
            if page.len() == limit {
                break;
            }
        }
        page
    }
}

impl CompiledSearch<'_> {
    /// Runs the search in this thread.
    pub fn collect(&self) -> tantivy::Result<Collected> {
        let groups = if self.order == Order::Grouped { Kind::ALL.len() } else { 1 };
        let mut collected = Collected {
            counts: [0; 7],
            groups: (0..groups).map(|_| TopK::new(self.keep)).collect(),
            max_score: 0.0,
            facets: vec![Counts::new(); self.facets.len()],
        };
        let ranking: Vec<&Sought> = self.bonuses.iter().map(|weighed| &weighed.sought).collect();
        for segment in self.snapshot.segments()? {
            let hits = Hits::open(&self.query, &ranking, segment)?;
            if hits.doc() != TERMINATED {
                SegmentCollector::open(self, segment, hits)?.collect(&mut collected)?;
            }
        }
        Ok(collected)
    }
}

/// Decides which matching documents of a segment are hits.
struct SegmentFilters<'s> {
    alive: Option<&'s AliveBitSet>,
    columns: &'s Columns,
    filter: &'s Filter,
    excluded: Vec<Cursor>,
}

impl<'s> SegmentFilters<'s> {
    fn open(segment: Segment<'s>, filter: &'s Filter, excluded: &[Sought]) -> tantivy::Result<SegmentFilters<'s>> {
        Ok(SegmentFilters {
            alive: segment.reader.alive_bitset(),
            columns: segment.columns,
            filter,
            excluded: excluded.iter().map(|sought| sought.open(segment)).collect::<tantivy::Result<_>>()?,
        })
    }

    /// Returns the code of the content type of a live document that the viewer may find.
    #[inline]
    fn kind(&self, doc: DocId) -> Option<usize> {
        if self.alive.is_some_and(|alive| alive.is_deleted(doc)) {
            return None;
        }
        self.columns.found(self.filter, doc).map(|class| (class.combination() >> 1) as usize)
    }

    /// Whether the document is excluded. Documents are passed in ascending order.
    #[inline]
    fn excludes(&mut self, doc: DocId) -> bool {
        self.excluded.iter_mut().any(|cursor| cursor.seek(doc) == doc && cursor.holds())
    }
}

/// Collects the hits of one segment.
struct SegmentCollector<'s> {
    search: &'s CompiledSearch<'s>,
    segment: Segment<'s>,
    hits: Hits,
    filters: SegmentFilters<'s>,
    facts: Facts,
    bonuses: Bonuses<'s>,
    /// By how much a score is raised at most.
    max_recency: f32,
    /// The same in each span of time; 0 where it is not computed yet.
    max_recency_of_span: [f32; 256],
}

impl<'s> SegmentCollector<'s> {
    fn open(search: &'s CompiledSearch<'s>, segment: Segment<'s>, hits: Hits) -> tantivy::Result<SegmentCollector<'s>> {
        let facts = search.needs.iter().map(|need| need.fact).chain(search.facets.iter().map(|facet| facet.fact()));
        Ok(SegmentCollector {
            search,
            segment,
            hits,
            filters: SegmentFilters::open(segment, &search.filter, &search.excluded)?,
            facts: Facts::open(segment.reader, facts)?,
            bonuses: Bonuses::open(&search.bonuses, segment),
            max_recency: 1.0 + search.ranking.recency_weight.max(0.0),
            max_recency_of_span: [0.0; 256],
        })
    }

    fn collect(&mut self, collected: &mut Collected) -> tantivy::Result<()> {
        let SegmentCollector { search, segment: Segment { columns, .. }, .. } = *self;
        let mut clock = Clock::default();
        let mut doc = self.hits.doc();
        while doc != TERMINATED {
            clock.step()?;
            if let Some(kind) = self.filters.kind(doc)
                && (search.needs.is_empty() || self.facts.hold(search.needs, columns.class(doc), doc))
                && self.hits.holds()
                && !self.filters.excludes(doc)
            {
                for (facet, counts) in search.facets.iter().zip(&mut collected.facets) {
                    if let Some(value) = facet.value(self.facts.of(facet.fact(), columns.class(doc), doc)) {
                        *counts.entry(value).or_default() += 1;
                    }
                }
                if let Some(count) = collected.counts.get_mut(kind) {
                    *count += 1;
                }
                let group = if search.order == Order::Grouped { kind } else { 0 };
                if let Some(top) = collected.groups.get_mut(group)
                    && let Some((score, date)) = self.score(doc, top)?
                {
                    // The best hit of all enters its group, whatever that holds.
                    collected.max_score = collected.max_score.max(score);
                    top.insert(Candidate { score, date, key: columns.key.get_val(doc) });
                }
            }
            doc = self.hits.advance();
        }
        Ok(())
    }

    /// Returns score and date of a hit if it is among the best of its group so far.
    fn score(&mut self, doc: DocId, top: &TopK) -> tantivy::Result<Option<(f32, i64)>> {
        let SegmentCollector { search, segment: Segment { columns, .. }, .. } = *self;
        if search.order == Order::Date {
            let date = columns.date(doc);
            return Ok(top.is_competitive(0.0, date).then_some((0.0, date)));
        }
        // From what is known at once to what must be looked up.
        let high = self.hits.bound();
        if !top.is_competitive(quantize(high * self.max_recency), i64::MAX) {
            return Ok(None);
        }
        let span = columns.span(doc);
        let max_recency = &mut self.max_recency_of_span[usize::from(span)];
        if *max_recency == 0.0 {
            *max_recency = search.ranking.highest_recency(columns.begins_and_ends(span), search.now) * MARGIN;
        }
        if !top.is_competitive(quantize(high * *max_recency), i64::MAX) {
            return Ok(None);
        }
        let date = columns.date(doc);
        let recency = search.ranking.recency(date, search.now);
        let is_competitive = |score: f32| top.is_competitive(quantize(score * recency), date);
        if !is_competitive(high) {
            return Ok(None);
        }
        let score = self.hits.score();
        if !is_competitive(score + self.bonuses.most()) {
            return Ok(None);
        }
        let score = self.bonuses.added(score, doc, is_competitive)?;
        Ok(score.map(|score| (quantize(score * recency), date)))
    }
}

/// Counts the visible documents that match the query and none of the excluded ones; the count ends at `limit`.
pub(super) fn count(snapshot: &Snapshot, filter: &Filter, query: &Sought, excluded: &[Sought], limit: u64) -> tantivy::Result<u64> {
    let mut count = 0;
    for segment in snapshot.segments()? {
        let mut cursor = query.open(segment)?;
        let mut doc = cursor.doc();
        if doc == TERMINATED {
            continue;
        }
        let mut filters = SegmentFilters::open(segment, filter, excluded)?;
        let mut clock = Clock::default();
        while doc != TERMINATED {
            clock.step()?;
            if filters.kind(doc).is_some() && cursor.holds() && !filters.excludes(doc) {
                count += 1;
                if count >= limit {
                    return Ok(count);
                }
            }
            doc = cursor.advance();
        }
    }
    Ok(count)
}

/// Drops the last bits: sums differ in them when the same terms were added in another order, and ties must be ties.
fn quantize(score: f32) -> f32 {
    f32::from_bits((score.to_bits() + 0x40) & !0x7f)
}

/// Every live document: its record, its class and the change under which it was indexed; for comparing with the store.
pub(super) fn each_key(searcher: &Searcher, mut each: impl FnMut(Kind, i64, Class, u64)) -> tantivy::Result<()> {
    for reader in searcher.segment_readers() {
        let fast = reader.fast_fields();
        let (key, class, change) = (plain(fast.u64("key")?), plain(fast.u64("class")?), plain(fast.u64("change")?));
        for doc in reader.doc_ids_alive() {
            if let Some((kind, id)) = record(key.get_val(doc)) {
                each(kind, id, Class(class.get_val(doc)), change.get_val(doc));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
