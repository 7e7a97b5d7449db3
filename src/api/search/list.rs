//! `GET /search`, `GET /projects/:id/search` (spec, "Content search"; contract 8 and part A).

use super::question::{self, Asked};
use super::view::{self, Around, Shown};
use crate::domain::ids::IssueId;
use crate::domain::kind::Kind;
use crate::domain::visibility;
use crate::http::{Ask, Error, Listing, Reply};
use crate::search::{Answer, Hit, Query, Question};
use crate::store::found::{self, Found};
use crate::store::{Read, issues};
use crate::wire::Meta;
use std::collections::HashMap;
use std::sync::Arc;

/// A page of what the viewer may see and the words find, or the way to the issue whose number was asked for.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let asked = question::read(ask, db.catalogue())?;
    let words = ask.parameter("q").unwrap_or_default();
    if let Some(location) = numbered_issue(ask, db, &words)? {
        return Ok(Reply::redirect(location));
    }
    let listing = Listing::read(&ask.query);
    let query = ask.app.search.parse(&words).map_err(|bad| Error::invalid(bad.to_string()))?;
    let answer = answer(ask, db, &asked, &query, &listing)?;
    let shown = shown(ask, db, &query, &answer.page)?;
    let around = Around {
        catalogue: Arc::clone(db.catalogue()),
        base: ask.base(),
        with_description: asked.with_description,
        with_extras: !ask.to_the_letter(db),
    };
    let mut meta = listing.meta(i64::try_from(answer.total).unwrap_or(i64::MAX));
    if around.with_extras && !listing.bare {
        meta.push(counts(&asked, &answer));
    }
    Ok(Reply::list("results", "result", shown, move |w, shown| view::result(w, &shown, &around), meta))
}

/// `12` and `#12` lead to that issue, if it is there for the viewer (spec, "Content search" rule 2).
fn numbered_issue(ask: &Ask, db: &Read<'_>, words: &str) -> Result<Option<String>, Error> {
    let words = words.trim();
    let digits = words.strip_prefix('#').unwrap_or(words);
    let number = digits.parse::<i64>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(id) = number.map(IssueId) else { return Ok(None) };
    let data = ask.format.is_some();
    if (data && ask.to_the_letter(db)) || issues::find(db, visibility::issues(ask.viewer()), id)?.is_none() {
        return Ok(None);
    }
    let suffix = ask.format.map_or(String::new(), |format| format!(".{}", format.suffix()));
    // A key that came in the address goes along, or the next request would be nobody's.
    let key = ask.parameter("key").filter(|key| key.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let key = key.map_or(String::new(), |key| format!("?key={key}"));
    Ok(Some(format!("/issues/{id}{suffix}{key}")))
}

fn answer(ask: &Ask, db: &Read<'_>, asked: &Asked, query: &Query, listing: &Listing) -> Result<Answer, Error> {
    let statuses = db.catalogue().statuses.iter();
    let closed = asked.open_issues.then(|| statuses.filter(|status| status.is_closed).map(|status| status.id).collect());
    let question = Question {
        words: query,
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
    Ok(ask.app.search.ask(&question)?)
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
        let excerpt = ask.app.search.excerpt(query, texts(&found));
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
        found::Particulars::News { summary } => summary.as_str(),
        _ => "",
    };
    let texts = [summary, own].into_iter().chain(found.notes.iter().map(String::as_str)).chain(found.attachments.iter().map(String::as_str));
    texts.filter(|text| !text.is_empty()).collect()
}

fn counts(asked: &Asked, answer: &Answer) -> Meta {
    let of = |kind: &Kind| (kind.parameter(), i64::try_from(answer.counts[usize::from(kind.code())]).unwrap_or(i64::MAX));
    Meta::Numbers("counts", asked.kinds.iter().map(of).collect())
}
