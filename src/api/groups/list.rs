//! `GET /groups`, for administrators (compatibility 11.2).

use super::view::{self, GroupItem};
use crate::domain::custom_field::Customized;
use crate::domain::user::BuiltinPrincipal;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, custom_fields};
use std::sync::Arc;

/// Returns all groups, by name; with `builtin=1` followed by the builtin ones.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    let catalogue = Arc::clone(db.catalogue());
    let mut groups: Vec<GroupItem> = catalogue.groups.values().map(GroupItem::from).collect();
    groups.sort_by_cached_key(|group| (group.name.to_lowercase(), group.id));
    if request.query_param("builtin").as_deref() == Some("1") {
        let builtin = [
            BuiltinPrincipal::AnonymousGroup,
            BuiltinPrincipal::NonMemberGroup,
        ];
        groups.extend(
            builtin.into_iter().filter_map(|group| {
                GroupItem::find(&catalogue, catalogue.builtin_principal(group)?)
            }),
        );
    }
    let ids: Vec<i64> = groups.iter().map(|group| group.id.0).collect();
    let mut values = custom_fields::list_values(db, Customized::Group, &ids)?;
    let describe = move |w: &mut _, group: GroupItem| {
        let values = values.remove(&group.id.0).unwrap_or_default();
        view::group(w, &group, &values, &catalogue, true);
    };
    Ok(Reply::list("groups", "group", groups, describe, Vec::new()))
}
