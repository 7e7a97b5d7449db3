//! A wiki page that does not exist yet: links to similar titles, and the form that creates it.

use super::address::{self, Target, name, path};
use crate::access;
use crate::components::form_field::typed;
use crate::frame::{Crumb, Flash, FlashKind, Frame, ProjectTab, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use quarry_actions::wiki;
use quarry_domain::access::permission::Permission;
use quarry_domain::content::wiki::{
    MAX_COMMENT_LENGTH, WikiChange, WikiPage, normalize_title, title_key,
};
use quarry_domain::ids::ProjectId;
use quarry_domain::projects::project::Project;
use quarry_domain::values::edit_distance::distance;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store as store;
use quarry_store::Read;

const CREATED_MEANWHILE: &str =
    "Somebody else has created this page meanwhile. Open it in another tab, and copy your text.";
const EXISTS: &str = "This page exists already.";

/// The start page of a wiki that has no pages yet, as the store names it.
const DEFAULT_START_PAGE: &str = "Wiki";

/// Maximum number of similar titles.
const MAX_SIMILAR: usize = 5;

/// Maximum number of characters of titles that are compared.
const COMPARED_CHARS: usize = 60;

/// Minimum length of a title that counts as part of another.
const MIN_CONTAINED: usize = 3;

#[derive(Template)]
#[template(path = "wiki/missing.html")]
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

/// `GET /projects/:id/wiki`, `…/wiki/:title` of a missing page: links to the form that creates it
/// and to similar titles.
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
    let may_create =
        request.viewer().may(Permission::EditWikiPages, project.id) && !title.is_empty();
    let frame = Frame::new(request, db, name(&title)).with_width(Width::Medium);
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
        frame: frame.in_project(
            db.catalogue(),
            request.viewer(),
            project,
            Some(ProjectTab::Wiki),
        ),
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

#[derive(Template)]
#[template(path = "wiki/create.html")]
struct NewPage {
    frame: Frame,
    name: String,
    page_path: String,
    preview: String,
    text: String,
    comments: String,
    max_comment: usize,
    errors: Vec<String>,
}

/// What was typed.
#[derive(Default)]
struct Typed {
    text: String,
    comments: String,
    errors: Vec<String>,
}

/// `GET`: the form. Redirects to the page if it exists.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, Typed::default())
}

/// `POST`: creates the page and redirects to it. Does not overwrite a page that somebody else has
/// created meanwhile.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (project, page_path) = request.app.read(|db| -> Result<_, Error> {
        let project = access::project(request, db.catalogue(), Permission::ViewWikiPages)?;
        require_edit(request, project.id)?;
        Ok((project.id, path(project, &title(request))))
    })?;
    let text = typed(&request.body, "content[text]").unwrap_or_default();
    let comments = typed(&request.body, "content[comments]").unwrap_or_default();
    let change = WikiChange {
        text: Patch::Set(text.clone()),
        comments: Some(comments.clone()).filter(|comments| !comments.is_empty()),
        base_version: Patch::Set(0),
        ..WikiChange::default()
    };
    let title = title(request);
    require_name(&title)?;
    match request.write_in_project(project, move |db, viewer| {
        wiki::save(db, viewer, project, &title, &change, &[])
    }) {
        Ok(_) => Ok(Reply::see_other(page_path)),
        Err(Error::Invalid(errors)) => again(
            request,
            Typed {
                text,
                comments,
                errors: errors.messages(),
            },
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        Err(Error::Conflict(_)) => {
            let error = CREATED_MEANWHILE.to_owned();
            again(
                request,
                Typed {
                    text,
                    comments,
                    errors: vec![error],
                },
                StatusCode::CONFLICT,
            )
        }
        Err(error) => Err(error),
    }
}

/// Fails with 404 for a title of which nothing would be seen.
fn require_name(title: &str) -> Result<(), Error> {
    if name(title).trim().is_empty() {
        Err(Error::NotFound)
    } else {
        Ok(())
    }
}

/// Shows the form with what was typed.
fn again(request: &RequestContext, typed: Typed, status: StatusCode) -> Result<Reply, Error> {
    Ok(request
        .app
        .read(|db| page(request, db, typed))?
        .with_status(status))
}

fn page(request: &RequestContext, db: &Read<'_>, typed: Typed) -> Result<Reply, Error> {
    let project = access::project(request, db.catalogue(), Permission::ViewWikiPages)?;
    require_edit(request, project.id)?;
    let title = title(request);
    require_name(&title)?;
    let page_path = path(project, &title);
    if typed.errors.is_empty() && !matches!(address::find(request, db)?, Target::Missing(_)) {
        let flash = Flash {
            kind: FlashKind::Notice,
            text: EXISTS.to_owned(),
        };
        return Ok(redirect_with(request, page_path, &flash));
    }
    let frame =
        Frame::new(request, db, format!("New page: {}", name(&title))).with_width(Width::Narrow);
    let view = NewPage {
        frame: frame.in_project(
            db.catalogue(),
            request.viewer(),
            project,
            Some(ProjectTab::Wiki),
        ),
        name: name(&title),
        page_path,
        preview: paths::preview("project", project.id),
        text: typed.text,
        comments: typed.comments,
        max_comment: MAX_COMMENT_LENGTH,
        errors: typed.errors,
    };
    render(&view.frame, &view)
}

/// Returns the title in the path as it is stored.
fn title(request: &RequestContext) -> String {
    normalize_title(request.path_param("title"))
}

fn require_edit(request: &RequestContext, project: ProjectId) -> Result<(), Error> {
    if request.viewer().may(Permission::EditWikiPages, project) {
        Ok(())
    } else {
        Err(access::missing(request))
    }
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
