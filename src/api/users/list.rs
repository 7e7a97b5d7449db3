//! `GET /users`, for administrators (compatibility 11.1).

use super::view::{self, ViewContext};
use crate::actions::users::{UserFilter, list as users_list};
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::PrincipalId;
use crate::domain::user::{User, UserStatus};
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::page_size::page_len;
use crate::store::{Read, custom_fields, users};
use std::sync::Arc;

/// Returns a page of the users by login: only active ones, unless `status` selects others; with `name` in login, name or mail
/// address, and of one group.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !request.viewer().admin {
        return Err(Error::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let pagination = Pagination::from_query(&request.query);
    let text_param = |name: &str| request.query_param(name).map(|text| text.trim().to_owned());
    let group = text_param("group_id").filter(|id| !id.is_empty());
    let mut filter = UserFilter {
        status: None,
        name: text_param("name").unwrap_or_default(),
        group: group.map(|id| PrincipalId(id.parse().unwrap_or(0))),
    };
    let mut is_unknown_status = false;
    match text_param("status").as_deref() {
        None => filter.status = Some(UserStatus::Active),
        Some("" | "*") => {}
        Some(code) => {
            filter.status = code.parse().ok().and_then(UserStatus::from_code);
            is_unknown_status = filter.status.is_none();
        }
    }
    let matching = if is_unknown_status { Vec::new() } else { users_list(&catalogue, &filter) };
    let mut matching: Vec<User> = matching.into_iter().cloned().collect();
    matching.sort_by_key(|user| user.login.to_lowercase());
    if request.query_param("sort").is_some_and(|sort| sort.starts_with("login:desc")) {
        matching.reverse();
    }
    let total = i64::try_from(matching.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    let mut page: Vec<User> = matching.into_iter().skip(skip).take(usize::try_from(pagination.limit).unwrap_or(0)).collect();
    let mut ids: Vec<i64> = page.iter().map(|user| user.id.0).collect();
    let sizes = custom_fields::sizes(db, Customized::User, &ids)?;
    page.truncate(page_len(ids.iter().map(|id| sizes.get(id).copied().unwrap_or_default())));
    ids.truncate(page.len());
    let meta = pagination.meta(total, page.len());
    let mut values = custom_fields::list_values(db, Customized::User, &ids)?;
    let mut rows: Vec<(User, ViewContext)> = Vec::with_capacity(page.len());
    for user in page {
        let view_context = ViewContext {
            catalogue: Arc::clone(&catalogue),
            viewer_context: Arc::clone(&request.viewer_context),
            api_key: None,
            last_login_on: users::last_login(db, user.id)?,
            values: values.remove(&user.id.0).unwrap_or_else(Values::default),
            memberships: None,
            with_groups: false,
            in_list: true,
        };
        rows.push((user, view_context));
    }
    Ok(Reply::list("users", "user", rows, |w, (user, view_context)| view::user(w, &user, &view_context), meta))
}
