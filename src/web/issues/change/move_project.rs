//! `/issues/:id/move`: moves an issue to another project, after a page that says what stays and what
//! is lost.

use crate::components::form_field::{FieldKind, FormField, assign_errors, choice, typed};
use crate::form::save_with_reply;
use crate::frame::Frame;
use crate::frame::render::render;
use crate::issues::form::{self as issue_form, FormContext};
use crate::issues::issue_pages;
use crate::prelude::*;
use crate::records::deletions::count;
use quarry_actions::issues;
use quarry_actions::issues::Editable;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::custom_values;
use quarry_http::resources::fields;
use quarry_store::administration::custom_fields;
use quarry_store::issues as stored_issues;
use quarry_store::issues::{relations, subtasks};

const CHANGED_MEANWHILE: &str = "Somebody else has changed the issue since this page was shown. Load it again, and check what stays.";
const PROJECT: &str = "issue[project_id]";
/// Maximum depth of a project in the list of projects.
const MAX_DEPTH: usize = 8;

#[derive(Template)]
#[template(path = "issues/change/move_project.html")]
struct MovePage {
    frame: Frame,
    path: String,
    issue_path: String,
    /// The choice of the project, which leads to this page again.
    project: FormField,
    /// The chosen project, its name, and the form that moves the issue there.
    target: Option<(ProjectId, String)>,
    /// The lock version of the issue, which notices a change of somebody else.
    lock_version: i64,
    fields: Vec<FormField>,
    kept: Vec<String>,
    lost: Vec<String>,
    messages: Vec<String>,
}

/// Whether the viewer may move the issue somewhere.
pub fn may_move(request: &RequestContext, db: &Read<'_>, issue: &Issue) -> bool {
    let viewer = request.viewer();
    issues::may_edit(viewer, issue)
        && viewer.author_id(db.catalogue()).is_some()
        && !targets(request, db, issue).is_empty()
}

/// Returns the projects to which the viewer may move the issue, with their depth in the tree.
fn targets<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
    issue: &Issue,
) -> Vec<(&'c Project, usize)> {
    let mut projects = issues::projects(db.catalogue(), request.viewer());
    projects.retain(|(project, _)| project.id != issue.project);
    projects
}

/// Returns the choice of a project, indented as the tree is.
pub fn project_field(projects: &[(&Project, usize)], chosen: Option<ProjectId>) -> FormField {
    let chosen = chosen.map_or(String::new(), |project| project.to_string());
    let choices = projects.iter().map(|(project, depth)| {
        let indentation = "\u{a0}\u{a0}\u{a0}".repeat((*depth).min(MAX_DEPTH));
        choice(project.id, format!("{indentation}{}", project.name))
    });
    FormField::new(FieldKind::Select, PROJECT, "Project", chosen).with_choices(choices)
}

fn find_movable(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    let issue = issue_pages::find(request, db)?;
    let editable = issues::for_update(db, request.viewer(), issue.id, &IssueChange::default())?;
    if editable.may_set("project_id") && may_move(request, db, &issue) {
        Ok(issue)
    } else {
        Err(Error::Forbidden)
    }
}

/// `GET`: the choice of the project, and with `?issue[project_id]=` what moving there does.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, &request.query, ValidationErrors::new())
}

/// `POST`: moves the issue.
pub fn save_move(request: &RequestContext) -> Result<Reply, Error> {
    let (id, target) = request.app.read(|db| -> Result<_, Error> {
        let issue = find_movable(request, db)?;
        let target = target(request, db, &issue, &request.body);
        Ok((
            issue.id,
            target.map(|project| (project.id, project.name.clone())),
        ))
    })?;
    let name = target.as_ref().map_or("", |(_, name)| name.as_str());
    let message = format!("The issue is in {name} now.");
    save_with_reply(
        request,
        || {
            let Some((project, _)) = target else {
                return Err(Error::Invalid(no_target()));
            };
            let change = fields::issue::parse(request, &request.body)?;
            let moved = request.write(move |db, viewer| {
                let issue = issues::update(db, viewer, id, &change, &[])?;
                // An update ignores what the viewer may not do any more.
                if issue.project == project {
                    Ok(())
                } else {
                    Err(ActionError::Forbidden)
                }
            });
            match moved {
                Err(Error::Outdated) => Err(Error::Conflict(CHANGED_MEANWHILE.to_owned())),
                moved => moved,
            }
        },
        |()| issue_pages::back(request, id, &message),
        |db, errors| page(request, db, &request.body, errors),
    )
}

fn no_target() -> ValidationErrors {
    let mut errors = ValidationErrors::new();
    errors.add("project_id", "Project", "is not included in the list");
    errors
}

/// Returns the project that the form names, if the viewer may move the issue there.
fn target<'c>(
    request: &RequestContext,
    db: &'c Read<'_>,
    issue: &Issue,
    form: &Input,
) -> Option<&'c Project> {
    let reference = typed(form, PROJECT)?;
    let project = db.catalogue().project_by(&reference)?;
    let mut targets = targets(request, db, issue).into_iter();
    targets.find(|(target, _)| target.id == project.id)?;
    Some(project)
}

fn page(
    request: &RequestContext,
    db: &Read<'_>,
    form: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let issue = find_movable(request, db)?;
    let catalogue = db.catalogue();
    let chosen = target(request, db, &issue, form);
    let mut errors = errors;
    if chosen.is_none() && typed(form, PROJECT).is_some() && errors.is_empty() {
        errors = no_target();
    }
    let mut page = MovePage {
        frame: issue_pages::frame(request, db, &issue, "Move"),
        path: format!("{}/move", paths::issue(issue.id)),
        issue_path: paths::issue(issue.id),
        project: project_field(
            &targets(request, db, &issue),
            chosen.map(|project| project.id),
        ),
        target: None,
        lock_version: typed(form, "issue[lock_version]")
            .and_then(|text| text.parse().ok())
            .unwrap_or(stored_issues::lock_version(db, issue.id)?),
        fields: Vec::new(),
        kept: Vec::new(),
        lost: Vec::new(),
        messages: Vec::new(),
    };
    if let Some(project) = chosen {
        let mut change = fields::issue::parse(request, form).unwrap_or_default();
        change.project = Patch::Set(project.id.to_string());
        match issues::for_update(db, request.viewer(), issue.id, &change).map_err(Error::from) {
            Ok(editable) => {
                page.target = Some((project.id, project.name.clone()));
                let context = FormContext {
                    catalogue,
                    viewer: request.viewer(),
                    editable: &editable,
                    form,
                };
                page.fields = issue_form::fields(&context);
                page.fields.retain(|field| {
                    field.attribute == "tracker_id"
                        || errors.iter().any(|error| error.is_about(&field.attribute))
                        || typed(form, &field.name).is_some()
                });
                (page.kept, page.lost) = effects(request, db, &issue, &editable)?;
            }
            Err(Error::Invalid(refused)) => page.messages = refused.messages(),
            Err(error) => return Err(error),
        }
    }
    let rows = page.fields.iter_mut().chain([&mut page.project]);
    let others = assign_errors(rows, errors);
    page.messages.extend(others);
    if !page.messages.is_empty() || page.project.is_invalid() {
        page.frame.title.insert_str(0, "Error: ");
    }
    render(&page.frame, &page)
}

/// Returns what the issue keeps in the other project, and what it loses.
fn effects(
    request: &RequestContext,
    db: &Read<'_>,
    before: &Issue,
    after: &Editable<'_>,
) -> Result<(Vec<String>, Vec<String>), Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let mut kept = vec!["Notes, files, history, watchers and time entries".to_owned()];
    let mut lost = Vec::new();
    let mut sort = |is_kept: bool, what: String| {
        if is_kept {
            kept.push(what);
        } else {
            lost.push(what);
        }
    };
    if let Some(category) = before.category.and_then(|id| catalogue.categories.get(&id)) {
        let is_kept = after.issue.category.is_some();
        sort(is_kept, format!("Category {}", category.name));
    }
    if let Some(version) = before.version.and_then(|id| catalogue.versions.get(&id)) {
        let is_kept = after.issue.version.is_some();
        sort(is_kept, format!("Target version {}", version.name));
    }
    if before.status != after.issue.status {
        let name = |id| catalogue.status(id).map_or("", |status| &status.name);
        let old = name(before.status);
        sort(
            false,
            format!("Status {old}: it becomes {}", name(after.issue.status)),
        );
    }
    let parent = before.parent.map_or(Ok(None), |parent| {
        let visible = stored_issues::visible_ids(db, viewer, &[parent.0])?;
        Ok::<_, Error>(visible.into_iter().next())
    })?;
    if let Some(parent) = parent {
        let is_kept = after.issue.parent.is_some();
        sort(is_kept, format!("Parent task #{parent}"));
    }
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let related = relations::list_visible(db, viewer, &[before.id.0])?.len();
    if related > 0 {
        let is_kept = catalogue.is_on(Setting::CrossProjectIssueRelations);
        sort(is_kept, count(number(related), "relation", "relations"));
    }
    let below = subtasks::list(db, viewer, before.id)?.len();
    if below > 0 {
        let what = count(number(below), "subtask", "subtasks");
        sort(true, format!("{what}: those of this project move, too"));
        let what = "Categories and target versions of subtasks that the project does not have";
        sort(false, what.to_owned());
    }
    let values = custom_fields::find_values(db, Customized::Issue, before.id.0)?;
    for label in lost_fields(catalogue, request, before, &values, after) {
        sort(false, label);
    }
    Ok((kept, lost))
}

/// Returns the names of the custom fields whose values the issue loses, as far as the viewer sees
/// them.
fn lost_fields(
    catalogue: &Catalogue,
    request: &RequestContext,
    before: &Issue,
    values: &Values,
    after: &Editable<'_>,
) -> Vec<String> {
    let fields = catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| field.is_visible_to(request.viewer(), before.project))
        .filter(|field| !field.is_in(after.issue.project, after.issue.tracker));
    custom_values::list(catalogue, fields, values)
        .into_iter()
        .map(|value| format!("{}: {}", value.label, value.text))
        .collect()
}
