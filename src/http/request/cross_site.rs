//! Protection against cross-site request forgery.
//!
//! A browser adds stored credentials (HTTP Basic) to every request, whichever page sends it. So an
//! unsafe request from another origin is refused, unless it carries credentials that only a program
//! or a script of our own origin can set.

use super::credentials;
use crate::error::Error;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// Fails with [`Error::CrossSite`] when a page of another origin has sent this unsafe request.
/// `configured` returns the URL of the service if the settings state it.
pub fn check(
    parts: &Parts,
    configured: impl FnOnce() -> Result<Option<String>, Error>,
) -> Result<(), Error> {
    if parts.method.is_safe() || credentials::is_explicit(&parts.headers) {
        return Ok(());
    }
    let site = parts.headers.get("sec-fetch-site");
    let cross_site = site.is_some_and(|site| site.as_bytes().eq_ignore_ascii_case(b"cross-site"));
    if cross_site || !is_own_origin(&parts.headers, configured)? {
        Err(Error::CrossSite)
    } else {
        Ok(())
    }
}

/// Whether the `Origin`, if there is one, is the host to which the request was sent, or that of the
/// service's own URL. A browser lets no page choose `Origin` or `Host`.
fn is_own_origin(
    headers: &HeaderMap,
    configured: impl FnOnce() -> Result<Option<String>, Error>,
) -> Result<bool, Error> {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return Ok(true);
    };
    let Some(origin) = origin.to_str().ok().filter(|origin| origin.contains("://")) else {
        return Ok(false);
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let is_host = host.is_some_and(|host| authority(origin).eq_ignore_ascii_case(host));
    Ok(is_host
        || configured()?.is_some_and(|url| {
            scheme(origin) == scheme(&url)
                && authority(origin).eq_ignore_ascii_case(authority(&url))
        }))
}

fn scheme(url: &str) -> String {
    url.split("://")
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

/// Host and port of a URL.
fn authority(url: &str) -> &str {
    url.split("://")
        .nth(1)
        .and_then(|rest| rest.split('/').next())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{Method, Request};

    fn allowed(method: Method, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder()
            .method(method)
            .header("Host", "tracker.test:3000");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(&request.body(()).unwrap().into_parts().0, || {
            Ok(Some("https://tracker.example/redmine".to_owned()))
        })
        .is_ok()
    }

    #[test]
    fn unsafe_requests_of_other_origins_are_refused() {
        for headers in [
            [("Origin", "https://evil.test")],
            [("Origin", "http://tracker.test")],
            [("Origin", "http://tracker.example")],
            [("Origin", "null")],
            [("Origin", "")],
            [("Sec-Fetch-Site", "cross-site")],
        ] {
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                assert!(!allowed(method, &headers), "{headers:?}");
            }
            assert!(allowed(Method::GET, &headers), "{headers:?}");
        }
    }

    #[test]
    fn own_origin_programs_and_explicit_credentials_pass() {
        assert!(allowed(Method::POST, &[]));
        assert!(allowed(
            Method::POST,
            &[
                ("Origin", "http://tracker.test:3000"),
                ("Sec-Fetch-Site", "same-origin")
            ]
        ));
        assert!(allowed(
            Method::POST,
            &[
                ("Origin", "HTTPS://Tracker.test:3000"),
                ("Sec-Fetch-Site", "none")
            ]
        ));
        assert!(
            allowed(Method::POST, &[("Origin", "https://tracker.example")]),
            "the URL of the settings"
        );
        let foreign = ("Origin", "https://evil.test");
        assert!(allowed(
            Method::POST,
            &[foreign, ("X-Service-API-Key", "abc")]
        ));
        assert!(allowed(
            Method::POST,
            &[foreign, ("X-Redmine-API-Key", "abc")]
        ));
        assert!(allowed(
            Method::POST,
            &[foreign, ("Authorization", "Bearer abc")]
        ));
        assert!(!allowed(
            Method::POST,
            &[foreign, ("X-Service-API-Key", " ")]
        ));
        assert!(!allowed(
            Method::POST,
            &[foreign, ("Authorization", "Basic YWxpY2U6YWxpY2VhbGljZQ==")]
        ));
    }
}
