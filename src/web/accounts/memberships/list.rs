//! `GET /projects/:id/settings/members`: the members of a project with their roles.

use super::roles::{RoleLabel, labels};
use crate::access;
use crate::components::avatar::Person;
use crate::components::pager::Pager;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::memberships as actions;
use quarry_actions::accounts::memberships::deletion_refusal;
use quarry_domain::access::membership::{Membership, managed_roles};
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::ids::{MembershipId, RoleId};
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::Pagination;

/// Number of members on a page without `limit`.
const DEFAULT_LIMIT: i64 = 100;

#[derive(Template)]
#[template(path = "accounts/memberships/list.html")]
struct MembersPage {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    /// Whether the viewer may change members.
    may_manage: bool,
    /// The address of the form for new members, if the viewer may add some.
    new: Option<String>,
    /// The address of the form that copies members.
    copy: String,
    pager: Pager,
    json: String,
}

struct Row {
    id: MembershipId,
    person: Person,
    is_group: bool,
    is_locked: bool,
    roles: Vec<RoleLabel>,
    may_change: bool,
    may_delete: bool,
}

/// Lists the members by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewMembers)?;
    let mut members = access::found(request, actions::list(db, viewer, project.id))?;
    members.stable_sort_by_key(|member| {
        (
            catalogue
                .principal_name(member.principal)
                .unwrap_or_default()
                .to_lowercase(),
            member.id,
        )
    });
    let may_manage = viewer.may(Permission::ManageMembers, project.id);
    let managed = if may_manage {
        managed_roles(catalogue, viewer, project.id)
    } else {
        Vec::new()
    };
    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let (shown, total) = pagination.slice(members);
    let page = MembersPage {
        frame: Frame::for_project_settings(request, db, project, "Members", "Members")
            .with_width(Width::Medium),
        total,
        rows: shown
            .iter()
            .map(|membership| row(viewer, catalogue, membership, &managed))
            .collect(),
        may_manage,
        new: (!managed.is_empty()).then(|| format!("{}/memberships/new", paths::project(project))),
        copy: format!("{}/memberships/copy", paths::project(project)),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
        json: format!("{}/memberships.json", paths::project(project)),
    };
    render(&page.frame, &page)
}

fn row(viewer: &Viewer, catalogue: &Catalogue, membership: &Membership, managed: &[RoleId]) -> Row {
    let user = catalogue.users.get(&UserId(membership.principal.0));
    Row {
        id: membership.id,
        person: Person::with_picture(viewer, catalogue, membership.principal),
        is_group: user.is_none(),
        is_locked: user.is_some_and(|user| user.status != UserStatus::Active),
        roles: labels(catalogue, membership),
        may_change: !managed.is_empty(),
        may_delete: !managed.is_empty() && deletion_refusal(membership, managed).is_none(),
    }
}
