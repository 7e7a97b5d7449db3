//! `GET /projects/:id/wiki`, `…/wiki/:title`, `…/wiki/:title/:version`: a wiki page.

use super::address::{self, Target, name, path};
use super::create;
use crate::access;
use crate::components::attachments::FileRow;
use crate::components::avatar::Person;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::frame::{Crumb, Frame, ProjectTab, Width};
use crate::render::render;
use crate::text::TextRenderer;
use askama::Template;
use quarry_actions::wiki;
use quarry_domain::access::permission::Permission;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_markup::SafeHtml;
use quarry_store::Read;
use quarry_store::content::attachments;

#[derive(Template)]
#[template(path = "wiki/show.html")]
struct WikiPageView {
    frame: Frame,
    name: String,
    text: SafeHtml,
    version: i64,
    is_current: bool,
    author: Option<Person>,
    updated: Option<Moment>,
    parent: Option<Crumb>,
    files: Vec<FileRow>,
    page_path: String,
    index_path: String,
    may_see_history: bool,
    watch_button: Option<WatchButton>,
}

/// Shows the current text of a page, or that of a version. A former title redirects. A title
/// without a page is a 404 with a link that creates it.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(path) => return Ok(Reply::redirect(path)),
        Target::Missing(project) if request.path_param("version").is_empty() => {
            return create::missing_page(request, db, project);
        }
        Target::Missing(_) => return Err(access::missing(request)),
    };
    let version = match request.path_param("version") {
        "" => request
            .query_param("version")
            .filter(|text| !text.is_empty()),
        version => Some(version.into()),
    };
    let version = version
        .map(|text| text.parse::<i64>().map_err(|_| access::missing(request)))
        .transpose()?;
    let stored = access::found(request, wiki::find_version(db, viewer, &page, version))?;
    let files = attachments::list_by_container(db, Kind::WikiPage, &[page.id.0])?
        .remove(&page.id.0)
        .unwrap_or_default();
    let renderer = TextRenderer::new(request, db, project.id, &files);
    let number = stored
        .as_ref()
        .map_or(page.version, |stored| stored.version);
    let view = WikiPageView {
        name: name(&page.title),
        text: renderer.render(stored.as_ref().map_or("", |stored| &stored.text), "")?,
        version: number,
        is_current: number == page.version,
        author: stored
            .as_ref()
            .and_then(|stored| stored.author)
            .map(|id| Person::new(catalogue, id.into())),
        updated: stored.as_ref().map(|stored| Moment::new(stored.updated_on)),
        parent: page.parent_title.as_ref().map(|title| Crumb {
            label: name(title),
            path: path(project, title),
        }),
        files: FileRow::list(catalogue, &files),
        page_path: path(project, &page.title),
        index_path: format!("{}/wiki/index", paths::project(project)),
        watch_button: WatchButton::load(db, viewer, page.id.into(), &path(project, &page.title))?,
        may_see_history: viewer.may(Permission::ViewWikiEdits, project.id),
        frame: Frame::new(request, db, name(&page.title))
            .with_width(Width::TwoColumns)
            .in_project(catalogue, viewer, project, Some(ProjectTab::Wiki)),
    };
    render(&view.frame, &view)
}
