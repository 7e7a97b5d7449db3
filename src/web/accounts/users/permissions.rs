//! `/users/:id/permissions`: what a user may do in a project, and why.

use crate::administration::permission_labels::{heading, label, modules};
use crate::frame::Frame;
use crate::frame::render::render;
use crate::prelude::*;
use quarry_domain::access::explanation::{
    Explanation, GrantSource, RoleGrant, Rule, explain, grants_in,
};
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::projects::project::ProjectStatus;
use quarry_http::resources::user_permissions;

/// Maximum number of projects in the list. With more, the form takes an identifier.
const MAX_PROJECTS: usize = 1000;

#[derive(Template)]
#[template(path = "accounts/users/permissions.html")]
struct UserPermissionsPage {
    frame: Frame,
    title: String,
    /// The id of the user, or `anonymous`.
    id: String,
    /// Identifier and name of the projects to choose from; empty if there are too many.
    projects: Vec<(String, String)>,
    /// The identifier of the project.
    project: String,
    /// The same permissions for programs.
    json: Option<String>,
    /// Sentences about the user in the project.
    facts: Vec<String>,
    groups: Vec<Group>,
}

struct Group {
    heading: &'static str,
    rows: Vec<Row>,
}

struct Row {
    label: &'static str,
    is_effective: bool,
    reasons: Vec<String>,
}

/// `GET`: the permissions in the project `project`, and without it a choice of projects.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let user = user_permissions::user(request, catalogue)?;
    let project = user_permissions::project(request, catalogue, "project")?;
    let name = match user {
        Some(id) => catalogue.principal_name(id.into()).unwrap_or_default(),
        None => "Anonymous",
    };
    let id = user.map_or_else(
        || user_permissions::ANONYMOUS.to_owned(),
        |id| id.to_string(),
    );
    let title = match project {
        Some(project) => format!("What may {name} do in {}?", project.name),
        None => format!("What may {name} do?"),
    };
    let frame = Frame::for_administration(request, db, &title).below("Users", "/users");
    let page = UserPermissionsPage {
        frame: match user {
            Some(id) => frame.below(name, paths::edit_user(id)),
            None => frame,
        },
        title,
        projects: projects(catalogue),
        project: project.map_or_else(String::new, |project| project.identifier.clone()),
        json: project.map(|project| {
            let project = paths::encode(&project.identifier);
            format!("/users/{id}/permissions.json?project_id={project}")
        }),
        id,
        facts: project
            .map(|project| facts(catalogue, user, project))
            .unwrap_or_default(),
        groups: project
            .map(|project| groups(catalogue, user, project))
            .unwrap_or_default(),
    };
    render(&page.frame, &page)
}

/// Returns the projects in the order of the tree, indented.
fn projects(catalogue: &Catalogue) -> Vec<(String, String)> {
    if catalogue.projects.len() > MAX_PROJECTS {
        return Vec::new();
    }
    let projects = catalogue.tree.iter();
    let projects = projects.filter_map(|id| catalogue.projects.get(id));
    projects
        .map(|project| {
            let depth = catalogue.ancestors(project.id).len();
            let indent = "\u{a0}\u{a0}".repeat(depth);
            (
                project.identifier.clone(),
                format!("{indent}{}", project.name),
            )
        })
        .collect()
}

/// Returns what is true of the user and the project as a whole.
fn facts(catalogue: &Catalogue, user: Option<UserId>, project: &Project) -> Vec<String> {
    let mut facts = Vec::new();
    let record = user.and_then(|id| catalogue.users.get(&id));
    match record.map(|user| user.status) {
        Some(UserStatus::Locked) => facts.push("The user is locked and cannot log in.".to_owned()),
        Some(UserStatus::Registered) => {
            facts.push("The user is not activated yet and cannot log in.".to_owned());
        }
        Some(UserStatus::Active | UserStatus::Anonymous) | None => {}
    }
    if record.is_some_and(|user| user.admin) {
        facts.push("Administrators have every permission in every project.".to_owned());
    }
    let grants = grants_in(catalogue, user, project);
    if grants.is_empty() {
        facts.push("No role here.".to_owned());
    }
    facts.extend(grants.iter().map(|grant| sentence(catalogue, grant)));
    facts.extend(match project.status {
        ProjectStatus::Active => None,
        ProjectStatus::Closed => Some("The project is closed: it can only be read.".to_owned()),
        ProjectStatus::Archived => Some("The project is archived.".to_owned()),
    });
    if !project.is_public {
        facts.push("The project is private: only members see it.".to_owned());
    }
    facts
}

fn groups(catalogue: &Catalogue, user: Option<UserId>, project: &Project) -> Vec<Group> {
    let explanations = explain(catalogue, user, project);
    let group = |module| Group {
        heading: heading(module),
        rows: explanations
            .iter()
            .filter(|explanation| explanation.permission.module() == module)
            .map(|explanation| Row {
                label: label(explanation.permission),
                is_effective: explanation.is_effective(),
                reasons: reasons(catalogue, explanation),
            })
            .collect(),
    };
    modules().map(group).collect()
}

/// Returns the sentences that explain a permission.
fn reasons(catalogue: &Catalogue, explanation: &Explanation) -> Vec<String> {
    let rule = match explanation.rule {
        Rule::Administrator => "Administrator.".to_owned(),
        Rule::Role => {
            let roles = explanation.roles.iter();
            let mut reasons: Vec<String> = roles.map(|grant| source(catalogue, grant)).collect();
            reasons.extend(explanation.trackers.as_ref().map(|limit| {
                let trackers = catalogue.trackers.iter();
                let names: Vec<&str> = trackers
                    .filter(|tracker| limit.contains(&tracker.id))
                    .map(|tracker| tracker.name.as_str())
                    .collect();
                match names.is_empty() {
                    true => "Limited to issues of no tracker.".to_owned(),
                    false => format!("Only for issues of: {}.", names.join(", ")),
                }
            }));
            return reasons;
        }
        Rule::UserNotActive => "The user cannot log in.".to_owned(),
        Rule::ProjectArchived => "The project is archived.".to_owned(),
        Rule::ProjectPrivate => "The project is private, and the user not a member.".to_owned(),
        Rule::NoRole => "No role gives it.".to_owned(),
        Rule::ModuleDisabled(module) => format!("The module {} is off.", heading(Some(module))),
        Rule::ProjectClosed => "The project is closed.".to_owned(),
    };
    vec![rule]
}

/// Returns the role and where it comes from, in few words.
fn source(catalogue: &Catalogue, grant: &RoleGrant) -> String {
    let role = catalogue
        .role(grant.role)
        .map_or("", |role| role.name.as_str());
    let group = match grant.source {
        GrantSource::Group(group) => {
            let name = catalogue.principal_name(group).unwrap_or_default();
            format!(", through the group {name}")
        }
        _ => String::new(),
    };
    format!("Role {role}{group}{}.", inherited(catalogue, grant))
}

fn inherited(catalogue: &Catalogue, grant: &RoleGrant) -> String {
    match grant.inherited_from {
        Some(project) => format!(", inherited from {}", catalogue.project_name(project)),
        None => String::new(),
    }
}

/// Returns the sentence about a role and where it comes from.
fn sentence(catalogue: &Catalogue, grant: &RoleGrant) -> String {
    let role = catalogue
        .role(grant.role)
        .map_or("", |role| role.name.as_str());
    let inherited = inherited(catalogue, grant);
    match grant.source {
        GrantSource::Member => format!("Member with the role {role}{inherited}."),
        GrantSource::Group(group) => format!(
            "Through the group {} with the role {role}{inherited}.",
            catalogue.principal_name(group).unwrap_or_default()
        ),
        GrantSource::NonMember => {
            format!("Not a member: everybody who is logged in has the role {role}{inherited}.")
        }
        GrantSource::Anonymous => {
            format!("Not logged in: everybody has the role {role}{inherited}.")
        }
    }
}
