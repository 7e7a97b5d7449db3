//! `GET /trackers` (compatibility 11.3).

use super::view;
use crate::domain::catalogue::Tracker;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns all trackers with their default status and their standard fields, by position.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut Fields, tracker: Tracker| {
        view::tracker(w, &tracker, &catalogue);
        if administration {
            view::administration(w, &tracker, &catalogue);
        }
    };
    Ok(Reply::list(
        "trackers",
        "tracker",
        db.catalogue().trackers.clone(),
        describe,
        Vec::new(),
    ))
}
