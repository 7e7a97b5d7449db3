//! JSON and XML of search results (compatibility 2.3 and 10).

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::http::search::facets::FacetValue;
use crate::http::search::title;
use crate::search::{Alternative, DidYouMean, Facet, MatchExplanation, SearchResult};
use crate::store::search_records::SearchRecord;
use crate::wire::Fields;
use std::sync::Arc;

/// What the output of results needs besides the results.
pub struct ViewContext {
    /// Catalogue with the names of trackers, statuses and projects.
    pub catalogue: Arc<Catalogue>,
    /// URL of the service.
    pub base: String,
    /// Whether results have the whole text.
    pub with_description: bool,
    /// Whether results have fields that Redmine's do not have.
    pub with_extras: bool,
}

/// Writes the fields of a result: Redmine's six, then ours.
pub fn result(w: &mut Fields, result: &SearchResult, context: &ViewContext) {
    let record = &result.record;
    w.field("id", record.id);
    w.field("title", &result.rendered.title.text);
    w.field("type", title::kind(record, &context.catalogue));
    w.field(
        "url",
        format!(
            "{}{}",
            context.base,
            title::path(record, &context.catalogue)
        ),
    );
    if context.with_description {
        w.field("description", description(record));
    }
    w.field("datetime", record.created_on);
    if context.with_extras {
        w.reference(
            "project",
            record.project.0,
            context
                .catalogue
                .projects
                .get(&record.project)
                .map_or("", |project| &project.name),
        );
        w.field("excerpt", result.rendered.excerpt.html());
        w.maybe("score", result.score.map(rounded));
        w.field("title_html", result.rendered.title.html());
        highlights(w, result);
        if let Some(explanation) = &result.explanation {
            w.nested("explain", |w| explain(w, explanation));
        }
    }
}

/// Rounds a score to four decimal places.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

/// Writes the title and the passages of the excerpt as text, with the positions of the matching
/// words in Unicode scalar values: `from` inclusive, `to` exclusive, counted from 0.
fn highlights(w: &mut Fields, result: &SearchResult) {
    let passages = std::iter::once(&result.rendered.title).chain(&result.rendered.excerpt.passages);
    w.items("highlights", "highlight", passages, |w, passage| {
        w.attribute("in", passage.field.name());
        w.field("text", &passage.text);
        w.items("marks", "mark", passage.marks(), |w, (from, to)| {
            w.attribute("from", from);
            w.attribute("to", to);
        });
    });
}

/// Writes which words each text contains, and what each part added to the score.
fn explain(w: &mut Fields, explanation: &MatchExplanation) {
    w.items("words", "word", &explanation.words, |w, word| {
        w.field("word", &word.word);
        w.texts("in", "text", word.fields.iter().map(|field| field.name()));
        w.maybe("added", word.score.map(rounded));
    });
    if let Some(parts) = &explanation.score {
        if explanation.words.is_empty() {
            w.field("base", rounded(parts.base));
        }
        w.field("exact_title", rounded(parts.exact_title));
        w.field("adjacent_words", rounded(parts.adjacent_words));
        w.field("recency", rounded(parts.recency));
    }
}

/// Returns the whole text, if there is one; of a changeset without its first line.
fn description(record: &SearchRecord) -> Option<&str> {
    match record.kind {
        Kind::Changeset => Some(
            record
                .title
                .split_once('\n')
                .map_or("", |(_, rest)| rest.trim()),
        ),
        _ => Some(record.text.as_str()).filter(|_| record.has_text),
    }
}

/// Writes the correction of the query, and other searches that find more.
pub fn suggestions(
    w: &mut Fields,
    did_you_mean: Option<&DidYouMean>,
    alternatives: &[Alternative],
) {
    if let Some(meant) = did_you_mean {
        w.field("did_you_mean", &meant.text);
        w.field("did_you_mean_count", meant.total);
    }
    if alternatives.is_empty() {
        return;
    }
    w.items(
        "alternatives",
        "alternative",
        alternatives,
        |w, alternative| {
            w.field("q", &alternative.text);
            w.field("all_words", alternative.all_words);
            w.texts(
                "without",
                "word",
                alternative.without.iter().map(String::as_str),
            );
            w.field("total_count", alternative.total);
        },
    );
}

/// Writes the requested facets by name: values with the number of results, most frequent first.
pub fn facets(w: &mut Fields, facets: &[(Facet, Vec<FacetValue>)]) {
    if facets.is_empty() {
        return;
    }
    w.nested("facets", |w| {
        for (facet, values) in facets {
            w.items(facet.name(), "value", values, |w, value| {
                if *facet != Facet::Type {
                    w.attribute("id", value.id);
                }
                w.attribute("name", &value.name);
                w.attribute("count", value.count);
            });
        }
    });
}

/// Writes a record in short form: the fields of a result without an excerpt.
pub fn summary(w: &mut Fields, record: &SearchRecord, score: Option<f32>, context: &ViewContext) {
    w.field("id", record.id);
    w.field("title", title::title(record, &context.catalogue));
    w.field("type", title::kind(record, &context.catalogue));
    w.field(
        "url",
        format!(
            "{}{}",
            context.base,
            title::path(record, &context.catalogue)
        ),
    );
    if context.with_description {
        w.field("description", description(record));
    }
    w.field("datetime", record.created_on);
    w.reference(
        "project",
        record.project.0,
        context
            .catalogue
            .projects
            .get(&record.project)
            .map_or("", |project| &project.name),
    );
    w.maybe("score", score.map(rounded));
}
