//! Asks the index, and reads what it proposes through the store with the viewer's own condition.

use super::facets::{Value, values as facet_values};
use super::question::Asked;
use super::title;
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use crate::domain::visibility;
use crate::http::{Ask, Error, Listing};
use crate::search::{Attachments, Explanation, Facet, Highlighter, Hit, Place, Question, RenderedHit, compared, narrow};
use crate::store::found::{self, Found, Particulars};
use crate::store::{Read, issues};
use std::collections::HashMap;

/// A record that was found, with what only a search knows of it.
pub struct Shown {
    /// The record.
    pub found: Found,
    /// Its title and excerpt, with the words marked.
    pub rendered: RenderedHit,
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
    /// How many hits the page covers; fewer than its limit where their texts are long. The next page begins behind them.
    pub considered: usize,
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
    let (page, considered) = shown(ask, db, asked, &said, &answer.page)?;
    let did_you_mean = answer.meant.as_ref().map(|meant| meant.text.clone());
    Ok(Hits { page, considered, total: number(answer.total), counts: counts.collect(), facets, did_you_mean })
}

/// The hits as the store knows them, in their order, and how many of them the page covers. What the store does not show to the viewer
/// is not shown.
fn shown(ask: &Ask, db: &Read<'_>, asked: &Asked, question: &Question<'_>, hits: &[Hit]) -> Result<(Vec<Shown>, usize), Error> {
    let highlighter = Highlighter::of(question.words, !asked.all_words);
    let render = |record: &Found| {
        let (before, title) = title::parts(record, db.catalogue());
        highlighter.render(&before, title, texts(record))
    };
    let ids: Vec<(Kind, i64)> = hits.iter().map(|hit| (hit.kind, hit.id)).collect();
    let (found, considered) = found::load_page(db, ask.viewer(), &ids)?;
    let hits = &hits[..considered];
    let mut records: Records = HashMap::with_capacity(found.len());
    // What stands beside a record is read only where its own text does not show all the words.
    let mut incomplete: HashMap<Kind, HashMap<i64, Found>> = HashMap::new();
    let mut rendered = HashMap::new();
    for record in found {
        let (key, hit) = ((record.kind, record.id), render(&record));
        if asked.explained || !hit.excerpt.complete {
            rendered.insert(key, hit);
            incomplete.entry(record.kind).or_default().insert(record.id, record);
        } else {
            records.insert(key, (record, hit));
        }
    }
    for (kind, mut found) in incomplete {
        found::load_beside(db, ask.viewer(), kind, &mut found)?;
        records.extend(found.into_values().filter_map(|record| {
            let key = (kind, record.id);
            let hit = if record.has_texts_beside() { render(&record) } else { rendered.remove(&key)? };
            Some((key, (record, hit)))
        }));
    }
    let mut reasons = if asked.explained { reasons(ask, question, hits, asked.all_words, &records)? } else { Vec::new() }.into_iter();
    let hits = hits.iter().filter_map(|hit| {
        let reasons = reasons.next().flatten();
        let (found, rendered) = records.remove(&(hit.kind, hit.id))?;
        Some(Shown { found, rendered, score: hit.score, reasons })
    });
    Ok((hits.collect(), considered))
}

/// Records with their highlights.
type Records = HashMap<(Kind, i64), (Found, RenderedHit)>;

/// The reasons of each hit that is shown.
fn reasons(ask: &Ask, question: &Question<'_>, hits: &[Hit], all_words: bool, records: &Records) -> Result<Vec<Option<Reasons>>, Error> {
    let parts = ask.app.search.explain(question, hits)?;
    let highlighter = Highlighter::of(question.words, !all_words);
    let only_title = question.titles_only || question.words.is_in_title();
    let searched = |place: Place| match question.attachments {
        Attachments::Only => place == Place::Attachments,
        _ if place == Place::Title => true,
        Attachments::Without if place == Place::Attachments => false,
        _ => place == Place::Attachments || !only_title,
    };
    let explained = hits.iter().zip(parts).map(|(hit, parts)| {
        let (found, _) = records.get(&(hit.kind, hit.id))?;
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
