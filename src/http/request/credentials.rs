//! Credentials in a request (compatibility 4).

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quarry_wire::Input;

/// Headers for an API key: ours, and that of clients written for Redmine.
const KEY_HEADERS: [&str; 2] = ["x-service-api-key", "x-redmine-api-key"];
/// Headers for the user to switch to: ours, and that of clients written for Redmine.
const SWITCH_HEADERS: [&str; 2] = ["x-service-switch-user", "x-redmine-switch-user"];

/// The credentials of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing.
    None,
    /// An API key.
    Key(String),
    /// Login and password; either may be an API key instead.
    Basic(String, String),
    /// An access token.
    Bearer(String),
    /// Malformed credentials, or an unknown authentication scheme.
    Invalid,
}

/// Parses the credentials in the order of compatibility 4: parameter, header, HTTP Basic. Blank
/// ones count as absent.
pub fn parse(query: &Input, headers: &HeaderMap) -> Credentials {
    if let Some(key) = query
        .get("key")
        .and_then(Input::as_text)
        .filter(|key| !key.trim().is_empty())
    {
        return Credentials::Key(key.trim().to_owned());
    }
    for name in KEY_HEADERS {
        match headers.get(name).map(|value| value.to_str().map(str::trim)) {
            None | Some(Ok("")) => {}
            Some(Ok(key)) => return Credentials::Key(key.to_owned()),
            Some(Err(_)) => return Credentials::Invalid,
        }
    }
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Credentials::None;
    };
    match value.to_str().ok().and_then(|value| value.split_once(' ')) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("basic") => {
            basic(rest).unwrap_or(Credentials::Invalid)
        }
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            Credentials::Bearer(token.trim().to_owned())
        }
        _ => Credentials::Invalid,
    }
}

/// Whether the request carries credentials that a browser never adds by itself: a key in a header,
/// or a bearer token.
pub fn is_explicit(headers: &HeaderMap) -> bool {
    KEY_HEADERS.iter().any(|name| has_key(headers, name))
        || headers
            .get(header::AUTHORIZATION)
            .is_some_and(|value| is_bearer(value.as_bytes()))
}

fn has_key(headers: &HeaderMap, name: &str) -> bool {
    headers
        .get(name)
        .is_some_and(|key| !key.as_bytes().trim_ascii().is_empty())
}

fn is_bearer(value: &[u8]) -> bool {
    value
        .get(..7)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"bearer "))
}

fn basic(encoded: &str) -> Option<Credentials> {
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (login, password) = text.split_once(':')?;
    Some(Credentials::Basic(login.to_owned(), password.to_owned()))
}

/// Returns the login of the user to switch to, if there is one.
pub fn switch_to_login(headers: &HeaderMap) -> Option<String> {
    let value = SWITCH_HEADERS.iter().find_map(|name| headers.get(*name))?;
    let login = String::from_utf8_lossy(value.as_bytes()).trim().to_owned();
    (!login.is_empty()).then_some(login)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(
            header::HeaderName::from_static(name),
            HeaderValue::try_from(value).unwrap(),
        )])
    }

    #[test]
    fn parameter_takes_precedence_over_the_header() {
        let query = quarry_wire::from_query("key=abc").unwrap();
        assert_eq!(
            parse(&query, &headers("x-service-api-key", "def")),
            Credentials::Key("abc".to_owned())
        );
        assert_eq!(
            parse(&Input::Null, &headers("x-redmine-api-key", "def")),
            Credentials::Key("def".to_owned())
        );
        assert_eq!(
            parse(&Input::Null, &headers("x-redmine-api-key", " ")),
            Credentials::None
        );
    }

    #[test]
    fn malformed_credentials_are_invalid() {
        assert_eq!(
            parse(&Input::Null, &headers("authorization", "Basic ???")),
            Credentials::Invalid
        );
        assert_eq!(
            parse(&Input::Null, &headers("authorization", "Digest x")),
            Credentials::Invalid
        );
        assert_eq!(
            parse(&Input::Null, &headers("authorization", "bearer x")),
            Credentials::Bearer("x".to_owned())
        );
        assert_eq!(
            parse(&Input::Null, &headers("authorization", "Basic YTpiOmM=")),
            Credentials::Basic("a".to_owned(), "b:c".to_owned())
        );
    }
}
