//! What a user may do in a project, and why, for administrators.

use crate::prelude::*;
use quarry_domain::access::explanation::{Explanation, GrantSource, RoleGrant, Rule, explain};
use quarry_http::resources::user_permissions;
use std::sync::Arc;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route(
        "/users/{id}/permissions",
        get(read_handler(list).for_administrators()),
    )
}

/// `GET /users/:id/permissions?project_id=`, for administrators.
///
/// Returns all permissions of a user in a project, each with the rule that gives it or denies it.
/// `anonymous` in place of the id stands for visitors who are not logged in.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let user = user_permissions::user(request, &catalogue)?;
    let project = user_permissions::project(request, &catalogue, "project_id")?;
    let project = project
        .ok_or_else(|| Error::invalid_attribute("project_id", "Project", "cannot be blank"))?;
    let explanations = explain(&catalogue, user, project);
    Ok(Reply::list(
        "permissions",
        "permission",
        explanations,
        move |w: &mut Fields, explanation: Explanation| {
            write_explanation(w, &explanation, &catalogue);
        },
        Vec::new(),
    ))
}

fn write_explanation(w: &mut Fields, explanation: &Explanation, catalogue: &Catalogue) {
    w.field("name", explanation.permission.name());
    w.field("effective", explanation.is_effective());
    w.field("rule", explanation.rule.name());
    if let Rule::ModuleDisabled(module) = explanation.rule {
        w.field("module", module.name());
    }
    w.items("roles", "role", explanation.roles.clone(), |w, grant| {
        write_grant(w, &grant, catalogue);
    });
    if let Some(limit) = &explanation.trackers {
        let trackers = catalogue
            .trackers
            .iter()
            .filter(|tracker| limit.contains(&tracker.id));
        w.references(
            "trackers",
            "tracker",
            trackers.map(|tracker| (tracker.id.0, tracker.name.as_str())),
        );
    }
}

fn write_grant(w: &mut Fields, grant: &RoleGrant, catalogue: &Catalogue) {
    w.field("id", grant.role.0);
    let role = catalogue.role(grant.role);
    w.field("name", role.map(|role| role.name.as_str()));
    w.field("source", grant.source.name());
    if let GrantSource::Group(group) = grant.source {
        let name = catalogue.principal_name(group).unwrap_or_default();
        w.reference("group", group.0, name);
    }
    if let Some(project) = grant.inherited_from {
        w.reference("inherited_from", project.0, catalogue.project_name(project));
    }
}
