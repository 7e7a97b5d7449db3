//! `GET /projects/:id/wiki`, `…/wiki/:title`, `…/wiki/:title/:version`: a wiki page.

use super::address::{self, Target, may, name, new_path, path};
use super::missing;
use crate::access;
use crate::components::attachments::FileRow;
use crate::components::avatar::Person;
use crate::components::list_page::Link;
use crate::components::tasks::Tasks;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::frame::render::render;
use crate::frame::{Crumb, Frame, Width};
use crate::notices::inbox::{WhyLine, mark_opened};
use crate::prelude::*;
use crate::text::TextRenderer;
use quarry_actions::content::wiki;
use quarry_domain::content::wiki::{WikiPage, WikiVersion, is_protected_by_name};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_markup::SafeHtml;
use quarry_store::content::{attachments, wiki as store};

/// Maximum number of child pages beside the text.
const MAX_CHILDREN: i64 = 20;

#[derive(Template)]
#[template(path = "content/wiki/show.html")]
struct WikiPageView {
    frame: Frame,
    name: String,
    text: SafeHtml,
    tasks: Option<Tasks>,
    version: i64,
    is_current: bool,
    is_protected: bool,
    author: Option<Person>,
    updated: Option<Moment>,
    parent: Option<Crumb>,
    children: Vec<Crumb>,
    files: Vec<FileRow>,
    page_path: String,
    index_path: String,
    may_see_history: bool,
    may_edit: bool,
    /// The address of the form of a page below this one, if the viewer may write one.
    new_path: Option<String>,
    menu: Vec<Link>,
    watch_button: Option<WatchButton>,
    why: Option<WhyLine>,
}

/// Shows the current text of a page, or that of a version. A former title redirects. A title
/// without a page is a 404 with a link that creates it.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(project, page) => {
            let below = match request.path_param("version") {
                "" => String::new(),
                version => format!("/{}", paths::encode(version)),
            };
            return Ok(address::redirect(request, project, &page, &below));
        }
        Target::Missing(project) if request.path_param("version").is_empty() => {
            return missing::missing_page(request, db, project);
        }
        Target::Missing(_) => return Err(access::missing(request)),
    };
    let stored = requested_version(request, db, &page)?;
    let files = attachments::list_by_container(db, Kind::WikiPage, &[page.id.0])?
        .remove(&page.id.0)
        .unwrap_or_default();
    let version = stored
        .as_ref()
        .map_or(page.version, |stored| stored.version);
    let is_current = version == page.version;
    let page_path = path(project, &page.title);
    let may_edit = may(viewer, Permission::EditWikiPages, &page);
    let section_edit = format!("{page_path}/edit?section=");
    let renderer = TextRenderer::new(request, db, project.id, &files).of_page(
        &page.title,
        (may_edit && is_current).then_some(section_edit.as_str()),
    );
    let crumb = |title: &str| Crumb {
        label: name(title),
        path: path(project, title),
    };
    let mut frame =
        address::frame(request, db, project, name(&page.title)).with_width(Width::TwoColumns);
    let thread = Thread::new(Kind::WikiPage, page.id.0);
    mark_opened(request, db, &mut frame, thread)?;
    let watch_button = WatchButton::load(db, viewer, page.id.into(), &page_path)?;
    let children = store::list_children(db, page.id, MAX_CHILDREN)?;
    let view = WikiPageView {
        name: name(&page.title),
        text: renderer.render(stored.as_ref().map_or("", |stored| &stored.text), "")?,
        tasks: Tasks::new(
            may_edit && is_current,
            page_path.as_str(),
            stored.as_ref().map_or("", |stored| &stored.text),
        ),
        version,
        is_current,
        is_protected: page.is_protected(),
        author: stored
            .as_ref()
            .and_then(|stored| stored.author)
            .map(|id| Person::new(catalogue, id.into())),
        updated: stored.as_ref().map(|stored| Moment::new(stored.updated_on)),
        parent: page.parent_title.as_deref().map(crumb),
        children: children.iter().map(|title| crumb(title)).collect(),
        files: FileRow::list(catalogue, &files),
        index_path: format!("{}/wiki/index", paths::project(project)),
        why: WhyLine::load(request, db, thread, watch_button.as_ref())?,
        watch_button,
        may_see_history: viewer.may(Permission::ViewWikiEdits, project.id),
        may_edit,
        new_path: viewer
            .may(Permission::EditWikiPages, project.id)
            .then(|| new_path(project, Some(&page.title))),
        menu: menu(viewer, project, &page, (!is_current).then_some(version)),
        frame,
        page_path,
    };
    render(&view.frame, &view)
}

/// Returns the version in the path or query string, or else the current one; `None` for a page that
/// was imported without a text. A version that does not exist, or that the viewer may not see, is
/// an error.
pub fn requested_version(
    request: &RequestContext,
    db: &Read<'_>,
    page: &WikiPage,
) -> Result<Option<WikiVersion>, Error> {
    let version = match request.path_param("version") {
        "" => request
            .query_param("version")
            .filter(|text| !text.is_empty()),
        version => Some(version.into()),
    };
    let version = version
        .map(|text| text.parse::<i64>().map_err(|_| access::missing(request)))
        .transpose()?;
    access::found(
        request,
        wiki::find_version(db, request.viewer(), page, version),
    )
}

/// Returns the links of the menu. Exports are those of an old version, if one is shown.
pub fn menu(
    viewer: &Viewer,
    project: &Project,
    page: &WikiPage,
    version: Option<i64>,
) -> Vec<Link> {
    let path = path(project, &page.title);
    let mut links = Vec::new();
    let mut add = |is_permitted: bool, label: &str, suffix: String| {
        if is_permitted {
            links.push(Link::new(label, format!("{path}{suffix}")));
        }
    };
    add(
        viewer.may(Permission::ViewWikiEdits, project.id),
        "History",
        "/history".to_owned(),
    );
    add(
        may(viewer, Permission::RenameWikiPages, page),
        "Rename or move",
        "/rename".to_owned(),
    );
    let may_protect = viewer.may(Permission::ProtectWikiPages, project.id);
    add(
        may_protect && !is_protected_by_name(&page.title),
        if page.protected {
            "Remove the protection"
        } else {
            "Protect"
        },
        "/protect".to_owned(),
    );
    add(
        may(viewer, Permission::DeleteWikiPages, page),
        "Delete",
        "/delete".to_owned(),
    );
    let query = version.map_or(String::new(), |version| format!("?version={version}"));
    add(true, "Export as HTML", format!(".html{query}"));
    add(true, "Export as text", format!(".txt{query}"));
    links
}
