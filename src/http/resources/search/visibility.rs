//! What the viewer of a search may find, as far as the index does not know it yet.

use crate::{Error, RequestContext};
use quarry_domain::index_feed::kind::Kind;
use quarry_search::Visibility;
use quarry_store::Read;
use quarry_store::index_feed::search_records;
use quarry_store::transaction::changes;

/// With more changes than this after the last indexed one, searches fail until the index has caught
/// up.
const MAX_CHANGES: usize = 50_000;

/// Returns what the viewer may find. Records that changed since the index was last committed, and
/// that the viewer may not see now, are left out: neither hits nor counts may reveal them.
pub fn current_visibility(request: &RequestContext, db: &Read<'_>) -> Result<Visibility, Error> {
    let visibility = &request.viewer_context.visibility;
    // Without an index the search fails anyway.
    let Some(indexed) = request.app.search.indexed() else {
        return Ok(Visibility::clone(visibility));
    };
    if indexed >= changes::last(db)? {
        return Ok(Visibility::clone(visibility));
    }
    let changes = changes::after(db, indexed, MAX_CHANGES + 1)?;
    if changes.len() > MAX_CHANGES {
        return Err(Error::NotReady);
    }
    let mut hidden = Vec::new();
    for kind in Kind::ALL {
        let changed = changes.iter().filter(|change| change.kind == kind);
        let ids = changed.map(|change| change.id).collect();
        let ids = search_records::hidden_ids(db, request.viewer(), kind, ids)?;
        hidden.extend(ids.into_iter().map(|id| (kind, id)));
    }
    Ok(visibility.without(hidden))
}
