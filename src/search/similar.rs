//! The issues that are most like a text: probably the same, told by somebody else.
//!
//! The most telling terms of the text become a question, and hits are judged by the same filter as those of any question. Only text
//! that everybody reads who sees the issue decides what is like it: no private notes, no custom fields. The text itself comes from
//! the caller, who gives what the asker may read.

use jiff::Timestamp;
use std::collections::HashMap;
use tantivy::Term;
use tantivy::schema::Field;

use super::analyzer::Pieces;
use super::bonus::{Bonus, weighed};
use super::collector::CompiledSearch;
use super::error::SearchError;
use super::facade::Search;
use super::index::{Hit, Index};
use super::mapping::{Likeness, Ranking};
use super::matching::{Clause, Sought};
use super::order::Order;
use super::plan::{Attachments, Plan};
use super::query::{Query, Word};
use super::schema::record;
use super::snapshot::Snapshot;
use super::statistics::Statistics;
use super::visibility::{Filter, Visibility};
use crate::domain::id_set::IdSet;
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;

/// A text whose like is looked for among the issues. All of it is text that the viewer may read.
#[derive(Clone, Copy, Debug)]
pub struct Like<'q> {
    /// What it is called.
    pub subject: &'q str,
    /// What it says at length.
    pub description: &'q str,
    /// What was said about it.
    pub notes: &'q [String],
    /// The issue to which the text belongs; it is not like itself.
    pub except: Option<IssueId>,
    /// Who asks.
    pub visibility: &'q Visibility,
    /// The projects; `None` for all.
    pub projects: Option<&'q IdSet>,
    /// The closed statuses, when only open issues are asked for.
    pub closed: Option<&'q IdSet>,
    /// When the text was written: what was written at the same time is more often the same.
    pub written: Timestamp,
    /// How many hits to return at most.
    pub limit: usize,
}

impl Search {
    /// The issues that are most like a text, most like first.
    pub fn similar(&self, like: &Like<'_>) -> Result<Vec<Hit>, SearchError> {
        self.reading(|index| index.similar(like, &index.mapping().similar))
    }
}

impl Index {
    /// The issues that are most like a text, most like first; the score is a part of the best hit's.
    pub fn similar(&self, like: &Like<'_>, by: &Likeness) -> Result<Vec<Hit>, SearchError> {
        let snapshot = self.snapshot();
        let collected = self.compile_similar(like, by, &snapshot)?.collect()?;
        let itself = |kind, id| kind == Kind::Issue && like.except.is_some_and(|except| except.0 == id);
        let hits = collected.into_page(0, like.limit.saturating_add(1)).into_iter();
        let hits = hits.filter_map(|hit| record(hit.key).map(|(kind, id)| (kind, id, hit.score)));
        let hits: Vec<(Kind, i64, f32)> = hits.filter(|(kind, id, _)| !itself(*kind, *id)).collect();
        let top = hits.first().map_or(0.0, |hit| hit.2);
        let part = |score: f32| if top > 0.0 { score / top } else { 1.0 };
        let hits = hits.into_iter().map(|(kind, id, score)| Hit { kind, id, score: Some(part(score)) });
        Ok(hits.filter(|hit| hit.score >= Some(by.least)).take(like.limit).collect())
    }

    /// Compiles the search for what is like a text.
    fn compile_similar<'s>(&self, like: &Like<'_>, by: &Likeness, snapshot: &'s Snapshot) -> tantivy::Result<CompiledSearch<'s>> {
        let statistics = Statistics::new(snapshot, &self.fields, like.visibility);
        let plan = Plan {
            statistics: &statistics,
            fields: &self.fields,
            mapping: &self.mapping,
            visibility: like.visibility,
            titles_only: false,
            attachments: Attachments::Without,
            all_words: false,
        };
        let query = self.likeness(like, by, &plan)?;
        Ok(CompiledSearch {
            snapshot,
            filter: Filter::new(like.visibility, &[Kind::Issue], like.projects, like.closed),
            query: Sought::of(&query, true, &statistics)?,
            excluded: Vec::new(),
            needs: &[],
            facets: &[],
            order: Order::Relevance,
            bonuses: weighed(self.subject_bonuses(like, by, &plan), &statistics)?,
            // One more than is asked for, because the issue itself is among them.
            keep: like.limit.saturating_add(1),
            ranking: Ranking { recency_weight: by.nearness_weight, recency_days: by.nearness_days, ..self.mapping.ranking.clone() },
            now: like.written.as_second(),
        })
    }

    /// What records have that are like the text.
    fn likeness(&self, like: &Like<'_>, by: &Likeness, plan: &Plan<'_>) -> tantivy::Result<Clause> {
        let mut clauses = Vec::new();
        for text in &self.fields.text {
            for (term, weight) in self.telling(like, by, plan.statistics, text.field)? {
                clauses.push(Clause::Term(Term::from_field_text(text.field, &term)).boosted(weight * text.weight));
            }
        }
        Ok(Clause::any(clauses))
    }

    /// What the subject adds besides, as the words of a question would.
    fn subject_bonuses(&self, like: &Like<'_>, by: &Likeness, plan: &Plan<'_>) -> Vec<Bonus> {
        let bounds = &self.mapping.bounds;
        let words = cut(like.subject, by.characters).split_whitespace().filter_map(|word| Word::read(word, false, bounds));
        let subject = Query { words: words.take(bounds.query_words).collect(), ..Query::default() };
        plan.bonuses(&subject).into_iter().map(|bonus| Bonus { factor: bonus.factor * by.subject, ..bonus }).collect()
    }

    /// The most telling terms of the text with their weights: those that it says often and few others say.
    fn telling(&self, like: &Like<'_>, by: &Likeness, statistics: &Statistics<'_>, field: Field) -> tantivy::Result<Vec<(String, f32)>> {
        let mut weights: HashMap<String, (f32, f32)> = HashMap::new();
        let own = if like.except.is_some() { 1.0 } else { 0.0 };
        let notes = like.notes.iter().map(String::as_str);
        // What the issue alone has in its subject or description finds nothing but itself. A note may be private, and then its
        // words are not counted as the issue's.
        for (weight, texts, least) in [
            (by.subject, vec![like.subject], 1.0 + own),
            (by.description, vec![like.description], 1.0 + own),
            (by.notes, notes.collect(), 1.0),
        ] {
            if weight <= 0.0 {
                continue;
            }
            for (term, count) in count(&texts, by.characters) {
                let entry = weights.entry(term).or_insert((0.0, least));
                entry.0 += weight * (1.0 + (count as f32).ln());
            }
        }
        let mut telling = Vec::with_capacity(weights.len());
        for (term, (weight, least)) in weights {
            let frequency = statistics.frequency(&Term::from_field_text(field, &term), None)?;
            if frequency >= least {
                telling.push((weight * statistics.rarity_of(frequency), term, weight));
            }
        }
        telling.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        telling.truncate(by.terms);
        Ok(telling.into_iter().map(|(_, term, weight)| (term, weight)).collect())
    }
}

/// How often each term stands in these texts, of which so many characters are read.
fn count(texts: &[&str], mut characters: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for text in texts {
        let text = cut(text, characters);
        characters -= text.chars().count();
        let mut pieces = Pieces::of(text);
        while let Some(piece) = pieces.advance() {
            if piece.readings != 0 {
                *counts.entry(piece.term.clone()).or_default() += 1;
            }
        }
    }
    counts
}

/// The first characters of a text.
fn cut(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}
