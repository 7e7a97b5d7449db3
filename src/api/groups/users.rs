//! `POST /groups/:id/users`, `DELETE /groups/:id/users`, `DELETE /groups/:id/users/:user_id`, for
//! administrators (compatibility 11.2).

use super::fields;
use crate::actions::groups;
use crate::domain::ids::{PrincipalId, UserId};
use crate::http::{Error, Reply, RequestContext};
use crate::wire::Input;

/// Maximum number of users in one request.
const MAX_USERS: usize = 1000;

/// Adds users to a group: 204. `user_id` and `user_ids` are outside of any object, as in Redmine.
pub fn create_users(request: &RequestContext) -> Result<Reply, Error> {
    let id: PrincipalId = request.id_param("id")?;
    let users = parse(request, &request.body)?;
    let added = request.write(move |db, viewer| groups::add_users(db, viewer, id, &users))?;
    fields::audit(request, &added)?;
    Ok(Reply::no_content())
}

/// Removes a user from a group: 204, also for a user who is not in it.
pub fn delete_user(request: &RequestContext) -> Result<Reply, Error> {
    let user: UserId = request.id_param("user_id")?;
    remove(request, vec![user])
}

/// Removes the users in the parameter `user_ids[]` from a group: 204.
pub fn delete_users(request: &RequestContext) -> Result<Reply, Error> {
    remove(request, parse(request, &request.query)?)
}

fn remove(request: &RequestContext, users: Vec<UserId>) -> Result<Reply, Error> {
    let id: PrincipalId = request.id_param("id")?;
    let removed = request.write(move |db, viewer| groups::remove_users(db, viewer, id, &users))?;
    fields::audit(request, &removed)?;
    Ok(Reply::no_content())
}

/// Parses `user_id` and `user_ids`. What is not a number becomes 0, which is the id of nobody.
fn parse(request: &RequestContext, input: &Input) -> Result<Vec<UserId>, Error> {
    request.require_admin()?;
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
