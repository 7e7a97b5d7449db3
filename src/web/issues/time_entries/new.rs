//! `/time_entries/new`, `/projects/:id/time_entries/new`: logs time, with or without an issue.

use super::form::{ISSUE, TimeEntryForm, parse_time_entry};
use super::time_entry_pages;
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::choice;
use crate::components::form_page::FormPage;
use crate::form::save;
use crate::frame::Width;
use crate::issues::issue_reference;
use crate::issues::issue_reference::IssueReference;
use crate::prelude::*;
use quarry_actions::issues::time_entries;
use quarry_actions::issues::time_entries::LogTarget;
use quarry_domain::access::visibility;
use quarry_domain::validation::ValidationError;
use quarry_store::issues;

/// `GET /time_entries/new`: asks for the issue or the project, and leads to its form.
pub fn choose(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_user()?;
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let param = |name: &str| {
        let text = request.query_param(name).unwrap_or_default();
        text.trim().trim_start_matches('#').to_owned()
    };
    let projects = || {
        let projects = catalogue.tree.iter();
        let projects = projects.filter_map(|id| catalogue.projects.get(id));
        projects.filter(|project| viewer.may(Permission::LogTime, project.id))
    };
    let Some(first) = projects().next() else {
        return Err(Error::Forbidden);
    };
    let mut errors = ValidationErrors::new();
    let issue = param("issue_id");
    let project = param("project_id");
    if !issue.is_empty() {
        let id = issue.parse().ok().map(IssueId);
        let found = match id {
            Some(id) => issues::find(db, visibility::issues(viewer), id)?,
            None => None,
        };
        if let Some(issue) = found {
            let path = format!("{}/time_entries/new", paths::issue(issue.id));
            return Ok(Reply::redirect(path));
        }
        errors =
            ValidationError::new("issue_id", "Issue", "names no issue that you can see").into();
    } else if !project.is_empty() {
        let chosen = catalogue.project_by(&project);
        if let Some(project) = chosen.filter(|project| viewer.sees(project.id)) {
            return Ok(Reply::redirect(new_path(project)));
        }
        return Err(access::missing(request));
    } else if projects().nth(1).is_none() {
        return Ok(Reply::redirect(new_path(first)));
    }
    let form = FieldBuilder::without_object(&request.query);
    let choices = projects().map(|project| choice(&project.identifier, &project.name));
    let fields = vec![
        form.line("issue_id", "Issue", "")
            .with_hint("Its number. Leave it empty for time that belongs to no issue."),
        form.select("project_id", "Project", "", choices),
    ];
    let frame = time_entry_pages::frame(request, db, None, "Log time").with_width(Width::Narrow);
    FormPage::new(
        frame.below("Spent time", time_entry_pages::LIST),
        "/time_entries/new",
        fields,
    )
    .with_get()
    .with_submit("Continue")
    .with_cancel(time_entry_pages::LIST)
    .with_errors(errors)
    .render()
}

fn new_path(project: &Project) -> String {
    format!("{}/new", time_entry_pages::list_path(Some(project)))
}

/// `GET /projects/:id/time_entries/new`: the form. The query string can fill it in.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, None, ValidationErrors::new())
}

/// `POST`: logs the time. Words that several issues match lead back to the form.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (project, named) = request.app.read(|db| -> Result<_, Error> {
        let project = find_project(request, db.catalogue())?.id;
        let named = issue_reference::find(request, db, ISSUE, Some(project))?;
        Ok((project, named))
    })?;
    save(
        request,
        || {
            let change = parse_time_entry(request, &request.body, named.as_ref())?;
            request.write_in_project(project, move |db, viewer| {
                time_entries::create(db, viewer, LogTarget::Project(project), &change)
            })
        },
        |_| {
            let catalogue = request.app.store.catalogue()?;
            let path = paths::below_project(&catalogue, project, time_entry_pages::LIST);
            Ok((path, "The time was logged.".to_owned()))
        },
        |db, errors| page(request, db, &request.body, named.as_ref(), errors),
    )
}

fn find_project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
) -> Result<&'c Project, Error> {
    let project = access::managed_project(request, catalogue, Permission::LogTime)?;
    request.require_user()?;
    Ok(project)
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
    named: Option<&IssueReference>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let project = find_project(request, db.catalogue())?;
    let form = TimeEntryForm {
        request,
        db,
        project: project.id,
        entry: None,
        sent,
    };
    let mut fields = form.fields()?;
    fields.splice(1..1, form.issue(None, named));
    let list = time_entry_pages::list_path(Some(project));
    let frame =
        time_entry_pages::frame(request, db, Some(project), "Log time").with_width(Width::Narrow);
    FormPage::new(frame.below("Spent time", &list), new_path(project), fields)
        .with_heading("Log time")
        .with_submit("Log time")
        .with_cancel(list)
        .with_errors(errors)
        .render()
}
