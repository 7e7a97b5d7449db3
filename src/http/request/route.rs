//! The route that a request has matched, for metrics and the log.

use super::format::PAGES;
use crate::server::request_scope::{MatchedRoute, set_route};
use axum::extract::{MatchedPath, Request};

/// Records the pattern of the route.
pub fn note_route(request: Request) -> Request {
    if let Some(path) = request.extensions().get::<MatchedPath>() {
        set_route(matched_route(path.as_str()));
    }
    request
}

fn matched_route(pattern: &str) -> MatchedRoute {
    let (pattern, format) = match pattern.strip_prefix(PAGES) {
        Some("") => ("/", "page"),
        Some(page) => (page, "page"),
        None => (pattern, "data"),
    };
    MatchedRoute {
        pattern: pattern.to_owned(),
        format,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_data_have_the_same_patterns() {
        for (path, pattern, format) in [
            ("/issues/{id}", "/issues/{id}", "data"),
            ("/-pages/issues/{id}", "/issues/{id}", "page"),
            ("/-pages", "/", "page"),
            ("/-pages/", "/", "page"),
        ] {
            let route = matched_route(path);
            assert_eq!((route.pattern.as_str(), route.format), (pattern, format));
        }
    }
}
