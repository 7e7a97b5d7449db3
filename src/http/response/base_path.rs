//! The base path: the path at which the service stands on a host name that it shares with others.
//!
//! Everything else knows addresses without it. This layer removes it from requests, and adds it to the
//! links of pages, to redirects and to cookies. It is there only if a base path is configured.

use super::render::{PageCharge, charged_body};
use crate::request::format::with_path;
use crate::server::log::without_secret;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use lol_html::html_content::Element;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use quarry_app::App;
use quarry_config::BasePath;
use std::sync::Arc;
use tower::Layer;

/// Paths for monitors on this machine, which need not know the base path.
pub const WITHOUT_BASE_PATH: [&str; 3] = ["/healthz", "/readyz", super::metrics::METRICS_PATH];
/// The headers of responses to requests outside the base path.
const OUTSIDE_HEADERS: [(HeaderName, &str); 2] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];
/// The attributes of pages that have addresses.
const ADDRESSES: [&str; 17] = [
    "href",
    "src",
    "action",
    "formaction",
    "data-suggest",
    "data-complete",
    "data-preview",
    "data-new-issue",
    "data-issue",
    "data-choice",
    "data-editor",
    "data-list",
    "data-markup",
    "data-toolbar",
    "data-tasks",
    "data-ticks",
    "data-dates",
];
/// The prefix of the names of cookies behind TLS, which needs the path `/`.
const HOST_PREFIX: &str = "__Host-";
/// The prefix that takes its place below a base path.
const SECURE_PREFIX: &str = "__Secure-";

/// Puts the service below the base path, if one is configured. Compression must be around it.
pub fn with_base_path(service: Router, app: Arc<App>) -> Router {
    if app.config.base_path.is_empty() {
        return service;
    }
    let below = from_fn_with_state(app, serve_below).layer(service);
    Router::new().fallback_service(below)
}

async fn serve_below(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let base = &app.config.base_path;
    let path = request.uri().path();
    let uri = match base.strip(path) {
        None if WITHOUT_BASE_PATH.contains(&path) => Some(request.uri().clone()),
        None => well_known(base, path).and_then(|path| with_path(request.uri(), path)),
        Some("") => return redirect_to_start(base, request.uri()),
        Some(rest) => with_path(request.uri(), rest),
    };
    let Some(uri) = uri else {
        tracing::info!(
            http.path = without_secret(path),
            "a request is outside the base path"
        );
        let message = format!("The service is at {}/\n", base.as_str());
        return (StatusCode::NOT_FOUND, OUTSIDE_HEADERS, message).into_response();
    };
    *request.uri_mut() = uri;
    rename_request_cookies(request.headers_mut());
    let mut response = next.run(request).await;
    prefix_location(base, response.headers_mut());
    move_cookies(base, response.headers_mut());
    if is_page(response.headers()) {
        response = prefix_links(base, response).await;
    }
    response
}

/// Returns the path of metadata whose address has the base path at its end (RFC 8414, section 3.1).
fn well_known<'p>(base: &BasePath, path: &'p str) -> Option<&'p str> {
    let path = path.strip_suffix(base.as_str())?;
    path.starts_with("/.well-known/").then_some(path)
}

/// Redirects the base path itself, which has no slash at its end: relative links need it.
fn redirect_to_start(base: &BasePath, uri: &Uri) -> Response {
    let query = uri.query().map(|query| format!("?{query}"));
    let address = format!("{}/{}", base.as_str(), query.unwrap_or_default());
    (
        StatusCode::PERMANENT_REDIRECT,
        OUTSIDE_HEADERS,
        [(header::LOCATION, address)],
    )
        .into_response()
}

/// Gives cookies of this service the names that the service knows. A cookie that has the name already is
/// of another service on the host name, so it is dropped.
fn rename_request_cookies(headers: &mut HeaderMap) {
    let lists = headers.get_all(header::COOKIE).iter();
    // Cookies of other services can have any bytes.
    let cookies = lists.flat_map(|list| list.as_bytes().split(|byte| *byte == b';'));
    let cookies = cookies.map(<[u8]>::trim_ascii);
    let own = cookies.filter(|cookie| !cookie.starts_with(HOST_PREFIX.as_bytes()));
    let renamed = own.map(
        |cookie| match cookie.strip_prefix(SECURE_PREFIX.as_bytes()) {
            Some(rest) => [HOST_PREFIX.as_bytes(), rest].concat(),
            None => cookie.to_vec(),
        },
    );
    let list = renamed.collect::<Vec<_>>().join(&b"; "[..]);
    headers.remove(header::COOKIE);
    if !list.is_empty()
        && let Ok(value) = HeaderValue::from_bytes(&list)
    {
        headers.insert(header::COOKIE, value);
    }
}

/// Limits cookies to the base path, so that other services on the host name do not get them.
fn move_cookies(base: &BasePath, headers: &mut HeaderMap) {
    let cookies: Vec<HeaderValue> = headers
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|cookie| cookie.to_str().ok())
        .filter_map(|cookie| HeaderValue::try_from(move_cookie(base, cookie)).ok())
        .collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie);
    }
}

fn move_cookie(base: &BasePath, cookie: &str) -> String {
    let parts = cookie.split(';').map(str::trim).enumerate();
    let moved = parts.map(|(index, part)| {
        if index == 0 {
            return match part.strip_prefix(HOST_PREFIX) {
                Some(rest) => format!("{SECURE_PREFIX}{rest}"),
                None => part.to_owned(),
            };
        }
        match part.strip_prefix("Path=") {
            Some("/") => format!("Path={}", base.as_str()),
            Some(path) => format!("Path={}", base.prefix(path)),
            None => part.to_owned(),
        }
    });
    moved.collect::<Vec<_>>().join("; ")
}

/// Whether this is an address of the service: a path, and not `//` with another host.
fn is_own(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//")
}

fn prefix_location(base: &BasePath, headers: &mut HeaderMap) {
    let location = headers.get(header::LOCATION);
    let location = location.and_then(|location| location.to_str().ok());
    if let Some(address) = location.filter(|address| is_own(address))
        && let Ok(value) = HeaderValue::try_from(base.prefix(address))
    {
        headers.insert(header::LOCATION, value);
    }
}

/// Whether this is a page, and no file that people download.
fn is_page(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE);
    content_type.is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
        && !headers.contains_key(header::CONTENT_DISPOSITION)
}

async fn prefix_links(base: &BasePath, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let charge = parts.extensions.remove::<PageCharge>();
    let prefixed = match axum::body::to_bytes(body, usize::MAX).await {
        // A large page takes a while, in which other requests of this thread would wait.
        Ok(original) => tokio::task::block_in_place(|| {
            let html = String::from_utf8_lossy(&original);
            with_prefixed_links(base, &html)
        }),
        Err(error) => Err(error.to_string()),
    };
    match prefixed {
        Ok(html) => {
            parts.headers.remove(header::CONTENT_LENGTH);
            let body = match charge {
                Some(PageCharge(charge)) => charged_body(Bytes::from(html), charge),
                None => Body::from(html),
            };
            Response::from_parts(parts, body)
        }
        Err(error) => {
            tracing::error!(error = %error, "the links of a page could not get the base path");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn with_prefixed_links(base: &BasePath, html: &str) -> Result<String, String> {
    let prefix = |element: &mut Element<'_, '_>| {
        let attributes = element.attributes().iter();
        let addresses = attributes
            .map(|attribute| (attribute.name(), attribute.value()))
            .filter(|(name, value)| is_own(value) && ADDRESSES.contains(&name.as_str()));
        for (name, address) in addresses.collect::<Vec<_>>() {
            element.set_attribute(&name, &base.prefix(&address))?;
        }
        Ok(())
    };
    let settings = RewriteStrSettings::new().append_element_content_handler(element!("*", prefix));
    rewrite_str(html, settings).map_err(|error| error.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    fn base() -> BasePath {
        BasePath::parse("/quarry").unwrap()
    }

    #[test]
    fn addresses_of_the_service_get_the_base_path_and_texts_do_not() {
        let html = r##"<a href="/issues?a=1&amp;b=2" title="/issues">see href="/x"</a><a href="//evil.test/">x</a><a href="https://example.net/">y</a><a href="#note-1">z</a><svg><use href="/static/icons.svg#star"/></svg><form action="/login"><button formaction="/logout">/b</button></form><textarea><a href="/z"></textarea>"##;
        let expected = r##"<a href="/quarry/issues?a=1&amp;b=2" title="/issues">see href="/x"</a><a href="//evil.test/">x</a><a href="https://example.net/">y</a><a href="#note-1">z</a><svg><use href="/quarry/static/icons.svg#star" /></svg><form action="/quarry/login"><button formaction="/quarry/logout">/b</button></form><textarea><a href="/z"></textarea>"##;
        assert_eq!(with_prefixed_links(&base(), html).unwrap(), expected);
    }

    #[test]
    fn cookies_are_limited_to_the_base_path() {
        let moved = |cookie| move_cookie(&base(), cookie);
        assert_eq!(
            moved("__Host-quarry_session=a; HttpOnly; Secure; Path=/"),
            "__Secure-quarry_session=a; HttpOnly; Secure; Path=/quarry"
        );
        assert_eq!(
            moved("theme=dark; Path=/my/page; Max-Age=1"),
            "theme=dark; Path=/quarry/my/page; Max-Age=1"
        );
    }

    #[test]
    fn cookies_of_another_service_on_the_host_name_are_dropped() {
        let mut headers = HeaderMap::new();
        let list = "__Host-quarry_session=other; __Secure-quarry_session=own; theme=dark";
        headers.append(header::COOKIE, HeaderValue::from_static(list));
        let foreign = HeaderValue::from_bytes(b"city=Z\xfcrich; a=b").unwrap();
        headers.append(header::COOKIE, foreign);
        rename_request_cookies(&mut headers);
        assert_eq!(
            headers[header::COOKIE],
            &b"__Host-quarry_session=own; theme=dark; city=Z\xfcrich; a=b"[..]
        );
        let mut headers = HeaderMap::new();
        let other = HeaderValue::from_static("__Host-quarry_session=other");
        headers.append(header::COOKIE, other);
        rename_request_cookies(&mut headers);
        assert!(!headers.contains_key(header::COOKIE));
    }
}
