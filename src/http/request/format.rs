//! The format of the response, from the suffix of the path or else from `Accept` (compatibility
//! 3.1).

use axum::extract::Request;
use axum::http::{HeaderMap, Uri, header};
use quarry_wire::Format;

/// The requested format of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseFormat {
    /// Data in this format.
    Data(Format),
    /// An HTML page.
    Page,
    /// An unknown suffix.
    Unknown,
}

impl ResponseFormat {
    /// Returns the data format, if data was requested.
    pub fn data_format(self) -> Option<Format> {
        match self {
            ResponseFormat::Data(format) => Some(format),
            ResponseFormat::Page | ResponseFormat::Unknown => None,
        }
    }

    /// Returns the data format, and JSON for everything else.
    pub fn or_json(self) -> Format {
        match self {
            ResponseFormat::Data(format) => format,
            ResponseFormat::Page | ResponseFormat::Unknown => Format::Json,
        }
    }
}

/// Prefix of the routes of pages. No request reaches them by this path.
pub const PAGES: &str = "/-pages";

/// Prefixes of paths that end in a file name, whose extension is not a format.
const FILE_PATHS: [&str; 2] = ["/attachments/download/", "/attachments/thumbnail/"];

/// The suffixes of exports of lists. Their routes have the suffix.
const EXPORTS: [(&str, ResponseFormat); 4] = [
    ("csv", ResponseFormat::Page),
    ("atom", ResponseFormat::Page),
    ("ics", ResponseFormat::Page),
    ("ndjson", ResponseFormat::Data(Format::Json)),
];

/// The ends of the paths of lists, each with the suffixes of its exports.
const EXPORTED: [(&str, &[&str]); 7] = [
    ("/issues", &["csv", "atom", "ndjson"]),
    ("/time_entries", &["csv", "atom"]),
    ("/time_entries/report", &["csv"]),
    ("/search", &["atom"]),
    ("/activity", &["atom"]),
    ("/issues/calendar", &["ics"]),
    ("/roadmap", &["ics"]),
];

/// Returns the format in which an export of a list reports errors.
fn export_format(stem: &str, suffix: &str) -> Option<ResponseFormat> {
    let row = EXPORTS.iter().find(|row| row.0 == suffix)?;
    let is_export =
        |(end, suffixes): &(&str, &[&str])| stem.ends_with(end) && suffixes.contains(&suffix);
    EXPORTED.iter().any(is_export).then_some(row.1)
}

/// The suffixes of exports of wiki pages.
const WIKI_EXPORTS: [&str; 2] = ["html", "txt"];

/// Returns the path of the route that exports a wiki page, for `/projects/x/wiki/Page.html` and
/// `.txt`, as in Redmine. No title has a dot.
fn wiki_export(path: &str) -> Option<String> {
    let (page, suffix) = suffix(path).filter(|(_, suffix)| WIKI_EXPORTS.contains(suffix))?;
    let (project, title) = page.strip_prefix("/projects/")?.split_once("/wiki/")?;
    let is_page = !project.contains('/') && !title.contains('/');
    is_page.then(|| format!("{page}/export/{suffix}"))
}

/// Returns the path of the route for another address that ends like a file: `/robots.txt`,
/// `/manifest.webmanifest`, and as in Redmine `/issues/1.pdf` and that of a wiki page, which lead to the page, and
/// `/attachments/1/name.png`, the page of the file.
fn file_address(path: &str) -> Option<String> {
    let file = match path {
        "/robots.txt" => Some("/robots"),
        "/manifest.webmanifest" => Some("/manifest"),
        _ => None,
    };
    if let Some(route) = file {
        return Some(route.to_owned());
    }
    if let Some((page, "pdf")) = suffix(path) {
        let is_issue = page
            .strip_prefix("/issues/")
            .is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
        let is_wiki_page = page.starts_with("/projects/") && page.contains("/wiki/");
        return (is_issue || is_wiki_page).then(|| format!("{page}/pdf"));
    }
    let (id, name) = path.strip_prefix("/attachments/")?.split_once('/')?;
    let is_file = id.bytes().all(|byte| byte.is_ascii_digit())
        && !name.is_empty()
        && !name.contains('/')
        && !["edit", "delete"].contains(&name);
    is_file.then(|| format!("/attachments/{id}"))
}

/// Removes the format suffix from the path before routing, because routes cannot match suffixes,
/// and stores the format in the request.
pub fn before_routing(mut request: Request) -> Request {
    let path = request.uri().path().to_owned();
    if FILE_PATHS.iter().any(|prefix| path.starts_with(prefix)) {
        // Only errors have a format here; only browsers get them as pages.
        let format = match (
            accept(request.headers()).contains("text/html"),
            from_accept(request.headers()),
        ) {
            (false, ResponseFormat::Page) => ResponseFormat::Data(Format::Json),
            (_, format) => format,
        };
        request.extensions_mut().insert(format);
        return request;
    }
    let export = wiki_export(&path).or_else(|| file_address(&path));
    let is_export = export.is_some();
    let path = export.unwrap_or(path);
    let (stem, format) = match suffix(&path) {
        _ if is_export => (None, ResponseFormat::Page),
        Some((stem, "json")) => (Some(stem), ResponseFormat::Data(Format::Json)),
        Some((stem, "xml")) => (Some(stem), ResponseFormat::Data(Format::Xml)),
        Some((stem, suffix)) => (
            None,
            export_format(stem, suffix).unwrap_or(ResponseFormat::Unknown),
        ),
        None => (None, from_accept(request.headers())),
    };
    // A request for the prefix of pages itself must not reach them: it is an unknown path.
    let address = stem.unwrap_or(&path);
    let is_internal = address
        .strip_prefix(PAGES)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    // Pages have routes of their own, so that an address can answer data and a page.
    let rewritten = match (stem, format) {
        _ if is_internal => with_path(request.uri(), &format!("{PAGES}{address}")),
        (Some(stem), _) => with_path(request.uri(), stem),
        (None, ResponseFormat::Page) if path == "/" => with_path(request.uri(), PAGES),
        (None, ResponseFormat::Page) => with_path(request.uri(), &format!("{PAGES}{path}")),
        (None, _) => None,
    };
    if let Some(uri) = rewritten {
        *request.uri_mut() = uri;
    }
    request.extensions_mut().insert(format);
    request
}

/// Splits the path at the last dot of its last segment.
fn suffix(path: &str) -> Option<(&str, &str)> {
    let segment = path.rfind('/').map_or(0, |slash| slash + 1);
    let dot = segment + path[segment..].rfind('.')?;
    (dot > segment).then(|| (&path[..dot], &path[dot + 1..]))
}

/// Returns the URI with this path, and with its query string.
pub fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let query = uri
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(format!("{path}{query}").parse().ok()?);
    Uri::from_parts(parts).ok()
}

fn accept(headers: &HeaderMap) -> &str {
    headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

fn from_accept(headers: &HeaderMap) -> ResponseFormat {
    for part in accept(headers).split(',') {
        match part.split(';').next().unwrap_or_default().trim() {
            "application/json" => return ResponseFormat::Data(Format::Json),
            "application/xml" | "text/xml" => return ResponseFormat::Data(Format::Xml),
            "text/html" => return ResponseFormat::Page,
            _ => {}
        }
    }
    ResponseFormat::Page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(uri: &str, accept: Option<&str>) -> (String, ResponseFormat) {
        let mut request = Request::builder().uri(uri);
        if let Some(accept) = accept {
            request = request.header(header::ACCEPT, accept);
        }
        let request = before_routing(request.body(axum::body::Body::empty()).unwrap());
        (
            request.uri().to_string(),
            *request.extensions().get::<ResponseFormat>().unwrap(),
        )
    }

    #[test]
    fn suffix_is_removed_and_determines_the_format() {
        assert_eq!(
            parse("/issues/1.xml?a=b.c", None),
            (
                "/issues/1?a=b.c".to_owned(),
                ResponseFormat::Data(Format::Xml)
            )
        );
        assert_eq!(
            parse("/issues.json", Some("application/xml")),
            ("/issues".to_owned(), ResponseFormat::Data(Format::Json))
        );
        assert_eq!(parse("/issues.yaml", None).1, ResponseFormat::Unknown);
        assert_eq!(
            parse("/projects/a/issues.csv?a=1", None),
            (
                "/-pages/projects/a/issues.csv?a=1".to_owned(),
                ResponseFormat::Page
            )
        );
        assert_eq!(parse("/issues/1.csv", None).1, ResponseFormat::Unknown);
        for (address, path) in [
            ("/issues/1.pdf", "/-pages/issues/1/pdf"),
            (
                "/projects/a/wiki/Page.pdf",
                "/-pages/projects/a/wiki/Page/pdf",
            ),
            ("/attachments/1/name.json", "/-pages/attachments/1"),
            ("/attachments/1/edit", "/-pages/attachments/1/edit"),
            ("/robots.txt", "/-pages/robots"),
        ] {
            assert_eq!(
                parse(address, None),
                (path.to_owned(), ResponseFormat::Page)
            );
        }
        assert_eq!(
            parse("/projects/a/issues/calendar.ics", None).0,
            "/-pages/projects/a/issues/calendar.ics"
        );
        assert_eq!(parse("/issues/gantt.ics", None).1, ResponseFormat::Unknown);
        assert_eq!(
            parse("/issues", Some("application/json")).1,
            ResponseFormat::Data(Format::Json)
        );
        assert_eq!(
            parse("/issues?a=1", Some("text/html,application/xml;q=0.9")),
            ("/-pages/issues?a=1".to_owned(), ResponseFormat::Page)
        );
        assert_eq!(parse("/a.b/issues", None).1, ResponseFormat::Page);
        for accept in [None, Some("application/json")] {
            assert_eq!(parse("/-pages/issues", accept).0, "/-pages/-pages/issues");
        }
        assert_eq!(
            parse("/-pages/search.json?q=a", None),
            (
                "/-pages/-pages/search?q=a".to_owned(),
                ResponseFormat::Data(Format::Json)
            )
        );
        assert_eq!(parse("/-pages.xml", None).0, "/-pages/-pages");
        assert_eq!(
            parse("/-pages/issues.yaml", None),
            (
                "/-pages/-pages/issues.yaml".to_owned(),
                ResponseFormat::Unknown
            )
        );
    }

    #[test]
    fn wiki_pages_have_exports() {
        for accept in [None, Some("application/json"), Some("text/html")] {
            assert_eq!(
                parse("/projects/x/wiki/A_b.txt?version=2", accept),
                (
                    "/-pages/projects/x/wiki/A_b/export/txt?version=2".to_owned(),
                    ResponseFormat::Page
                )
            );
        }
        for path in [
            "/projects/x/wiki/A/history.html",
            "/projects/x/y/wiki/A.txt",
            "/projects/x/issues.html",
            "/-pages/projects/x/wiki/A.html",
        ] {
            assert_eq!(parse(path, None).1, ResponseFormat::Unknown, "{path}");
        }
        assert_eq!(
            parse("/projects/x/wiki/A.html.json", None).0,
            "/projects/x/wiki/A.html"
        );
    }

    #[test]
    fn file_name_keeps_its_extension() {
        let path = "/attachments/download/1/a.json";
        assert_eq!(
            parse(path, None),
            (path.to_owned(), ResponseFormat::Data(Format::Json))
        );
        assert_eq!(
            parse(path, Some("text/html,*/*")),
            (path.to_owned(), ResponseFormat::Page)
        );
        assert_eq!(parse("/attachments/1.json", None).0, "/attachments/1");
    }
}
