//! Addresses inside the service, to which a form may lead back.

use percent_encoding::percent_decode_str;

/// Returns the address if it is a path of this service: never that of another host, however it is
/// spelled.
pub fn local_path(address: &str) -> Option<&str> {
    let is_path = address.starts_with('/') && !address.starts_with("//");
    let is_plain = address
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let path = address.split(['?', '#']).next().unwrap_or(address);
    // A browser resolves `..`, also encoded: it could lead to another service on the host name.
    let is_resolved = path.split('/').all(|segment| {
        let segment = segment.to_ascii_lowercase().replace("%2e", ".");
        segment != "." && segment != ".."
    });
    (is_path && is_plain && is_resolved).then_some(address)
}

/// Returns the decoded segments of a path.
pub fn segments(path: &str) -> Vec<String> {
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    segments
        .map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn only_paths_are_local() {
        for address in ["/", "/issues/12", "/search?q=a%20b&x=//y", "/a//b"] {
            assert_eq!(local_path(address), Some(address));
        }
        for address in [
            "",
            "issues",
            "//evil.test",
            "/\\evil.test",
            "https://evil.test",
            "javascript:alert(1)",
            "/../~somebody",
            "/issues/%2E%2e/..%2f",
            "/./x",
            "/a\r\nX: y",
            "/ü",
            "/a b",
        ] {
            assert_eq!(local_path(address), None, "{address}");
        }
    }
}
