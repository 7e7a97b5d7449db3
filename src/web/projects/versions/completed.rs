//! `/projects/:id/versions/close_completed`: closes the versions whose due date is over and whose
//! issues are closed.

use crate::access;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::projects::versions;
use quarry_domain::administration::time_zone;

/// `GET`: says which versions would be closed.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: closes them.
pub fn close(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = access::managed_project(request, &catalogue, Permission::ManageVersions)?;
    let id = project.id;
    save(
        request,
        || {
            request.write(move |db, viewer| {
                let today = time_zone::date_for_user(db.catalogue(), viewer.user, db.now());
                versions::close_completed(db, viewer, id, today)
            })
        },
        |closed| {
            let message = match closed {
                1 => "1 version was closed.".to_owned(),
                _ => format!("{closed} versions were closed."),
            };
            Ok((
                paths::below_project(&catalogue, id, "/settings/versions"),
                message,
            ))
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::managed_project(request, catalogue, Permission::ManageVersions)?;
    let today = time_zone::date_for_user(catalogue, request.viewer().user, db.now());
    let completed = versions::completed(db, project.id, today)?;
    let path = paths::project(project);
    let frame =
        Frame::for_project_settings(request, db, project, "Versions", "Close completed versions");
    let action = format!("{path}/versions/close_completed");
    let page = FormPage::confirmation(frame, action, "Close")
        .with_heading("Close completed versions?")
        .with_cancel(format!("{path}/settings/versions"));
    if completed.is_empty() {
        return page
            .with_refusal("No version is completed: a due date in the past and no open issue.")
            .render();
    }
    let names: Vec<&str> = completed
        .iter()
        .map(|version| version.name.as_str())
        .collect();
    page.with_paragraph("Their due date is over, and all of their issues are closed:")
        .with_paragraph(names.join(", "))
        .with_errors(errors)
        .render()
}
