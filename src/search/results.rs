//! Results: hits loaded from the store, with the words of the query marked in them.
//!
//! Invariant: records are loaded with the viewer's own condition, so a stale index never shows what
//! the viewer may not see. Notes, custom fields and attachments are loaded only where the record's
//! own text does not show every word. May import: `domain`, the store (reads), and everything in
//! `search`.

use std::collections::HashMap;

use super::error::SearchError;
use super::explain::{Explanation, normalized};
use super::facade::Search;
use super::highlight::{Highlighter, RenderedHit, TextField};
use super::query::clause::Place;
use super::request::{Attachments, Hit, SearchRequest};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::JournalId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::{Details, SearchRecord};
use quarry_store::Read;
use quarry_store::index_feed::search_records;

/// A hit with its record.
pub struct SearchResult {
    pub record: SearchRecord,
    /// Its title and excerpt, with the words marked.
    pub rendered: RenderedHit,
    /// Its score relative to the best hit; `None` when hits are sorted by date.
    pub score: Option<f32>,
    /// Why it matches, if requested.
    pub explanation: Option<MatchExplanation>,
}

impl SearchResult {
    /// Returns the journal with the first note that the excerpt shows for a word of the query.
    pub fn journal(&self) -> Option<JournalId> {
        let passages = &self.rendered.excerpt.passages;
        let passage = passages
            .iter()
            .find(|passage| passage.field == TextField::Notes && !passage.marks().is_empty())?;
        let before = texts(&self.record)
            .take_while(|(field, _)| *field == TextField::Text)
            .count();
        let note = passage.source.checked_sub(before)?;
        self.record.journals.get(note).copied()
    }
}

/// Why a record matches.
pub struct MatchExplanation {
    /// The words of the query, in the order of the query.
    pub words: Vec<WordMatch>,
    /// The parts of the score; `None` when hits are sorted by date.
    pub score: Option<Explanation>,
}

/// Where one word of the query occurs in a record.
pub struct WordMatch {
    /// The word as it is normalized.
    pub word: String,
    /// The searched texts with the word that the viewer may read.
    pub fields: Vec<TextField>,
    /// What the word adds to the score.
    pub score: Option<f32>,
}

/// The results for a page of hits.
pub struct ResultPage {
    /// The results in the order of the hits, without those that the store does not show to the
    /// viewer.
    pub results: Vec<SearchResult>,
    /// How many hits the page covers: fewer than given where their texts are long. The next page
    /// starts after them.
    pub considered: usize,
}

/// Loads the records of hits and marks the words of the query in them.
pub struct ResultLoader<'r, 'd> {
    /// The index that found the hits.
    pub search: &'r Search,
    /// The store.
    pub db: &'r Read<'d>,
    /// The viewer who sees the results.
    pub viewer: &'r Viewer,
    /// The request that found the hits.
    pub request: &'r SearchRequest<'r>,
    /// Returns the text that precedes the title of a record, and that title.
    pub title_parts: for<'f> fn(&'f SearchRecord, &Catalogue) -> (String, &'f str),
    /// Whether each result is explained.
    pub explain: bool,
}

/// Records with their highlights.
type Records = HashMap<(Kind, i64), (SearchRecord, RenderedHit)>;

impl ResultLoader<'_, '_> {
    /// Loads the results for these hits, as many as fit into a page with their texts.
    pub fn load(&self, hits: &[Hit]) -> Result<ResultPage, SearchError> {
        self.load_part(hits, &self.highlighter())
    }

    /// Loads the results for all of these hits, and converts each. The texts of a part are dropped
    /// before the next part is loaded.
    pub fn load_all<T>(
        &self,
        mut hits: &[Hit],
        mut convert: impl FnMut(SearchResult) -> T,
    ) -> Result<Vec<T>, SearchError> {
        let highlighter = self.highlighter();
        let mut results = Vec::with_capacity(hits.len());
        while !hits.is_empty() {
            let part = self.load_part(hits, &highlighter)?;
            results.extend(part.results.into_iter().map(&mut convert));
            // At least one, so that it ends.
            hits = &hits[part.considered.clamp(1, hits.len())..];
        }
        Ok(results)
    }

    fn highlighter(&self) -> Highlighter<'_> {
        Highlighter::new(self.request.query, !self.request.all_words)
    }

    fn load_part(
        &self,
        hits: &[Hit],
        highlighter: &Highlighter<'_>,
    ) -> Result<ResultPage, SearchError> {
        let ids: Vec<(Kind, i64)> = hits.iter().map(|hit| (hit.kind, hit.id)).collect();
        let (page, considered) = search_records::load_page(self.db, self.viewer, &ids)?;
        let hits = &hits[..considered];
        let mut records = self.render_all(page, highlighter)?;
        let explanations = if self.explain {
            self.explain(hits, highlighter, &records)?
        } else {
            Vec::new()
        };
        let mut explanations = explanations.into_iter();
        let results = hits.iter().filter_map(|hit| {
            let explanation = explanations.next().flatten();
            let (record, rendered) = records.remove(&(hit.kind, hit.id))?;
            Some(SearchResult {
                record,
                rendered,
                score: hit.score,
                explanation,
            })
        });
        Ok(ResultPage {
            results: results.collect(),
            considered,
        })
    }

    fn render(&self, record: &SearchRecord, highlighter: &Highlighter<'_>) -> RenderedHit {
        let (prefix, title) = (self.title_parts)(record, self.db.catalogue());
        highlighter.render(&prefix, title, texts(record))
    }

    fn render_all(
        &self,
        page: Vec<SearchRecord>,
        highlighter: &Highlighter<'_>,
    ) -> Result<Records, SearchError> {
        let mut records: Records = HashMap::with_capacity(page.len());
        let mut incomplete: HashMap<Kind, HashMap<i64, SearchRecord>> = HashMap::new();
        let mut rendered = HashMap::new();
        for record in page {
            let key = (record.kind, record.id);
            let hit = self.render(&record, highlighter);
            if self.explain || !hit.excerpt.complete {
                rendered.insert(key, hit);
                incomplete
                    .entry(record.kind)
                    .or_default()
                    .insert(record.id, record);
            } else {
                records.insert(key, (record, hit));
            }
        }
        for (kind, mut incomplete) in incomplete {
            search_records::load_related(self.db, self.viewer, kind, &mut incomplete)?;
            records.extend(incomplete.into_values().filter_map(|record| {
                let key = (kind, record.id);
                let hit = if record.has_related_texts() {
                    self.render(&record, highlighter)
                } else {
                    rendered.remove(&key)?
                };
                Some((key, (record, hit)))
            }));
        }
        Ok(records)
    }

    /// Explains each hit that has a record.
    fn explain(
        &self,
        hits: &[Hit],
        highlighter: &Highlighter<'_>,
        records: &Records,
    ) -> Result<Vec<Option<MatchExplanation>>, SearchError> {
        let request = self.request;
        let scores = self.search.explain(request, hits)?;
        let place = request.query.place();
        let titles_only = request.titles_only;
        let explanations = hits.iter().zip(scores).map(|(hit, score)| {
            let (record, _) = records.get(&(hit.kind, hit.id))?;
            let title = (
                TextField::Title,
                record.title.lines().next().unwrap_or_default(),
            );
            let texts =
                std::iter::once(title)
                    .chain(texts(record))
                    .filter(|(field, _)| match place {
                        Some(place) => is_in_place(*field, place),
                        None => is_searched(*field, request.attachments, titles_only),
                    });
            let words = request
                .query
                .every_word()
                .zip(highlighter.fields(texts))
                .enumerate();
            let words = words.map(|(index, (word, fields))| WordMatch {
                word: normalized(word),
                fields,
                score: score
                    .as_ref()
                    .and_then(|score| score.words.get(index))
                    .copied(),
            });
            Some(MatchExplanation {
                words: words.collect(),
                score,
            })
        });
        Ok(explanations.collect())
    }
}

/// The number of results with all words from which on others are inserted among them; fewer come
/// first.
pub const MIN_WITH_ALL_WORDS: u64 = 3;

/// Inserts results that lack a word among those with all words, in the order of `best`: the best
/// results of a search for any of the words. Those with all words keep their order. Returns how many
/// were inserted.
pub fn insert_partial_results<T>(
    results: &mut Vec<T>,
    best: Vec<T>,
    is_same: impl Fn(&T, &T) -> bool,
    is_partial: impl Fn(&T) -> bool,
) -> usize {
    let mut inserted = 0;
    let mut place = 0;
    for result in best {
        if let Some(known) = results.iter().position(|other| is_same(other, &result)) {
            place = place.max(known + 1);
        } else if is_partial(&result) {
            results.insert(place, result);
            place += 1;
            inserted += 1;
        }
    }
    inserted
}

/// Returns the texts that an excerpt is made of: all but the title, which is shown anyway.
fn texts(record: &SearchRecord) -> impl Iterator<Item = (TextField, &str)> + Clone {
    let own = match record.kind {
        Kind::Changeset => record.title.split_once('\n').map_or("", |(_, rest)| rest),
        _ => record.text.as_deref().unwrap_or_default(),
    };
    let summary = match &record.details {
        Details::News { summary } => summary.as_str(),
        _ => "",
    };
    let texts = [(TextField::Text, summary), (TextField::Text, own)].into_iter();
    texts
        .chain(in_field(TextField::Notes, &record.notes))
        .chain(in_field(TextField::CustomFields, &record.custom))
        .chain(in_field(TextField::Attachments, &record.attachments))
        .filter(|(_, text)| !text.is_empty())
}

fn in_field(field: TextField, texts: &[String]) -> impl Iterator<Item = (TextField, &str)> + Clone {
    texts.iter().map(move |text| (field, text.as_str()))
}

/// Whether a place has a field.
fn is_in_place(field: TextField, place: Place) -> bool {
    match place {
        Place::Title => field == TextField::Title,
        Place::Text => field == TextField::Text,
        Place::Notes => field == TextField::Notes,
        Place::Files => field == TextField::Attachments,
    }
}

/// Whether a request searches a field.
fn is_searched(field: TextField, attachments: Attachments, titles_only: bool) -> bool {
    match attachments {
        Attachments::Only => field == TextField::Attachments,
        _ if field == TextField::Title => true,
        Attachments::Without if field == TextField::Attachments => false,
        _ => field == TextField::Attachments || !titles_only,
    }
}
