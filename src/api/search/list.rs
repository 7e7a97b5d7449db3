//! `GET /search`, `GET /projects/:id/search` (spec, "Content search"; contract 8 and part A).

use super::view::{self, Around};
use crate::domain::kind::Kind;
use crate::http::search::{find, numbered_issue, question};
use crate::http::{Ask, Error, Listing, Reply, judge_names};
use crate::store::Read;
use crate::wire::{Fields, Meta};
use std::sync::Arc;

/// What may be asked, besides the content types.
const PARAMETERS: &[&str] = &[
    "q",
    "id",
    "scope",
    "all_words",
    "titles_only",
    "open_issues",
    "attachments",
    "facets",
    "description",
    "explain",
    "sort",
    "offset",
    "limit",
    "page",
    "key",
    "nometa",
    "format",
    "utf8",
    "commit",
];

/// A page of what the viewer may see and the words find, or the way to the issue whose number was asked for.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let mut asked = question::read(ask, db.catalogue())?;
    let warning = judge_names(ask, PARAMETERS.iter().copied().chain(Kind::ALL.into_iter().map(Kind::parameter)))?;
    let words = ask.parameter("q").unwrap_or_default();
    let to_the_letter = ask.to_the_letter(db);
    if !to_the_letter && let Some(issue) = numbered_issue(ask, db, &words)? {
        return Ok(Reply::redirect(format!("/issues/{issue}{}", suffix(ask))));
    }
    asked.explained &= !to_the_letter;
    let listing = Listing::read(&ask.query);
    let hits = find(ask, db, &asked, &words, &listing)?;
    let around = Around {
        catalogue: Arc::clone(db.catalogue()),
        base: ask.base(),
        with_description: asked.with_description,
        with_extras: !to_the_letter,
    };
    let mut meta = listing.meta(hits.total, hits.considered);
    if around.with_extras && !listing.bare {
        meta.push(Meta::Numbers("counts", hits.counts.iter().map(|(kind, count)| (kind.parameter(), *count)).collect()));
    }
    let (page, facets) = (hits.page, hits.facets);
    let meant = hits.did_you_mean.filter(|_| around.with_extras && !listing.bare);
    let describe = move |w: &mut Fields, shown| view::result(w, &shown, &around);
    let reply = Reply::list_with("results", "result", page, describe, meta, move |w| {
        w.maybe("did_you_mean", meant);
        view::facets(w, &facets);
    });
    Ok(reply.warned(warning))
}

fn suffix(ask: &Ask) -> String {
    ask.format.map_or(String::new(), |format| format!(".{}", format.suffix()))
}
