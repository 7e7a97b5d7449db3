//! One spelling of each path: repeated slashes and those at the end are removed before anything looks
//! at the path, so that routes, limits and the log see the same one.

use super::format::with_path;
use axum::extract::Request;
use quarry_config::BasePath;
use std::borrow::Cow;

/// Removes repeated slashes from the path of the request, and slashes at its end. The start page keeps
/// its slash.
pub fn normalize_path(mut request: Request, base: &BasePath) -> Request {
    if let Cow::Owned(path) = normalize(request.uri().path(), base)
        && let Some(uri) = with_path(request.uri(), &path)
    {
        *request.uri_mut() = uri;
    }
    request
}

/// An encoded slash is part of a segment, so it stays.
fn normalize<'p>(path: &'p str, base: &BasePath) -> Cow<'p, str> {
    let is_root = |path: &str| path.is_empty() || path == base.as_str();
    let has_repeated = path.contains("//");
    let without_end = path.trim_end_matches('/');
    if !has_repeated && (without_end.len() == path.len() || is_root(without_end)) {
        return Cow::Borrowed(path);
    }
    let mut normalized = String::with_capacity(path.len());
    for character in without_end.chars() {
        if character != '/' || !normalized.ends_with('/') {
            normalized.push(character);
        }
    }
    if is_root(&normalized) && path.ends_with('/') {
        normalized.push('/');
    }
    Cow::Owned(normalized)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn repeated_slashes_and_those_at_the_end_are_removed() {
        let base = BasePath::default();
        for (path, expected) in [
            ("//issues.json", "/issues.json"),
            ("/issues.json/", "/issues.json"),
            ("/projects//x///issues//", "/projects/x/issues"),
            ("/issues", "/issues"),
            ("/", "/"),
            ("///", "/"),
            ("//evil.test/..//x", "/evil.test/../x"),
            ("/a%2F/%2f%2F/", "/a%2F/%2f%2F"),
            ("*", "*"),
            ("", ""),
        ] {
            assert_eq!(normalize(path, &base), expected, "{path}");
            assert_eq!(normalize(expected, &base), expected, "{path}");
        }
    }

    #[test]
    fn start_page_below_a_base_path_keeps_its_slash() {
        let base = BasePath::parse("/a/quarry").unwrap();
        for (path, expected) in [
            ("/a/quarry", "/a/quarry"),
            ("/a/quarry/", "/a/quarry/"),
            ("//a//quarry//", "/a/quarry/"),
            ("//a//quarry", "/a/quarry"),
            ("/a/quarry//issues/", "/a/quarry/issues"),
            ("/a/", "/a"),
            ("//", "/"),
        ] {
            assert_eq!(normalize(path, &base), expected, "{path}");
        }
    }

    #[test]
    fn host_and_query_string_are_kept() {
        let request = Request::builder()
            .uri("http://quarry.test//issues//?back_url=//a//b/")
            .body(axum::body::Body::empty())
            .unwrap();
        let request = normalize_path(request, &BasePath::default());
        let expected = "http://quarry.test/issues?back_url=//a//b/";
        assert_eq!(request.uri().to_string(), expected);
    }
}
