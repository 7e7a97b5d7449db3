//! Closes, reopens, archives, unarchives and deletes projects, each after a confirmation.

use crate::access;
use crate::components::form_field::{FieldKind, FormField};
use crate::components::form_page::FormPage;
use crate::components::list_page::{Cell, ListPage};
use crate::form::{field, save};
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::projects as actions;
use quarry_domain::projects::project::ProjectStatus;

/// The title of the page.
const TITLE: &str = "Close or delete";
/// The name of the field in which the identifier of a project to delete is typed.
const CONFIRM: &str = "confirm";

type Action = fn(&mut Write<'_>, &Viewer, &str) -> Result<(), ActionError>;

/// A change of the status, or the deletion.
struct Change {
    /// The last segment of its address.
    name: &'static str,
    verb: &'static str,
    effect: &'static str,
    done: &'static str,
    action: Option<Action>,
}

const CHANGES: [Change; 5] = [
    Change {
        name: "close",
        verb: "Close",
        effect: "The project and its subprojects become read-only.",
        done: "is closed",
        action: Some(actions::close),
    },
    Change {
        name: "reopen",
        verb: "Reopen",
        effect: "The project and its closed subprojects can be changed again.",
        done: "is open again",
        action: Some(actions::reopen),
    },
    Change {
        name: "archive",
        verb: "Archive",
        effect: "The project and its subprojects are hidden from everybody. Administrators can unarchive them.",
        done: "is archived",
        action: Some(actions::archive),
    },
    Change {
        name: "unarchive",
        verb: "Unarchive",
        effect: "The project, and the archived projects above it, are visible again.",
        done: "is no longer archived",
        action: Some(actions::unarchive),
    },
    Change {
        name: "delete",
        verb: "Delete",
        effect: "The project and its subprojects are deleted with all issues, texts, files and time entries. This cannot be undone.",
        done: "was deleted",
        action: None,
    },
];

/// Returns the change that the address names.
fn change_of(request: &RequestContext) -> Result<&'static Change, Error> {
    let path = request.path_and_query();
    let path = path.split('?').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    CHANGES
        .iter()
        .find(|change| change.name == name)
        .ok_or(Error::NotFound)
}

/// Returns the project, if the viewer may change its status in this way.
fn find_project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    change: &Change,
) -> Result<&'c Project, Error> {
    let viewer = request.viewer();
    let project = catalogue.project_by(request.path_param("id"));
    // Archived projects are hidden from everybody else.
    if let Some(project) = project.filter(|_| viewer.admin) {
        return Ok(project);
    }
    let permission = match change.name {
        "close" | "reopen" => Permission::CloseProject,
        "delete" => Permission::DeleteProject,
        _ => {
            access::managed_project(request, catalogue, Permission::ViewProject)?;
            return Err(Error::Forbidden);
        }
    };
    access::managed_project(request, catalogue, permission)
}

/// `GET /projects/:id/close`, `reopen`, `archive`, `unarchive` and `delete`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: changes the status, or deletes the project.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = change_of(request)?;
    let project = find_project(request, request.app.store.catalogue()?.as_ref(), change)?.clone();
    let identifier = project.identifier.clone();
    save(
        request,
        || match change.action {
            Some(action) => request.write(move |db, viewer| action(db, viewer, &identifier)),
            None => delete(request, identifier),
        },
        |()| {
            let catalogue = request.app.store.catalogue()?;
            let viewer = request.viewer().renewed(&catalogue);
            let is_visible =
                catalogue.projects.contains_key(&project.id) && viewer.sees(project.id);
            let path = if is_visible {
                paths::project(&project)
            } else if viewer.admin {
                "/admin/projects".to_owned()
            } else {
                "/projects".to_owned()
            };
            Ok((path, format!("{} {}.", project.name, change.done)))
        },
        |db, errors| page(request, db, errors),
    )
}

/// Deletes a project whose identifier was typed. The background job deletes what is left of a large
/// one.
fn delete(request: &RequestContext, identifier: String) -> Result<(), Error> {
    if field(request, CONFIRM).trim() != identifier {
        return Err(Error::invalid_attribute(
            CONFIRM,
            "Identifier",
            &format!("must be {identifier}, so that no other project is deleted by mistake"),
        ));
    }
    let pending = request.write(move |db, viewer| actions::delete(db, viewer, &identifier))?;
    actions::finish_deletion(&request.app.store, pending, || false)?;
    Ok(())
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let change = change_of(request)?;
    let catalogue = db.catalogue();
    let project = find_project(request, catalogue, change)?;
    let title = format!("{} {}", change.verb, project.name);
    let frame = if project.status == ProjectStatus::Archived {
        Frame::for_administration(request, db, &title)
    } else {
        Frame::for_project_settings(request, db, project, TITLE, &title)
    };
    let viewer = request.viewer();
    let subtree = catalogue.subtree(project.id).into_iter();
    let subprojects = subtree
        .filter(|id| *id != project.id && (viewer.admin || viewer.sees(*id)))
        .count();
    let path = paths::project(project);
    // The settings of an archived project are hidden.
    let cancel = if project.status == ProjectStatus::Archived {
        "/admin/projects".to_owned()
    } else {
        format!("{path}/settings/status")
    };
    let mut page = FormPage::confirmation(
        frame.with_width(Width::Narrow),
        format!("{path}/{}", change.name),
        change.verb,
    )
    .with_heading(format!("{title}?"))
    .with_paragraph(change.effect)
    .with_cancel(cancel);
    if subprojects > 0 {
        page = page.with_paragraph(match subprojects {
            1 => "It has 1 subproject.".to_owned(),
            _ => format!("It has {subprojects} subprojects."),
        });
    }
    if change.name == "delete" {
        let label = format!("Type the identifier {} to confirm", project.identifier);
        let typed = FormField::new(FieldKind::Line, CONFIRM, label, field(request, CONFIRM));
        page = page.with_fields([typed.required()]);
    }
    page.with_errors(errors).render()
}

/// `GET /projects/:id/settings/status`: what can be done with the project as a whole.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::managed_project(request, catalogue, Permission::ViewProject)?;
    let viewer = request.viewer();
    let is_open = project.status == ProjectStatus::Active;
    let offered = CHANGES.iter().filter(|change| match change.name {
        "close" => is_open && viewer.may(Permission::CloseProject, project.id),
        "reopen" => !is_open && viewer.may(Permission::CloseProject, project.id),
        "archive" => viewer.admin,
        "delete" => viewer.may(Permission::DeleteProject, project.id),
        _ => false,
    });
    let rows: Vec<Vec<Cell>> = offered
        .map(|change| {
            let path = format!("{}/{}", paths::project(project), change.name);
            vec![
                Cell::record(format!("{} the project", change.verb), path),
                Cell::Text(change.effect.to_owned()),
            ]
        })
        .collect();
    if rows.is_empty() {
        return Err(Error::Forbidden);
    }
    let state = if is_open { "open" } else { "closed" };
    let frame = Frame::for_project_settings(request, db, project, TITLE, TITLE);
    ListPage::new(frame, &["Change", "What it does"], rows)
        .with_heading(TITLE)
        .with_introduction(format!("The project is {state}."))
        .without_total()
        .render()
}
