//! One pass over the matching documents: the filter, the exact total, the count per type and the best of each group.

use tantivy::columnar::{Column, ColumnIndex, ColumnValues};
use tantivy::query::{Query, Scorer, Weight};
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED};

use super::bonus::{Bonuses, Weighed};
use super::facts::{Counts, Facet, Facts, Need};
use super::mapping::Ranking;
use super::order::{Best, Candidate, Order};
use super::patience::Clock;
use super::schema::{Class, record};
use super::visibility::{Filter, Verdict};
use crate::domain::kind::Kind;
use std::sync::Arc;

/// What one pass is asked for.
pub(super) struct Pass<'q> {
    pub filter: &'q Filter<'q>,
    /// What is demanded of facts besides.
    pub needs: &'q [Need],
    /// What hits are counted by.
    pub facets: &'q [Facet],
    pub order: Order,
    /// What only ranks; nothing where the order has no scores.
    pub bonuses: &'q [Weighed],
    /// How many of each group to keep: offset and limit together.
    pub keep: usize,
    pub ranking: &'q Ranking,
    /// Seconds since 1970.
    pub now: i64,
}

/// What one pass has found.
pub(super) struct Tally {
    pub counts: [u64; 7],
    /// One group per content type when the order is grouped, otherwise one.
    pub groups: Vec<Best>,
    /// The best score of all.
    pub top: f32,
    /// How many hits have each value of each facet.
    pub facets: Vec<Counts>,
}

/// The columns of a segment.
struct Columns {
    key: Arc<dyn ColumnValues<u64>>,
    class: Arc<dyn ColumnValues<u64>>,
    author: Arc<dyn ColumnValues<u64>>,
    assignee: Arc<dyn ColumnValues<u64>>,
    tracker: Arc<dyn ColumnValues<u64>>,
    date: Arc<dyn ColumnValues<i64>>,
}

/// The values of a column that every document has; without the detour over an index of its rows.
pub(super) fn plain<T: PartialOrd + Copy + Default + std::fmt::Debug + Send + Sync + 'static>(
    column: Column<T>,
) -> Arc<dyn ColumnValues<T>> {
    match column.index {
        ColumnIndex::Full => column.values,
        _ => column.first_or_default_col(T::default()),
    }
}

impl Columns {
    fn open(reader: &SegmentReader) -> tantivy::Result<Columns> {
        let fast = reader.fast_fields();
        Ok(Columns {
            key: plain(fast.u64("key")?),
            class: plain(fast.u64("class")?),
            author: plain(fast.u64("author")?),
            assignee: plain(fast.u64("assignee")?),
            tracker: plain(fast.u64("tracker")?),
            date: plain(fast.i64("date")?),
        })
    }

    fn found(&self, filter: &Filter<'_>, doc: DocId) -> Option<Class> {
        let class = Class(self.class.get_val(doc));
        let found = match filter.verdict(class) {
            Verdict::Allow => true,
            Verdict::Deny => false,
            Verdict::Ask => filter.admits(class, self.author.get_val(doc), self.assignee.get_val(doc), self.tracker.get_val(doc)),
        };
        found.then_some(class)
    }
}

impl Tally {
    /// A page of the one sequence: the groups by their best hit, each in its order.
    pub fn sequence(&mut self, offset: usize, limit: usize) -> Vec<Candidate> {
        let grouped = self.groups.len() > 1;
        let groups = std::mem::take(&mut self.groups).into_iter().enumerate();
        let mut groups: Vec<(u64, Vec<Candidate>)> = groups
            .map(|(kind, best)| (if grouped { self.counts[kind] } else { self.counts.iter().sum() }, best.sorted()))
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

impl Pass<'_> {
    /// Runs over all segments.
    pub fn run(&self, searcher: &tantivy::Searcher, weight: &dyn Weight, without: &[Box<dyn Weight>]) -> tantivy::Result<Tally> {
        let groups = if self.order == Order::Grouped { Kind::ALL.len() } else { 1 };
        let mut tally = Tally {
            counts: [0; 7],
            groups: (0..groups).map(|_| Best::new(self.keep)).collect(),
            top: 0.0,
            facets: vec![Counts::new(); self.facets.len()],
        };
        for reader in searcher.segment_readers() {
            self.segment(reader, weight, without, &mut tally)?;
        }
        Ok(tally)
    }

    fn segment(&self, reader: &SegmentReader, weight: &dyn Weight, without: &[Box<dyn Weight>], tally: &mut Tally) -> tantivy::Result<()> {
        let mut scorer = weight.scorer(reader, 1.0)?;
        let mut doc = scorer.doc();
        if doc == TERMINATED {
            return Ok(());
        }
        let mut without = without.iter().map(|weight| weight.scorer(reader, 1.0)).collect::<tantivy::Result<Vec<_>>>()?;
        let mut bonuses = Bonuses::open(self.bonuses, reader);
        let columns = Columns::open(reader)?;
        let facts = self.needs.iter().map(|need| need.fact).chain(self.facets.iter().map(|facet| facet.fact()));
        let facts = Facts::open(reader, facts)?;
        let alive = reader.alive_bitset();
        let mut clock = Clock::default();
        while doc != TERMINATED {
            clock.step()?;
            if alive.is_none_or(|alive| alive.is_alive(doc))
                && let Some(class) = columns.found(self.filter, doc)
                && facts.hold(self.needs, class, doc)
                && !without.iter_mut().any(|scorer| stands_at(scorer.as_mut(), doc))
            {
                for (facet, counts) in self.facets.iter().zip(&mut tally.facets) {
                    if let Some(value) = facet.value(facts.of(facet.fact(), class, doc)) {
                        *counts.entry(value).or_default() += 1;
                    }
                }
                let kind = (class.combination() >> 1) as usize;
                if let Some(count) = tally.counts.get_mut(kind) {
                    *count += 1;
                }
                let date = columns.date.get_val(doc);
                let group = if self.order == Order::Grouped { kind } else { 0 };
                if let Some(best) = tally.groups.get_mut(group)
                    && let Some(score) = self.score(scorer.as_mut(), &mut bonuses, doc, date, best)?
                {
                    // The best hit of all enters its group, whatever that holds.
                    tally.top = tally.top.max(score);
                    best.enter(Candidate { score, date, key: columns.key.get_val(doc) });
                }
            }
            doc = scorer.advance();
        }
        Ok(())
    }

    /// The score of a hit, if it is one of the best of its group so far.
    fn score(
        &self,
        scorer: &mut dyn Scorer,
        bonuses: &mut Bonuses<'_>,
        doc: DocId,
        date: i64,
        best: &Best,
    ) -> tantivy::Result<Option<f32>> {
        if self.order == Order::Date {
            return Ok(best.may_enter(0.0, date).then_some(0.0));
        }
        let recency = self.ranking.recency(date, self.now);
        let settled = |score: f32| settle(score * recency);
        Ok(bonuses.added(scorer.score(), doc, |score| best.may_enter(settled(score), date))?.map(settled))
    }
}

/// How many documents the filter lets through of those that match `weight` and none of `without`; the count ends at `at_most`.
pub(super) fn count(
    searcher: &tantivy::Searcher,
    filter: &Filter<'_>,
    weight: &dyn Weight,
    without: &[Box<dyn Weight>],
    at_most: u64,
) -> tantivy::Result<u64> {
    let mut count = 0;
    for reader in searcher.segment_readers() {
        let mut scorer = weight.scorer(reader, 1.0)?;
        let mut doc = scorer.doc();
        if doc == TERMINATED {
            continue;
        }
        let mut without = without.iter().map(|weight| weight.scorer(reader, 1.0)).collect::<tantivy::Result<Vec<_>>>()?;
        let columns = Columns::open(reader)?;
        let alive = reader.alive_bitset();
        let mut clock = Clock::default();
        while doc != TERMINATED {
            clock.step()?;
            let found = alive.is_none_or(|alive| alive.is_alive(doc)) && columns.found(filter, doc).is_some();
            if found && !without.iter_mut().any(|scorer| stands_at(scorer.as_mut(), doc)) {
                count += 1;
                if count >= at_most {
                    return Ok(count);
                }
            }
            doc = scorer.advance();
        }
    }
    Ok(count)
}

/// Whether the document is among those of the scorer, which only goes forward.
fn stands_at(scorer: &mut dyn Scorer, doc: DocId) -> bool {
    if scorer.doc() < doc {
        scorer.seek(doc);
    }
    scorer.doc() == doc
}

/// Drops the last bits: sums differ in them when the same terms were added in another order, and ties must be ties.
fn settle(score: f32) -> f32 {
    f32::from_bits((score.to_bits() + 0x40) & !0x7f)
}

/// Every live document: its record, its class and the change under which it was indexed; for comparing with the store.
pub(super) fn each_key(searcher: &tantivy::Searcher, mut each: impl FnMut(Kind, i64, Class, u64)) -> tantivy::Result<()> {
    for reader in searcher.segment_readers() {
        let columns = Columns::open(reader)?;
        let change = plain(reader.fast_fields().u64("change")?);
        for doc in reader.doc_ids_alive() {
            if let Some((kind, id)) = record(columns.key.get_val(doc)) {
                each(kind, id, Class(columns.class.get_val(doc)), change.get_val(doc));
            }
        }
    }
    Ok(())
}

/// The weight of a query, with scores only where the order needs them.
pub(super) fn weigh(
    query: &dyn Query,
    order: Order,
    searcher: &tantivy::Searcher,
    statistics: &dyn tantivy::query::Bm25StatisticsProvider,
) -> tantivy::Result<Box<dyn Weight>> {
    query.weight(match order {
        Order::Date => tantivy::query::EnableScoring::disabled_from_searcher(searcher),
        Order::Grouped | Order::Relevance => tantivy::query::EnableScoring::enabled_from_statistics_provider(statistics, searcher),
    })
}
