//! Collects the hits of a compiled search, segment by segment: exact total, counts by type and
//! facet, and the best hits of each group.

use tantivy::{DocId, Searcher, TERMINATED};

use super::deadline::DeadlineCheck;
use super::facet_counter::FacetCounter;
use super::filters::{Filters, SegmentFilters};
use super::top_k::{HitCandidate, TopK};
use crate::access::filter::DocFilter;
use crate::request::Order;
use crate::schema::access_class::{AccessClass, parse_record_key};
use crate::schema::columns::{AttributeFilter, Facet, FastFields, dense_values};
use crate::schema::config::Ranking;
use crate::scoring::boosts::{BoostScorers, CompiledBoost};
use crate::scoring::{BOUND_MARGIN, SegmentMatches, Weight};
use crate::snapshot::{Segment, Snapshot};
use quarry_domain::index_feed::kind::Kind;

/// A search compiled for a snapshot.
pub(crate) struct CompiledSearch<'s> {
    pub snapshot: &'s Snapshot,
    /// Passes documents that the viewer may see, of the content types and projects of the request.
    pub filter: DocFilter,
    pub query: Weight,
    /// Hits match none of these.
    pub excluded: Vec<Weight>,
    /// Hits pass all of these.
    pub filters: &'s [AttributeFilter],
    /// Hits are counted by these.
    pub facets: &'s [Facet],
    pub order: Order,
    /// Empty where the order needs no scores.
    pub boosts: Vec<CompiledBoost>,
    /// How many hits of each group to keep: offset plus limit.
    pub k: usize,
    pub ranking: Ranking,
    /// The current time in seconds since 1970, for the recency of hits.
    pub now: i64,
}

/// The hits of a search before paging.
pub(crate) struct Collected {
    /// The number of hits of each content type, by [`Kind::code`].
    pub counts: [u64; 7],
    /// One group per content type when the order is grouped, otherwise one.
    pub groups: Vec<TopK>,
    /// The highest score of all hits.
    pub max_score: f32,
    /// The number of hits with each value of each facet.
    pub facets: Vec<FacetCounter>,
}

impl Collected {
    /// Returns a page of all hits in sequence: the groups sorted by their best hit.
    pub fn into_page(self, offset: usize, limit: usize) -> Vec<HitCandidate> {
        let grouped = self.groups.len() > 1;
        let groups = self.groups.into_iter().enumerate();
        let mut groups: Vec<(u64, Vec<HitCandidate>)> = groups
            .map(|(kind, top)| {
                (
                    if grouped {
                        self.counts[kind]
                    } else {
                        self.counts.iter().sum()
                    },
                    top.into_sorted_vec(),
                )
            })
            .filter(|(_, hits)| !hits.is_empty())
            .collect();
        groups.sort_by(|(_, a), (_, b)| a[0].order(&b[0]));
        let mut page = Vec::new();
        let mut skip = offset as u64;
        for (count, hits) in groups {
            if skip < count {
                page.extend(
                    hits.into_iter()
                        .skip(skip as usize)
                        .take(limit - page.len()),
                );
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
    /// Returns the filters.
    pub fn filters(&self) -> Filters<'_> {
        Filters {
            doc_filter: &self.filter,
            attributes: self.filters,
            excluded: &self.excluded,
        }
    }

    /// Runs the search in this thread.
    pub fn collect(&self) -> tantivy::Result<Collected> {
        let groups = if self.order == Order::Grouped {
            Kind::ALL.len()
        } else {
            1
        };
        let mut collected = Collected {
            counts: [0; 7],
            groups: (0..groups).map(|_| TopK::new(self.k)).collect(),
            max_score: 0.0,
            facets: self.facets.iter().copied().map(FacetCounter::new).collect(),
        };
        let boosts: Vec<&Weight> = self.boosts.iter().map(|boost| &boost.weight).collect();
        for segment in self.snapshot.segments()? {
            let matches = SegmentMatches::new(&self.query, &boosts, segment)?;
            if matches.doc() != TERMINATED {
                SegmentCollector::new(self, segment, matches)?.collect(&mut collected)?;
            }
        }
        Ok(collected)
    }
}

/// Collects the hits of one segment.
struct SegmentCollector<'s> {
    search: &'s CompiledSearch<'s>,
    segment: Segment<'s>,
    matches: SegmentMatches,
    filters: SegmentFilters<'s>,
    /// Those of the facets.
    fast_fields: FastFields,
    boosts: BoostScorers<'s>,
    /// Upper bound of the recency factor.
    max_recency: f32,
    /// Upper bound of the recency factor by date bucket; 0 where it is not computed yet.
    max_recency_of_bucket: [f32; 256],
}

impl<'s> SegmentCollector<'s> {
    fn new(
        search: &'s CompiledSearch<'s>,
        segment: Segment<'s>,
        matches: SegmentMatches,
    ) -> tantivy::Result<SegmentCollector<'s>> {
        let attributes = search.facets.iter().map(|facet| facet.attribute());
        Ok(SegmentCollector {
            search,
            segment,
            matches,
            filters: SegmentFilters::new(segment, search.filters())?,
            fast_fields: FastFields::open(segment.reader, attributes)?,
            boosts: BoostScorers::new(&search.boosts, segment),
            max_recency: 1.0 + search.ranking.recency_weight.max(0.0),
            max_recency_of_bucket: [0.0; 256],
        })
    }

    fn collect(&mut self, collected: &mut Collected) -> tantivy::Result<()> {
        let SegmentCollector {
            search,
            segment: Segment { columns, .. },
            ..
        } = *self;
        let mut deadline = DeadlineCheck::default();
        let mut doc = self.matches.doc();
        while doc != TERMINATED {
            deadline.tick()?;
            if let Some(kind) = self.filters.kind(doc)
                && self.matches.matches()
                && !self.filters.excludes(doc)
            {
                for facet in &mut collected.facets {
                    let class = columns.class(doc);
                    facet.add(self.fast_fields.value(facet.attribute(), class, doc));
                }
                if let Some(count) = collected.counts.get_mut(kind) {
                    *count += 1;
                }
                let group = if search.order == Order::Grouped {
                    kind
                } else {
                    0
                };
                if let Some(top) = collected.groups.get_mut(group)
                    && let Some((score, date)) = self.score(doc, top)?
                {
                    // The best hit of all is competitive in its group, so its score is always seen
                    // here.
                    collected.max_score = collected.max_score.max(score);
                    top.insert(HitCandidate {
                        score,
                        date,
                        key: columns.key.get_val(doc),
                    });
                }
            }
            doc = self.matches.advance();
        }
        Ok(())
    }

    /// Returns score and date of a hit if it is among the best of its group so far.
    fn score(&mut self, doc: DocId, top: &TopK) -> tantivy::Result<Option<(f32, i64)>> {
        let SegmentCollector {
            search,
            segment: Segment { columns, .. },
            ..
        } = *self;
        if search.order == Order::Date {
            let date = columns.date(doc);
            return Ok(top.is_competitive(0.0, date).then_some((0.0, date)));
        }
        // Cheap bounds come first.
        let max_score = self.matches.max_score();
        if !top.is_competitive(quantize(max_score * self.max_recency), i64::MAX) {
            return Ok(None);
        }
        let bucket = columns.date_bucket(doc);
        let max_recency = &mut self.max_recency_of_bucket[usize::from(bucket)];
        if *max_recency == 0.0 {
            *max_recency = search
                .ranking
                .max_recency(columns.bucket_range(bucket), search.now)
                * BOUND_MARGIN;
        }
        if !top.is_competitive(quantize(max_score * *max_recency), i64::MAX) {
            return Ok(None);
        }
        let date = columns.date(doc);
        let recency = search.ranking.recency(date, search.now);
        let is_competitive = |score: f32| top.is_competitive(quantize(score * recency), date);
        if !is_competitive(max_score) {
            return Ok(None);
        }
        let score = self.matches.score();
        if !is_competitive(score + self.boosts.max_score()) {
            return Ok(None);
        }
        let score = self.boosts.boosted_score(score, doc, is_competitive)?;
        Ok(score.map(|score| (quantize(score * recency), date)))
    }
}

/// Counts documents that pass the filters and match the query, up to `limit`.
pub(crate) fn count(
    snapshot: &Snapshot,
    filters: Filters<'_>,
    query: &Weight,
    limit: u64,
) -> tantivy::Result<u64> {
    let mut count = 0;
    for segment in snapshot.segments()? {
        let mut scorer = query.scorer(segment)?;
        let mut doc = scorer.doc();
        if doc == TERMINATED {
            continue;
        }
        let mut filters = SegmentFilters::new(segment, filters)?;
        let mut deadline = DeadlineCheck::default();
        while doc != TERMINATED {
            deadline.tick()?;
            if filters.kind(doc).is_some() && scorer.matches() && !filters.excludes(doc) {
                count += 1;
                if count >= limit {
                    return Ok(count);
                }
            }
            doc = scorer.advance();
        }
    }
    Ok(count)
}

/// Rounds away the last bits, in which sums differ when the same terms were added in another order,
/// so that ties stay ties.
fn quantize(score: f32) -> f32 {
    f32::from_bits((score.to_bits() + 0x40) & !0x7f)
}

/// Calls `visit` for each live document with its record, its class and the change with which it was
/// indexed.
pub(crate) fn for_each_record(
    searcher: &Searcher,
    mut visit: impl FnMut(Kind, i64, AccessClass, u64),
) -> tantivy::Result<()> {
    for reader in searcher.segment_readers() {
        let fast = reader.fast_fields();
        let key = dense_values(fast.u64("key")?);
        let class = dense_values(fast.u64("class")?);
        let change = dense_values(fast.u64("change")?);
        for doc in reader.doc_ids_alive() {
            if let Some((kind, id)) = parse_record_key(key.get_val(doc)) {
                visit(
                    kind,
                    id,
                    AccessClass(class.get_val(doc)),
                    change.get_val(doc),
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
