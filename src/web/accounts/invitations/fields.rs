//! What the forms for one person and for several share: the project with the roles, and whether mails
//! are sent.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FormField, choice, typed};
use crate::components::form_page::Section;
use crate::form::is_checked;
use crate::prelude::*;
use quarry_actions::accounts::invitations::Delivery;
use quarry_actions::accounts::memberships::default_role;
use quarry_actions::notices::outbox;
use quarry_domain::access::membership::managed_roles;
use quarry_domain::ids::RoleId;
use quarry_domain::projects::project::ProjectStatus;
use quarry_domain::values::patch::Patch;

/// The field that says whether the link is sent by mail.
const SEND_MAIL: &str = "send_mail";
const PROJECT: &str = "membership[project_id]";

/// The project that invited users become members of, with their roles.
pub type Membership = Option<(ProjectId, Vec<RoleId>)>;

/// Returns the fields of the project and the roles. They start with the only project if there is one
/// alone, and with the role that new members mostly get.
pub fn membership_section(
    request: &RequestContext,
    db: &Read<'_>,
    sent: &Input,
) -> Result<Section, Error> {
    let catalogue = db.catalogue();
    let form = FieldBuilder::new("membership", sent);
    let active: Vec<&Project> = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
        .filter(|project| project.status == ProjectStatus::Active)
        .collect();
    let only = match active.as_slice() {
        [project] => Some(project.id),
        _ => None,
    };
    let chosen = match typed(sent, PROJECT) {
        Some(text) => text.parse().map(ProjectId).ok(),
        None => only,
    };
    let chosen = chosen.filter(|id| catalogue.projects.contains_key(id));
    let offered = managed_roles(catalogue, request.viewer(), chosen.unwrap_or(ProjectId(0)));
    let default = default_role(db, &offered, chosen)?;
    let projects = active
        .iter()
        .map(|project| choice(project.id, &project.name));
    let roles = catalogue
        .roles
        .iter()
        .filter(|role| offered.contains(&role.id));
    let fields = vec![
        form.select(
            "project_id",
            "Project",
            only.map_or_else(String::new, |id| id.to_string()),
            [choice("", "None")].into_iter().chain(projects),
        ),
        form.checkboxes(
            "role_ids",
            "Roles",
            default,
            roles.map(|role| choice(role.id, &role.name)),
        ),
    ];
    let section = Section::new("Member of a project", fields);
    Ok(section.with_hint("Without a project, the user sees public projects only."))
}

/// Parses the project and the roles.
pub fn parse_membership(body: &Input) -> Result<Membership, Error> {
    let mut membership = BodyFields::from_input(body, "membership")?;
    let project: Patch<ProjectId> = membership.id("project_id", "Project");
    let roles: Patch<Vec<RoleId>> = membership.ids("role_ids", "Roles");
    membership.check()?;
    let roles = roles.value().cloned().unwrap_or_default();
    Ok(project.value().map(|project| (*project, roles)))
}

/// Returns the field that says whether links are sent by mail, if mail is on.
pub fn mail_field(db: &Read<'_>, sent: &Input, label: &str) -> Result<Option<FormField>, Error> {
    let form = FieldBuilder::without_object(sent);
    Ok(outbox::is_on(db)?.then(|| {
        form.switch(SEND_MAIL, label, true)
            .with_hint("Otherwise the next page shows it, for you to hand over.")
    }))
}

/// Returns how the form says that links get to people.
pub fn delivery(request: &RequestContext) -> Delivery {
    if is_checked(request, SEND_MAIL) {
        Delivery::Mail
    } else {
        Delivery::Link
    }
}
