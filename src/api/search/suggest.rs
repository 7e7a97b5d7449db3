//! `GET /search/suggest`: titles while somebody types (ours; Redmine has no such address).

use super::view::{self, Around};
use crate::domain::kind::Kind;
use crate::http::search::{Brief, brief, limit, numbered_issue, question};
use crate::http::{Ask, Error, Reply, judge_names};
use crate::search::{Hit, Suggest};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// What may be asked, besides the content types.
const PARAMETERS: &[&str] = &["q", "id", "scope", "open_issues", "limit", "key", "format"];
/// How many are given when nothing is said, and at most.
const USUAL: usize = 10;
const MOST: usize = 25;

/// The records that the viewer may see and whose titles have the words, best first; the last word only begins one. The issue whose
/// number was typed comes before all.
pub fn suggest(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let warning = judge_names(ask, PARAMETERS.iter().copied().chain(Kind::ALL.into_iter().map(Kind::parameter)))?;
    let asked = question::read(ask, db.catalogue())?;
    let limit = limit(ask, USUAL, MOST)?;
    let typed = ask.parameter("q").unwrap_or_default();
    let words = ask.app.search.typed(&typed).map_err(|bad| Error::invalid(bad.to_string()))?;
    let statuses = db.catalogue().statuses.iter();
    let closed = asked.open_issues.then(|| statuses.filter(|status| status.is_closed).map(|status| status.id).collect());
    let mut hits = ask.app.search.suggest(&Suggest {
        words: &words,
        visibility: &ask.asker.visibility,
        kinds: &asked.kinds,
        projects: asked.projects.as_ref(),
        closed: closed.as_ref(),
        limit,
        now: ask.app.clock.now(),
    })?;
    if asked.kinds.contains(&Kind::Issue)
        && let Some(issue) = numbered_issue(ask, db, &typed)?
    {
        hits.retain(|hit| (hit.kind, hit.id) != (Kind::Issue, issue.0));
        hits.insert(0, Hit { kind: Kind::Issue, id: issue.0, score: None });
        hits.truncate(limit);
    }
    let around = Around { catalogue: Arc::clone(db.catalogue()), base: ask.base(), with_description: false, with_extras: true };
    let describe = move |w: &mut Fields, (found, score): Brief| view::brief(w, &found, score, &around);
    let page = brief(ask, db, &hits)?;
    let meta = page.meta(limit);
    Ok(Reply::list("results", "result", page.results, describe, meta).warned(warning))
}
