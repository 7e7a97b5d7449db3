//! How a search result looks outside (contract 8, part A).

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::http::search::facets::Value;
use crate::http::search::{Reasons, Shown, title};
use crate::search::Facet;
use crate::store::found::Found;
use crate::wire::Fields;
use std::borrow::Cow;
use std::sync::Arc;

/// What stands around the results of an answer.
pub struct Around {
    /// Names of trackers, statuses and projects.
    pub catalogue: Arc<Catalogue>,
    /// The address of the service.
    pub base: String,
    /// Whether results have the whole text.
    pub with_description: bool,
    /// Whether results have what Redmine's do not have.
    pub with_extras: bool,
}

/// The fields of a result: Redmine's six, then ours.
pub fn result(w: &mut Fields, shown: &Shown, around: &Around) {
    let found = &shown.found;
    w.field("id", found.id);
    w.field("title", &shown.rendered.title.text);
    w.field("type", title::kind(found, &around.catalogue));
    w.field("url", format!("{}{}", around.base, title::path(found, &around.catalogue)));
    if around.with_description {
        w.field("description", description(found));
    }
    w.field("datetime", found.created_on);
    if around.with_extras {
        w.reference("project", found.project.0, around.catalogue.projects.get(&found.project).map_or("", |project| &project.name));
        w.field("excerpt", shown.rendered.excerpt.html());
        w.maybe("score", shown.score.map(rounded));
        w.field("title_html", shown.rendered.title.html());
        highlights(w, shown);
        if let Some(reasons) = &shown.reasons {
            w.nested("explain", |w| explain(w, reasons));
        }
    }
}

/// Four digits after the point.
fn rounded(part: f32) -> f64 {
    (f64::from(part) * 1e4).round() / 1e4
}

/// The title and the passages of the excerpt as text, with where the words stand in it: from which character (Unicode scalar value,
/// the first is 0) to which, the second not included.
fn highlights(w: &mut Fields, shown: &Shown) {
    let passages = std::iter::once(&shown.rendered.title).chain(&shown.rendered.excerpt.passages);
    w.items("highlights", "highlight", passages, |w, passage| {
        w.attribute("in", passage.place.name());
        w.field("text", &passage.text);
        w.items("marks", "mark", passage.marks(), |w, (from, to)| {
            w.attribute("from", from);
            w.attribute("to", to);
        });
    });
}

/// Which words stand where, and what each part added to the score.
fn explain(w: &mut Fields, reasons: &Reasons) {
    w.items("words", "word", &reasons.words, |w, (word, places, added)| {
        w.field("word", word);
        w.texts("in", "text", places.iter().map(|place| place.name()));
        w.maybe("added", added.map(rounded));
    });
    if let Some(parts) = &reasons.parts {
        if reasons.words.is_empty() {
            w.field("base", rounded(parts.base));
        }
        w.field("exact_title", rounded(parts.exact_title));
        w.field("adjacent_words", rounded(parts.adjacent_words));
        w.field("recency", rounded(parts.recency));
    }
}

/// The whole text; of a changeset what follows the first line.
fn description(found: &Found) -> Cow<'_, str> {
    match found.kind {
        Kind::Changeset => Cow::Borrowed(found.title.split_once('\n').map_or("", |(_, rest)| rest.trim())),
        _ => Cow::Borrowed(&found.text),
    }
}

/// The facets that were asked for, each under its name: values with how many hits have them, the most frequent first.
pub fn facets(w: &mut Fields, facets: &[(Facet, Vec<Value>)]) {
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

/// A record in short: the fields of a result without an excerpt.
pub fn brief(w: &mut Fields, found: &Found, score: Option<f32>, around: &Around) {
    w.field("id", found.id);
    w.field("title", title::title(found, &around.catalogue));
    w.field("type", title::kind(found, &around.catalogue));
    w.field("url", format!("{}{}", around.base, title::path(found, &around.catalogue)));
    if around.with_description {
        w.field("description", description(found));
    }
    w.field("datetime", found.created_on);
    w.reference("project", found.project.0, around.catalogue.projects.get(&found.project).map_or("", |project| &project.name));
    w.maybe("score", score.map(|score| (f64::from(score) * 1e4).round() / 1e4));
}
