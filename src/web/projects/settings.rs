//! The settings of a project itself: information, modules, trackers and fields of its issues.

use super::fields::{OBJECT, ProjectFields};
use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{Choice, FormField, choice, sort_by_label};
use crate::components::form_page::FormPage;
use crate::form::form_merge::{merge, save_merged};
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::issues::assignable;
use quarry_actions::projects as actions;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::query::saved::QueryKind;
use quarry_http::resources::fields;
use quarry_store::lists::queries;

/// A page of the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SettingsPage {
    Information,
    Modules,
    Issues,
}

impl SettingsPage {
    /// Returns its label and its path below that of the project.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            SettingsPage::Information => ("Information", "/settings"),
            SettingsPage::Modules => ("Modules", "/settings/modules"),
            SettingsPage::Issues => ("Trackers and fields", "/settings/issues"),
        }
    }
}

/// `GET /projects/:id/settings`: name, identifier, parent and the like.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(request, db, SettingsPage::Information, &request.query)?.render()
}

/// `POST /projects/:id/settings`: saves them.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    save_section(request, SettingsPage::Information)
}

/// `GET /projects/:id/settings/modules`: what the project uses.
pub fn edit_modules(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(request, db, SettingsPage::Modules, &request.query)?.render()
}

/// `POST /projects/:id/settings/modules`: saves the modules.
pub fn update_modules(request: &RequestContext) -> Result<Reply, Error> {
    save_section(request, SettingsPage::Modules)
}

/// `GET /projects/:id/settings/issues`: trackers, custom fields and defaults of its issues.
pub fn edit_issues(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(request, db, SettingsPage::Issues, &request.query)?.render()
}

/// `POST /projects/:id/settings/issues`: saves them.
pub fn update_issues(request: &RequestContext) -> Result<Reply, Error> {
    save_section(request, SettingsPage::Issues)
}

/// Returns the project, if the viewer may change this section.
fn find_project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    section: SettingsPage,
) -> Result<&'c Project, Error> {
    if section == SettingsPage::Modules {
        access::managed_project(request, catalogue, Permission::SelectProjectModules)?;
    }
    access::managed_project(request, catalogue, Permission::EditProject)
}

/// Saves what the viewer has changed in the form. Where somebody else has changed the same field
/// since it was opened, nothing is saved, and the form shows both values: 409.
fn save_section(request: &RequestContext, section: SettingsPage) -> Result<Reply, Error> {
    save_merged(
        || try_save(request, section),
        |busy| {
            request.app.read(|db| {
                form(request, db, section, &request.body)?
                    .with_errors(busy)
                    .render()
            })
        },
    )
}

/// The same; fails with `Outdated` when somebody saves anything between the merge and the write.
fn try_save(request: &RequestContext, section: SettingsPage) -> Result<Reply, Error> {
    let (project, version, merged) = request.app.read(|db| -> Result<_, Error> {
        let project = find_project(request, db.catalogue(), section)?;
        let saved = rows(request, db, project, section, &Input::Null)?;
        let merged = merge(&request.body, &saved);
        Ok((project.clone(), db.catalogue().version, merged))
    })?;
    let id = project.id;
    let page = |db: &Read<'_>, errors| -> Result<Reply, Error> {
        form(request, db, section, &merged.form)?
            .with_conflicts(&merged.conflicts)
            .with_errors(errors)
            .render()
    };
    if !merged.conflicts.is_empty() {
        let reply = request.app.read(|db| page(db, ValidationErrors::new()))?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    save(
        request,
        || {
            let change = fields::project::parse(&merged.form)?;
            request.write(move |db, viewer| {
                if db.catalogue().version != version {
                    return Err(ActionError::Outdated);
                }
                // An update stores all columns, so the identifier changes after it.
                let id = actions::update(db, viewer, &project.identifier, &change)?;
                if change.identifier.is_present() {
                    let identifier = change.identifier.value().map_or("", String::as_str);
                    actions::rename(db, viewer, id, identifier)?;
                }
                Ok(id)
            })
        },
        |_| {
            let catalogue = request.app.store.catalogue()?;
            let viewer = request.viewer().renewed(&catalogue);
            let project = catalogue.projects.get(&id).filter(|_| viewer.sees(id));
            Ok(match project {
                Some(project) if viewer.may(Permission::EditProject, id) => (
                    format!("{}{}", paths::project(project), section.names().1),
                    "The project was saved.".to_owned(),
                ),
                Some(project) => (paths::project(project), "The project was saved.".to_owned()),
                None => (
                    "/projects".to_owned(),
                    "The project was saved. You can no longer see it.".to_owned(),
                ),
            })
        },
        page,
    )
}

fn form(
    request: &RequestContext,
    db: &Read<'_>,
    section: SettingsPage,
    sent: &Input,
) -> Result<FormPage, Error> {
    let project = find_project(request, db.catalogue(), section)?;
    let label = section.names().0;
    let frame = Frame::for_project_settings(request, db, project, label, label);
    let action = format!("{}{}", paths::project(project), section.names().1);
    let saved = rows(request, db, project, section, &Input::Null)?;
    let rows = rows(request, db, project, section, sent)?;
    Ok(FormPage::new(frame, action, rows)
        .with_original(&saved)
        .with_heading(label))
}

/// Returns the fields of a section, with what was sent, or with what is saved.
fn rows(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    section: SettingsPage,
    sent: &Input,
) -> Result<Vec<FormField>, Error> {
    let catalogue = db.catalogue();
    let options = actions::edit(db, request.viewer(), project)?;
    let fields = ProjectFields {
        request,
        catalogue,
        options: &options,
        sent,
    };
    Ok(match section {
        SettingsPage::Information => fields.information(),
        SettingsPage::Modules => fields.modules().into_iter().collect(),
        SettingsPage::Issues => {
            let trackers = fields.trackers().into_iter();
            trackers
                .chain(issue_fields(request, catalogue, project, sent))
                .chain(defaults(db, project, sent)?)
                .collect()
        }
    })
}

/// Returns the choice of custom fields that not every project has.
fn issue_fields(
    request: &RequestContext,
    catalogue: &Catalogue,
    project: &Project,
    sent: &Input,
) -> Option<FormField> {
    let visible: Vec<_> = catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| !field.is_for_all && field.is_visible_to(request.viewer(), project.id))
        .collect();
    let used = visible
        .iter()
        .filter(|field| field.projects.contains(&project.id))
        .map(|field| field.id);
    let choices = visible.iter().map(|field| choice(field.id, &field.name));
    let form = FieldBuilder::new(OBJECT, sent);
    (!visible.is_empty())
        .then(|| form.checkboxes("issue_custom_field_ids", "Custom fields", used, choices))
}

/// Returns the fields with the defaults of new issues, and of the list of issues.
fn defaults(db: &Read<'_>, project: &Project, sent: &Input) -> Result<Vec<FormField>, Error> {
    let catalogue = db.catalogue();
    let form = FieldBuilder::new(OBJECT, sent);
    let versions = catalogue.versions.values().filter(|version| {
        version.is_open() && catalogue.is_shared_with(version, project.id)
            || project.default_version == Some(version.id)
    });
    let people = assignable::list(catalogue, project.id).into_iter();
    let people = people.map(|id| choice(id, catalogue.principal_name(id).unwrap_or_default()));
    let assignee = project.default_assignee.map(|id| {
        let name = catalogue.principal_name(id).unwrap_or_default();
        (id.to_string(), format!("{name} (cannot be assigned now)"))
    });
    let query = project.default_query.map(|id| {
        let label = "the current one, which not everybody can use";
        (id.to_string(), label.to_owned())
    });
    let saved = queries::list(db, QueryKind::Issues, None)?;
    let saved = saved
        .iter()
        .filter(|query| query.can_be_default_of(project.id))
        .map(|query| choice(query.id, &query.name));
    Ok(vec![
        form.select(
            "default_version_id",
            "Default target version",
            id_text(project.default_version),
            with_none(by_label(
                versions.map(|version| choice(version.id, &version.name)),
            )),
        ),
        form.select_or_keep(
            "default_assigned_to_id",
            "Default assignee",
            assignee,
            with_none(people),
        ),
        form.select_or_keep(
            "default_issue_query_id",
            "Default issue query",
            query,
            with_none(saved),
        ),
    ])
}

fn id_text(id: Option<impl ToString>) -> String {
    id.map(|id| id.to_string()).unwrap_or_default()
}

fn with_none(choices: impl IntoIterator<Item = Choice>) -> impl Iterator<Item = Choice> {
    [choice("", "None")].into_iter().chain(choices)
}

fn by_label(choices: impl Iterator<Item = Choice>) -> Vec<Choice> {
    let mut choices: Vec<Choice> = choices.collect();
    sort_by_label(&mut choices);
    choices
}
