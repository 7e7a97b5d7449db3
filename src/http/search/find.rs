//! Asks the index, and reads what it proposes through the store with the viewer's own condition.

use super::question::Asked;
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use crate::domain::visibility;
use crate::http::{Ask, Error, Listing};
use crate::search::{Hit, Query, Question};
use crate::store::found::{self, Found, Particulars};
use crate::store::{Read, issues};
use std::collections::HashMap;

/// A record that was found, with what only a search knows of it.
pub struct Shown {
    /// The record.
    pub found: Found,
    /// HTML around the words.
    pub excerpt: String,
    /// Its score as a part of the best hit's; `None` by date.
    pub score: Option<f32>,
}

/// A page of hits, and how many there are.
pub struct Hits {
    /// The page.
    pub page: Vec<Shown>,
    /// How many there are in all for this viewer.
    pub total: i64,
    /// How many of each content type that was searched.
    pub counts: Vec<(Kind, i64)>,
}

/// What the words find among what the viewer may see.
pub fn find(ask: &Ask, db: &Read<'_>, asked: &Asked, words: &str, listing: &Listing) -> Result<Hits, Error> {
    let query = ask.app.search.parse(words).map_err(|bad| Error::invalid(bad.to_string()))?;
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
        offset: usize::try_from(listing.offset).unwrap_or(usize::MAX),
        limit: usize::try_from(listing.limit).unwrap_or(0),
        now: ask.app.clock.now(),
    };
    let answer = ask.app.search.ask(&question)?;
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let counts = asked.kinds.iter().map(|kind| (*kind, number(answer.counts[usize::from(kind.code())])));
    Ok(Hits { page: shown(ask, db, &query, &answer.page)?, total: number(answer.total), counts: counts.collect() })
}

/// The hits as the store knows them, in their order. What the store does not show to the viewer is not shown.
fn shown(ask: &Ask, db: &Read<'_>, query: &Query, hits: &[Hit]) -> Result<Vec<Shown>, Error> {
    let mut records: HashMap<(Kind, i64), Found> = HashMap::new();
    for kind in Kind::ALL {
        let ids: Vec<i64> = hits.iter().filter(|hit| hit.kind == kind).map(|hit| hit.id).collect();
        if !ids.is_empty() {
            records.extend(found::load(db, ask.viewer(), kind, &ids)?.into_iter().map(|(id, record)| ((kind, id), record)));
        }
    }
    let shown = hits.iter().filter_map(|hit| {
        let found = records.remove(&(hit.kind, hit.id))?;
        let excerpt = ask.app.search.excerpt(query, &texts(&found));
        Some(Shown { excerpt, score: hit.score, found })
    });
    Ok(shown.collect())
}

/// What an excerpt may be made of: everything but the title, which is shown anyway.
fn texts(found: &Found) -> Vec<&str> {
    let own = match found.kind {
        Kind::Changeset => found.title.split_once('\n').map_or("", |(_, rest)| rest),
        _ => &found.text,
    };
    let summary = match &found.particulars {
        Particulars::News { summary } => summary.as_str(),
        _ => "",
    };
    let texts =
        [summary, own].into_iter().chain(found.notes.iter().map(String::as_str)).chain(found.attachments.iter().map(String::as_str));
    texts.filter(|text| !text.is_empty()).collect()
}

/// `12` and `#12` lead to that issue, if it is there for the viewer (spec, "Content search" rule 2).
pub fn numbered_issue(ask: &Ask, db: &Read<'_>, words: &str) -> Result<Option<IssueId>, Error> {
    let words = words.trim();
    let digits = words.strip_prefix('#').unwrap_or(words);
    let number = digits.parse::<i64>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(id) = number.map(IssueId) else { return Ok(None) };
    Ok(issues::find(db, visibility::issues(ask.viewer()), id)?.map(|issue| issue.id))
}
