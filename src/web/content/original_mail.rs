//! `/journals/:id/mail`, `/messages/:id/mail`, `/issues/:id/mail`: the complete text of the mail that
//! became a note, a message or an issue.

use crate::access;
use crate::components::time::Moment;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::prelude::*;
use quarry_actions::content::incoming_mail::originals::{self, FoundRecord};
use quarry_domain::content::incoming_mail::{MailedRecord, OriginalMail};
use quarry_domain::ids::JournalId;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/{id}/mail", get(read_handler(show_issue)))
        .route("/journals/{id}/mail", get(read_handler(show_note)))
        .route("/messages/{id}/mail", get(read_handler(show_message)))
}

#[derive(Template)]
#[template(path = "content/journals/mail.html")]
struct OriginalMailPage {
    frame: Frame,
    mail: OriginalMail,
    is_shortened: bool,
    /// The author of the record.
    author: String,
    /// The address of the sender; `None` if the viewer may not see it.
    sender: Option<String>,
    received: Moment,
    /// What the mail became.
    label: &'static str,
    /// The path of that record.
    path: String,
}

/// `GET /journals/:id/mail`: the mail, for those who may read the note.
fn show_note(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    show(
        request,
        db,
        MailedRecord::Note(JournalId(request.id_param("id")?)),
    )
}

/// `GET /messages/:id/mail`: the mail, for those who may read the message.
fn show_message(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    show(request, db, MailedRecord::Message(request.id_param("id")?))
}

/// `GET /issues/:id/mail`: the mail, for those who may read the issue.
fn show_issue(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    show(
        request,
        db,
        MailedRecord::Issue(IssueId(request.id_param("id")?)),
    )
}

fn show(request: &RequestContext, db: &Read<'_>, record: MailedRecord) -> Result<Reply, Error> {
    // A mail may contain more personal data than the record, such as a signature.
    request.require_user()?;
    let viewer = request.viewer();
    let found = access::found(request, originals::find(db, viewer, record))?;
    let catalogue = db.catalogue();
    let mut frame = Frame::new(request, db, "Original mail").with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&found.project) {
        let tab = match found.record {
            FoundRecord::Message { .. } => ProjectTab::Forums,
            FoundRecord::Note(..) | FoundRecord::Issue(_) => ProjectTab::Issues,
        };
        frame = frame.in_project(db, viewer, project, Some(tab));
    }
    let (frame, label, path) = match &found.record {
        FoundRecord::Note(issue, number) => (
            frame.below(format!("#{issue}"), paths::issue(issue)),
            "note",
            paths::note(issue, number),
        ),
        FoundRecord::Message {
            id,
            topic,
            board,
            board_name,
        } => (
            frame.below(board_name, paths::board(board)),
            "message",
            match topic {
                Some(topic) => paths::reply(board, topic, id),
                None => paths::topic(board, id),
            },
        ),
        FoundRecord::Issue(issue) => (
            frame.below(format!("#{issue}"), paths::issue(issue)),
            "issue",
            paths::issue(issue),
        ),
    };
    let author = found.author.and_then(|id| catalogue.users.get(&id));
    let is_public = |address: &str| {
        author.is_some_and(|user| !user.hides_mail && user.mail.to_lowercase() == address)
    };
    let may_see_address =
        viewer.admin || viewer.user == found.author || is_public(&found.mail.sender);
    let page = OriginalMailPage {
        author: found
            .author
            .and_then(|author| catalogue.principal_name(author.into()))
            .unwrap_or_default()
            .to_owned(),
        sender: Some(found.mail.sender.clone()).filter(|_| may_see_address),
        frame,
        received: Moment::new(found.mail.received_on),
        label,
        path,
        mail: found.mail,
        is_shortened: found.is_shortened,
    };
    render(&page.frame, &page)
}
