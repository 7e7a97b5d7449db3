//! Records that changed since the last commit of the index, and that the viewer may not see now.

use crate::access::visibility::Visibility;
use crate::error::SearchError;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::Read;
use quarry_store::index_feed::search_records;
use quarry_store::transaction::changes;

/// With more changes than this after the last indexed one, searches fail until the index has caught
/// up.
const MAX_CHANGES: usize = 50_000;

impl Visibility {
    /// Returns what the viewer may find in an index that has the changes up to `indexed`. Records
    /// that changed since, and that the viewer may not see now, are left out: neither hits nor
    /// counts may reveal them.
    ///
    /// # Errors
    /// `NotReady` if the index is too far behind.
    pub fn at_change(
        &self,
        db: &Read<'_>,
        viewer: &Viewer,
        indexed: i64,
    ) -> Result<Visibility, SearchError> {
        if indexed >= changes::last(db)? {
            return Ok(self.clone());
        }
        let changes = changes::after(db, indexed, MAX_CHANGES + 1)?;
        if changes.len() > MAX_CHANGES {
            return Err(SearchError::NotReady);
        }
        let mut hidden = Vec::new();
        for kind in Kind::ALL {
            let changed = changes.iter().filter(|change| change.kind == kind);
            let ids = changed.map(|change| change.id).collect();
            let ids = search_records::hidden_ids(db, viewer, kind, ids)?;
            hidden.extend(ids.into_iter().map(|id| (kind, id)));
        }
        Ok(self.without(hidden))
    }
}
