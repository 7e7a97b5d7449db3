//! A wiki page that does not exist: links to similar titles, and to the form that creates it.

use super::address::{frame, name, path};
use crate::frame::render::render;
use crate::frame::{Crumb, Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_domain::content::wiki::{WikiPage, normalize_title, title_key};
use quarry_domain::values::edit_distance::distance;
use quarry_store as store;

/// The start page of a wiki that has no pages yet, as the store names it.
const DEFAULT_START_PAGE: &str = "Wiki";

/// Maximum number of similar titles.
const MAX_SIMILAR: usize = 5;

/// Maximum number of characters of titles that are compared.
const COMPARED_CHARS: usize = 60;

/// Minimum length of a title that counts as part of another.
const MIN_CONTAINED: usize = 3;

#[derive(Template)]
#[template(path = "content/wiki/missing.html")]
struct MissingPage {
    frame: Frame,
    name: String,
    is_start_page: bool,
    /// The address of the form, if the viewer may create the page.
    create_path: Option<String>,
    similar: Vec<Crumb>,
    search_path: String,
    index_path: String,
}

/// `GET /projects/:id/wiki`, `…/wiki/:title` of a missing page.
///
/// Shows that the page in the path does not exist, with status 404. The viewer may see the wiki.
pub fn missing_page(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
) -> Result<Reply, Error> {
    let wiki = store::content::wiki::find_by_project(db, project.id)?;
    let requested = request.path_param("title");
    let title = match (requested, &wiki) {
        ("", Some(wiki)) => wiki.start_page.clone(),
        ("", None) => DEFAULT_START_PAGE.to_owned(),
        (title, _) => normalize_title(title),
    };
    let pages = match &wiki {
        Some(wiki) => store::content::wiki::list(db, wiki.id)?,
        None => Vec::new(),
    };
    let may_create = request.viewer().may(Permission::EditWikiPages, project.id)
        && !name(&title).trim().is_empty();
    let page = MissingPage {
        name: name(&title),
        is_start_page: requested.is_empty(),
        create_path: may_create.then(|| format!("{}/edit", path(project, &title))),
        similar: similar(&title, pages.iter().map(|(page, _)| page))
            .map(|title| Crumb {
                label: name(title),
                path: path(project, title),
            })
            .collect(),
        search_path: format!(
            "{}/search?q={}",
            paths::project(project),
            paths::encode(&name(&title))
        ),
        index_path: format!("{}/wiki/index", paths::project(project)),
        frame: frame(request, db, project, name(&title)).with_width(Width::Medium),
    };
    Ok(render(&page.frame, &page)?.with_status(StatusCode::NOT_FOUND))
}

/// Returns the most similar titles: first those with the fewest edits, then those that contain the
/// title or are part of it.
fn similar<'p>(
    title: &str,
    pages: impl Iterator<Item = &'p WikiPage>,
) -> impl Iterator<Item = &'p str> {
    let key = comparable(title);
    let mut ranked: Vec<(usize, &str)> = pages
        .filter_map(|page| Some((rank(&key, &comparable(&page.title))?, page.title.as_str())))
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().take(MAX_SIMILAR).map(|(_, title)| title)
}

fn comparable(title: &str) -> String {
    title_key(title).chars().take(COMPARED_CHARS).collect()
}

/// Returns the distance between two titles; `None` if they are not similar.
fn rank(key: &str, other: &str) -> Option<usize> {
    let length = key.chars().count();
    let other_length = other.chars().count();
    let max_edits = (length.max(MIN_CONTAINED) / 3).min(4);
    if length.abs_diff(other_length) <= max_edits {
        let edits = distance(key, other);
        if edits <= max_edits {
            return Some(edits);
        }
    }
    let is_part =
        length.min(other_length) >= MIN_CONTAINED && (key.contains(other) || other.contains(key));
    is_part.then(|| max_edits + 1 + length.abs_diff(other_length))
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn titles_are_similar_by_edits_and_by_parts() {
        assert_eq!(rank("installation", "instalation"), Some(1));
        assert_eq!(rank("install", "installation_guide"), Some(2 + 1 + 11));
        assert_eq!(rank("installation", "release_notes"), None);
        assert_eq!(rank("ab", "abc_def"), None, "too short to be a part");
        assert_eq!(rank("", "wiki"), None);
    }
}
