//! `GET /news/:id`: a news item with its comments.

use crate::domain::kind::Kind;
use crate::domain::reactable::ReactableType;
use crate::domain::visibility;
use crate::domain::watchable::{Watchable, WatchableType};
use crate::http::{Error, Reply, RequestContext};
use crate::markup::SafeHtml;
use crate::store::comments::{self, Comment, MAX_COMMENTS};
use crate::store::{Read, attachments, news};
use crate::web::access;
use crate::web::components::attachments::FileRow;
use crate::web::components::avatar::Person;
use crate::web::components::reactions::{ReactionButton, Reactions};
use crate::web::components::time::Moment;
use crate::web::components::watch::WatchButton;
use crate::web::frame::{Frame, ProjectTab, Width, project_path};
use crate::web::render::render;
use crate::web::text::TextRenderer;
use askama::Template;

#[derive(Template)]
#[template(path = "news/show.html")]
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
    reaction: Option<ReactionButton>,
    path: String,
    watch_button: Option<WatchButton>,
}

struct CommentView {
    number: usize,
    path: String,
    author: Person,
    text: SafeHtml,
    reaction: Option<ReactionButton>,
}

impl CommentView {
    fn anchor(&self) -> String {
        format!("comment-{}", self.number)
    }

    fn label(&self) -> String {
        format!("comment {}", self.number)
    }
}

/// Shows the item.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
            .in_project(catalogue, viewer, project, Some(ProjectTab::News))
            .below("News", format!("{}/news", project_path(project)));
    }
    let comments = comments::list(db, id, 0, MAX_COMMENTS)?;
    let comment_count = comments::count(db, id)?;
    let omitted = comment_count - i64::try_from(comments.len()).unwrap_or(i64::MAX);
    let ids: Vec<i64> = comments.iter().map(|comment| comment.id.0).collect();
    let reactions = Reactions::load(request, db, item.project, ReactableType::Comment, &ids)?;
    let comment = |(number, comment): (usize, Comment)| -> Result<CommentView, Error> {
        Ok(CommentView {
            number,
            path: format!("/news/{id}/comments/{}", comment.id),
            author: Person::new(catalogue, comment.author.into()),
            text: renderer.render(&comment.content, &format!("comment-{number}-"))?,
            reaction: reactions.button(request, db, comment.id.0),
        })
    };
    let page = NewsPage {
        frame,
        author: Person::new(catalogue, item.author.into()),
        created: Moment::new(item.created_on),
        description: renderer.render(&item.description, "")?,
        comments: (1..).zip(comments).map(comment).collect::<Result<_, _>>()?,
        comment_count,
        omitted,
        reaction: Reactions::load(request, db, item.project, ReactableType::News, &[id])?
            .button(request, db, id),
        path: format!("/news/{id}"),
        files: FileRow::list(catalogue, &files),
        watch_button: WatchButton::load(
            db,
            viewer,
            Watchable::new(WatchableType::News, id),
            &format!("/news/{id}"),
        )?,
        title: item.title,
        summary: item.summary.unwrap_or_default(),
    };
    render(&page.frame, &page)
}
