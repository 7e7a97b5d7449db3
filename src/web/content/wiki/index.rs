//! The index of a wiki: its pages as a tree, or by date.

use super::address::{self, name, new_path, path};
use super::tree::{MAX_DEPTH, order};
use crate::access;
use crate::components::pager::{Pager, with_params};
use crate::components::tabs::Tab;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::form::number_param;
use crate::frame::render::render;
use crate::frame::{Crumb, Frame, Width};
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::content::wiki;

/// Number of pages on a page.
const LIMIT: usize = 500;

/// Minimum number of pages of a wiki whose index has links to first letters.
const MIN_LISTED: usize = 20;

/// Maximum number of links to first letters.
const MAX_LETTERS: usize = 40;

#[derive(Template)]
#[template(path = "content/wiki/index.html")]
struct WikiIndex {
    frame: Frame,
    total: i64,
    tabs: Vec<Tab>,
    letters: Vec<Crumb>,
    rows: Vec<PageRow>,
    pager: Pager,
    watch_button: Option<WatchButton>,
    /// The address of the form of a new page, if the viewer may write one.
    new_path: Option<String>,
}

struct PageRow {
    name: String,
    path: String,
    depth: usize,
    updated: Option<Moment>,
    is_protected: bool,
    /// The id of the first page with its first letter.
    anchor: Option<String>,
}

/// The first page of a level of the tree whose title has this first letter.
struct Letter {
    label: String,
    position: usize,
}

impl Letter {
    fn anchor(&self) -> String {
        format!("letter-{}", self.position)
    }
}

/// A page with its position.
struct Listed {
    page: WikiPage,
    updated_on: Option<Timestamp>,
    depth: usize,
}

/// `GET /projects/:id/wiki/index`: all pages of a wiki.
///
/// Lists the pages by title, each followed by those below it.
pub fn tree(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    index(request, db, |pages| {
        let mut pages: Vec<Option<(WikiPage, Option<Timestamp>)>> =
            pages.into_iter().map(Some).collect();
        let positions = order(pages.iter().flatten().map(|(page, _)| page));
        let listed = positions.into_iter().filter_map(|position| {
            let (page, updated_on) = pages[position.index].take()?;
            Some(Listed {
                page,
                updated_on,
                depth: position.depth,
            })
        });
        let listed: Vec<Listed> = listed.collect();
        let letters = letters(&listed);
        (listed, letters)
    })
}

/// `GET /projects/:id/wiki/date_index`: all pages of a wiki.
///
/// Lists the pages, the last changed first.
pub fn by_date(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    index(request, db, |mut pages| {
        pages.stable_sort_by_key(|(_, updated_on)| std::cmp::Reverse(*updated_on));
        let listed = pages.into_iter().map(|(page, updated_on)| Listed {
            page,
            updated_on,
            depth: 0,
        });
        (listed.collect(), Vec::new())
    })
}

fn index(
    request: &RequestContext,
    db: &Read<'_>,
    sort: impl FnOnce(Vec<(WikiPage, Option<Timestamp>)>) -> (Vec<Listed>, Vec<Letter>),
) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let project = access::project(request, db.catalogue(), Permission::ViewWikiPages)?;
    let wiki_path = format!("{}/wiki", paths::project(project));
    let (pages, watch_button) = match wiki::find_by_project(db, project.id)? {
        Some(wiki) => {
            let watchable = Watchable::new(WatchableType::Wiki, wiki.id);
            let back = format!("{wiki_path}/index");
            (
                wiki::list(db, wiki.id)?,
                WatchButton::load(db, viewer, watchable, &back)?,
            )
        }
        None => (Vec::new(), None),
    };
    let total = pages.len();
    let (listed, letters) = sort(pages);
    let number = number_param(request, "page")
        .unwrap_or(1)
        .clamp(1, 1_000_000);
    let offset = usize::try_from(number - 1).unwrap_or(0) * LIMIT;
    let page_path = |page: i64| {
        let page = page.to_string();
        with_params(request, &[("page", Some(page.as_str()))])
    };
    let of_page = |position: usize| i64::try_from(position / LIMIT + 1).unwrap_or(1);
    let is_tree = !request.path_and_query().contains("/date_index");
    let view = WikiIndex {
        frame: address::frame(request, db, project, "Wiki pages").with_width(Width::Medium),
        total: count(total),
        tabs: vec![
            Tab::new("By title", format!("{wiki_path}/index"), is_tree),
            Tab::new("By date", format!("{wiki_path}/date_index"), !is_tree),
        ],
        rows: listed
            .iter()
            .enumerate()
            .skip(offset)
            .take(LIMIT)
            .map(|(position, listed)| PageRow {
                anchor: letters
                    .iter()
                    .find(|letter| letter.position == position)
                    .map(Letter::anchor),
                ..row(project, listed)
            })
            .collect(),
        letters: letters
            .iter()
            .map(|letter| Crumb {
                label: letter.label.clone(),
                path: match of_page(letter.position) {
                    page if page == number => format!("#{}", letter.anchor()),
                    page => format!("{}#{}", page_path(page), letter.anchor()),
                },
            })
            .collect(),
        pager: Pager::new(count(offset), count(LIMIT), count(total), page_path),
        watch_button,
        new_path: viewer
            .may(Permission::EditWikiPages, project.id)
            .then(|| new_path(project, None)),
    };
    render(&view.frame, &view)
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn row(project: &Project, listed: &Listed) -> PageRow {
    PageRow {
        name: name(&listed.page.title),
        path: path(project, &listed.page.title),
        depth: listed.depth.min(MAX_DEPTH),
        updated: listed.updated_on.map(Moment::new),
        is_protected: listed.page.is_protected(),
        anchor: None,
    }
}

/// Returns the first letters of the pages at the top of the tree, or below a page that stands there
/// alone; none for a short list.
fn letters(listed: &[Listed]) -> Vec<Letter> {
    let has_many = |depth: &usize| {
        let mut pages = listed.iter().filter(|listed| listed.depth == *depth);
        pages.next().is_some() && pages.next().is_some()
    };
    let depth = (0..MAX_DEPTH).find(has_many).unwrap_or(0);
    let mut letters: Vec<Letter> = Vec::new();
    for (position, listed) in listed.iter().enumerate() {
        let first = listed.page.title.chars().find(|c| c.is_alphanumeric());
        if let Some(first) = first.filter(|_| listed.depth == depth) {
            let label: String = first.to_uppercase().collect();
            if letters.len() < MAX_LETTERS && letters.iter().all(|letter| letter.label != label) {
                letters.push(Letter { label, position });
            }
        }
    }
    if letters.len() < 2 || listed.len() < MIN_LISTED {
        letters.clear();
    }
    letters
}
