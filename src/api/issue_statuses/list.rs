//! `GET /issue_statuses` (compatibility 11.3).

use super::view;
use crate::domain::catalogue::Status;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns all statuses, by position.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut Fields, status: Status| {
        view::status(w, &status);
        if administration {
            view::administration(w, &status, &catalogue);
        }
    };
    Ok(Reply::list(
        "issue_statuses",
        "issue_status",
        db.catalogue().statuses.clone(),
        describe,
        Vec::new(),
    ))
}
