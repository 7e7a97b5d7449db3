//! `GET /users`, for administrators (contract 9).

use super::view::{self, Around};
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::PrincipalId;
use crate::domain::user::User;
use crate::http::{Ask, Error, Listing, Reply};
use crate::store::page_size::page_len;
use crate::store::{Read, custom_fields, users};
use std::sync::Arc;

/// A page of the users by login: active ones, unless `status` asks for others; with `name` in login, name or mail address, and of
/// one group.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    if !ask.viewer().admin {
        return Err(Error::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let listing = Listing::read(&ask.query);
    let said = |name: &str| ask.parameter(name).map(|text| text.trim().to_lowercase());
    let status = said("status").unwrap_or_else(|| "1".to_owned());
    let name = said("name").filter(|name| !name.is_empty());
    let group = said("group_id").filter(|id| !id.is_empty());
    let members =
        group.map(|id| catalogue.groups.get(&PrincipalId(id.parse().unwrap_or(0))).map_or(Vec::new(), |group| group.users.clone()));
    let fits = |user: &&User| {
        let named = |name: &String| [&user.login, &user.name, &user.mail].iter().any(|text| text.to_lowercase().contains(name.as_str()));
        (status.is_empty() || status == "*" || status == user.status.code().to_string())
            && name.as_ref().is_none_or(named)
            && members.as_ref().is_none_or(|members| members.contains(&user.id))
    };
    let mut found: Vec<User> = catalogue.users.values().filter(fits).cloned().collect();
    found.sort_by_key(|user| user.login.to_lowercase());
    if ask.parameter("sort").is_some_and(|sort| sort.starts_with("login:desc")) {
        found.reverse();
    }
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(listing.offset).unwrap_or(usize::MAX);
    let mut page: Vec<User> = found.into_iter().skip(skip).take(usize::try_from(listing.limit).unwrap_or(0)).collect();
    let mut ids: Vec<i64> = page.iter().map(|user| user.id.0).collect();
    let sizes = custom_fields::sizes(db, Customized::User, &ids)?;
    page.truncate(page_len(ids.iter().map(|id| sizes.get(id).copied().unwrap_or_default())));
    ids.truncate(page.len());
    let meta = listing.meta(total, page.len());
    let mut values = custom_fields::values(db, Customized::User, &ids)?;
    let mut rows: Vec<(User, Around)> = Vec::with_capacity(page.len());
    for user in page {
        let around = Around {
            catalogue: Arc::clone(&catalogue),
            asker: Arc::clone(&ask.asker),
            api_key: None,
            last_login_on: users::last_login(db, user.id)?,
            values: values.remove(&user.id.0).unwrap_or_else(Values::default),
            memberships: None,
            groups: false,
            in_list: true,
        };
        rows.push((user, around));
    }
    Ok(Reply::list("users", "user", rows, |w, (user, around)| view::user(w, &user, &around), meta))
}
