//! Which addresses a text may link to.

/// Schemes of addresses that a link may have.
pub(super) const SCHEMES: [&str; 7] = ["http", "https", "ftp", "ftps", "mailto", "tel", "news"];
/// Maximum length of an address, in bytes.
const MAX_URL: usize = 4096;

/// The kind of destination of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Within this service: a path, a query or a fragment.
    Local,
    /// To another host, or to another program.
    External,
    /// Nowhere: the scheme is not allowed.
    Refused,
}

/// Returns the kind of destination of the address. Browsers ignore control characters and spaces
/// within a scheme, so they are ignored here too.
pub(super) fn destination(url: &str) -> Destination {
    if url.len() > MAX_URL || url.contains(['\u{0}', '\u{fffd}']) {
        return Destination::Refused;
    }
    let bare: String = url
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .take(64)
        .collect();
    if bare.starts_with("//") || bare.starts_with("/\\") || bare.starts_with('\\') {
        return Destination::External;
    }
    match bare
        .find([':', '/', '?', '#'])
        .filter(|at| bare[*at..].starts_with(':'))
    {
        Some(at) if SCHEMES.contains(&bare[..at].to_ascii_lowercase().as_str()) => {
            Destination::External
        }
        Some(_) => Destination::Refused,
        None if bare.contains('&') && bare.contains("colon") => Destination::Refused,
        None => Destination::Local,
    }
}

/// Whether the address is the path of an attachment of this service, which may be shown as an
/// image.
pub(super) fn is_attachment_path(url: &str) -> bool {
    url.starts_with("/attachments/")
        && url.len() <= MAX_URL
        && !url.contains("..")
        && !url.contains(['\\', '?', '#'])
}

/// Whether the address is a bare file name, such as that of an attachment.
pub(super) fn is_file_name(url: &str) -> bool {
    !url.is_empty() && url.len() <= 255 && !url.contains(['/', '\\', '?', '#', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_data_are_refused_however_they_are_written() {
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "java\nscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "javascript&colon;alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:msgbox(1)",
            "file:///etc/passwd",
            "blob:https://example.org/1",
        ] {
            assert_eq!(destination(url), Destination::Refused, "{url:?}");
        }
    }

    #[test]
    fn paths_are_local_and_hosts_are_external() {
        for url in ["/issues/12", "#top", "?page=2", "page", "a/b:c", ""] {
            assert_eq!(destination(url), Destination::Local, "{url:?}");
        }
        for url in [
            "https://example.org/",
            "HTTP://example.org",
            "mailto:a@example.org",
            "//example.org/x",
            "/\\example.org",
        ] {
            assert_eq!(destination(url), Destination::External, "{url:?}");
        }
    }

    #[test]
    fn only_attachments_are_images_of_this_service() {
        assert!(is_attachment_path("/attachments/download/1/a.png"));
        assert!(!is_attachment_path("/attachments/../logout"));
        assert!(!is_attachment_path("/logout"));
        assert!(is_file_name("screen shot.png"));
        assert!(!is_file_name("a/b.png"));
    }
}
