//! Asks the index, and reads what it proposes through the store with the viewer's own condition.

use super::facets::{Value, values as facet_values};
use super::question::Asked;
use super::title;
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use crate::domain::visibility;
use crate::http::{Ask, Error, Listing};
use crate::search::{Attachments, Explanation, Facet, Highlighter, Hit, Look, Place, Question, compared, narrow};
use crate::store::found::{self, Found, Particulars};
use crate::store::{Read, issues};
use std::collections::HashMap;
use std::sync::Arc;

/// A record that was found, with what only a search knows of it.
pub struct Shown {
    /// The record.
    pub found: Found,
    /// What it is called and what it says around the words.
    pub look: Arc<Look>,
    /// Its score as a part of the best hit's; `None` by date.
    pub score: Option<f32>,
    /// Why it was found, where that was asked for.
    pub reasons: Option<Reasons>,
}

/// Why a record was found.
pub struct Reasons {
    /// Each word as it was compared, in which of the texts that were searched and that the viewer may read it stands, and what it
    /// added to the score.
    pub words: Vec<(String, Vec<Place>, Option<f32>)>,
    /// Of what the score is made; `None` by date.
    pub parts: Option<Explanation>,
}

/// A page of hits, and how many there are.
pub struct Hits {
    /// The page.
    pub page: Vec<Shown>,
    /// How many there are in all for this viewer.
    pub total: i64,
    /// How many of each content type that was searched.
    pub counts: Vec<(Kind, i64)>,
    /// How many there are of each value of each facet that was asked for.
    pub facets: Vec<(Facet, Vec<Value>)>,
    /// What was probably meant and has been found, where nothing that the viewer may see has a word as it was asked.
    pub did_you_mean: Option<String>,
}

/// What the words find among what the viewer may see.
pub fn find(ask: &Ask, db: &Read<'_>, asked: &Asked, words: &str, listing: &Listing) -> Result<Hits, Error> {
    let query = ask.app.search.parse(words).map_err(|bad| Error::invalid(bad.to_string()))?;
    let (offset, most) = (usize::try_from(listing.offset).unwrap_or(usize::MAX), ask.app.search.bounds().offset);
    if offset > most {
        return Err(Error::invalid(format!("offset must be at most {most} in a search; narrow q instead")));
    }
    let needs = narrow(&query.qualifiers, db.catalogue(), ask.viewer()).map_err(|bad| Error::invalid(bad.to_string()))?;
    let statuses = db.catalogue().statuses.iter();
    let closed = asked.open_issues.then(|| statuses.filter(|status| status.is_closed).map(|status| status.id).collect());
    let question = Question {
        words: &query,
        visibility: &ask.asker.visibility,
        kinds: &asked.kinds,
        projects: asked.projects.as_ref(),
        closed: closed.as_ref(),
        titles_only: asked.titles_only,
        attachments: asked.attachments,
        all_words: asked.all_words,
        order: asked.order,
        needs: &needs,
        facets: &asked.facets,
        offset,
        limit: usize::try_from(listing.limit).unwrap_or(0),
        now: ask.app.clock.now(),
    };
    let answer = ask.app.search.ask(&question)?;
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let counts = asked.kinds.iter().map(|kind| (*kind, number(answer.counts[usize::from(kind.code())])));
    let facets = answer.facets.iter().map(|(facet, counts)| (*facet, facet_values(*facet, counts, db.catalogue()))).collect();
    let said = Question { words: answer.meant.as_ref().map_or(&query, |meant| &meant.query), ..question };
    let page = shown(ask, db, asked, &said, &answer.page)?;
    let did_you_mean = answer.meant.as_ref().map(|meant| meant.text.clone());
    Ok(Hits { page, total: number(answer.total), counts: counts.collect(), facets, did_you_mean })
}

/// The hits as the store knows them, in their order. What the store does not show to the viewer is not shown.
fn shown(ask: &Ask, db: &Read<'_>, asked: &Asked, question: &Question<'_>, hits: &[Hit]) -> Result<Vec<Shown>, Error> {
    let highlighter = Highlighter::of(question.words, !asked.all_words);
    let mut records: HashMap<(Kind, i64), Found> = HashMap::new();
    let looking = ask.app.search.looks().of(&highlighter);
    let look = |record: &Found| {
        let (before, title) = title::parts(record, db.catalogue());
        looking.look((&before, title), texts(record))
    };
    let mut looks: HashMap<(Kind, i64), Arc<Look>> = HashMap::new();
    for kind in Kind::ALL {
        let ids: Vec<i64> = hits.iter().filter(|hit| hit.kind == kind).map(|hit| hit.id).collect();
        if ids.is_empty() {
            continue;
        }
        let own = found::load_own(db, ask.viewer(), kind, &ids)?;
        looks.extend(own.iter().map(|(id, record)| ((kind, *id), look(record))));
        // What stands beside a record is read only where its own text does not show all the words.
        let lacks = |id: &i64| asked.explained || looks.get(&(kind, *id)).is_some_and(|look| !look.excerpt.complete);
        let (mut more, own): (HashMap<_, _>, HashMap<_, _>) = own.into_iter().partition(|(id, _)| lacks(id));
        found::load_beside(db, ask.viewer(), kind, &mut more)?;
        looks.extend(more.iter().filter(|(_, record)| record.has_texts_beside()).map(|(id, record)| ((kind, *id), look(record))));
        records.extend(own.into_iter().chain(more).map(|(id, record)| ((kind, id), record)));
    }
    let mut reasons = if asked.explained { reasons(ask, question, hits, &highlighter, &records)? } else { Vec::new() }.into_iter();
    let hits = hits.iter().filter_map(|hit| {
        let reasons = reasons.next().flatten();
        let found = records.remove(&(hit.kind, hit.id))?;
        let look = looks.remove(&(hit.kind, hit.id))?;
        Some(Shown { look, score: hit.score, reasons, found })
    });
    Ok(hits.collect())
}

/// The reasons of each hit that is shown.
fn reasons(
    ask: &Ask,
    question: &Question<'_>,
    hits: &[Hit],
    highlighter: &Highlighter<'_>,
    records: &HashMap<(Kind, i64), Found>,
) -> Result<Vec<Option<Reasons>>, Error> {
    let parts = ask.app.search.explain(question, hits)?;
    let only_title = question.titles_only || question.words.is_in_title();
    let searched = |place: Place| match question.attachments {
        Attachments::Only => place == Place::Attachments,
        _ if place == Place::Title => true,
        Attachments::Without if place == Place::Attachments => false,
        _ => place == Place::Attachments || !only_title,
    };
    let explained = hits.iter().zip(parts).map(|(hit, parts)| {
        let found = records.get(&(hit.kind, hit.id))?;
        let title = (Place::Title, found.title.lines().next().unwrap_or_default());
        let texts = std::iter::once(title).chain(texts(found)).filter(|(place, _)| searched(*place));
        let words = question.words.every_word().zip(highlighter.places(texts)).enumerate();
        let added = |number: usize| parts.as_ref().and_then(|parts| parts.words.get(number)).copied();
        let words = words.map(|(number, (word, places))| (compared(word), places, added(number))).collect();
        Some(Reasons { words, parts })
    });
    Ok(explained.collect())
}

/// What an excerpt may be made of: everything but the title, which is shown anyway.
fn texts(found: &Found) -> impl Iterator<Item = (Place, &str)> + Clone {
    let own = match found.kind {
        Kind::Changeset => found.title.split_once('\n').map_or("", |(_, rest)| rest),
        _ => &found.text,
    };
    let summary = match &found.particulars {
        Particulars::News { summary } => summary.as_str(),
        _ => "",
    };
    let texts = [(Place::Text, summary), (Place::Text, own)].into_iter();
    let texts = texts.chain(found.notes.iter().map(|text| (Place::Notes, text.as_str())));
    let texts = texts.chain(found.custom.iter().map(|text| (Place::CustomFields, text.as_str())));
    let texts = texts.chain(found.attachments.iter().map(|text| (Place::Attachments, text.as_str())));
    texts.filter(|(_, text)| !text.is_empty())
}

/// `12` and `#12` lead to that issue, if it is there for the viewer (spec, "Content search" rule 2).
pub fn numbered_issue(ask: &Ask, db: &Read<'_>, words: &str) -> Result<Option<IssueId>, Error> {
    let words = words.trim();
    let digits = words.strip_prefix('#').unwrap_or(words);
    let number = digits.parse::<i64>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(id) = number.map(IssueId) else { return Ok(None) };
    Ok(issues::find(db, visibility::issues(ask.viewer()), id)?.map(|issue| issue.id))
}
