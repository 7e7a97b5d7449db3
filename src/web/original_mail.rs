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
    received: Moment,
    /// The address of the note.
    note: String,
}

/// `GET /journals/:id/mail`: the mail, for those who may read the note.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
    let page = OriginalMailPage {
        frame: frame.below(format!("#{}", found.issue.id), paths::issue(found.issue.id)),
        received: Moment::new(found.mail.received_on),
        note: paths::note(found.issue.id, found.number),
        mail: found.mail,
    };
    render(&page.frame, &page)
}
