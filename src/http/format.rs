//! Which format is asked for: the suffix of the path, else `Accept` (contract 1.1, part A).

use crate::wire::Format;
use axum::extract::Request;
use axum::http::{HeaderMap, Uri, header};

/// What the asker wants to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Data in this format.
    Data(Format),
    /// A page for a person.
    Page,
    /// A suffix that is not known.
    Unknown,
}

impl Wanted {
    /// The format of data, if data is wanted.
    pub fn format(self) -> Option<Format> {
        match self {
            Wanted::Data(format) => Some(format),
            Wanted::Page | Wanted::Unknown => None,
        }
    }

    /// The format for errors, whatever was wanted.
    pub fn or_json(self) -> Format {
        match self {
            Wanted::Data(format) => format,
            Wanted::Page | Wanted::Unknown => Format::Json,
        }
    }
}

/// Where the routes of pages hang; no request reaches them by this name.
pub const PAGES: &str = "/-pages";

/// Where files are asked for by their own names, whose endings are no formats.
const FILES: [&str; 2] = ["/attachments/download/", "/attachments/thumbnail/"];

/// Takes the suffix off before routing, because a route cannot end with one, and keeps what it said.
pub fn before_routing(mut request: Request) -> Request {
    let path = request.uri().path().to_owned();
    if FILES.iter().any(|folder| path.starts_with(folder)) {
        // Only what is said of an error has a format there, and only browsers read pages.
        let wanted = match (said(request.headers()).contains("text/html"), accepted(request.headers())) {
            (false, Wanted::Page) => Wanted::Data(Format::Json),
            (_, wanted) => wanted,
        };
        request.extensions_mut().insert(wanted);
        return request;
    }
    let (stem, wanted) = match suffix(&path) {
        Some((stem, "json")) => (Some(stem), Wanted::Data(Format::Json)),
        Some((stem, "xml")) => (Some(stem), Wanted::Data(Format::Xml)),
        Some(_) => (None, Wanted::Unknown),
        None => (None, accepted(request.headers())),
    };
    // What is asked for by the name under which pages hang is an address like any other, which leads nowhere.
    let address = stem.unwrap_or(&path);
    let within = address.strip_prefix(PAGES).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    // Pages have routes of their own, so that an address can answer data and a page.
    let rewritten = match (stem, wanted) {
        _ if within => with_path(request.uri(), &format!("{PAGES}{address}")),
        (Some(stem), _) => with_path(request.uri(), stem),
        (None, Wanted::Page) if path == "/" => with_path(request.uri(), PAGES),
        (None, Wanted::Page) => with_path(request.uri(), &format!("{PAGES}{path}")),
        (None, _) => None,
    };
    if let Some(uri) = rewritten {
        *request.uri_mut() = uri;
    }
    request.extensions_mut().insert(wanted);
    request
}

/// What stands before and behind the last dot of the last segment.
fn suffix(path: &str) -> Option<(&str, &str)> {
    let segment = path.rfind('/').map_or(0, |slash| slash + 1);
    let dot = segment + path[segment..].rfind('.')?;
    (dot > segment).then(|| (&path[..dot], &path[dot + 1..]))
}

fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(format!("{path}{query}").parse().ok()?);
    Uri::from_parts(parts).ok()
}

fn said(headers: &HeaderMap) -> &str {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn accepted(headers: &HeaderMap) -> Wanted {
    for part in said(headers).split(',') {
        match part.split(';').next().unwrap_or_default().trim() {
            "application/json" => return Wanted::Data(Format::Json),
            "application/xml" | "text/xml" => return Wanted::Data(Format::Xml),
            "text/html" => return Wanted::Page,
            _ => {}
        }
    }
    Wanted::Page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(uri: &str, accept: Option<&str>) -> (String, Wanted) {
        let mut request = Request::builder().uri(uri);
        if let Some(accept) = accept {
            request = request.header(header::ACCEPT, accept);
        }
        let request = before_routing(request.body(axum::body::Body::empty()).unwrap());
        (request.uri().to_string(), *request.extensions().get::<Wanted>().unwrap())
    }

    #[test]
    fn the_suffix_is_taken_off_and_remembered() {
        assert_eq!(asked("/issues/1.xml?a=b.c", None), ("/issues/1?a=b.c".to_owned(), Wanted::Data(Format::Xml)));
        assert_eq!(asked("/issues.json", Some("application/xml")), ("/issues".to_owned(), Wanted::Data(Format::Json)));
        assert_eq!(asked("/issues.yaml", None).1, Wanted::Unknown);
        assert_eq!(asked("/issues", Some("application/json")).1, Wanted::Data(Format::Json));
        assert_eq!(asked("/issues?a=1", Some("text/html,application/xml;q=0.9")), ("/-pages/issues?a=1".to_owned(), Wanted::Page));
        assert_eq!(asked("/a.b/issues", None).1, Wanted::Page);
        for accept in [None, Some("application/json")] {
            assert_eq!(asked("/-pages/issues", accept).0, "/-pages/-pages/issues");
        }
        assert_eq!(asked("/-pages/search.json?q=a", None), ("/-pages/-pages/search?q=a".to_owned(), Wanted::Data(Format::Json)));
        assert_eq!(asked("/-pages.xml", None).0, "/-pages/-pages");
        assert_eq!(asked("/-pages/issues.yaml", None), ("/-pages/-pages/issues.yaml".to_owned(), Wanted::Unknown));
    }

    #[test]
    fn a_file_keeps_its_ending() {
        let path = "/attachments/download/1/a.json";
        assert_eq!(asked(path, None), (path.to_owned(), Wanted::Data(Format::Json)));
        assert_eq!(asked(path, Some("text/html,*/*")), (path.to_owned(), Wanted::Page));
        assert_eq!(asked("/attachments/1.json", None).0, "/attachments/1");
    }
}
