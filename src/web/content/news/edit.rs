//! The forms of news, and of comments on them.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::{Frame, ProjectTab};
use crate::prelude::*;
use crate::records::content_pages::{ContentPages, routes as content_routes};
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::news as actions;
use quarry_actions::content::news::NewsChange;
use quarry_domain::content::news::News;
use quarry_domain::ids::CommentId;
use quarry_store::content::comments;

/// Returns the routes of the forms.
pub fn routes() -> Routes {
    content_routes::<NewsPages>("/projects/{id}/news/new", "/news/{id}")
        .route(
            "/news/{id}/comments/new",
            get(read_handler(new_comment)).post(write_handler(create_comment)),
        )
        .route(
            "/news/{id}/comments/{comment_id}/delete",
            get(read_handler(confirm_comment_deletion))
                .post(write_handler(delete_comment).deleting()),
        )
}

/// The pages of news.
pub struct NewsPages;

/// The project of news: its id and address.
#[derive(Clone)]
pub struct ProjectOfNews {
    id: ProjectId,
    path: String,
}

fn project_of(catalogue: &Catalogue, id: ProjectId) -> ProjectOfNews {
    let project = catalogue.projects.get(&id);
    ProjectOfNews {
        id,
        path: project.map(paths::project).unwrap_or_default(),
    }
}

fn managed(request: &RequestContext, db: &Read<'_>) -> Result<(News, ProjectOfNews), Error> {
    let id = request.id_param("id")?;
    let item = access::found(request, actions::find(db, request.viewer(), id))?;
    access::managed_by_id(
        request,
        db.catalogue(),
        item.project,
        Permission::ManageNews,
    )?;
    let project = project_of(db.catalogue(), item.project);
    Ok((item, project))
}

impl ContentPages for NewsPages {
    type Parent = ProjectOfNews;
    type Record = (News, ProjectOfNews);
    type Change = NewsChange;

    const NOUN: &'static str = "news item";

    fn parent(request: &RequestContext, db: &Read<'_>) -> Result<ProjectOfNews, Error> {
        let permission = Permission::ManageNews;
        let project = access::managed_project(request, db.catalogue(), permission)?;
        Ok(project_of(db.catalogue(), project.id))
    }

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error> {
        managed(request, db)
    }

    fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error> {
        managed(request, db)
    }

    fn can_delete(_request: &RequestContext, _record: &Self::Record) -> bool {
        true
    }

    fn id((item, _): &Self::Record) -> i64 {
        item.id
    }

    fn name((item, _): &Self::Record) -> String {
        item.title.clone()
    }

    fn parent_of((_, project): &Self::Record) -> ProjectOfNews {
        project.clone()
    }

    fn path((item, _): &Self::Record) -> String {
        paths::news(item.id)
    }

    fn created_path(_project: &ProjectOfNews, id: i64) -> String {
        paths::news(id)
    }

    fn base_path(id: i64) -> String {
        paths::news(id)
    }

    fn list_path(project: &ProjectOfNews) -> String {
        format!("{}/news", project.path)
    }

    fn new_path(project: &ProjectOfNews) -> String {
        format!("{}/news/new", project.path)
    }

    fn frame(
        request: &RequestContext,
        db: &Read<'_>,
        project: &ProjectOfNews,
        title: &str,
    ) -> Result<Frame, Error> {
        frame(request, db, project.id, title)
    }

    fn fields(
        _request: &RequestContext,
        _db: &Read<'_>,
        project: &ProjectOfNews,
        record: Option<&Self::Record>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<FormField>, Error> {
        let item = record.map(|(item, _)| item.clone()).unwrap_or_default();
        let title = form.line("title", "Title", item.title).required();
        Ok(vec![
            if record.is_none() {
                title.focused()
            } else {
                title
            },
            form.line("summary", "Summary", item.summary.unwrap_or_default())
                .with_hint("Lists show it below the title."),
            form.long_text("description", "Description", item.description)
                .required()
                .with_preview(paths::preview("project", project.id)),
        ])
    }

    fn deletion_note(db: &Read<'_>, (item, _): &Self::Record) -> Result<String, Error> {
        let note = match comments::count(db, item.id)? {
            0 => "Its files are deleted, too. This cannot be undone.".to_owned(),
            1 => "Its files and one comment are deleted, too. This cannot be undone.".to_owned(),
            count => {
                format!("Its files and {count} comments are deleted, too. This cannot be undone.")
            }
        };
        Ok(note)
    }

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: &ProjectOfNews,
        change: &NewsChange,
        uploads: &[NewUpload],
    ) -> Result<i64, ActionError> {
        actions::create(db, viewer, project.id, change, uploads)
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &NewsChange,
        uploads: &[NewUpload],
    ) -> Result<(), ActionError> {
        actions::update(db, viewer, id, change, uploads)
    }

    fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
        actions::delete(db, viewer, id)
    }
}

fn frame(
    request: &RequestContext,
    db: &Read<'_>,
    project: ProjectId,
    title: &str,
) -> Result<Frame, Error> {
    let catalogue = db.catalogue();
    let project = access::by_id(request, catalogue, project)?;
    Ok(Frame::new(request, db, title)
        .in_project(db, request.viewer(), project, Some(ProjectTab::News))
        .below("News", format!("{}/news", paths::project(project))))
}

/// `GET /news/:id/comments/new`: the form of a comment.
fn new_comment(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id = request.id_param("id")?;
    let item = access::found(request, actions::find(db, request.viewer(), id))?;
    access::managed_by_id(
        request,
        db.catalogue(),
        item.project,
        Permission::CommentNews,
    )?;
    comment_form(request, db, &item)?.render()
}

/// Returns the form of a comment.
pub fn comment_form(
    request: &RequestContext,
    db: &Read<'_>,
    item: &News,
) -> Result<FormPage, Error> {
    let path = paths::news(item.id);
    let frame = frame(request, db, item.project, "New comment")?.below(&item.title, &path);
    let text = FieldBuilder::without_object(&request.body)
        .long_text("comments", "Comment", "")
        .required()
        .with_preview(paths::preview("project", item.project));
    // The list of comments on the same page has the id of the name.
    let text = FormField {
        id: "new-comment".to_owned(),
        ..text
    };
    Ok(
        FormPage::new(frame, format!("{path}/comments/new"), vec![text])
            .with_submit("Comment")
            .with_cancel(path),
    )
}

/// `POST /news/:id/comments/new`: adds a comment.
fn create_comment(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.id_param("id")?;
    let find = |db: &Read<'_>| access::found(request, actions::find(db, request.viewer(), id));
    request.app.read(|db| find(db).map(drop))?;
    save(
        request,
        || {
            let mut body = BodyFields::from_object(&request.body).ok_or(Error::NotAForm)?;
            let text = body.text("comments", "Comment");
            body.check()?;
            let text = text.apply_to(None).unwrap_or_default();
            request.write(move |db, viewer| actions::create_comment(db, viewer, id, &text))
        },
        |_| {
            Ok((
                format!("{}#comments", paths::news(id)),
                "The comment was added.".to_owned(),
            ))
        },
        |db, errors| {
            comment_form(request, db, &find(db)?)?
                .with_errors(errors)
                .render()
        },
    )
}

/// `GET /news/:id/comments/:comment_id/delete`: asks for confirmation.
fn confirm_comment_deletion(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    comment_deletion(request, db, ValidationErrors::new())
}

fn comment_deletion(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let (item, _) = managed(request, db)?;
    let id: CommentId = request.id_param("comment_id")?;
    let comment = comments::find(db, id)?.filter(|comment| comment.news == item.id);
    let comment = comment.ok_or(Error::NotFound)?;
    let path = paths::news(item.id);
    let author = db.catalogue().principal_name(comment.author.into());
    let frame = frame(request, db, item.project, "Delete a comment")?.below(&item.title, &path);
    let action = format!("{}/delete", paths::comment(item.id, id));
    FormPage::confirmation(frame, action, "Delete")
        .with_heading(format!(
            "Delete the comment of {}?",
            author.unwrap_or_default()
        ))
        .with_paragraph("This cannot be undone.")
        .with_cancel(path)
        .with_errors(errors)
        .render()
}

/// `POST /news/:id/comments/:comment_id/delete`: deletes the comment.
fn delete_comment(request: &RequestContext) -> Result<Reply, Error> {
    let (item, _) = request.app.read(|db| managed(request, db))?;
    let comment: CommentId = request.id_param("comment_id")?;
    let id = item.id;
    save(
        request,
        || request.write(move |db, viewer| actions::delete_comment(db, viewer, id, comment)),
        |()| Ok((paths::news(id), "The comment was deleted.".to_owned())),
        |db, errors| comment_deletion(request, db, errors),
    )
}
