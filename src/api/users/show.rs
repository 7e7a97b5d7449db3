//! `GET /users/current`, `GET /users/:id` (compatibility 11.1).

use super::view::{self, ViewContext};
use crate::domain::custom_field::Customized;
use crate::domain::ids::UserId;
use crate::domain::user::{User, UserStatus};
use crate::domain::visibility;
use crate::http::{Error, Reply, RequestContext, audit_key_shown};
use crate::store::{Read, custom_fields, memberships, users};
use std::sync::Arc;

/// The values of the parameter `include`.
const INCLUDES: [&str; 3] = ["memberships", "groups", "auth_source"];

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

fn user_reply(
    request: &RequestContext,
    db: &Read<'_>,
    user: User,
    password: Option<String>,
) -> Result<Reply, Error> {
    let id = user.id;
    let [memberships, groups, auth_source] = request.includes(INCLUDES);
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
        last_login_on: users::last_login(db, id)?,
        values: custom_fields::find_values(db, Customized::User, id.0)?,
        memberships: if memberships {
            Some(memberships::list_by_principal(db, id.into())?)
        } else {
            None
        },
        auth_source: match auth_source && request.viewer().admin {
            true => users::auth_sources(db, &[id.0])?.remove(&id),
            false => None,
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
