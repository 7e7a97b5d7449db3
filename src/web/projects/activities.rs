//! `/projects/:id/settings/activities`: which activities of time tracking the project uses.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::projects::project_activities;
use quarry_domain::ids::EnumerationId;

const SECTION: &str = "Activities";

/// `GET`: the form.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: saves the choice.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let permission = Permission::ManageProjectActivities;
    let project = access::managed_project(request, &catalogue, permission)?;
    let id = project.id;
    save(
        request,
        || {
            let mut body = BodyFields::from_body(request, "project")?;
            let selected = body.ids::<EnumerationId>("activity_ids", SECTION);
            body.check()?;
            let selected = selected.value().cloned().unwrap_or_default();
            request.write(move |db, viewer| project_activities::update(db, viewer, id, &selected))
        },
        |()| {
            let path = format!("{}/settings/activities", paths::project(project));
            Ok((path, "The activities were saved.".to_owned()))
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
    let catalogue = db.catalogue();
    let permission = Permission::ManageProjectActivities;
    let project = access::managed_project(request, catalogue, permission)?;
    let activities: Vec<_> = project_activities::list(catalogue, project.id).collect();
    let selected = activities
        .iter()
        .filter(|(_, is_selectable)| *is_selectable)
        .map(|(activity, _)| activity.id);
    let choices = activities
        .iter()
        .map(|(activity, _)| choice(activity.id, &activity.name));
    let field = FieldBuilder::new("project", sent)
        .checkboxes("activity_ids", SECTION, selected, choices)
        .with_hint("Those that can be chosen when time is logged. Logged time keeps its activity.");
    let frame = Frame::for_project_settings(request, db, project, SECTION, SECTION);
    let action = format!("{}/settings/activities", paths::project(project));
    FormPage::new(frame, action, vec![field])
        .with_heading(SECTION)
        .with_errors(errors)
        .render()
}
