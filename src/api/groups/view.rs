//! JSON and XML of groups (compatibility 11.2).

use crate::api::custom_fields::view::custom_fields;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::PrincipalId;
use crate::domain::user::Group;
use crate::wire::Fields;

/// A group, possibly a builtin one.
pub struct GroupItem {
    /// The id.
    pub id: PrincipalId,
    /// The name.
    pub name: String,
    /// The name of a builtin group in the API.
    pub builtin: Option<&'static str>,
}

impl From<&Group> for GroupItem {
    fn from(group: &Group) -> GroupItem {
        GroupItem {
            id: group.id,
            name: group.name.clone(),
            builtin: None,
        }
    }
}

impl GroupItem {
    /// Returns the group with this id.
    pub fn find(catalogue: &Catalogue, id: PrincipalId) -> Option<GroupItem> {
        let builtin = || {
            let group = catalogue.builtin.get(&id)?;
            Some(GroupItem {
                id,
                name: group.name().to_owned(),
                builtin: Some(group.group_name()?),
            })
        };
        catalogue
            .groups
            .get(&id)
            .map(GroupItem::from)
            .or_else(builtin)
    }
}

/// Writes the fields of a group, in the order of compatibility 11.2. Custom fields that are not
/// visible are for administrators.
pub fn group(
    w: &mut Fields,
    group: &GroupItem,
    values: &Values,
    catalogue: &Catalogue,
    admin: bool,
) {
    w.field("id", group.id.0);
    w.field("name", &group.name);
    w.maybe("builtin", group.builtin);
    let fields = catalogue
        .custom_fields_of(Customized::Group)
        .filter(|field| field.visible || admin);
    custom_fields(w, fields.filter(|_| group.builtin.is_none()), Some(values));
}
