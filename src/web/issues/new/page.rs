//! The page of the form for a new issue.

use super::state::{NewIssueForm, View, project_of_path};
use super::templates;
use crate::components::attachments::size;
use crate::components::error_summary::ErrorSummary;
use crate::components::form_field::{Choice, FieldKind, FormField, assign_errors, choice, typed};
use crate::content::received_files::{PendingFile, pending};
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab};
use crate::issues::form::{self as issue_form, FormContext};
use crate::issues::show::related::{self, IssueLink};
use crate::prelude::*;
use quarry_actions::content::attachments::max_file_size;
use quarry_actions::content::incoming_mail::new_issue_addresses;
use quarry_actions::issues::{self, issue_templates};
use quarry_domain::access::visibility;
use quarry_domain::ids::PrincipalId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::IssueChange;
use quarry_domain::issues::template::IssueTemplate;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::is_blank;
use quarry_http::resources::fields;
use quarry_http::resources::search::current_visibility;
use quarry_search::SimilarRequest;

/// Maximum number of members who can be chosen as watchers.
const MAX_WATCHERS: usize = 100;
/// Maximum depth of a project in the list of projects.
const MAX_DEPTH: usize = 8;
/// Maximum number of similar issues.
const MAX_SIMILAR: usize = 5;
/// Number of characters of the subject and of the description that similar issues are searched for
/// with.
const MAX_SIMILAR_CHARS: usize = 2000;

#[derive(Template)]
#[template(path = "issues/new.html")]
struct NewIssuePage {
    frame: Frame,
    /// The secret address of the viewer for new issues of the project.
    mail_address: Option<String>,
    action: String,
    errors: ErrorSummary,
    /// The project; `None` when it is part of the address.
    project: Option<FormField>,
    tracker: Option<FormField>,
    /// The templates of the tracker to choose from.
    templates: Vec<Choice>,
    subject: Option<FormField>,
    /// Issues that are similar to what was typed, if they were looked for.
    similar: Option<Vec<IssueLink>>,
    description: Option<FormField>,
    /// Custom fields with long texts.
    texts: Vec<FormField>,
    /// The facts at the side.
    fields: Vec<FormField>,
    private: Option<FormField>,
    watchers: Option<FormField>,
    max_file: Option<String>,
    files: Vec<PendingFile>,
    file_errors: Vec<String>,
    preview: String,
    /// Where a form asks for another address.
    new_address: String,
    /// Whether the viewer may add an issue in the chosen project.
    is_possible: bool,
    /// Where the form leads back to, if not to the issue.
    back: Option<String>,
}

/// Shows the form.
pub fn page(request: &RequestContext, db: &Read<'_>, state: NewIssueForm) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let fixed = project_of_path(request, db)?;
    let projects = match fixed {
        Some(_) => Vec::new(),
        None => issues::projects(catalogue, viewer),
    };
    if fixed.is_none() && projects.is_empty() {
        return Err(Error::Forbidden);
    }
    let mut change = fields::issue::parse(request, &state.form).unwrap_or_default();
    let chosen = fixed.or_else(|| chosen_project(db, &change, &projects));
    change.project = chosen.map_or(Patch::Unset, |project| Patch::Set(project.id.to_string()));
    let editable = issues::new(db, viewer, &change)?;
    let mut frame = Frame::new(request, db, "New issue");
    if let Some(project) = fixed {
        frame = frame.in_project(db, viewer, project, Some(ProjectTab::Issues));
        frame.title = format!("New issue – {}", project.name);
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
    let all = fields
        .iter_mut()
        .chain(watchers.as_mut())
        .chain(project.as_mut());
    let messages = assign_errors(all, state.errors);
    let errors = ErrorSummary::new(&messages, project.iter().chain(&fields).chain(&watchers))
        .with_files(&state.files.errors);
    errors.mark_title(&mut frame.title);
    let mut take = |column: &str| {
        let index = fields
            .iter()
            .position(|field| field.name == format!("issue[{column}]"));
        index.map(|index| fields.remove(index))
    };
    let mut tracker = take("tracker_id");
    let mut subject = take("subject");
    let mut description = take("description");
    let private = take("is_private");
    let (texts, fields) = fields
        .into_iter()
        .partition(|field| field.kind == FieldKind::LongText);
    let mut templates = Vec::new();
    if let Some(editable) = &editable {
        templates = issue_templates::list_usable(db, viewer, editable.issue.project)?;
        templates::fill(
            &templates,
            (&state.form, state.view, editable.issue.tracker),
            subject.as_mut(),
            description.as_mut(),
        );
        templates.retain(|template| template.tracker == editable.issue.tracker);
    }
    let similar = match (state.view, subject.as_ref()) {
        (View::WithSimilar, Some(subject)) => {
            let description = description.as_ref().map(|field| field.value.as_str());
            Some(similar(
                request,
                db,
                &subject.value,
                description.unwrap_or_default(),
            )?)
        }
        _ => None,
    };
    let focused = match state.view {
        View::Refreshed => tracker.as_mut().or(project.as_mut()),
        _ => subject.as_mut(),
    };
    if let Some(field) = focused {
        field.has_focus = true;
    }
    let max = i64::try_from(max_file_size(catalogue)).unwrap_or(i64::MAX);
    let page = NewIssuePage {
        action: fixed.map_or_else(
            || "/issues/new".to_owned(),
            |project| format!("{}/issues/new", paths::project(project)),
        ),
        errors,
        project,
        tracker,
        templates: template_choices(&templates),
        subject,
        similar,
        description,
        texts,
        fields,
        private,
        watchers,
        max_file: viewer.user.map(|_| size(max)),
        files: pending(request, db, &state.files),
        file_errors: state.files.errors,
        preview: chosen.map_or_else(String::new, |project| paths::preview("project", project.id)),
        is_possible: editable.is_some(),
        back: typed(&state.form, "back_url"),
        mail_address: fixed
            .zip(viewer.user)
            .filter(|_| editable.is_some())
            .map(|(project, user)| new_issue_addresses::find(db, user, project.id))
            .transpose()?
            .flatten(),
        new_address: fixed.map_or_else(String::new, |project| {
            format!("{}/issues/new_address", paths::project(project))
        }),
        frame,
    };
    render(&page.frame, &page)
}

/// Returns the project of the form, or else the first to which the viewer may add issues.
fn chosen_project<'c>(
    db: &'c Read<'_>,
    change: &IssueChange,
    projects: &[(&'c Project, usize)],
) -> Option<&'c Project> {
    let requested = change
        .project
        .value()
        .and_then(|reference| db.catalogue().project_by(reference));
    let is_offered = |requested: &&Project| {
        projects
            .iter()
            .any(|(project, _)| project.id == requested.id)
    };
    requested
        .filter(is_offered)
        .or(projects.first().map(|(project, _)| *project))
}

fn template_choices(templates: &[IssueTemplate]) -> Vec<Choice> {
    templates
        .iter()
        .map(|template| choice(template.id, &template.name))
        .collect()
}

/// Finds visible issues that are similar to what was typed; none while the index is not ready.
fn similar(
    request: &RequestContext,
    db: &Read<'_>,
    subject: &str,
    description: &str,
) -> Result<Vec<IssueLink>, Error> {
    if is_blank(subject) {
        return Ok(Vec::new());
    }
    let subject: String = subject.chars().take(MAX_SIMILAR_CHARS).collect();
    let description: String = description.chars().take(MAX_SIMILAR_CHARS).collect();
    let visibility = current_visibility(request, db)?;
    let hits = request.app.search.similar(&SimilarRequest {
        subject: &subject,
        description: &description,
        notes: &[],
        except: None,
        visibility: &visibility,
        projects: None,
        closed: None,
        written: db.now(),
        limit: MAX_SIMILAR,
    });
    let hits = hits.unwrap_or_default();
    let ids: Vec<i64> = hits
        .iter()
        .filter(|hit| hit.kind == Kind::Issue)
        .map(|hit| hit.id)
        .collect();
    related::links(request, db, &ids)
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
