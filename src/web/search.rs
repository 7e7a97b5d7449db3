//! The page for searching (spec, "Content search").

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::domain::setting::Setting;
use crate::http::search::{Hits, Shown, find, numbered_issue, question, title};
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::Read;
use askama::Template;

#[derive(Template)]
#[template(path = "search.html")]
struct Page<'a> {
    title: String,
    words: &'a str,
    total: i64,
    meant: Option<Meant>,
    counts: Vec<(&'static str, i64)>,
    results: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// A question without the mistakes of the one that was asked.
struct Meant {
    words: String,
    address: String,
}

struct Row {
    kind: &'static str,
    /// HTML, as the excerpt.
    title: String,
    path: String,
    project: String,
    date: String,
    excerpt: String,
}

/// The form with what was found; a number leads to its issue.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let words = ask.parameter("q").unwrap_or_default();
    if let Some(issue) = numbered_issue(ask, db, &words)? {
        return Ok(Reply::redirect(format!("/issues/{issue}")));
    }
    let catalogue = db.catalogue();
    let asked = question::read(ask, catalogue)?;
    let number = ask.parameter("page").and_then(|page| page.parse::<i64>().ok()).unwrap_or(1).clamp(1, 1_000_000);
    let limit = catalogue.setting(Setting::SearchResultsPerPage).parse().unwrap_or(10);
    let listing = Listing { offset: (number - 1) * limit, limit, bare: false };
    let Hits { page, total, counts, did_you_mean, considered, .. } = find(ask, db, &asked, &words, &listing)?;
    let mut results: Vec<Row> = page.into_iter().map(|shown| row(shown, catalogue)).collect();
    // Hits with long texts are read in several parts; of each only its row is kept.
    let mut read = i64::try_from(considered).unwrap_or(limit);
    while 0 < read && read < limit.min(total - listing.offset) {
        let rest = Listing { offset: listing.offset + read, limit: limit - read, bare: false };
        let Hits { page, considered, .. } = find(ask, db, &asked, &words, &rest)?;
        results.extend(page.into_iter().map(|shown| row(shown, catalogue)));
        let more = i64::try_from(considered).unwrap_or(limit);
        if more == 0 {
            break;
        }
        read += more;
    }
    let other = |page: i64| format!("?{}", address(ask, page, None));
    let page = Page {
        title: format!("{words} – search"),
        words: &words,
        total,
        meant: did_you_mean.map(|words| Meant { address: format!("?{}", address(ask, 1, Some(&words))), words }),
        counts: counts.into_iter().filter(|(_, count)| *count > 0).map(|(kind, count)| (label(kind), count)).collect(),
        results,
        previous: (number > 1).then(|| other(number - 1)),
        next: (listing.offset + limit < total).then(|| other(number + 1)),
    };
    super::page(&page)
}

fn row(shown: Shown, catalogue: &Catalogue) -> Row {
    let Shown { found, rendered, .. } = shown;
    Row {
        kind: title::kind(&found, catalogue),
        title: rendered.title.html(),
        path: title::path(&found, catalogue),
        project: catalogue.projects.get(&found.project).map_or(String::new(), |project| project.name.clone()),
        date: found.created_on.strftime("%Y-%m-%d").to_string(),
        excerpt: rendered.excerpt.html(),
    }
}

fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "issues",
        Kind::News => "news",
        Kind::Document => "documents",
        Kind::Changeset => "changesets",
        Kind::WikiPage => "wiki pages",
        Kind::Message => "messages",
        Kind::Project => "projects",
    }
}

/// The same question on another page, or with other words. A key in the address is not carried on.
fn address(ask: &Ask, page: i64, words: Option<&str>) -> String {
    let kept = ask.query.entries().iter().filter(|(name, _)| name != "page" && name != "key");
    let kept = kept.filter_map(|(name, value)| {
        let value = match words.filter(|_| name == "q") {
            Some(words) => title::encoded(words),
            None => title::encoded(&value.as_text()?),
        };
        Some(format!("{}={value}&", title::encoded(name)))
    });
    format!("{}page={page}", kept.collect::<String>())
}
