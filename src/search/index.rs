//! One index: its directory, its schema, and how a question is answered.

use arc_swap::ArcSwap;
use jiff::Timestamp;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use tantivy::directory::MmapDirectory;
use tantivy::{Directory, IndexReader, IndexSettings, ReloadPolicy, Searcher, TantivyError, Term};

use super::analyzer::WordTokenizer;
use super::bonus::weighed;
use super::collector::CompiledSearch;
use super::directory::UnsyncedDirectory;
use super::documents::document;
use super::error::SearchError;
use super::facts::{Counts, Facet, Need};
use super::mapping::Mapping;
use super::mark::Mark;
use super::matching::Sought;
use super::order::Order;
use super::plan::{Attachments, Plan};
use super::query::Query;
use super::schema::{self, Fields, WORDS, record};
use super::snapshot::Snapshot;
use super::spelling::{Meant, Righted, Spelling};
use super::statistics::Statistics;
use super::top_k::Candidate;
use super::visibility::{Filter, Visibility};
use super::writer::Writer;
use crate::domain::id_set::IdSet;
use crate::domain::kind::Kind;
use crate::store::searchable::Source;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// The words.
    pub words: &'q Query,
    /// Who asks.
    pub visibility: &'q Visibility,
    /// The content types.
    pub kinds: &'q [Kind],
    /// The projects; `None` for all.
    pub projects: Option<&'q IdSet>,
    /// The closed statuses, when only open issues are asked for. Other types have no status.
    pub closed: Option<&'q IdSet>,
    /// Only titles.
    pub titles_only: bool,
    /// Names and descriptions of attachments.
    pub attachments: Attachments,
    /// Whether each word must be found, or any.
    pub all_words: bool,
    /// The order of the hits.
    pub order: Order,
    /// What is demanded of facts.
    pub needs: &'q [Need],
    /// What hits are counted by.
    pub facets: &'q [Facet],
    /// How many hits to skip.
    pub offset: usize,
    /// How many to return.
    pub limit: usize,
    /// The present moment, for the recency of hits.
    pub now: Timestamp,
}

impl<'q> Question<'q> {
    /// The first hits of these words, all of them demanded, in every type and project and in any text but that of attachments.
    pub fn plain(words: &'q Query, visibility: &'q Visibility, now: Timestamp, limit: usize) -> Question<'q> {
        Question {
            words,
            visibility,
            kinds: &Kind::ALL,
            projects: None,
            closed: None,
            titles_only: false,
            attachments: Attachments::Without,
            all_words: true,
            order: Order::Grouped,
            needs: &[],
            facets: &[],
            offset: 0,
            limit,
            now,
        }
    }
}

/// A record that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its content type.
    pub kind: Kind,
    /// Its id within the type.
    pub id: i64,
    /// Its score as a part of the best hit's; `None` when hits are ordered by date.
    pub score: Option<f32>,
}

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The hits from `offset` on, at most `limit`.
    pub page: Vec<Hit>,
    /// How many there are in all.
    pub total: u64,
    /// How many of each type, by [`Kind::code`].
    pub counts: [u64; 7],
    /// How many there are of each value of each facet that was asked for, in the order of asking.
    pub facets: Vec<(Facet, Counts)>,
    /// What the words probably meant, when nothing that the viewer may see has some of them: then it is answered with this.
    pub meant: Option<Meant>,
}

/// An open index.
pub struct Index {
    pub(super) inner: tantivy::Index,
    pub(super) fields: Fields,
    pub(super) mapping: Arc<Mapping>,
    reader: IndexReader,
    recent: ArcSwap<Snapshot>,
}

impl Index {
    /// An index in memory.
    pub fn in_memory(mapping: Arc<Mapping>) -> Result<Index, SearchError> {
        let (schema, fields) = schema::schema(&mapping);
        Index::around(tantivy::Index::create_in_ram(schema), fields, mapping)
    }

    /// A new index in an empty directory. Its commits are on the disk when they return, so that it can replace another index.
    pub fn create(directory: &Path, mapping: Arc<Mapping>) -> Result<Index, SearchError> {
        let (schema, fields) = schema::schema(&mapping);
        let directory = MmapDirectory::open(directory).map_err(TantivyError::from)?;
        Index::around(tantivy::Index::create(directory, schema, IndexSettings::default())?, fields, mapping)
    }

    /// The index in this directory. Its commits do not wait for the disk. Fails with [`SearchError::Damaged`] where the engine breaks
    /// down over what the files say.
    pub fn open(directory: &Path, mapping: Arc<Mapping>) -> Result<Index, SearchError> {
        catch_unwind(AssertUnwindSafe(|| Index::opened(directory, mapping))).unwrap_or(Err(SearchError::Damaged))
    }

    fn opened(directory: &Path, mapping: Arc<Mapping>) -> Result<Index, SearchError> {
        let (schema, fields) = schema::schema(&mapping);
        let inner = tantivy::Index::open(UnsyncedDirectory::open(directory).map_err(TantivyError::from)?)?;
        if inner.schema() != schema {
            return Err(SearchError::Foreign);
        }
        Index::around(inner, fields, mapping)
    }

    fn around(inner: tantivy::Index, fields: Fields, mapping: Arc<Mapping>) -> Result<Index, SearchError> {
        inner.tokenizers().register(WORDS, WordTokenizer);
        let reader = inner.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let recent = ArcSwap::from_pointee(Snapshot::of(reader.searcher()));
        Ok(Index { inner, fields, mapping, reader, recent })
    }

    /// What the index looks like and how it ranks.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// Whether the files of the last commit exist. Cheap: reads none of them. Fails when a resource is too short to tell.
    pub(super) fn is_whole(&self) -> Result<bool, SearchError> {
        let directory = self.inner.directory();
        let check = || -> Result<bool, TantivyError> {
            let mut missing = self.inner.load_metas()?.list_segment_files();
            let written = directory.list_managed_files(); // not every segment has every kind of file
            missing.retain(|path| written.contains(path) && !directory.exists(path).unwrap_or(true));
            // A merge may have replaced them a moment ago.
            Ok(missing.is_empty() || self.inner.load_metas()?.list_segment_files().is_disjoint(&missing))
        };
        unless_short(check().map_err(SearchError::from))
    }

    /// Whether every file of the last commit is as it was written, by its checksum. Reads them all. Fails when a resource is too
    /// short to tell.
    pub(super) fn is_sound(&self) -> Result<bool, SearchError> {
        let directory = self.inner.directory();
        let check = || -> Result<bool, TantivyError> {
            for path in self.inner.load_metas()?.list_segment_files() {
                // Not every segment has every kind of file; one that is needed and not there is missed when it is opened.
                if directory.exists(&path)? && !directory.validate_checksum(&path)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        unless_short(check().map_err(SearchError::from))
    }

    /// What the last commit says of the index; `None` when it is not one of ours.
    pub(super) fn mark(&self) -> Result<Option<Mark>, SearchError> {
        Ok(self.inner.load_metas()?.payload.as_deref().and_then(Mark::read))
    }

    /// Shows what was committed last.
    pub(super) fn reload(&self) -> Result<(), SearchError> {
        self.reader.reload()?;
        let next = self.snapshot().next(self.reader.searcher());
        self.recent.store(Arc::new(next));
        Ok(())
    }

    /// Looks up what every question needs, before the first is asked.
    pub(super) fn warm(&self) -> Result<(), SearchError> {
        let snapshot = self.snapshot();
        drop(snapshot.segments()?);
        for text in self.fields.text.iter().chain(&self.fields.titles) {
            snapshot.indexes(text.field)?;
        }
        Ok(())
    }

    pub(super) fn searcher(&self) -> Searcher {
        self.recent.load().searcher.clone()
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.recent.load_full()
    }

    /// Writes records that the index does not have yet, and shows them.
    pub fn fill(&self, sources: impl IntoIterator<Item = Source>) -> Result<(), SearchError> {
        let mut writer = Writer::bulk(self)?;
        for source in sources {
            writer.add(self, &source)?;
        }
        writer.commit("")?;
        writer.close()?;
        self.reload()
    }

    /// Answers a question.
    pub fn ask(&self, question: &Question<'_>) -> Result<Answer, SearchError> {
        if question.words.is_empty() {
            let facets = question.facets.iter().map(|facet| (*facet, Counts::new())).collect();
            return Ok(Answer { facets, ..Answer::default() });
        }
        let snapshot = &self.snapshot();
        // Where every word must be found, an answer that is not empty says that all are right.
        let strict = question.all_words || question.words.words.len() < 2;
        if !strict && let Some(righted) = self.righted(question, snapshot)? {
            let meant = Meant { query: righted.query(), text: righted.text() };
            let answer = self.answer(question, &meant.query, snapshot)?;
            return Ok(Answer { meant: Some(meant), ..answer });
        }
        let answer = self.answer(question, question.words, snapshot)?;
        if strict
            && answer.total == 0
            && let Some(mut righted) = self.righted(question, snapshot)?
        {
            let query = righted.query();
            let better = self.answer(question, &query, snapshot)?;
            if better.total > 0 {
                let counted = Question { limit: 0, facets: &[], order: Order::Date, ..question.clone() };
                righted.settle(|query| Ok::<_, SearchError>(self.answer(&counted, query, snapshot)?.total > 0))?;
                return Ok(Answer { meant: Some(Meant { query, text: righted.text() }), ..better });
            }
        }
        Ok(answer)
    }

    /// What the words of a question probably meant, whatever it is narrowed to.
    fn righted<'q>(&self, question: &Question<'q>, snapshot: &Snapshot) -> tantivy::Result<Option<Righted<'q>>> {
        let filter = Filter::new(question.visibility, &Kind::ALL, None, None);
        let attachments = if question.attachments == Attachments::Without { Attachments::Without } else { Attachments::With };
        let statistics = Statistics::new(snapshot, &self.fields, question.visibility);
        let plan = Plan {
            statistics: &statistics,
            fields: &self.fields,
            mapping: &self.mapping,
            visibility: question.visibility,
            titles_only: false,
            attachments,
            all_words: true,
        };
        Spelling { plan, filter, snapshot }.righted(question.words)
    }

    /// Answers a question with these words.
    fn answer(&self, question: &Question<'_>, words: &Query, snapshot: &Snapshot) -> Result<Answer, SearchError> {
        let mut collected = self.compile(question, words, snapshot)?.collect()?;
        let (top, counts) = (collected.max_score, collected.counts);
        let score = |hit: &Candidate| (question.order != Order::Date).then(|| if top > 0.0 { hit.score / top } else { 1.0 });
        let facets = question.facets.iter().copied().zip(std::mem::take(&mut collected.facets)).collect();
        let hits = collected.into_page(question.offset, question.limit);
        let page = hits.iter().filter_map(|hit| record(hit.key).map(|(kind, id)| Hit { kind, id, score: score(hit) })).collect();
        Ok(Answer { page, total: counts.iter().sum(), counts, facets, meant: None })
    }

    /// Compiles the search for a question with these words.
    pub(super) fn compile<'s>(
        &self,
        question: &Question<'s>,
        words: &Query,
        snapshot: &'s Snapshot,
    ) -> tantivy::Result<CompiledSearch<'s>> {
        let filter = Filter::new(question.visibility, question.kinds, question.projects, question.closed);
        let statistics = Statistics::new(snapshot, &self.fields, question.visibility);
        let plan = Plan {
            statistics: &statistics,
            fields: &self.fields,
            mapping: &self.mapping,
            visibility: question.visibility,
            titles_only: question.titles_only || words.is_in_title(),
            attachments: question.attachments,
            all_words: question.all_words,
        };
        let query = plan.query(words, &filter)?;
        let sought = Sought::of(&query, question.order != Order::Date, &statistics)?;
        let bonuses = if question.order == Order::Date { Vec::new() } else { plan.bonuses(words) };
        let mut excluded = plan.excluded(words)?;
        if words.is_outside_title() {
            excluded.push(Plan { titles_only: true, ..plan }.query(words, &filter)?);
        }
        let without = excluded.iter().map(|clause| Sought::of(clause, false, &statistics));
        Ok(CompiledSearch {
            snapshot,
            query: sought,
            excluded: without.collect::<tantivy::Result<_>>()?,
            needs: question.needs,
            facets: question.facets,
            order: question.order,
            bonuses: weighed(bonuses, &statistics)?,
            keep: if question.limit == 0 { 0 } else { question.offset.saturating_add(question.limit) },
            ranking: self.mapping.ranking.clone(),
            now: question.now.as_second(),
            filter,
        })
    }

    /// The document of a record under this index.
    pub(super) fn document(&self, source: &Source) -> tantivy::TantivyDocument {
        document(source, &self.mapping, &self.fields)
    }

    /// The term that finds a record.
    pub(super) fn key(&self, kind: Kind, id: i64) -> Term {
        Term::from_field_u64(self.fields.key, schema::key(kind, id))
    }
}

/// Whether a check of files succeeded, where its failure is not due to a shortage of resources.
fn unless_short(outcome: Result<bool, SearchError>) -> Result<bool, SearchError> {
    match outcome {
        Err(error) if !error.is_shortage() => Ok(false),
        outcome => outcome,
    }
}

#[cfg(test)]
pub(super) mod tests;
