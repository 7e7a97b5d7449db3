//! `GET /issues/:id`: an issue with its conversation.

pub(super) mod comment_box;
pub(super) mod fields;
pub(super) mod files;
mod history;
pub(super) mod log_time;
pub(super) mod notes;
pub(super) mod related;
pub(super) mod relations;
pub(super) mod subtasks;
pub(super) mod watchers;

use super::change::{delete, edit_field, move_project};
use crate::access;
use crate::components::attachments::FileRow;
use crate::components::avatar::Person;
use crate::components::badge::Stage;
use crate::components::reactions::{ReactionBar, Reactions};
use crate::components::tasks::Tasks;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::issues::recent_issues;
use crate::notices::inbox::{WhyLine, mark_opened};
use crate::prelude::*;
use crate::text::{OwnFiles, TextRenderer};
use comment_box::Quote;
use comment_box::{CommentBox, CommentForm};
use fields::Fact;
use history::History;
use quarry_actions::issues;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::incoming_mail::MailedRecord;
use quarry_domain::content::reaction::ReactableType;
use quarry_domain::ids::AttachmentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_markup::SafeHtml;
use quarry_store::StoreError;
use quarry_store::content::{attachments, received_mails};
use quarry_store::issues::journals;
use related::{ChangesetRow, IssueLink, RelationRow};
use subtasks::Subtasks;
use watchers::Watchers;

#[derive(Template)]
#[template(path = "issues/show/show.html")]
struct IssuePage<'a> {
    frame: Frame,
    id: IssueId,
    tracker: &'a str,
    subject: &'a str,
    status: &'a str,
    stage: Stage,
    is_private: bool,
    author: Person,
    created: Moment,
    description: SafeHtml,
    /// Whether the mail that became the issue can be shown.
    is_mail: bool,
    files: Vec<FileRow>,
    may_delete_files: bool,
    subtasks: Subtasks,
    changesets: Vec<ChangesetRow>,
    history: History,
    facts: Vec<Fact>,
    /// Facts that are shown on demand.
    more_facts: Vec<Fact>,
    relations: Vec<RelationRow>,
    may_relate: bool,
    similar: Vec<IssueLink>,
    watchers: Watchers,
    watch_button: Option<WatchButton>,
    why: Option<WhyLine>,
    reactions: Option<ReactionBar>,
    tasks: Option<Tasks>,
    issue_path: String,
    comment: Option<CommentBox>,
    preview: String,
    /// The addresses of the forms that change the title and the description.
    edit_subject: Option<String>,
    edit_description: Option<String>,
    may_log_time: bool,
    may_move: bool,
    may_copy: bool,
    may_delete: bool,
}

/// Shows the issue, as far as the viewer may see it.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let quote = request
        .query_param("quote")
        .and_then(|text| Quote::parse(&text));
    page(
        request,
        db,
        request.id_param("id")?,
        CommentForm {
            quote,
            ..CommentForm::default()
        },
    )
}

/// Renders the page of an issue with the comment box in this state.
pub fn page(
    request: &RequestContext,
    db: &Read<'_>,
    id: IssueId,
    state: CommentForm,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let issue = access::found(request, issues::find(db, viewer, id))?;
    let files = attachments::list_by_container(db, Kind::Issue, &[id.0])?
        .remove(&id.0)
        .unwrap_or_default();
    let renderer = TextRenderer::new(request, db, issue.project, &files).of_issue(id);
    let tracker = catalogue
        .tracker(issue.tracker)
        .map_or("", |tracker| &tracker.name);
    let status = catalogue.status(issue.status);
    let mut frame = Frame::new(request, db, format!("{tracker} #{id}: {}", issue.subject))
        .with_width(Width::TwoColumns);
    let thread = Thread::new(Kind::Issue, id.0);
    mark_opened(request, db, &mut frame, thread)?;
    let watch_button = WatchButton::load(db, viewer, id.into(), &paths::issue(id))?;
    if let Some(project) = catalogue.projects.get(&issue.project) {
        frame = frame.in_project(db, viewer, project, Some(ProjectTab::Issues));
    }
    let settable = edit_field::settable(request, db, &issue)?;
    let may_move = move_project::may_move(request, db, &issue);
    let comment = comment_box::load(request, db, &issue, state)?;
    if let Some(comment) = &comment {
        comment.mark_title(&mut frame.title);
    }
    let subtasks = subtasks::load(request, db, &issue)?;
    let has_subtasks = !subtasks.rows.is_empty();
    let facts = fields::facts(request, db, &issue, &settable, may_move, has_subtasks)?;
    let (more_facts, facts) = facts.into_iter().partition(Fact::is_folded);
    let edit_description = fields::edit_path(id, &settable, "description");
    let page = IssuePage {
        frame,
        id,
        tracker,
        subject: &issue.subject,
        status: status.map_or("", |status| &status.name),
        stage: Stage::of(catalogue, issue.status),
        is_private: issue.private,
        author: Person::with_picture(viewer, catalogue, issue.author.into()),
        created: Moment::new(issue.created_on),
        description: renderer.render_with_files(
            issue.description.as_deref().unwrap_or_default(),
            "description-",
            OwnFiles {
                attached: &files_of_description(db, id, &files)?,
                ..OwnFiles::default()
            },
        )?,
        is_mail: viewer.user.is_some()
            && !received_mails::with_original(db, std::iter::once(MailedRecord::Issue(id)))?
                .is_empty(),
        subtasks,
        changesets: related::changesets(request, db, &issue)?,
        history: history::load(request, db, &issue, &renderer)?,
        facts,
        more_facts,
        relations: related::relations(request, db, &issue)?,
        may_relate: relations::may_add(request, db, &issue),
        similar: related::similar(request, db, &issue)?,
        watchers: watchers::load(request, db, &issue)?,
        files: FileRow::list(catalogue, &files),
        may_delete_files: files::may_delete(request, &issue),
        why: WhyLine::load(request, db, thread, watch_button.as_ref())?,
        watch_button,
        reactions: Reactions::load(request, db, issue.project, ReactableType::Issue, &[id.0])?
            .bar(request, db, id.0),
        tasks: Tasks::new(
            edit_description.is_some(),
            paths::issue(id),
            issue.description.as_deref().unwrap_or_default(),
        ),
        issue_path: paths::issue(id),
        comment,
        preview: paths::preview("issue", id),
        edit_subject: fields::edit_path(id, &settable, "subject"),
        edit_description,
        may_log_time: log_time::may_log(request, catalogue, &issue),
        may_move,
        may_copy: issues::may_copy(viewer, &issue) && viewer.user.is_some(),
        may_delete: delete::may_delete(request, &issue),
    };
    let reply = render(&page.frame, &page)?;
    Ok(recent_issues::remember(request, reply, id))
}

/// Returns the files that came without a note. The description prefers them to others of the same
/// name.
fn files_of_description(
    db: &Read<'_>,
    id: IssueId,
    files: &[Attachment],
) -> Result<Vec<AttachmentId>, StoreError> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let of_notes = journals::files_of_notes(db, id)?;
    Ok(files
        .iter()
        .map(|file| file.id)
        .filter(|file| !of_notes.contains(file))
        .collect())
}
