//! Pages of news: lists, and a news item with its comments.

mod edit;

use crate::access;
use crate::components::attachments::FileRow;
use crate::components::avatar::Person;
use crate::components::form_page::FormPage;
use crate::components::pager::Pager;
use crate::components::reactions::{ReactionBar, Reactions};
use crate::components::tasks::Tasks;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::notices::inbox::{WhyLine, mark_opened};
use crate::prelude::*;
use crate::text::TextRenderer;
use quarry_domain::access::visibility;
use quarry_domain::content::comment::Comment;
use quarry_domain::content::reaction::ReactableType;
use quarry_domain::content::watcher::{Watchable, WatchableType};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_domain::projects::module::Module;
use quarry_http::Pagination;
use quarry_markup::SafeHtml;
use quarry_store::content::comments;
use quarry_store::content::comments::MAX_COMMENTS;
use quarry_store::content::{attachments, news};
use quarry_store::projects;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    edit::routes()
        .route("/news", get(read_handler(list)))
        .route("/news/{id}", get(read_handler(show)))
        .route("/projects/{id}/news", get(read_handler(list)))
}

#[derive(Template)]
#[template(path = "content/news/list.html")]
struct NewsList {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    /// For the news of a project.
    watch_button: Option<WatchButton>,
    /// The address of the form of a news item, if the viewer may write one.
    new_path: Option<String>,
}

struct Row {
    id: i64,
    title: String,
    summary: String,
    project: Option<String>,
    author: Person,
    created: Moment,
}

/// `GET /news`, `GET /projects/:id/news`: news, newest first.
///
/// Lists the news of all projects, or of one project without its subprojects.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let all = visibility::of_kind(viewer, Kind::News);
    let mut frame = Frame::new(request, db, "News");
    let project = if request.path_param("id").is_empty() {
        None
    } else {
        Some(access::project(request, catalogue, Permission::ViewNews)?)
    };
    let visible = match project {
        Some(project) => {
            frame = frame.in_project(db, viewer, project, Some(ProjectTab::News));
            all.within_projects(Arc::new(std::iter::once(project.id.0).collect()))
        }
        None => all.clone(),
    };
    let pagination = Pagination::from_query(&request.query);
    let total = news::count(db, &visible)?;
    let rows = news::list(db, &visible, pagination.offset, pagination.limit)?
        .into_iter()
        .map(|item| Row {
            id: item.id,
            project: catalogue
                .projects
                .get(&item.project)
                .filter(|_| project.is_none())
                .map(|found| found.name.clone()),
            title: item.title,
            summary: item.summary.unwrap_or_default(),
            author: Person::new(catalogue, item.author.into()),
            created: Moment::new(item.created_on),
        });
    let pager = Pager::for_list(request, pagination.offset, pagination.limit, total);
    let watch_button = project
        .map(|project| watch_button(request, db, project))
        .transpose()?
        .flatten();
    let page = NewsList {
        frame,
        total,
        rows: rows.collect(),
        pager,
        watch_button,
        new_path: project
            .filter(|project| viewer.may(Permission::ManageNews, project.id))
            .map(|project| format!("{}/news/new", paths::project(project))),
    };
    render(&page.frame, &page)
}

fn watch_button(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
) -> Result<Option<WatchButton>, Error> {
    let Some(module) = projects::find_module(db, project.id, Module::News)? else {
        return Ok(None);
    };
    let watchable = Watchable::new(WatchableType::EnabledModule, module);
    Ok(WatchButton::load(
        db,
        request.viewer(),
        watchable,
        &format!("{}/news", paths::project(project)),
    )?)
}

#[derive(Template)]
#[template(path = "content/news/show.html")]
struct NewsPage {
    frame: Frame,
    title: String,
    summary: String,
    author: Person,
    created: Moment,
    description: SafeHtml,
    files: Vec<FileRow>,
    comments: Vec<CommentView>,
    comment_count: i64,
    /// The number of comments that do not fit.
    omitted: i64,
    reactions: Option<ReactionBar>,
    tasks: Option<Tasks>,
    path: String,
    watch_button: Option<WatchButton>,
    why: Option<WhyLine>,
    may_manage: bool,
    comment_form: Option<FormPage>,
}

struct CommentView {
    number: usize,
    path: String,
    author: Person,
    text: SafeHtml,
    reactions: Option<ReactionBar>,
}

impl CommentView {
    fn anchor(&self) -> String {
        format!("comment-{}", self.number)
    }

    fn label(&self) -> String {
        format!("comment {}", self.number)
    }
}

/// `GET /news/:id`: a news item with its comments.
///
/// Shows the item.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: i64 = request.id_param("id")?;
    let item = news::find(db, visibility::of_kind(viewer, Kind::News), id)?
        .ok_or_else(|| access::missing(request))?;
    let files = attachments::list_by_container(db, Kind::News, &[id])?
        .remove(&id)
        .unwrap_or_default();
    let renderer = TextRenderer::new(request, db, item.project, &files);
    let mut frame = Frame::new(request, db, &item.title).with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&item.project) {
        frame = frame
            .in_project(db, viewer, project, Some(ProjectTab::News))
            .below("News", format!("{}/news", paths::project(project)));
    }
    let thread = Thread::new(Kind::News, id);
    mark_opened(request, db, &mut frame, thread)?;
    let watchable = Watchable::new(WatchableType::News, id);
    let watch_button = WatchButton::load(db, viewer, watchable, &paths::news(id))?;
    let comments = comments::list(db, id, 0, MAX_COMMENTS)?;
    let comment_count = comments::count(db, id)?;
    let omitted = comment_count - i64::try_from(comments.len()).unwrap_or(i64::MAX);
    let ids: Vec<i64> = comments.iter().map(|comment| comment.id.0).collect();
    let reactions = Reactions::load(request, db, item.project, ReactableType::Comment, &ids)?;
    let comment_form = viewer
        .may(Permission::CommentNews, item.project)
        .then(|| edit::comment_form(request, db, &item))
        .transpose()?
        .map(FormPage::without_cancel);
    let may_manage = viewer.may(Permission::ManageNews, item.project);
    let page = NewsPage {
        frame,
        author: Person::new(catalogue, item.author.into()),
        created: Moment::new(item.created_on),
        description: renderer.render(&item.description, "")?,
        comments: (1..)
            .zip(comments)
            .map(
                |(number, comment): (usize, Comment)| -> Result<CommentView, Error> {
                    Ok(CommentView {
                        number,
                        path: paths::comment(id, comment.id),
                        author: Person::with_picture(viewer, catalogue, comment.author.into()),
                        text: renderer.render(&comment.content, &format!("comment-{number}-"))?,
                        reactions: reactions.bar(request, db, comment.id.0),
                    })
                },
            )
            .collect::<Result<_, _>>()?,
        comment_count,
        omitted,
        reactions: Reactions::load(request, db, item.project, ReactableType::News, &[id])?
            .bar(request, db, id),
        tasks: Tasks::new(may_manage, paths::news(id), &item.description),
        path: paths::news(id),
        may_manage,
        comment_form,
        files: FileRow::list_with_rights(db, viewer, &files)?,
        why: WhyLine::load(request, db, thread, watch_button.as_ref())?,
        watch_button,
        title: item.title,
        summary: item.summary.unwrap_or_default(),
    };
    render(&page.frame, &page)
}
