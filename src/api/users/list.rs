//! `GET /users`, for administrators (compatibility 11.1).

use super::view::{self, ViewContext};
use crate::actions::users::{UserFilter, list as users_list};
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::PrincipalId;
use crate::domain::query::filter::Context;
use crate::domain::query::users::{filter_fields, parse_sort, sort};
use crate::domain::user::{User, UserStatus};
use crate::http::{Error, Pagination, Reply, RequestContext, filters};
use crate::store::page_size::page_len;
use crate::store::{Read, custom_fields, users};
use std::collections::HashMap;
use std::sync::Arc;

/// Parameters that are not filters in the short form.
const NON_FILTER_PARAMETERS: &[&str] = &[
    "offset", "limit", "page", "sort", "include", "nometa", "name", "group_id", "status",
];

/// The values of the parameter `include`.
const INCLUDES: [&str; 1] = ["auth_source"];

/// Returns a page of the users by login: only active ones, unless `status` selects others; with
/// `name` in login, name or mail address, of one group, and by the filters of [`filter_fields`].
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    let catalogue = Arc::clone(db.catalogue());
    let pagination = Pagination::from_query(&request.query);
    let context = Context::new(request.viewer(), &catalogue, request.app.clock.now());
    let filters = filters::parse(
        request,
        &filter_fields(&catalogue),
        NON_FILTER_PARAMETERS,
        &context,
    )?;
    let mut matching: Vec<User> = match short_filter(request, filters.is_long_form) {
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
fn short_filter(request: &RequestContext, is_long_form: bool) -> Option<UserFilter> {
    let text_param = |name: &str| request.query_param(name).map(|text| text.trim().to_owned());
    let status = match text_param("status").as_deref() {
        None if is_long_form => None,
        None => Some(UserStatus::Active),
        Some("" | "*") => None,
        Some(code) => Some(code.parse().ok().and_then(UserStatus::from_code)?),
    };
    let group = text_param("group_id")
        .filter(|id| !id.is_empty())
        .map(|id| PrincipalId(id.parse().unwrap_or(0)));
    Some(UserFilter {
        status,
        name: text_param("name").unwrap_or_default(),
        group,
    })
}
