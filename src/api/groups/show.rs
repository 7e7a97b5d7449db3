//! `GET /groups/:id` (compatibility 11.2).

use super::view::{self, GroupItem};
use crate::domain::custom_field::Customized;
use crate::domain::ids::PrincipalId;
use crate::domain::visibility::{self, can_see_principal};
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, custom_fields, memberships};
use std::sync::Arc;

/// The values of the parameter `include`.
const INCLUDES: [&str; 2] = ["users", "memberships"];

/// Returns a group with users and memberships if included.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    group_reply(request, db, request.id_param("id")?)
}

/// Returns a group with the users and the memberships that the viewer may see.
pub(super) fn group_reply(
    request: &RequestContext,
    db: &Read<'_>,
    id: PrincipalId,
) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let is_visible = can_see_principal(viewer, db.catalogue(), id);
    let group = GroupItem::find(db.catalogue(), id)
        .filter(|_| is_visible)
        .ok_or(Error::NotFound)?;
    let [users, memberships] = request.includes(INCLUDES);
    let memberships = if memberships {
        Some(memberships::list_by_principal(db, group.id)?)
    } else {
        None
    };
    let values = custom_fields::find_values(db, Customized::Group, id.0)?;
    let catalogue = Arc::clone(db.catalogue());
    let viewer_context = Arc::clone(&request.viewer_context);
    let with_users = users && group.builtin.is_none();
    Ok(Reply::object("group", move |w| {
        let viewer = &viewer_context.viewer;
        view::group(w, &group, &values, &catalogue, viewer.admin);
        if with_users {
            let visible = visibility::principals(viewer, &catalogue);
            let users = catalogue
                .groups
                .get(&group.id)
                .map(|group| &group.users[..])
                .unwrap_or_default();
            let users = users.iter().filter(|user| visible.contains(**user));
            w.references(
                "users",
                "user",
                users.map(|user| {
                    (
                        user.0,
                        catalogue.principal_name((*user).into()).unwrap_or_default(),
                    )
                }),
            );
        }
        if let Some(memberships) = &memberships {
            crate::api::users::view::memberships(w, memberships, viewer, &catalogue);
        }
    }))
}
