//! One pass over the matching documents: the filter, the exact total, the count per type and the best of each group.

use std::ops::Range;
use std::sync::{Arc, OnceLock};
use tantivy::{DocId, Searcher, SegmentReader, TERMINATED};

use super::bonus::{Bonuses, Weighed};
use super::company::{Shared, together};
use super::facts::{Counts, Facet, Facts, Need};
use super::mapping::Ranking;
use super::matching::{Cursor, Hits, MARGIN, Sought};
use super::order::{Bar, Best, Candidate, Order};
use super::patience::Clock;
use super::schema::{Class, record};
use super::sight::{Known, Sight};
use super::snapshot::{Columns, Segment, Snapshot, plain};
use super::stretches::Stretches;
use super::visibility::Filter;
use crate::domain::kind::Kind;

/// What one pass is asked for.
pub(super) struct Pass {
    pub snapshot: Arc<Snapshot>,
    pub filter: Filter,
    pub sought: Sought,
    /// What hits do not match.
    pub without: Vec<Sought>,
    /// What is demanded of facts besides.
    pub needs: Vec<Need>,
    /// What hits are counted by.
    pub facets: Vec<Facet>,
    pub order: Order,
    /// What only ranks; nothing where the order has no scores.
    pub bonuses: Vec<Weighed>,
    /// How many of each group to keep: offset and limit together.
    pub keep: usize,
    pub ranking: Ranking,
    /// Seconds since 1970.
    pub now: i64,
}

/// What one pass has found.
#[derive(Default)]
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
    /// What was found in these documents and in others.
    fn and(mut self, other: Tally) -> Tally {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        for (facet, more) in self.facets.iter_mut().zip(other.facets) {
            more.into_iter().for_each(|(value, count)| *facet.entry(value).or_default() += count);
        }
        self.groups.iter_mut().zip(other.groups).for_each(|(group, more)| group.join(more));
        Tally { top: self.top.max(other.top), ..self }
    }

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

/// How many documents an index has at least where more than one thread is worth the while; tests share small worlds too.
const SHARED_FROM: u64 = if cfg!(test) { 2 } else { 50_000 };

/// Runs over all documents, as soon as it is known what is asked.
pub(super) fn run(snapshot: &Snapshot, asked: impl FnOnce() -> tantivy::Result<Pass>) -> tantivy::Result<Tally> {
    let shares = together(snapshot.searcher.num_docs() >= SHARED_FROM, || Passing::of(asked()?))?;
    shares.into_iter().reduce(|one, other| Ok(one?.and(other?))).unwrap_or_else(|| Ok(Tally::default()))
}

/// A pass that is under way.
struct Passing {
    pass: Pass,
    stretches: Stretches,
    /// What is known of each segment in which something was found.
    known: Vec<OnceLock<Known>>,
    /// What the groups demand by what all threads have found.
    bars: Vec<Bar>,
}

impl Passing {
    fn of(pass: Pass) -> tantivy::Result<Passing> {
        let known = pass.snapshot.searcher.segment_readers().iter().map(|_| OnceLock::new()).collect();
        let stretches = Stretches::of(pass.snapshot.searcher.segment_readers().iter().map(SegmentReader::max_doc));
        let groups = if pass.order == Order::Grouped { Kind::ALL.len() } else { 1 };
        Ok(Passing { stretches, known, bars: (0..groups).map(|_| Bar::default()).collect(), pass })
    }
}

impl Shared for Passing {
    type Share = tantivy::Result<Tally>;

    fn share(&self) -> tantivy::Result<Tally> {
        let pass = &self.pass;
        let segments: Vec<Segment<'_>> = pass.snapshot.segments()?.collect();
        let mut tally = Tally {
            counts: [0; 7],
            groups: self.bars.iter().map(|bar| Best::new(pass.keep, bar.clone())).collect(),
            top: 0.0,
            facets: vec![Counts::new(); pass.facets.len()],
        };
        let mut open: Option<Opened<'_>> = None;
        for (place, documents) in self.stretches.taken() {
            let opened = match &mut open {
                Some(opened) if opened.segment.place == place && opened.end <= documents.start => opened,
                _ => open.insert(Opened::of(pass, segments[place], &self.known[place])?),
            };
            opened.go_over(pass, documents, &mut tally)?;
        }
        Ok(tally)
    }
}

/// A segment that is gone over.
struct Opened<'p> {
    segment: Segment<'p>,
    known: &'p OnceLock<Known>,
    hits: Hits,
    /// What is needed as soon as something may be found.
    beside: Option<Beside<'p>>,
    /// Before which document it has ended.
    end: DocId,
}

/// What tells whether what is found is a hit, and how good it is.
struct Beside<'p> {
    without: Vec<Cursor>,
    facts: Facts,
    sight: Sight<'p>,
    scoring: Scoring<'p>,
}

impl<'p> Opened<'p> {
    fn of(pass: &'p Pass, segment: Segment<'p>, known: &'p OnceLock<Known>) -> tantivy::Result<Opened<'p>> {
        let ranking: Vec<&Sought> = pass.bonuses.iter().map(|weighed| &weighed.sought).collect();
        Ok(Opened { segment, known, hits: Hits::open(&pass.sought, &ranking, segment)?, beside: None, end: 0 })
    }

    fn beside(&self, pass: &'p Pass) -> tantivy::Result<Beside<'p>> {
        let Segment { reader, columns, .. } = self.segment;
        let facts = pass.needs.iter().map(|need| need.fact).chain(pass.facets.iter().map(|facet| facet.fact()));
        Ok(Beside {
            without: pass.without.iter().map(|sought| sought.open(self.segment)).collect::<tantivy::Result<_>>()?,
            facts: Facts::open(reader, facts)?,
            sight: Sight::of(columns, &pass.filter, self.known.get_or_init(|| Known::of(columns, &pass.filter))),
            scoring: Scoring {
                bonuses: Bonuses::open(&pass.bonuses, self.segment),
                highest: 1.0 + pass.ranking.recency_weight.max(0.0),
                fading: [0.0; 256],
            },
        })
    }

    fn go_over(&mut self, pass: &'p Pass, documents: Range<DocId>, tally: &mut Tally) -> tantivy::Result<()> {
        self.end = documents.end;
        let mut doc = self.hits.go_over(documents.start, documents.end);
        if doc == TERMINATED {
            return Ok(());
        }
        let mut beside = match self.beside.take() {
            Some(beside) => beside,
            None => self.beside(pass)?,
        };
        let Beside { without, facts, sight, scoring } = &mut beside;
        let Opened { segment: Segment { reader, columns, .. }, hits, .. } = self;
        let alive = reader.alive_bitset();
        let mut clock = Clock::default();
        while doc != TERMINATED {
            clock.step()?;
            if alive.is_none_or(|alive| alive.is_alive(doc))
                && let Some(kind) = sight.kind(doc)
                && (pass.needs.is_empty() || facts.hold(&pass.needs, columns.class(doc), doc))
                && hits.holds()
                && !without.iter_mut().any(|cursor| stands_at(cursor, doc))
            {
                for (facet, counts) in pass.facets.iter().zip(&mut tally.facets) {
                    if let Some(value) = facet.value(facts.of(facet.fact(), columns.class(doc), doc)) {
                        *counts.entry(value).or_default() += 1;
                    }
                }
                if let Some(count) = tally.counts.get_mut(kind) {
                    *count += 1;
                }
                let group = if pass.order == Order::Grouped { kind } else { 0 };
                if let Some(best) = tally.groups.get_mut(group)
                    && let Some((score, date)) = pass.score(hits, scoring, doc, columns, best)?
                {
                    // The best hit of all enters its group, whatever that holds.
                    tally.top = tally.top.max(score);
                    best.enter(Candidate { score, date, key: columns.key.get_val(doc) });
                }
            }
            doc = hits.advance();
        }
        self.beside = Some(beside);
        Ok(())
    }
}

impl Pass {
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
pub(super) fn count(snapshot: &Snapshot, filter: &Filter, sought: &Sought, without: &[Sought], at_most: u64) -> tantivy::Result<u64> {
    let mut count = 0;
    for segment in snapshot.segments()? {
        let mut cursor = sought.open(segment)?;
        let mut doc = cursor.doc();
        if doc == TERMINATED {
            continue;
        }
        let mut without = without.iter().map(|sought| sought.open(segment)).collect::<tantivy::Result<Vec<_>>>()?;
        let Segment { reader, columns, .. } = segment;
        let (alive, known) = (reader.alive_bitset(), Known::of(columns, filter));
        let sight = Sight::of(columns, filter, &known);
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

#[cfg(test)]
mod tests;
