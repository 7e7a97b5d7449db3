//! Creates, updates and deletes users, for administrators (compatibility 11.1).

use super::list::reply_by_id;
use crate::prelude::*;
use quarry_actions::ActionError;
use quarry_actions::accounts::users;
use quarry_actions::accounts::users::{Actor, CreatedUser, NewPassword, UpdatedUser, UserChange};
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::ids::UserId;
use quarry_domain::values::patch::Patch;
use quarry_http::audit_user;

/// `POST /users`, for administrators (compatibility 11.1).
///
/// Creates a user: 201 with it and its URL. A generated password is returned here and never again.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = parse_user(request)?;
    let login = change
        .login
        .value()
        .map(|login| login.trim().to_owned())
        .unwrap_or_default();
    let created = request.write(move |db, viewer| -> Result<CreatedUser, Error> {
        check_groups(db.catalogue(), &change)?;
        Ok(users::create(db, Actor::Viewer(viewer), &change)?)
    })?;
    audit_user(request, created.id, &login, &created.changes);
    let CreatedUser { id, password, .. } = created;
    let reply = request.app.read(|db| {
        reply_by_id(
            request,
            db,
            id,
            password.filter(|_| !request.redmine_strict(db)),
        )
    })?;
    Ok(reply.created(format!("{}/users/{id}", request.base_url())))
}

/// `PUT /users/:id`, for administrators (compatibility 11.1).
///
/// Updates a user: 200 with the new state. A generated password is returned here and never again.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = parse_user(request)?;
    let id = id(request)?;
    // An application must not take over an account with the token that it was given.
    if change.password.is_some() || request.viewer().user == Some(id) {
        request.require_account()?;
    }
    let updated = request.write(move |db, viewer| -> Result<UpdatedUser, Error> {
        check_groups(db.catalogue(), &change)?;
        Ok(users::update(db, Actor::Viewer(viewer), id, &change)?)
    })?;
    let login = request
        .app
        .store
        .catalogue()?
        .users
        .get(&id)
        .map(|user| user.login.clone())
        .unwrap_or_default();
    audit_user(request, id, &login, &updated.changes);
    request
        .app
        .read(|db| reply_by_id(request, db, id, updated.password))
}

/// `DELETE /users/:id`, for administrators (compatibility 11.1).
///
/// Deletes a user: 200 without a body. What the user has written stays, under the name Anonymous.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id = id(request)?;
    let deleted = request.write(move |db, viewer| -> Result<_, ActionError> {
        let login = db
            .catalogue()
            .users
            .get(&id)
            .map(|user| user.login.clone())
            .unwrap_or_default();
        Ok((users::delete(db, Actor::Viewer(viewer), id)?, login))
    });
    let (change, login) = deleted.map_err(Error::for_deletion)?;
    audit_user(request, id, &login, &[change]);
    Ok(Reply::ok())
}

/// Returns the user in the path; without one in the path, that of the request.
pub fn id(request: &RequestContext) -> Result<UserId, Error> {
    if request.path_param("id").is_empty() {
        request.require_user()
    } else {
        request.id_param("id")
    }
}

/// Parses the objects `user` and `pref`.
///
/// # Errors
/// 422 for a value of the wrong type or an unknown status.
pub fn parse_user(request: &RequestContext) -> Result<UserChange, Error> {
    let preferences = fields::preferences::parse(request)?;
    let mut body = BodyFields::from_body(request, "user")?;
    let status = body.text("status", "Status");
    let password = body.text("password", "Password");
    let is_generated = body
        .boolean("generate_password", "Generate password")
        .value()
        == Some(&true);
    let change = UserChange {
        login: body.text("login", "Login"),
        firstname: body.text("firstname", "First name"),
        lastname: body.text("lastname", "Last name"),
        mail: body.text("mail", "Email"),
        hides_mail: preferences.hides_mail,
        password: if is_generated {
            Some(NewPassword::Generated)
        } else {
            password.value().cloned().map(NewPassword::Given)
        },
        must_change_password: body
            .boolean("must_change_passwd", "Must change password")
            .value()
            .copied(),
        admin: body.boolean("admin", "Administrator").value().copied(),
        status: status
            .value()
            .and_then(|code| code.trim().parse().ok())
            .and_then(UserStatus::from_code),
        language: body.text("language", "Language"),
        time_zone: preferences.time_zone,
        mail_notification: body.text("mail_notification", "Email notifications"),
        preferences: preferences.change,
        groups: match body.ids("group_ids", "Groups") {
            Patch::Unset => None,
            Patch::Clear => Some(Vec::new()),
            Patch::Set(groups) => Some(groups),
        },
        custom: body.custom_fields(),
    };
    body.check()?;
    if status.value().is_some() && change.status.is_none() {
        return Err(Error::invalid_attribute(
            "status",
            "Status",
            "is not included in the list",
        ));
    }
    Ok(change)
}

/// Fails with 422 when a group does not exist.
pub fn check_groups(catalogue: &Catalogue, change: &UserChange) -> Result<(), Error> {
    let mut groups = change.groups.iter().flatten();
    if groups.all(|group| catalogue.groups.contains_key(group)) {
        Ok(())
    } else {
        Err(Error::invalid_attribute(
            "group_ids",
            "Groups",
            "is invalid",
        ))
    }
}
