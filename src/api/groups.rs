//! Groups: their list for administrators, one for everybody who can see it; changes for
//! administrators (compatibility 11.2).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use axum::routing::{self, post};
use quarry_actions::accounts::groups;
use quarry_actions::accounts::users::RightsChange;
use quarry_domain::access::visibility;
use quarry_domain::access::visibility::can_see_principal;
use quarry_domain::accounts::group::Group;
use quarry_domain::accounts::user::BuiltinPrincipal;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::{PrincipalId, UserId};
use quarry_domain::values::stable_sort::StableSort;
use quarry_http::{audit_user, protected_handler};
use quarry_store as store;
use quarry_store::accounts::memberships;
use quarry_wire::Input;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/groups",
            get(read_handler(list).for_administrators())
                .post(protected_handler(create).for_administrators()),
        )
        .route(
            "/groups/{id}",
            get(read_handler(show))
                .put(protected_handler(update).for_administrators())
                .patch(protected_handler(update).for_administrators())
                .delete(protected_handler(delete)),
        )
        .route(
            "/groups/{id}/users",
            post(protected_handler(create_users))
                .delete(protected_handler(delete_users).for_administrators()),
        )
        .route(
            "/groups/{id}/users/{user_id}",
            routing::delete(protected_handler(delete_user)),
        )
}

/// `GET /groups`, for administrators (compatibility 11.2).
///
/// Returns all groups, by name; with `builtin=1` followed by the builtin ones.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let mut groups: Vec<GroupItem> = catalogue.groups.values().map(GroupItem::from).collect();
    groups.stable_sort_by_key(|group| (group.name.to_lowercase(), group.id));
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
    let mut values =
        store::administration::custom_fields::list_values(db, Customized::Group, &ids)?;
    Ok(Reply::list(
        "groups",
        "group",
        groups,
        move |w: &mut _, group: GroupItem| {
            let values = values.remove(&group.id.0).unwrap_or_default();
            write_group(w, &group, &values, &catalogue, true);
        },
        Vec::new(),
    ))
}

/// The values of the parameter `include`.
const INCLUDES: [&str; 2] = ["users", "memberships"];

/// `GET /groups/:id` (compatibility 11.2).
///
/// Returns a group with users and memberships if included.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    group_reply(request, db, request.id_param("id")?)
}

/// Returns a group with the users and the memberships that the viewer may see.
fn group_reply(request: &RequestContext, db: &Read<'_>, id: PrincipalId) -> Result<Reply, Error> {
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
    let values = store::administration::custom_fields::find_values(db, Customized::Group, id.0)?;
    let catalogue = Arc::clone(db.catalogue());
    let viewer_context = Arc::clone(&request.viewer_context);
    let with_users = users && group.builtin.is_none();
    Ok(Reply::object("group", move |w| {
        let viewer = &viewer_context.viewer;
        write_group(w, &group, &values, &catalogue, viewer.admin);
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
            crate::users::view::memberships(w, memberships, viewer, &catalogue);
        }
    }))
}

/// `POST /groups`, for administrators (compatibility 11.2).
///
/// Creates a group: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::group::parse(&request.body)?;
    let (id, users) = request.write(move |db, viewer| groups::create(db, viewer, &change))?;
    audit(request, &users)?;
    let reply = request.app.read(|db| group_reply(request, db, id))?;
    Ok(reply.created(format!("{}/groups/{id}", request.base_url())))
}

/// `PUT /groups/:id`, for administrators (compatibility 11.2).
///
/// Updates a group: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::group::parse(&request.body)?;
    let id: PrincipalId = request.id_param("id")?;
    let users = request.write(move |db, viewer| groups::update(db, viewer, id, &change))?;
    audit(request, &users)?;
    request.app.read(|db| group_reply(request, db, id))
}

/// `DELETE /groups/:id`, for administrators (compatibility 11.2).
///
/// Deletes a group: 200 without a body. Its users lose its memberships.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: PrincipalId = request.id_param("id")?;
    let users = request.write(move |db, viewer| groups::delete(db, viewer, id))?;
    audit(request, &users)?;
    Ok(Reply::ok())
}

/// Maximum number of users in one request.
const MAX_USERS: usize = 1000;

/// `POST /groups/:id/users`, `DELETE /groups/:id/users`, `DELETE /groups/:id/users/:user_id`, for
/// administrators (compatibility 11.2).
///
/// Adds users to a group: 204. `user_id` and `user_ids` are outside of any object, as in Redmine.
fn create_users(request: &RequestContext) -> Result<Reply, Error> {
    let id: PrincipalId = request.id_param("id")?;
    request.require_admin()?;
    let users = parse_user_ids(&request.body)?;
    let added = request.write(move |db, viewer| groups::add_users(db, viewer, id, &users))?;
    audit(request, &added)?;
    Ok(Reply::no_content())
}

/// Removes a user from a group: 204, also for a user who is not in it.
fn delete_user(request: &RequestContext) -> Result<Reply, Error> {
    let user: UserId = request.id_param("user_id")?;
    let group: PrincipalId = request.id_param("id")?;
    let is_group = request.app.store.catalogue()?.groups.contains_key(&group);
    // Redmine does not check itself whether the user exists.
    let in_redmine = |error: Error| {
        if is_group {
            error.by_framework()
        } else {
            error
        }
    };
    remove(request, vec![user]).map_err(in_redmine)
}

/// Removes the users in the parameter `user_ids[]` from a group: 204.
fn delete_users(request: &RequestContext) -> Result<Reply, Error> {
    remove(request, parse_user_ids(&request.query)?)
}

fn remove(request: &RequestContext, users: Vec<UserId>) -> Result<Reply, Error> {
    let id: PrincipalId = request.id_param("id")?;
    let removed = request.write(move |db, viewer| groups::remove_users(db, viewer, id, &users))?;
    audit(request, &removed)?;
    Ok(Reply::no_content())
}

/// Parses `user_id` and `user_ids`. What is not a number becomes 0, which is the id of nobody.
fn parse_user_ids(input: &Input) -> Result<Vec<UserId>, Error> {
    let mut values: Vec<&Input> = Vec::new();
    for value in [input.get("user_id"), input.get("user_ids")]
        .into_iter()
        .flatten()
    {
        match value.as_list() {
            Some(items) => values.extend(items),
            None => values.push(value),
        }
    }
    if values.len() > MAX_USERS {
        return Err(Error::invalid(format!(
            "Users are too many (maximum is {MAX_USERS} in one request)"
        )));
    }
    Ok(values
        .into_iter()
        .map(|value| {
            UserId(
                value
                    .as_text()
                    .and_then(|text| text.trim().parse().ok())
                    .unwrap_or(0),
            )
        })
        .collect())
}

/// Logs that the groups of these users have changed.
pub fn audit(request: &RequestContext, users: &[UserId]) -> Result<(), Error> {
    let catalogue = request.app.store.catalogue()?;
    for user in users.iter().filter_map(|id| catalogue.users.get(id)) {
        audit_user(request, user.id, &user.login, &[RightsChange::Groups]);
    }
    Ok(())
}

/// A group, possibly a builtin one.
pub struct GroupItem {
    pub id: PrincipalId,
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
        catalogue
            .groups
            .get(&id)
            .map(GroupItem::from)
            .or_else(|| builtin_item(catalogue, id))
    }
}

fn builtin_item(catalogue: &Catalogue, id: PrincipalId) -> Option<GroupItem> {
    let group = catalogue.builtin.get(&id)?;
    Some(GroupItem {
        id,
        name: group.name().to_owned(),
        builtin: Some(group.group_name()?),
    })
}

/// Writes the fields of a group, in the order of compatibility 11.2. Custom fields that are not
/// visible are for administrators.
pub fn write_group(
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
    write_custom_fields(w, fields.filter(|_| group.builtin.is_none()), Some(values));
}
