//! Parses the path and the body of a request about a user (compatibility 11.1).

use crate::actions::users::{NewPassword, UserChange};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::UserId;
use crate::domain::patch::Patch;
use crate::domain::user::UserStatus;
use crate::http::{BodyFields, Error, RequestContext, preference_fields};

/// Returns the user in the path; without one in the path, that of the request.
pub fn id(request: &RequestContext) -> Result<UserId, Error> {
    if request.path_param("id").is_empty() {
        request.require_user()
    } else {
        request.id_param("id")
    }
}

/// Parses the objects `user` and `pref`, for administrators.
///
/// # Errors
/// 403 for other users; 422 for a value of the wrong type or an unknown status.
pub fn parse(request: &RequestContext) -> Result<UserChange, Error> {
    request.require_admin()?;
    let preferences = preference_fields::parse(request)?;
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
        return Err(Error::invalid("Status is not included in the list"));
    }
    Ok(change)
}

/// Fails with 422 when a group does not exist.
pub fn check_groups(catalogue: &Catalogue, change: &UserChange) -> Result<(), Error> {
    let mut groups = change.groups.iter().flatten();
    if groups.all(|group| catalogue.groups.contains_key(group)) {
        Ok(())
    } else {
        Err(Error::invalid("Groups is invalid"))
    }
}
