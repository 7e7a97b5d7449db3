//! `/journals/:id/mail`: the complete text of the mail that became a note.

use crate::access;
use crate::components::time::Moment;
use crate::frame::{Frame, ProjectTab, Width};
use crate::render::render;
use askama::Template;
use quarry_actions::incoming_mail;
use quarry_domain::content::incoming_mail::OriginalMail;
use quarry_http::resources::paths;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;

#[derive(Template)]
#[template(path = "journals/mail.html")]
struct OriginalMailPage {
    frame: Frame,
    mail: OriginalMail,
    /// The author of the note.
    author: String,
    /// The address of the sender, for those who may see it.
    sender: Option<String>,
    received: Moment,
    /// The address of the note.
    note: String,
}

/// `GET /journals/:id/mail`: the mail, for those who may read the note.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    // A complete mail may have more of a person than the note, such as a signature.
    request.require_user()?;
    let id = request.id_param("id")?;
    let found = access::found(
        request,
        incoming_mail::find_original(db, request.viewer(), id),
    )?;
    let catalogue = db.catalogue();
    let mut frame = Frame::new(request, db, "Original mail").with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&found.issue.project) {
        frame = frame.in_project(
            catalogue,
            request.viewer(),
            project,
            Some(ProjectTab::Issues),
        );
    }
    let viewer = request.viewer();
    let author = catalogue.users.get(&found.author);
    let is_public = |address: &str| {
        author.is_some_and(|user| !user.hides_mail && user.mail.to_lowercase() == address)
    };
    let may_see_address =
        viewer.admin || viewer.user == Some(found.author) || is_public(&found.mail.sender);
    let page = OriginalMailPage {
        author: catalogue
            .principal_name(found.author.into())
            .unwrap_or_default()
            .to_owned(),
        sender: Some(found.mail.sender.clone()).filter(|_| may_see_address),
        frame: frame.below(format!("#{}", found.issue.id), paths::issue(found.issue.id)),
        received: Moment::new(found.mail.received_on),
        note: paths::note(found.issue.id, found.number),
        mail: found.mail,
    };
    render(&page.frame, &page)
}
