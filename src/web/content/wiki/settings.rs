//! `/projects/:id/settings/wiki`: the start page of the wiki of a project.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::content::wiki as actions;
use quarry_store::content::wiki;

const SECTION: &str = "Wiki";
const NO_PAGE: &str = "The wiki has no page yet. Its first page becomes the start page.";

/// `GET`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: saves the start page.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = access::managed_project(request, &catalogue, Permission::ManageWiki)?;
    let id = project.id;
    save(
        request,
        || {
            let mut body = BodyFields::from_body(request, "wiki")?;
            let title = body.text("title", "Start page");
            body.check()?;
            let title = title.value().cloned().unwrap_or_default();
            request.write(move |db, viewer| actions::set_start_page(db, viewer, id, &title))
        },
        |()| {
            let path = format!("{}/settings/wiki", paths::project(project));
            Ok((path, "The start page was saved.".to_owned()))
        },
        |db, errors| page(request, db, &request.body, errors),
    )
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let project = access::managed_project(request, db.catalogue(), Permission::ManageWiki)?;
    let path = paths::project(project);
    let frame = Frame::for_project_settings(request, db, project, SECTION, SECTION);
    let action = format!("{path}/settings/wiki");
    let Some(found) = wiki::find_by_project(db, project.id)? else {
        return FormPage::new(frame, action, Vec::new())
            .with_heading(SECTION)
            .with_refusal(NO_PAGE)
            .with_cancel(format!("{path}/wiki"))
            .render();
    };
    let title = found.start_page.replace('_', " ");
    let field = FieldBuilder::new("wiki", sent)
        .line("title", "Start page", title)
        .required()
        .with_hint("The title of a page. It need not exist yet.");
    FormPage::new(frame, action, vec![field])
        .with_heading(SECTION)
        .with_errors(errors)
        .render()
}
