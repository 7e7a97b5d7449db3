//! The button that starts or stops watching a record.

use quarry_actions::content::watchers;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::content::watcher::Watchable;
use quarry_store::{Read, StoreError};

/// The button on the page of a record.
pub struct WatchButton {
    /// The address that it posts to.
    pub path: String,
    /// Whether the viewer watches the record.
    pub is_watching: bool,
}

impl WatchButton {
    /// Returns the button for the record with the page at `path`; `None` for anonymous, who cannot
    /// watch.
    pub fn load(
        db: &Read<'_>,
        viewer: &Viewer,
        watchable: Watchable,
        path: &str,
    ) -> Result<Option<WatchButton>, StoreError> {
        let is_watching = watchers::is_watching(db, viewer, watchable)?;
        Ok(is_watching.map(|is_watching| WatchButton {
            path: format!("{path}/watch"),
            is_watching,
        }))
    }
}
