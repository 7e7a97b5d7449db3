//! `/issues/:id/copy`: the form of a new issue, filled from another one.

use super::move_project::project_field;
use crate::components::form_field::{FieldKind, FormField, assign_errors, typed};
use crate::components::form_page::FileBox;
use crate::content::received_files::{ReceivedFiles, receive};
use crate::frame::Frame;
use crate::frame::render::render;
use crate::issues::form::{self as issue_form, FormContext};
use crate::issues::issue_pages;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues;
use quarry_actions::issues::CopiedParts;
use quarry_domain::access::visibility;
use quarry_domain::content::watcher::Watchable;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::fields;
use quarry_store::content::{attachments, watchers};
use quarry_store::issues::subtasks;

const FILES: &str = "copy_attachments";
const SUBTASKS: &str = "copy_subtasks";
const WATCHERS: &str = "copy_watchers";
const LINK: &str = "link_copy";

#[derive(Template)]
#[template(path = "issues/change/copy.html")]
struct CopyPage {
    frame: Frame,
    path: String,
    issue_path: String,
    project: FormField,
    tracker: Option<FormField>,
    /// Subject and description, then the others.
    texts: Vec<FormField>,
    fields: Vec<FormField>,
    /// What is copied besides the attributes.
    parts: Vec<FormField>,
    files: Option<FileBox>,
    messages: Vec<String>,
    /// Whether the viewer may add an issue in the chosen project.
    is_possible: bool,
}

/// What was typed, and what is wrong with it.
struct State {
    /// The form; null when it is new.
    form: Input,
    errors: ValidationErrors,
    files: ReceivedFiles,
}

fn find_copyable(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    let issue = issue_pages::find(request, db)?;
    let viewer = request.viewer();
    if issues::may_copy(viewer, &issue) && viewer.author_id(db.catalogue()).is_some() {
        Ok(issue)
    } else {
        Err(Error::Forbidden)
    }
}

/// `GET`: the form.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let state = State {
        form: Input::Null,
        errors: ValidationErrors::new(),
        files: ReceivedFiles::default(),
    };
    page(request, db, state)
}

/// `POST`: creates the copy, or shows the form again: with messages, or for another project or
/// tracker (`do=refresh`).
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let original = request.app.read(|db| find_copyable(request, db))?.id;
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
    // No choice means the default assignee of the category or the project.
    if change.assignee == Patch::Clear {
        change.assignee = Patch::Unset;
    }
    let is_on = |name: &str| typed(&request.body, name).is_some_and(|text| text == "1");
    let parts = CopiedParts {
        files: is_on(FILES),
        subtasks: is_on(SUBTASKS),
        watchers: is_on(WATCHERS),
        relation: is_on(LINK),
    };
    let uploads = files.uploads();
    let copied = request
        .write(move |db, viewer| issues::copy(db, viewer, original, &change, &uploads, parts));
    match copied {
        Ok(issue) => {
            let message = format!("Issue #{} is a copy of #{original}.", issue.id);
            issue_pages::back(request, issue.id, &message)
        }
        Err(Error::Invalid(errors)) => again(request, errors, files, invalid),
        Err(error) => Err(error),
    }
}

fn again(
    request: &RequestContext,
    errors: ValidationErrors,
    files: ReceivedFiles,
    status: StatusCode,
) -> Result<Reply, Error> {
    let state = State {
        form: request.body.clone(),
        errors,
        files,
    };
    let reply = request.app.read(|db| page(request, db, state))?;
    Ok(reply.with_status(status))
}

fn page(request: &RequestContext, db: &Read<'_>, state: State) -> Result<Reply, Error> {
    let issue = find_copyable(request, db)?;
    let viewer = request.viewer();
    let catalogue = db.catalogue();
    let is_new = state.form.is_null();
    let form = match is_new {
        true => to_form(&issues::as_change(db, viewer, &issue)?),
        false => state.form,
    };
    let projects = issues::projects(catalogue, viewer);
    let mut change = fields::issue::parse(request, &form).unwrap_or_default();
    let requested = change
        .project
        .value()
        .and_then(|reference| catalogue.project_by(reference));
    let chosen = requested
        .filter(|requested| {
            projects
                .iter()
                .any(|(project, _)| project.id == requested.id)
        })
        .or_else(|| projects.first().map(|(project, _)| *project))
        .ok_or(Error::Forbidden)?;
    change.project = Patch::Set(chosen.id.to_string());
    let editable = issues::new(db, viewer, &change)?;
    let mut fields = match &editable {
        Some(editable) => issue_form::fields(&FormContext {
            catalogue,
            viewer,
            editable,
            form: &form,
        }),
        None => Vec::new(),
    };
    let mut project = project_field(&projects, Some(chosen.id)).required();
    let messages = assign_errors(fields.iter_mut().chain([&mut project]), state.errors);
    for field in &mut fields {
        if field.attribute == "description" {
            field.preview = Some(paths::preview("issue", issue.id));
        }
    }
    let index = fields
        .iter()
        .position(|field| field.attribute == "tracker_id");
    let tracker = index.map(|index| fields.remove(index));
    let (texts, fields): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|field| matches!(field.attribute.as_str(), "subject" | "description"));
    let sent = if is_new { &Input::Null } else { &form };
    let mut page = CopyPage {
        frame: issue_pages::frame(request, db, &issue, "Copy"),
        path: format!("{}/copy", paths::issue(issue.id)),
        issue_path: paths::issue(issue.id),
        project,
        tracker,
        texts,
        fields,
        parts: parts(request, db, &issue, sent)?,
        files: FileBox::new(request, db, &state.files),
        messages,
        is_possible: editable.is_some(),
    };
    let rows = page.fields.iter().chain(&page.texts);
    if !page.messages.is_empty() || rows.into_iter().any(FormField::is_invalid) {
        page.frame.title.insert_str(0, "Error: ");
    }
    render(&page.frame, &page)
}

/// Returns what can be copied besides the attributes, as far as there is something.
fn parts(
    request: &RequestContext,
    db: &Read<'_>,
    issue: &Issue,
    sent: &Input,
) -> Result<Vec<FormField>, Error> {
    let viewer = request.viewer();
    let files = attachments::list_by_container(db, Kind::Issue, &[issue.id.0])?;
    let files = files.values().map(Vec::len).sum();
    let may_add_subtasks = viewer.may_somewhere(Permission::ManageSubtasks);
    let below = match may_add_subtasks {
        true => subtasks::list(db, viewer, issue.id)?.len(),
        false => 0,
    };
    let may_see_watchers = viewer.may(Permission::ViewIssueWatchers, issue.project)
        && viewer.may_somewhere(Permission::AddIssueWatchers);
    let watchable = Watchable::from(issue.id);
    let watching = match may_see_watchers {
        true => watchers::list(db, watchable)?
            .into_iter()
            .filter(|id| visibility::can_see_principal(viewer, db.catalogue(), *id))
            .count(),
        false => 0,
    };
    let rows = [
        (FILES, "Copy files", files),
        (SUBTASKS, "Copy subtasks", below),
        (WATCHERS, "Copy watchers", watching),
        (LINK, "Link to the original", 1),
    ];
    let shown = rows.into_iter().filter(|(_, _, count)| *count > 0);
    Ok(shown
        .map(|(name, label, _)| {
            let value = typed(sent, name).unwrap_or_else(|| "1".to_owned());
            FormField::new(FieldKind::Switch, name, label, value)
        })
        .collect())
}

/// Returns the attributes as a form has them.
fn to_form(change: &IssueChange) -> Input {
    fn text<T: ToString>(patch: &Patch<T>) -> Option<String> {
        patch.value().map(ToString::to_string)
    }
    let private = change
        .private
        .value()
        .map(|is_on| i64::from(*is_on).to_string());
    let attributes = [
        ("project_id", text(&change.project)),
        ("tracker_id", text(&change.tracker)),
        ("subject", text(&change.subject)),
        ("description", text(&change.description)),
        ("priority_id", text(&change.priority)),
        ("assigned_to_id", text(&change.assignee)),
        ("category_id", text(&change.category)),
        ("fixed_version_id", text(&change.version)),
        ("parent_issue_id", text(&change.parent)),
        ("start_date", text(&change.start_date)),
        ("due_date", text(&change.due_date)),
        ("estimated_hours", text(&change.estimated_hours)),
        ("done_ratio", text(&change.done_ratio)),
        ("is_private", private),
    ];
    let mut issue: Vec<(String, Input)> = attributes
        .into_iter()
        .map(|(name, value)| (name.to_owned(), Input::Text(value.unwrap_or_default())))
        .collect();
    let custom = change.custom.iter().map(|(id, values)| {
        let values = values.iter().cloned().map(Input::Text);
        (id.to_string(), Input::List(values.collect()))
    });
    issue.push((
        "custom_field_values".to_owned(),
        Input::Map(custom.collect()),
    ));
    Input::Map(vec![("issue".to_owned(), Input::Map(issue))])
}
