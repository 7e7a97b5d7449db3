//! `PUT /issue_statuses/:id`, for administrators (compatibility 14).

use super::fields;
use super::show::status_reply;
use crate::actions::issue_statuses;
use crate::domain::ids::StatusId;
use crate::http::{Error, Reply, RequestContext};

/// Updates a status: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id: StatusId = request.id_param("id")?;
    request.write(move |db, viewer| issue_statuses::update(db, viewer, id, &change))?;
    request.app.read(|db| status_reply(db, id))
}
