//! The wait for the index before a search, so that it finds the last changes.

use quarry_app::{App, Freshness};
use quarry_domain::ids::UserId;
use quarry_wire::from_query;
use std::time::Instant;
use tokio::time::timeout;

/// Which requests wait until the index has the last changes.
#[derive(Clone, Copy)]
pub enum IndexWait {
    Never,
    Always,
    /// Those whose query string may have a text for the search: as the filter `q` in either form, or
    /// in a saved query.
    WithText,
}

impl IndexWait {
    /// Whether a request with this query string waits.
    pub fn applies_to(self, query: Option<&str>) -> bool {
        match self {
            IndexWait::Never => false,
            IndexWait::Always => true,
            IndexWait::WithText => from_query(query.unwrap_or_default()).is_ok_and(|query| {
                let paths: [&[&str]; 3] = [&["q"], &["query_id"], &["v", "q"]];
                let mut values = paths.iter().filter_map(|path| query.at(path));
                values.any(|value| !value.is_blank())
            }),
        }
    }
}

/// Waits for the index before a search. Returns whether the index has every change committed
/// before.
pub async fn wait_for_index(app: &App, viewer: Option<UserId>) -> bool {
    let last = app.store.last_change();
    let start = Instant::now();
    loop {
        let progress = app.search.progress();
        match app.freshness(last, viewer, start.elapsed()) {
            Freshness::Current => return true,
            Freshness::Stale => return false,
            Freshness::Wait(left) => drop(timeout(left, progress).await),
        }
    }
}
