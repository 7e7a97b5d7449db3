//! `GET /groups/:id` (compatibility 11.2).

use super::view::{self, GroupItem};
use crate::domain::custom_field::Customized;
use crate::domain::ids::PrincipalId;
use crate::domain::visibility::can_see_principal;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, custom_fields, memberships};
use std::sync::Arc;

/// The values of the parameter `include`.
const INCLUDES: [&str; 2] = ["users", "memberships"];

/// Returns a group; for administrators with users and memberships if included.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    group_reply(request, db, request.id_param("id")?)
}

/// Returns a group as the viewer sees it.
pub(super) fn group_reply(request: &RequestContext, db: &Read<'_>, id: PrincipalId) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let is_visible = can_see_principal(viewer, db.catalogue(), id);
    let group = GroupItem::find(db.catalogue(), id).filter(|_| is_visible).ok_or(Error::NotFound)?;
    let [users, memberships] = request.includes(INCLUDES).map(|is_included| is_included && viewer.admin);
    let memberships = if memberships { Some(memberships::list_by_principal(db, group.id)?) } else { None };
    let values = custom_fields::find_values(db, Customized::Group, id.0)?;
    let (catalogue, with_users, admin) = (Arc::clone(db.catalogue()), users && group.builtin.is_none(), viewer.admin);
    Ok(Reply::object("group", move |w| {
        view::group(w, &group, &values, &catalogue, admin);
        if with_users {
            let users = catalogue.groups.get(&group.id).map(|group| &group.users[..]).unwrap_or_default();
            w.references("users", "user", users.iter().map(|user| (user.0, catalogue.principal_name((*user).into()).unwrap_or_default())));
        }
        if let Some(memberships) = &memberships {
            crate::api::users::view::memberships(w, memberships.iter(), &catalogue);
        }
    }))
}
