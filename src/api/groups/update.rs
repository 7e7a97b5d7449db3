//! `PUT /groups/:id`, for administrators (compatibility 11.2).

use super::fields;
use super::show::group_reply;
use crate::actions::groups;
use crate::domain::ids::PrincipalId;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates a group: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id: PrincipalId = request.id_param("id")?;
    let clock: _ = Arc::clone(&request.app.clock);
    let users =
        request.write(move |db, viewer| groups::update(db, viewer, id, &change, clock.as_ref()))?;
    fields::audit(request, &users)?;
    request.app.read(|db| group_reply(request, db, id))
}
