//! Groups: their list for administrators, one for everybody who can see it (compatibility 11.2).

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::PrincipalId;
use crate::domain::user::{BuiltinPrincipal, Group};
use crate::domain::visibility::can_see_principal;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, memberships};
use crate::wire::Fields;
use std::sync::Arc;

/// `GET /groups`: all groups, by name; with `builtin=1` followed by the builtin ones.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    require_admin(request)?;
    let mut groups: Vec<GroupItem> = db.catalogue().groups.values().map(GroupItem::from).collect();
    groups.sort_by_cached_key(|group| (group.name.to_lowercase(), group.id));
    if request.query_param("builtin").as_deref() == Some("1") {
        let builtin = [BuiltinPrincipal::AnonymousGroup, BuiltinPrincipal::NonMemberGroup];
        groups.extend(builtin.into_iter().filter_map(|group| GroupItem::find(db.catalogue(), db.catalogue().builtin_principal(group)?)));
    }
    Ok(Reply::list("groups", "group", groups, |w, group: GroupItem| group.describe(w), Vec::new()))
}

/// `GET /groups/:id`; for administrators with users and memberships if included.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let (id, viewer) = (request.id_param::<PrincipalId>("id")?, request.viewer());
    let is_visible = can_see_principal(viewer, db.catalogue(), id);
    let group = GroupItem::find(db.catalogue(), id).filter(|_| is_visible).ok_or(Error::NotFound)?;
    let include = request.query_param("include").unwrap_or_default();
    let is_included = |name| viewer.admin && include.split(',').any(|part| part.trim() == name);
    let memberships = if is_included("memberships") { Some(memberships::list_by_principal(db, group.id)?) } else { None };
    let (catalogue, with_users) = (Arc::clone(db.catalogue()), is_included("users") && group.builtin.is_none());
    Ok(Reply::object("group", move |w| {
        group.describe(w);
        if with_users {
            let users = catalogue.groups.get(&group.id).map(|group| &group.users[..]).unwrap_or_default();
            w.items("users", "user", users, |w, user| {
                w.attribute("id", user.0);
                w.attribute("name", catalogue.principal_name((*user).into()).unwrap_or_default());
            });
        }
        if let Some(memberships) = &memberships {
            crate::api::users::view::memberships(w, memberships.iter(), &catalogue);
        }
    }))
}

/// A group, as a list shows it.
struct GroupItem {
    id: PrincipalId,
    name: String,
    builtin: Option<&'static str>,
}

impl From<&Group> for GroupItem {
    fn from(group: &Group) -> GroupItem {
        GroupItem { id: group.id, name: group.name.clone(), builtin: None }
    }
}

impl GroupItem {
    /// Returns the group with this id, possibly a builtin one.
    fn find(catalogue: &Catalogue, id: PrincipalId) -> Option<GroupItem> {
        let builtin = || {
            let group = catalogue.builtin.get(&id)?;
            Some(GroupItem { id, name: group.name().to_owned(), builtin: Some(group.group_name()?) })
        };
        catalogue.groups.get(&id).map(GroupItem::from).or_else(builtin)
    }

    fn describe(&self, w: &mut Fields) {
        w.field("id", self.id.0);
        w.field("name", &self.name);
        w.maybe("builtin", self.builtin);
    }
}

fn require_admin(request: &RequestContext) -> Result<(), Error> {
    if request.viewer().admin { Ok(()) } else { Err(Error::Forbidden) }
}
