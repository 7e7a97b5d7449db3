//! A table of routes, which knows with which segments their paths begin.

use crate::server::state::HttpState;
use axum::Router;
use axum::routing::MethodRouter;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A table of routes.
#[derive(Clone, Default)]
pub struct Routes {
    router: Router<Arc<HttpState>>,
    first_segments: BTreeSet<String>,
}

impl Routes {
    /// Returns an empty table.
    pub fn new() -> Routes {
        Routes::default()
    }

    /// Adds the handlers of a path.
    #[must_use]
    pub fn route(mut self, path: &str, handlers: MethodRouter<Arc<HttpState>>) -> Routes {
        let segment = path.split('/').nth(1).unwrap_or_default();
        let name = segment.split('.').next().unwrap_or_default();
        if !name.is_empty() {
            self.first_segments.insert(name.to_owned());
        }
        self.router = self.router.route(path, handlers);
        self
    }

    /// Adds the routes of another table.
    #[must_use]
    pub fn merge(mut self, other: Routes) -> Routes {
        self.first_segments.extend(other.first_segments);
        self.router = self.router.merge(other.router);
        self
    }

    /// Returns the first segments of the paths, without suffixes such as `.json`.
    pub fn first_segments(&self) -> &BTreeSet<String> {
        &self.first_segments
    }

    /// Puts the routes below a prefix that only the service knows.
    pub(crate) fn below(self, prefix: &str) -> Routes {
        Routes {
            router: Router::new().nest(prefix, self.router),
            ..self
        }
    }

    /// Returns the router of axum.
    pub(crate) fn into_router(self) -> Router<Arc<HttpState>> {
        self.router
    }
}
