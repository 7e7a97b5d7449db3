//! What the viewer of a search may find, as far as the index does not know it yet.

use crate::{Error, RequestContext};
use quarry_search::Visibility;
use quarry_store::Read;

/// Returns what the viewer may find, without records that the index still has as they were before.
pub fn current_visibility(request: &RequestContext, db: &Read<'_>) -> Result<Visibility, Error> {
    let visibility = &request.viewer_context.visibility;
    match request.app.search.indexed() {
        Some(indexed) => Ok(visibility.at_change(db, request.viewer(), indexed)?),
        // Without an index the search fails anyway.
        None => Ok(Visibility::clone(visibility)),
    }
}
