//! `/issues/new` and `/projects/:id/issues/new`: the form for a new issue.

use super::form::{self as issue_form, FormContext};
use crate::access;
use crate::attachments::{PendingFile, ReceivedFiles, pending, receive};
use crate::components::attachments::size;
use crate::components::form_field::{Choice, FieldKind, FormField, assign_errors, typed};
use crate::frame::{Flash, Frame, ProjectTab, Width};
use crate::render::{redirect_with, render};
use askama::Template;
use axum::http::StatusCode;
use quarry_actions::attachments::max_file_size;
use quarry_actions::issues;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::visibility;
use quarry_domain::ids::PrincipalId;
use quarry_domain::projects::project::Project;
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::{fields, paths};
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::{Read, issues as stored_issues};
use quarry_wire::Input;

/// Maximum number of members who can be chosen as watchers.
const MAX_WATCHERS: usize = 100;
/// Maximum depth of a project in the list of projects.
const MAX_DEPTH: usize = 8;

#[derive(Template)]
#[template(path = "issues/new.html")]
struct NewIssuePage {
    frame: Frame,
    action: String,
    /// The project; `None` when it is part of the address.
    project: Option<FormField>,
    tracker: Option<FormField>,
    subject: Option<FormField>,
    description: Option<FormField>,
    fields: Vec<FormField>,
    private: Option<FormField>,
    watchers: Option<FormField>,
    max_file: Option<String>,
    files: Vec<PendingFile>,
    file_errors: Vec<String>,
    messages: Vec<String>,
    preview: String,
    /// Whether the viewer may add an issue in the chosen project.
    is_possible: bool,
}

/// What was typed, and the errors of it.
#[derive(Default)]
struct NewIssueForm {
    form: Input,
    errors: ValidationErrors,
    files: ReceivedFiles,
}

/// `GET`: the form, filled from the query string (`issue[subject]=…`).
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(
        request,
        db,
        NewIssueForm {
            form: (*request.query).clone(),
            ..NewIssueForm::default()
        },
    )
}

/// `POST`: creates the issue, or shows the form again: with messages, or for another project or
/// tracker (`do=refresh`).
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request.app.read(|db| -> Result<_, Error> {
        Ok(project_of_path(request, db)?.map(|project| project.id))
    })?;
    let files = receive(request)?;
    if typed(&request.body, "do").is_some_and(|text| text == "refresh") {
        return again(request, ValidationErrors::new(), files, StatusCode::OK);
    }
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    if !files.errors.is_empty() {
        return again(request, ValidationErrors::new(), files, invalid);
    }
    let mut change = match fields::issue::parse(request, &request.body) {
        Ok(change) => change,
        Err(Error::Invalid(errors)) => return again(request, errors, files, invalid),
        Err(error) => return Err(error),
    };
    if let Some(project) = project {
        change.project = Patch::Set(project.to_string());
    }
    // Nobody chosen means whoever is the default of the category or the project.
    if change.assignee == Patch::Clear {
        change.assignee = Patch::Unset;
    }
    let uploads = files.uploads();
    let created = request.write(move |db, viewer| issues::create(db, viewer, &change, &uploads));
    let id = match created {
        Ok(issue) => issue.id,
        Err(Error::Invalid(errors)) => return again(request, errors, files, invalid),
        Err(error) => return Err(error),
    };
    let is_visible = request
        .app
        .read(|db| stored_issues::find(db, visibility::issues(request.viewer()), id))?
        .is_some();
    let (path, message) = if is_visible {
        (paths::issue(id), format!("Issue #{id} was created."))
    } else {
        (
            "/issues".to_owned(),
            format!("Issue #{id} was created. You cannot see it."),
        )
    };
    Ok(redirect_with(request, path, &Flash::notice(message)))
}

/// Shows the form again.
fn again(
    request: &RequestContext,
    errors: ValidationErrors,
    files: ReceivedFiles,
    status: StatusCode,
) -> Result<Reply, Error> {
    let state = NewIssueForm {
        form: request.body.clone(),
        errors,
        files,
    };
    Ok(request
        .app
        .read(|db| page(request, db, state))?
        .with_status(status))
}

/// Returns the project in the path, if the viewer may add issues there.
fn project_of_path<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
) -> Result<Option<&'c Project>, Error> {
    if request.path_param("id").is_empty() {
        return Ok(None);
    }
    let project = access::project(request, db.catalogue(), Permission::ViewProject)?;
    if request.viewer().may(Permission::AddIssues, project.id) {
        Ok(Some(project))
    } else {
        Err(Error::Forbidden)
    }
}

fn page(request: &RequestContext, db: &Read<'_>, state: NewIssueForm) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let fixed = project_of_path(request, db)?;
    let projects = if fixed.is_some() {
        Vec::new()
    } else {
        issues::projects(catalogue, viewer)
    };
    if fixed.is_none() && projects.is_empty() {
        return Err(Error::Forbidden);
    }
    let mut change = fields::issue::parse(request, &state.form).unwrap_or_default();
    let chosen = match fixed {
        Some(project) => Some(project),
        None => {
            let requested = change
                .project
                .value()
                .and_then(|reference| catalogue.project_by(reference));
            requested
                .filter(|requested| {
                    projects
                        .iter()
                        .any(|(project, _)| project.id == requested.id)
                })
                .or(projects.first().map(|(project, _)| *project))
        }
    };
    change.project = chosen.map_or(Patch::Unset, |project| Patch::Set(project.id.to_string()));
    let editable = issues::new(db, viewer, &change)?;
    let mut frame = Frame::new(request, db, "New issue").with_width(Width::Narrow);
    if let Some(project) = fixed {
        frame = frame.in_project(catalogue, viewer, project, Some(ProjectTab::Issues));
    }
    let mut fields = match &editable {
        Some(editable) => issue_form::fields(&FormContext {
            catalogue,
            viewer,
            editable,
            form: &state.form,
        }),
        None => Vec::new(),
    };
    let members = editable
        .as_ref()
        .map(issues::Editable::members)
        .unwrap_or_default();
    let mut watchers =
        chosen.and_then(|project| watchers(request, db, project, members, &state.form));
    let mut project = fixed.is_none().then(|| project_field(&projects, chosen));
    let messages = assign_errors(
        fields
            .iter_mut()
            .chain(watchers.as_mut())
            .chain(project.as_mut()),
        state.errors,
    );
    let mut take = |column: &str| {
        let index = fields
            .iter()
            .position(|field| field.name == format!("issue[{column}]"));
        index.map(|index| fields.remove(index))
    };
    let tracker = take("tracker_id");
    let subject = take("subject");
    let description = take("description");
    let private = take("is_private");
    let max = i64::try_from(max_file_size(catalogue)).unwrap_or(i64::MAX);
    let page = NewIssuePage {
        action: fixed.map_or_else(
            || "/issues/new".to_owned(),
            |project| format!("{}/issues/new", paths::project(project)),
        ),
        project,
        tracker,
        subject,
        description,
        fields,
        private,
        watchers,
        max_file: viewer.user.map(|_| size(max)),
        files: pending(request, db, &state.files),
        file_errors: state.files.errors,
        messages,
        preview: chosen.map_or_else(String::new, |project| paths::preview("project", project.id)),
        is_possible: editable.is_some(),
        frame,
    };
    render(&page.frame, &page)
}

fn project_field(projects: &[(&Project, usize)], chosen: Option<&Project>) -> FormField {
    let chosen = chosen.map_or(String::new(), |project| project.id.to_string());
    let mut field = FormField::new(FieldKind::Select, "issue[project_id]", "Project", chosen);
    let choices = projects.iter().map(|(project, depth)| Choice {
        value: project.id.to_string(),
        label: indented(&project.name, *depth),
    });
    field.choices = choices.collect();
    field.is_required = true;
    field
}

/// Returns the name of a project below others, indented by its depth.
fn indented(name: &str, depth: usize) -> String {
    format!(
        "{}{name}",
        "\u{a0}\u{a0}\u{a0}".repeat(depth.min(MAX_DEPTH))
    )
}

/// Returns the members of the project as possible watchers, if the viewer may add any.
fn watchers(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    members: Vec<PrincipalId>,
    form: &Input,
) -> Option<FormField> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    if !viewer.may(Permission::AddIssueWatchers, project.id) {
        return None;
    }
    let chosen = typed(form, "issue[watcher_user_ids][]").unwrap_or_default();
    let mut field = FormField::new(
        FieldKind::Checkboxes,
        "issue[watcher_user_ids][]",
        "Watchers",
        chosen,
    );
    let visible = members
        .into_iter()
        .filter(|id| visibility::can_see_principal(viewer, catalogue, *id))
        .take(MAX_WATCHERS);
    let choices = visible.map(|id| Choice {
        value: id.to_string(),
        label: catalogue.principal_name(id).unwrap_or_default().to_owned(),
    });
    field.choices = choices.collect();
    (!field.choices.is_empty()).then_some(field)
}
