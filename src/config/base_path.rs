//! The path at which the service stands on a host name that it shares with others.

use std::collections::BTreeSet;

/// A description of valid base paths.
pub(crate) const BASE_PATH_EXPECTED: &str = "a path such as /quarry: letters, digits, -, _ and . between slashes, no slash at the end, and no address of the service such as /issues";

/// Maximum length in bytes.
const MAX_LENGTH: usize = 50;

/// The base path, such as `/quarry`; empty when the host name is for the service alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// Parses `/` and segments of letters, digits, `-`, `_` and `.`. A slash at the end is not accepted.
    pub fn parse(text: &str) -> Option<BasePath> {
        if text.is_empty() {
            return Some(BasePath::default());
        }
        let mut segments = text.strip_prefix('/')?.split('/');
        let is_segment = |segment: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            segment.bytes().all(is_plain) && !segment.is_empty() && !segment.starts_with('.')
        };
        let is_valid = segments.all(is_segment) && text.len() <= MAX_LENGTH;
        is_valid.then(|| BasePath(text.to_owned()))
    }

    /// Whether it begins with one of these segments, with or without a suffix such as `.json`.
    pub fn begins_with_any(&self, segments: &BTreeSet<String>) -> bool {
        let first = self.0.split(['/', '.']).nth(1);
        first.is_some_and(|first| segments.contains(first))
    }

    /// Returns the text, such as `/quarry`, or an empty one.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the service has the host name for itself.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path below the base path, with its slash; an empty one for the base path itself.
    /// `None` for other paths.
    pub fn strip<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(&self.0)?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    }

    /// Adds the base path to the address of this service, which begins with a slash, unless it has it.
    pub fn prefix(&self, address: &str) -> String {
        let path = address.split(['?', '#']).next().unwrap_or(address);
        if self.strip(path).is_some() {
            address.to_owned()
        } else {
            format!("{}{address}", self.0)
        }
    }

    /// Adds the base path to the URL of the service, unless it is the path of that URL.
    pub fn append_to(&self, url: String) -> String {
        let (_, rest) = url.split_once("://").unwrap_or(("", &url));
        let has_path = rest.find('/').is_some_and(|start| rest[start..] == self.0);
        if has_path {
            url
        } else {
            format!("{url}{}", self.0)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_accepted() {
        for text in ["", "/quarry", "/a/b-c_d.e/9"] {
            assert_eq!(BasePath::parse(text).unwrap().as_str(), text);
        }
        let long = format!("/{}", "x".repeat(50));
        for text in [
            "/", "quarry", "/quarry/", "//x", "/a//b", "/..", "/a/./b", "/a b", "/ü", "/a%20",
            "/a?b", "/a\"b", &long,
        ] {
            assert_eq!(BasePath::parse(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_have_the_base_path_once() {
        let base = BasePath::parse("/a").unwrap();
        assert_eq!(base.prefix("/"), "/a/");
        assert_eq!(base.prefix("/issues?x=1"), "/a/issues?x=1");
        assert_eq!(base.prefix("/a/issues"), "/a/issues");
        assert_eq!(base.prefix("/a?x"), "/a?x");
        assert_eq!(base.prefix("/ab"), "/a/ab");
        assert_eq!(base.strip("/a"), Some(""));
        assert_eq!(base.strip("/a/b"), Some("/b"));
        assert_eq!(base.strip("/ab"), None);
        let url = "https://example.net".to_owned();
        assert_eq!(base.append_to(url), "https://example.net/a");
        let url = "https://example.net/a".to_owned();
        assert_eq!(base.append_to(url), "https://example.net/a");
        let url = "https://a".to_owned();
        assert_eq!(base.append_to(url), "https://a/a");
        let none = BasePath::default();
        assert_eq!(none.prefix("/issues"), "/issues");
        assert_eq!(none.append_to("http://x".to_owned()), "http://x");
    }
}
