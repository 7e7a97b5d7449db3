//! One pass over the matching documents: the filter, the exact total, the count per type and the best of each group.

use tantivy::{DocId, Searcher, TERMINATED};

use super::bonus::{Bonuses, Weighed};
use super::facts::{Counts, Facet, Facts, Need};
use super::mapping::Ranking;
use super::matching::{Cursor, Hits, MARGIN, Sought};
use super::order::{Best, Candidate, Order};
use super::patience::Clock;
use super::schema::{Class, record};
use super::sight::Sight;
use super::snapshot::{Columns, Segment, Snapshot, plain};
use super::visibility::Filter;
use crate::domain::kind::Kind;

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
    /// Runs over all segments: what is sought, without what is not.
    pub fn run(&self, snapshot: &Snapshot, sought: &Sought, without: &[Sought]) -> tantivy::Result<Tally> {
        let groups = if self.order == Order::Grouped { Kind::ALL.len() } else { 1 };
        let mut tally = Tally {
            counts: [0; 7],
            groups: (0..groups).map(|_| Best::new(self.keep)).collect(),
            top: 0.0,
            facets: vec![Counts::new(); self.facets.len()],
        };
        let ranking: Vec<&Sought> = self.bonuses.iter().map(|weighed| &weighed.sought).collect();
        for segment in snapshot.segments()? {
            let hits = Hits::open(sought, &ranking, segment)?;
            if hits.doc() != TERMINATED {
                let without = without.iter().map(|sought| sought.open(segment)).collect::<tantivy::Result<_>>()?;
                self.segment(segment, hits, without, &mut tally)?;
            }
        }
        Ok(tally)
    }

    fn segment(&self, segment: Segment<'_>, mut hits: Hits, mut without: Vec<Cursor>, tally: &mut Tally) -> tantivy::Result<()> {
        let mut scoring = Scoring {
            bonuses: Bonuses::open(self.bonuses, segment),
            highest: 1.0 + self.ranking.recency_weight.max(0.0),
            fading: [0.0; 256],
        };
        let Segment { reader, columns, .. } = segment;
        let facts = self.needs.iter().map(|need| need.fact).chain(self.facets.iter().map(|facet| facet.fact()));
        let facts = Facts::open(reader, facts)?;
        let (alive, sight) = (reader.alive_bitset(), Sight::of(columns, self.filter));
        let mut clock = Clock::default();
        let mut doc = hits.doc();
        while doc != TERMINATED {
            clock.step()?;
            if alive.is_none_or(|alive| alive.is_alive(doc))
                && let Some(kind) = sight.kind(doc)
                && (self.needs.is_empty() || facts.hold(self.needs, columns.class(doc), doc))
                && hits.holds()
                && !without.iter_mut().any(|cursor| stands_at(cursor, doc))
            {
                for (facet, counts) in self.facets.iter().zip(&mut tally.facets) {
                    if let Some(value) = facet.value(facts.of(facet.fact(), columns.class(doc), doc)) {
                        *counts.entry(value).or_default() += 1;
                    }
                }
                if let Some(count) = tally.counts.get_mut(kind) {
                    *count += 1;
                }
                let group = if self.order == Order::Grouped { kind } else { 0 };
                if let Some(best) = tally.groups.get_mut(group)
                    && let Some((score, date)) = self.score(&mut hits, &mut scoring, doc, columns, best)?
                {
                    // The best hit of all enters its group, whatever that holds.
                    tally.top = tally.top.max(score);
                    best.enter(Candidate { score, date, key: columns.key.get_val(doc) });
                }
            }
            doc = hits.advance();
        }
        Ok(())
    }

    /// The score of a hit and its date, if it is one of the best of its group so far.
    fn score(
        &self,
        hits: &mut Hits,
        scoring: &mut Scoring<'_>,
        doc: DocId,
        columns: &Columns,
        best: &Best,
    ) -> tantivy::Result<Option<(f32, i64)>> {
        if self.order == Order::Date {
            let date = columns.date(doc);
            return Ok(best.may_enter(0.0, date).then_some((0.0, date)));
        }
        // From what is known at once to what must be looked up.
        let high = hits.bound();
        if !best.may_enter(settle(high * scoring.highest), i64::MAX) {
            return Ok(None);
        }
        let span = columns.span(doc);
        let fading = &mut scoring.fading[usize::from(span)];
        if *fading == 0.0 {
            *fading = self.ranking.highest_recency(columns.begins_and_ends(span), self.now) * MARGIN;
        }
        if !best.may_enter(settle(high * *fading), i64::MAX) {
            return Ok(None);
        }
        let date = columns.date(doc);
        let recency = self.ranking.recency(date, self.now);
        let matters = |score: f32| best.may_enter(settle(score * recency), date);
        if !matters(high) {
            return Ok(None);
        }
        let plain = hits.score();
        if !matters(plain + scoring.bonuses.most()) {
            return Ok(None);
        }
        let score = scoring.bonuses.added(plain, doc, matters)?;
        Ok(score.map(|score| (settle(score * recency), date)))
    }
}

/// What is needed to score the documents of a segment.
struct Scoring<'w> {
    bonuses: Bonuses<'w>,
    /// By how much a score is raised at most.
    highest: f32,
    /// The same in each span of time; 0 where that was not asked yet.
    fading: [f32; 256],
}

/// How many documents the filter lets through of those that are sought, without those that are not; the count ends at `at_most`.
pub(super) fn count(snapshot: &Snapshot, filter: &Filter<'_>, sought: &Sought, without: &[Sought], at_most: u64) -> tantivy::Result<u64> {
    let mut count = 0;
    for segment in snapshot.segments()? {
        let mut cursor = sought.open(segment)?;
        let mut doc = cursor.doc();
        if doc == TERMINATED {
            continue;
        }
        let mut without = without.iter().map(|sought| sought.open(segment)).collect::<tantivy::Result<Vec<_>>>()?;
        let Segment { reader, columns, .. } = segment;
        let (alive, sight) = (reader.alive_bitset(), Sight::of(columns, filter));
        let mut clock = Clock::default();
        while doc != TERMINATED {
            clock.step()?;
            let found = alive.is_none_or(|alive| alive.is_alive(doc)) && sight.kind(doc).is_some() && cursor.holds();
            if found && !without.iter_mut().any(|cursor| stands_at(cursor, doc)) {
                count += 1;
                if count >= at_most {
                    return Ok(count);
                }
            }
            doc = cursor.advance();
        }
    }
    Ok(count)
}

/// Whether the document is among those of the cursor, which only goes forward.
fn stands_at(cursor: &mut Cursor, doc: DocId) -> bool {
    cursor.seek(doc) == doc && cursor.holds()
}

/// Drops the last bits: sums differ in them when the same terms were added in another order, and ties must be ties.
fn settle(score: f32) -> f32 {
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
