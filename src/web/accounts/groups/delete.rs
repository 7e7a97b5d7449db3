//! `/groups/:id/delete`: says what its users lose, and deletes a group.

use super::edit::{OUTDATED, audit, find_group, projects};
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::{require_password, save};
use crate::frame::Frame;
use crate::prelude::*;
use quarry_actions::accounts::groups as actions;

/// Maximum number of projects that the page names.
const MAX_PROJECTS: usize = 20;

/// `GET`: asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    page(request, db, ValidationErrors::new())
}

/// `POST`: deletes the group. One that requires a second factor needs the own password.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let group = find_group(request, &catalogue)?;
    let id = group.id;
    let name = group.name.clone();
    let is_guarded = group.requires_second_factor;
    save(
        request,
        || {
            if is_guarded {
                require_password(request)?;
            }
            request.write(move |db, viewer| -> Result<_, Error> {
                let current = db.catalogue().groups.get(&id).ok_or(Error::NotFound)?;
                // It may have been switched on since the password was not asked for.
                if current.requires_second_factor && !is_guarded {
                    return Err(Error::Conflict(OUTDATED.to_owned()));
                }
                Ok(actions::delete(db, viewer, id)?)
            })
        },
        |users| {
            audit(request, &users)?;
            Ok((
                "/groups".to_owned(),
                format!("The group {name} was deleted."),
            ))
        },
        |db, errors| page(request, db, errors),
    )
}

fn page(request: &RequestContext, db: &Read<'_>, errors: ValidationErrors) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let group = find_group(request, catalogue)?;
    let projects = projects(catalogue, group.id);
    let frame = Frame::for_administration(request, db, format!("Delete {}", group.name))
        .below("Groups", "/groups")
        .below(&group.name, format!("/groups/{}/edit", group.id));
    let users = match group.users.len() {
        0 => "The group has no users.".to_owned(),
        1 => "One user is in the group, and stays.".to_owned(),
        count => format!("{count} users are in the group, and stay."),
    };
    let mut page = FormPage::confirmation(frame, format!("/groups/{}/delete", group.id), "Delete")
        .with_heading(format!("Delete the group {}?", group.name))
        .with_cancel(format!("/groups/{}/edit", group.id))
        .with_paragraph(users);
    if projects.is_empty() {
        page = page.with_paragraph("It is not a member of any project.");
    } else {
        let named = projects.iter().take(MAX_PROJECTS);
        let mut names: Vec<String> = named
            .map(|project| format!("{} ({})", project.name, project.roles))
            .collect();
        if projects.len() > MAX_PROJECTS {
            names.push(format!("{} more projects", projects.len() - MAX_PROJECTS));
        }
        page = page.with_paragraph(format!(
            "Its roles are lost to them, unless they have them from elsewhere: {}.",
            names.join(", ")
        ));
    }
    page = page.with_paragraph("Issues that are assigned to it stay without an assignee.");
    if group.requires_second_factor {
        page = page
            .with_paragraph("Its users no longer need two-factor authentication for it.")
            .with_fields([FormField::own_password("").required()]);
    }
    page.with_errors(errors).render()
}
