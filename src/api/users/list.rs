//! Lists users and shows one (compatibility 11.1).

use super::view::{self, ViewContext};
use crate::prelude::*;
use quarry_actions::accounts::users::{UserFilter, list as users_list};
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::{PrincipalId, UserId};
use quarry_domain::query::filter::Context;
use quarry_domain::query::users::{filter_fields, parse_sort, sort};
use quarry_http::audit_key_shown;
use quarry_http::resources::filters;
use quarry_store::accounts::{address_changes, memberships, users};
use quarry_store::administration::custom_fields;
use quarry_store::lists::page_size::page_len;
use std::collections::HashMap;
use std::sync::Arc;

/// Parameters that are not filters in the short form.
const NON_FILTER_PARAMETERS: &[&str] = &[
    "offset", "limit", "page", "sort", "include", "nometa", "name", "group_id", "status",
];

/// The values of the parameter `include`.
const INCLUDES: [&str; 1] = ["auth_source"];

/// `GET /users`, for administrators (compatibility 11.1).
///
/// Returns a page of the users by login: only active ones, unless `status` selects others; with
/// `name` in login, name or mail address, of one group, and by the filters of [`filter_fields`].
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let pagination = Pagination::from_query(&request.query);
    let context = Context::new(request.viewer(), &catalogue, db.now());
    let filters = filters::parse(
        request,
        &filter_fields(&catalogue),
        NON_FILTER_PARAMETERS,
        &context,
    )?;
    let mut matching: Vec<User> = match short_filter(request, filters.is_long_form)? {
        Some(filter) => users_list(&catalogue, &filter)
            .into_iter()
            .cloned()
            .collect(),
        None => Vec::new(),
    };
    if !filters.conditions.is_empty() {
        let ids = users::matching(db, &filters.conditions)?;
        matching.retain(|user| ids.contains(&user.id));
    }
    let last_logins = users::last_logins(db)?;
    sort(
        &mut matching,
        &parse_sort(&request.query_param("sort").unwrap_or_default()),
        &last_logins,
    );
    let (mut page, total) = pagination.slice(matching);
    let mut ids: Vec<i64> = page.iter().map(|user| user.id.0).collect();
    let sizes = custom_fields::value_sizes(db, Customized::User, &ids)?;
    page.truncate(page_len(
        ids.iter()
            .map(|id| sizes.get(id).copied().unwrap_or_default()),
    ));
    ids.truncate(page.len());
    let meta = pagination.meta(total, page.len());
    let mut values = custom_fields::list_values(db, Customized::User, &ids)?;
    let [includes_auth_source] = request.includes(INCLUDES);
    let mut auth_sources = if includes_auth_source {
        users::auth_sources(db, &ids)?
    } else {
        HashMap::new()
    };
    let mut rows: Vec<(User, ViewContext)> = Vec::with_capacity(page.len());
    for user in page {
        let view_context = ViewContext {
            catalogue: Arc::clone(&catalogue),
            viewer_context: Arc::clone(&request.viewer_context),
            api_key: None,
            generated_password: None,
            unconfirmed_mail: None,
            picture_url: view::picture_url(request, &catalogue, user.id),
            redmine_strict: false,
            last_login_on: last_logins.get(&user.id).copied(),
            values: values.remove(&user.id.0).unwrap_or_else(Values::default),
            memberships: None,
            auth_source: auth_sources.remove(&user.id),
            with_groups: false,
        };
        rows.push((user, view_context));
    }
    let reply = Reply::list(
        "users",
        "user",
        rows,
        |w, (user, view_context)| view::user(w, &user, &view_context),
        meta,
    );
    Ok(reply.with_warning(filters.warning))
}

/// Returns the filter of `status`, `name` and `group_id`; `None` when the status does not exist.
/// Without `status` only active users match, and any in the long form.
fn short_filter(request: &RequestContext, is_long_form: bool) -> Result<Option<UserFilter>, Error> {
    let status = match text_param(request, "status")?.as_deref() {
        None if is_long_form => None,
        None => Some(UserStatus::Active),
        Some("" | "*") => None,
        Some(code) => match code.parse().ok().and_then(UserStatus::from_code) {
            None => return Ok(None),
            status => status,
        },
    };
    let group = text_param(request, "group_id")?
        .filter(|id| !id.is_empty())
        .map(|id| PrincipalId(id.parse().unwrap_or(0)));
    Ok(Some(UserFilter {
        status,
        name: text_param(request, "name")?.unwrap_or_default(),
        group,
    }))
}

fn text_param(request: &RequestContext, name: &str) -> Result<Option<String>, Error> {
    let text = request.filter_param(name)?;
    Ok(text.map(|text| text.trim().to_owned()))
}

/// The values of the parameter `include`.
const SHOW_INCLUDES: [&str; 3] = ["memberships", "groups", "auth_source"];

/// `GET /users/current`, `GET /users/:id` (compatibility 11.1).
///
/// Returns the user of the request, with the API key.
pub fn current(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    reply_by_id(request, db, request.require_user()?, None)
}

/// Returns a user, for administrators also the anonymous one; 404 if the user does not exist or the
/// viewer cannot see them.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: UserId = request.id_param("id")?;
    let viewer = request.viewer();
    let Some(user) = db.catalogue().users.get(&id) else {
        let anonymous = if viewer.admin {
            users::find_anonymous(db, id)?
        } else {
            None
        };
        return user_reply(request, db, anonymous.ok_or(Error::NotFound)?, None);
    };
    let is_visible = user.status == UserStatus::Active
        && visibility::can_see_principal(viewer, db.catalogue(), id.into());
    if !viewer.admin && viewer.user != Some(id) && !is_visible {
        return Err(Error::NotFound);
    }
    user_reply(request, db, user.clone(), None)
}

/// Returns a user as the viewer sees it; with the password that was generated for a new user, which
/// is shown only once.
pub(super) fn reply_by_id(
    request: &RequestContext,
    db: &Read<'_>,
    id: UserId,
    password: Option<String>,
) -> Result<Reply, Error> {
    let user = db.catalogue().users.get(&id).ok_or(Error::NotFound)?;
    user_reply(request, db, user.clone(), password)
}

/// Returns the address of a user that is not confirmed, for the user and administrators. In place of the stored one,
/// as with `redmine_compatibility`, only its user gets it: an administrator who writes back what they have read
/// would confirm it.
fn unconfirmed_mail(
    request: &RequestContext,
    db: &Read<'_>,
    id: UserId,
) -> Result<Option<String>, Error> {
    let viewer = request.viewer();
    if viewer.user == Some(id) || (viewer.admin && !request.redmine_strict(db)) {
        Ok(address_changes::address(db, id)?)
    } else {
        Ok(None)
    }
}

fn user_reply(
    request: &RequestContext,
    db: &Read<'_>,
    user: User,
    password: Option<String>,
) -> Result<Reply, Error> {
    let id = user.id;
    let [memberships, groups, auth_source] = request.includes(SHOW_INCLUDES);
    let has_key = user.status != UserStatus::Anonymous;
    let may_see_key = has_key
        && request.may_show_keys()
        && (request.viewer().admin || request.viewer().user == Some(id));
    if may_see_key && request.viewer().user != Some(id) {
        audit_key_shown(request, id, &user.login);
    }
    let view_context = ViewContext {
        viewer_context: Arc::clone(&request.viewer_context),
        generated_password: password,
        api_key: if may_see_key {
            view::api_key(request, db, id)?
        } else {
            None
        },
        unconfirmed_mail: unconfirmed_mail(request, db, id)?,
        picture_url: view::picture_url(request, db.catalogue(), id),
        redmine_strict: request.redmine_strict(db),
        last_login_on: users::last_login(db, id)?,
        values: custom_fields::find_values(db, Customized::User, id.0)?,
        memberships: if memberships {
            Some(memberships::list_by_principal(db, id.into())?)
        } else {
            None
        },
        auth_source: if auth_source && request.viewer().admin {
            users::auth_sources(db, &[id.0])?.remove(&id)
        } else {
            None
        },
        with_groups: groups && request.viewer().admin,
        catalogue: Arc::clone(db.catalogue()),
    };
    let has_secret = view_context.api_key.is_some() || view_context.generated_password.is_some();
    let reply = Reply::object("user", move |w| view::user(w, &user, &view_context));
    Ok(if has_secret {
        reply.without_caching()
    } else {
        reply
    })
}
