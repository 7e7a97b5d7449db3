//! News and their comments (compatibility 11.5).

use crate::attachments::{parse_uploads, write_attachment};
use crate::prelude::*;
use axum::routing;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::news;
use quarry_actions::content::news::NewsChange;
use quarry_domain::access::visibility;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::comment::Comment;
use quarry_domain::content::news::News;
use quarry_domain::ids::CommentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::project_scope;
use quarry_store as store;
use quarry_store::content::attachments;
use quarry_store::content::comments;
use quarry_store::content::comments::MAX_COMMENTS;
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/news", get(read_handler(list)))
        .route(
            "/news/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/news/{id}/comments",
            get(read_handler(list_comments)).post(write_handler(create_comment)),
        )
        .route(
            "/news/{id}/comments/{comment_id}",
            routing::delete(write_handler(delete_comment)),
        )
        .route(
            "/projects/{id}/news",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /news`, `GET /projects/:id/news` (compatibility 11.5).
///
/// Returns a page of the news that the viewer can see, newest first: of all projects, or of the
/// project in the path or in `project_id`. News of subprojects are not included.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let pagination = Pagination::from_query(&request.query);
    let all = visibility::of_kind(request.viewer(), Kind::News);
    let visible = match project_scope::project(request, db.catalogue(), Permission::ViewNews)? {
        Some(project) => all.within_projects(Arc::new(std::iter::once(project.0).collect())),
        None if request.viewer().may_somewhere(Permission::ViewNews) => all.clone(),
        None => return Err(Error::Forbidden),
    };
    let total = store::content::news::count(db, &visible)?;
    let page = store::content::news::list(db, &visible, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "news",
        "news",
        page,
        move |w, item| write_list_item(w, &item, &catalogue),
        meta,
    ))
}

/// The values of the parameter `include`.
const INCLUDES: [&str; 2] = ["attachments", "comments"];

/// `GET /news/:id` (compatibility 11.5).
///
/// Returns a news item, with attachments and comments if included; 403 when the viewer cannot see
/// it.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    item_reply(
        request,
        db,
        find_visible(request, db, request.id_param("id")?)?,
    )
}

/// Returns a news item that the viewer can see; 403 for another one.
fn find_visible(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<News, Error> {
    match find_news(request, db, id)? {
        Some(item) => Ok(item),
        None if store::content::news::exists(db, id)? => Err(Error::Forbidden),
        None => Err(Error::NotFound),
    }
}

/// Returns a news item after a change; 200 without a body for a viewer who may manage news but not
/// see it.
fn news_reply(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Reply, Error> {
    match find_news(request, db, id)? {
        Some(item) => item_reply(request, db, item),
        None => Ok(Reply::ok()),
    }
}

fn find_news(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Option<News>, Error> {
    Ok(store::content::news::find(
        db,
        visibility::of_kind(request.viewer(), Kind::News),
        id,
    )?)
}

fn item_reply(request: &RequestContext, db: &Read<'_>, item: News) -> Result<Reply, Error> {
    let id = item.id;
    let [with_files, with_comments] = request.includes(INCLUDES);
    let files = if with_files {
        Some(
            attachments::list_by_container(db, Kind::News, &[id])?
                .remove(&id)
                .unwrap_or_default(),
        )
    } else {
        None
    };
    let comments = if with_comments {
        Some(comments::list(db, id, 0, MAX_COMMENTS)?)
    } else {
        None
    };
    let catalogue = Arc::clone(db.catalogue());
    let base = request.base_url();
    Ok(Reply::object("news", move |w| {
        write_news(w, &item, &catalogue);
        write_included(w, files.as_deref(), comments.as_deref(), &catalogue, &base);
    }))
}

/// `POST /projects/:id/news` (compatibility 11.5).
///
/// Creates a news item: 201 with it and its URL; 204 as in Redmine with the compatibility switch.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let (change, uploads) = parse_news(request)?;
    let id = request.write_in_project(project, move |db, viewer| {
        news::create(db, viewer, project, &change, &uploads)
    })?;
    request.app.read(|db| {
        if request.redmine_strict(db) {
            Ok(Reply::no_content())
        } else {
            Ok(news_reply(request, db, id)?.created(format!("{}/news/{id}", request.base_url())))
        }
    })
}

/// `PUT /news/:id` (compatibility 11.5).
///
/// Updates a news item and attaches files: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let (change, uploads) = parse_news(request)?;
    request.write(move |db, viewer| news::update(db, viewer, id, &change, &uploads))?;
    request.app.read(|db| news_reply(request, db, id))
}

/// `DELETE /news/:id` (compatibility 11.5).
///
/// Deletes a news item with its comments and files: 200 without a body.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| news::delete(db, viewer, id))?;
    Ok(Reply::ok())
}

/// `GET` and `POST /news/:id/comments`, `DELETE /news/:id/comments/:comment_id` (compatibility
/// 11.5).
///
/// Returns a page of the comments on a news item, oldest first.
fn list_comments(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let item = find_visible(request, db, request.id_param("id")?)?;
    let pagination = Pagination::from_query(&request.query);
    let page = comments::list(db, item.id, pagination.offset, pagination.limit)?;
    let meta = pagination.meta(comments::count(db, item.id)?, page.len());
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::list(
        "comments",
        "comment",
        page,
        move |w: &mut Fields, comment: Comment| write_comment(w, &comment, &catalogue),
        meta,
    ))
}

/// Adds a comment to a news item: 201 with it and the URL of the news item. In Redmine's form
/// `content` is called `comments`.
fn create_comment(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "comment")?;
    let content = body.text("content", "Comment");
    let form_content = body.text("comments", "Comment");
    body.check()?;
    let text = content
        .value()
        .or(form_content.value())
        .cloned()
        .unwrap_or_default();
    let comment_id =
        request.write(move |db, viewer| news::create_comment(db, viewer, id, &text))?;
    request.app.read(|db| {
        let catalogue = Arc::clone(db.catalogue());
        let comment = comments::find(db, comment_id)?.ok_or(Error::NotFound)?;
        let reply = Reply::object("comment", move |w| write_comment(w, &comment, &catalogue));
        Ok(reply.created(format!("{}/news/{id}", request.base_url())))
    })
}

/// Deletes a comment: 200 without a body.
fn delete_comment(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let comment: CommentId = request.id_param("comment_id")?;
    request.write(move |db, viewer| news::delete_comment(db, viewer, id, comment))?;
    Ok(Reply::ok())
}

/// Parses the object `news` and its uploads; without one nothing changes.
pub fn parse_news(request: &RequestContext) -> Result<(NewsChange, Vec<NewUpload>), Error> {
    let change = NewsChange::from_body(&request.body)?;
    Ok((
        change,
        parse_uploads(request.body.get("news").unwrap_or(&Input::Null))?,
    ))
}

/// Writes the fields of a single news item, in the order of compatibility 11.5. A summary that is
/// null or empty is left out.
pub fn write_news(w: &mut Fields, item: &News, catalogue: &Catalogue) {
    write_fields(w, item, catalogue, |w| {
        w.maybe(
            "summary",
            item.summary
                .as_deref()
                .filter(|summary| !summary.is_empty()),
        )
    });
}

/// Writes the fields of a news item in a list.
pub fn write_list_item(w: &mut Fields, item: &News, catalogue: &Catalogue) {
    write_fields(w, item, catalogue, |w| {
        w.field("summary", item.summary.as_deref())
    });
}

fn write_fields(
    w: &mut Fields,
    item: &News,
    catalogue: &Catalogue,
    summary: impl FnOnce(&mut Fields),
) {
    w.field("id", item.id);
    w.reference(
        "project",
        item.project.0,
        catalogue.project_name(item.project),
    );
    w.reference(
        "author",
        item.author.0,
        catalogue
            .principal_name(item.author.into())
            .unwrap_or_default(),
    );
    w.field("title", &item.title);
    summary(w);
    w.field("description", &item.description);
    w.field("created_on", item.created_on);
}

/// Writes the included attachments and comments.
pub fn write_included(
    w: &mut Fields,
    files: Option<&[Attachment]>,
    comments: Option<&[Comment]>,
    catalogue: &Catalogue,
    base: &str,
) {
    if let Some(files) = files {
        w.items("attachments", "attachment", files, |w, file| {
            write_attachment(w, file, catalogue, base)
        });
    }
    if let Some(comments) = comments {
        w.items("comments", "comment", comments, |w, item| {
            write_comment(w, item, catalogue)
        });
    }
}

/// Writes the fields of a comment.
pub fn write_comment(w: &mut Fields, comment: &Comment, catalogue: &Catalogue) {
    w.attribute("id", comment.id.0);
    w.reference(
        "author",
        comment.author.0,
        catalogue
            .principal_name(comment.author.into())
            .unwrap_or_default(),
    );
    w.field("content", &comment.content);
}
