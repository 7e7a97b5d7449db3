//! The form of a saved query or search: its name and its users. What it says comes from the list, or
//! from the search page.

use super::kinds::{KINDS, kind, noun, path, path_of_kind};
use super::requested::requested;
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FieldKind, FormField, choice};
use crate::components::form_page::FormPage;
use crate::components::pager::with_params;
use crate::form::form_merge::{merge, save_merged};
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::queries;
use quarry_actions::queries::QueryChange;
use quarry_domain::ids::QueryId;
use quarry_domain::query::saved::{Audience, QueryKind, SavedQuery};
use quarry_domain::values::patch::Patch;
use quarry_http::resources::fields;

/// The value of `project_id` for all projects.
const ALL_PROJECTS: &str = "";
const ALL_PROJECTS_LABEL: &str = "All projects";
/// The field with the project.
const PROJECT: &str = "query[project_id]";
/// Maximum number of characters of the words of a search that its form shows.
const MAX_WORDS_CHARS: usize = 80;

/// `GET /queries/new`, `GET /projects/:id/queries/new`: the form that saves the list that the query
/// string describes, or with `type=SearchQuery` the search.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, None, &Shown::default())
}

/// `POST /queries`, `POST /projects/:id/queries`: saves the list that the query string describes,
/// and redirects to the list with the query; or the same with the search.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let kind = kind(request);
    let requested = request.app.read(|db| requested(request, db, kind));
    let (shown, path) = access::found(request, requested)?;
    let project = request.app.read(|db| project(request, db.catalogue()))?;
    save(
        request,
        || {
            let change = with_form(request, shown, project)?;
            let for_all = change.project.value().is_none();
            let name = change.name.value().cloned().unwrap_or_default();
            let id = request.write(move |db, viewer| queries::create(db, viewer, kind, &change))?;
            Ok((id, name, for_all))
        },
        |(id, name, for_all)| {
            let list = match kind {
                QueryKind::Issues if for_all && project.is_none() => "/issues".to_owned(),
                _ => path,
            };
            let message = format!("The {} {} was saved.", noun(kind), name.trim());
            Ok((format!("{list}?query_id={id}"), message))
        },
        |db, errors| page(request, db, None, &Shown::sent(&request.body, errors)),
    )
}

/// Adds name and users from the form to what the list shows.
fn with_form(
    request: &RequestContext,
    shown: QueryChange,
    project: Option<ProjectId>,
) -> Result<QueryChange, Error> {
    let form = fields::query::parse(&request.body)?;
    let project = match (&form.project, project) {
        (Patch::Unset, Some(project)) => Patch::Set(project.to_string()),
        (Patch::Set(text), _) if text.trim() == ALL_PROJECTS => Patch::Clear,
        (Patch::Unset, None) => Patch::Clear,
        (chosen, _) => chosen.clone(),
    };
    Ok(QueryChange {
        roles: roles(&form),
        name: form.name,
        description: form.description,
        visibility: form.visibility,
        project,
        ..shown
    })
}

/// Returns the roles for which the query is saved; without them if it is not for roles.
fn roles(form: &QueryChange) -> Patch<Vec<quarry_domain::ids::RoleId>> {
    match form.visibility.value().map(String::as_str) {
        Some("private" | "public") => Patch::Set(Vec::new()),
        _ => form.roles.clone(),
    }
}

/// `GET /queries/:id/edit`: the form for the name and the users of a query.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let query = editable(request, db)?;
    page(request, db, Some(&query), &Shown::default())
}

/// `POST /queries/:id/edit`: saves what the viewer has changed. Where somebody else has changed the
/// same field since the form was opened, nothing is saved, and the form shows both values: 409.
pub fn save_edit(request: &RequestContext) -> Result<Reply, Error> {
    save_merged(
        || try_save_edit(request),
        |busy| {
            request.app.read(|db| {
                let query = editable(request, db)?;
                page(request, db, Some(&query), &Shown::sent(&request.body, busy))
            })
        },
    )
}

/// The same; fails with `Outdated` when somebody saves the query between the merge and the write.
fn try_save_edit(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let (query, merged) = request.app.read(|db| -> Result<_, Error> {
        let query = editable(request, db)?;
        let mut saved = form_fields(request, db, Some(&query), query.project, &Input::Null);
        if query.project.is_none() {
            // A form that was opened when the query was that of a project has it, too.
            let project = FormField::new(FieldKind::Select, PROJECT, "", ALL_PROJECTS);
            saved.push(project.with_choices([choice(ALL_PROJECTS, ALL_PROJECTS_LABEL)]));
        }
        Ok((query, merge(&request.body, &saved)))
    })?;
    let before = query.clone();
    if !merged.conflicts.is_empty() {
        let shown = Shown {
            conflicts: &merged.conflicts,
            ..Shown::sent(&merged.form, ValidationErrors::new())
        };
        let reply = request
            .app
            .read(|db| page(request, db, Some(&query), &shown))?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    save(
        request,
        || {
            let form = fields::query::parse(&merged.form)?;
            let project = match &form.project {
                Patch::Set(text) if text.trim() == ALL_PROJECTS => Patch::Clear,
                project => project.clone(),
            };
            let change = QueryChange {
                roles: roles(&form),
                name: form.name,
                description: form.description,
                visibility: form.visibility,
                project,
                ..QueryChange::default()
            };
            request.write(move |db, viewer| {
                if queries::find(db, viewer, &KINDS, id)? != before {
                    return Err(ActionError::Outdated);
                }
                queries::update(db, viewer, &KINDS, id, &change)
            })
        },
        |()| {
            let (path, query) = request.app.read(|db| -> Result<_, Error> {
                let query = queries::find(db, request.viewer(), &KINDS, id)?;
                Ok((path(db.catalogue(), &query), query))
            })?;
            let message = format!("The {} {} was saved.", noun(query.kind), query.name);
            let is_usable = query.is_usable_by(request.viewer(), query.project);
            Ok(match is_usable {
                true => (format!("{path}?query_id={id}"), message),
                false => (path, format!("{message} You cannot use it yourself.")),
            })
        },
        |db, errors| {
            page(
                request,
                db,
                Some(&query),
                &Shown::sent(&merged.form, errors),
            )
        },
    )
}

fn editable(request: &RequestContext, db: &Read<'_>) -> Result<SavedQuery, Error> {
    let id: QueryId = request.id_param("id")?;
    let query = access::found(request, queries::find(db, request.viewer(), &KINDS, id))?;
    if query.is_editable_by(request.viewer()) {
        Ok(query)
    } else {
        Err(Error::Forbidden)
    }
}

/// Returns the project of the list or the search that is saved.
fn project(request: &RequestContext, catalogue: &Catalogue) -> Result<Option<ProjectId>, Error> {
    if request.path_param("id").is_empty() {
        let reference = request.query_param("project_id").unwrap_or_default();
        let project = catalogue.project_by(reference.trim());
        let project = project.filter(|project| request.viewer().sees(project.id));
        return Ok(project.map(|project| project.id));
    }
    let permission = kind(request).view_permission();
    let project = access::project(request, catalogue, permission)?;
    Ok(Some(project.id))
}

/// What the form shows of what was sent.
#[derive(Default)]
struct Shown<'a> {
    sent: Option<&'a Input>,
    /// The fields that somebody else has changed, too.
    conflicts: &'a [(String, String)],
    errors: ValidationErrors,
}

impl<'a> Shown<'a> {
    fn sent(form: &'a Input, errors: ValidationErrors) -> Shown<'a> {
        Shown {
            sent: Some(form),
            conflicts: &[],
            errors,
        }
    }
}

/// Returns the fields of the form: name, description, users, and the project if it can change.
fn form_fields(
    request: &RequestContext,
    db: &Read<'_>,
    query: Option<&SavedQuery>,
    project: Option<ProjectId>,
    sent: &Input,
) -> Vec<FormField> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let kind = query.map_or_else(|| kind(request), |query| query.kind);
    let savable_everywhere = Audience::any_is_savable_by(viewer, None);
    let form = FieldBuilder::new("query", sent);
    let mut fields = vec![
        form.line("name", "Name", query.map_or("", |query| &query.name))
            .required(),
        form.line(
            "description",
            "Description",
            query.map_or("", |query| &query.description),
        ),
    ];
    fields.extend(audience_fields(catalogue, form, query, |audience| {
        audience.is_savable_by(viewer, project)
            || savable_everywhere && audience.is_savable_by(viewer, None)
            || query.is_some_and(|query| query.audience.name() == audience.name())
    }));
    if let Some(id) = project.filter(|_| savable_everywhere) {
        let choices = [
            choice(id, catalogue.project_name(id)),
            choice(ALL_PROJECTS, ALL_PROJECTS_LABEL),
        ];
        let label = match kind {
            QueryKind::Searches => "For the search in",
            _ => "For the issues of",
        };
        fields.push(form.select("project_id", label, id, choices));
    }
    fields
}

/// Returns the page for a query, or for a new one with `None`.
fn page(
    request: &RequestContext,
    db: &Read<'_>,
    query: Option<&SavedQuery>,
    shown: &Shown<'_>,
) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let kind = query.map_or_else(|| kind(request), |query| query.kind);
    let is_search = kind == QueryKind::Searches;
    let project = match query {
        Some(query) => query.project,
        None => {
            request.require_user()?;
            access::found(request, requested(request, db, kind))?;
            project(request, catalogue)?
        }
    };
    if query.is_none() && !Audience::any_is_savable_by(viewer, project) {
        return Err(Error::Forbidden);
    }
    let title = match query {
        Some(query) if is_search => format!("Search {}", query.name),
        Some(query) => format!("Query {}", query.name),
        None if is_search => "Save this search".to_owned(),
        None => "Save this list as a query".to_owned(),
    };
    let mut frame = Frame::new(request, db, title);
    if let Some(project) = project.and_then(|id| catalogue.projects.get(&id)) {
        frame = frame.in_project(db, viewer, project, None);
    }
    let sent = shown.sent.filter(|sent| sent.is_map());
    let fields = form_fields(request, db, query, project, sent.unwrap_or(&Input::Null));
    let list = path_of_kind(catalogue, kind, project);
    let page = match query {
        Some(query) => {
            let path = format!("{}/edit", paths::query(query.id));
            let saved = form_fields(request, db, Some(query), project, &Input::Null);
            FormPage::new(frame, path, fields)
                .with_original(&saved)
                .with_conflicts(shown.conflicts)
                .with_delete(paths::delete_query(query.id))
                .with_cancel(format!("{list}?query_id={}", query.id))
        }
        None => {
            let base = request.path_param("id");
            let base = if base.is_empty() {
                String::new()
            } else {
                format!("/projects/{}", paths::encode(base))
            };
            let parameters = with_params(request, &[]);
            let shown = with_params(request, &[("type", None)]);
            let kept = if is_search {
                let words = request.query_param("q").unwrap_or_default();
                let words: String = words.trim().chars().take(MAX_WORDS_CHARS).collect();
                format!("“{words}” is kept with its options. Readers find what they may see.")
            } else {
                "The query keeps filters, columns, groups, order and totals.".to_owned()
            };
            let page = if is_search { "search" } else { "issues" };
            FormPage::new(frame, format!("{base}/queries{parameters}"), fields)
                .with_paragraph(kept)
                .with_cancel(format!("{base}/{page}{shown}"))
        }
    };
    page.with_errors(shown.errors.clone()).render()
}

/// Returns the fields for the users of a query.
fn audience_fields(
    catalogue: &Catalogue,
    form: FieldBuilder<'_>,
    query: Option<&SavedQuery>,
    is_offered: impl Fn(&Audience) -> bool,
) -> Vec<FormField> {
    let all = [
        (Audience::Owner, "Only me"),
        (Audience::Roles(Vec::new()), "Users with these roles"),
        (Audience::Everybody, "Everybody"),
    ];
    let offered = all.iter().filter(|(audience, _)| is_offered(audience));
    let choices: Vec<Choice> = offered
        .map(|(audience, label)| choice(audience.name(), *label))
        .collect();
    let current = query.map_or(Audience::Owner.name(), |query| query.audience.name());
    let has_roles = choices.iter().any(|choice| choice.value == "roles");
    let mut fields = vec![form.select("visibility", "Who may use it", current, choices)];
    if has_roles {
        let selected = query.map_or(&[][..], |query| query.audience.roles());
        let roles = catalogue.roles.iter().filter(|role| role.builtin.is_none());
        let roles = roles.map(|role| choice(role.id, &role.name));
        fields.push(
            form.checkboxes("role_ids", "Roles", selected.iter(), roles)
                .with_hint("For users with these roles."),
        );
    }
    fields
}
