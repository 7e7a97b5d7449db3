//! `PUT /workflows?role_id=&tracker_id=`, for administrators (compatibility 14).

use super::fields;
use super::show::workflow_reply;
use crate::actions::workflows;
use crate::http::{Error, Reply, RequestContext};

/// Replaces transitions, field permissions, or both: 200 with the workflow.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    request.require_admin()?;
    let tracker_and_role = fields::tracker_and_role(request)?;
    let change = fields::parse(request)?;
    request.write(move |db, viewer| workflows::update(db, viewer, tracker_and_role, &change))?;
    request.app.read(|db| workflow_reply(db, tracker_and_role))
}
