//! Redirect URIs: what can be registered, and when the one of a request matches (RFC 6749, 8252,
//! 9700).

use std::fmt;
use url::{Host, Url};

/// Maximum number of characters, which are all ASCII.
const MAX_LENGTH: usize = 2000;

/// The loopback addresses with which any port is allowed, as written in RFC 8252.
const LOOPBACK: [&str; 2] = ["http://127.0.0.1", "http://[::1]"];

/// A redirect URI that can be registered: `https`, or `http` to a loopback address; without
/// fragment, user or password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    url: Url,
}

impl RedirectUri {
    /// Parses a redirect URI.
    ///
    /// # Errors
    /// What is wrong with it, as the message after `Redirect URI`.
    pub fn parse(text: &str) -> Result<RedirectUri, &'static str> {
        if text.chars().count() > MAX_LENGTH {
            return Err("is too long (maximum is 2000 characters)");
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic())
            || text.contains(['\\', '*', '"', '<', '>'])
        {
            return Err("must be an absolute URI without spaces or placeholders");
        }
        let url = Url::parse(text)
            .map_err(|_| "must be an absolute URI such as https://app.example.net/callback")?;
        let is_loopback = is_loopback(&url);
        match url.scheme() {
            "https" => {}
            "http" if is_loopback => {}
            _ => {
                return Err(
                    "must begin with https://, or with http:// and a loopback address such as 127.0.0.1",
                );
            }
        }
        if url.fragment().is_some() {
            return Err("must not have a fragment (#)");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password");
        }
        Ok(RedirectUri {
            text: text.to_owned(),
            url,
        })
    }

    /// Whether an authorization request may name `requested` as its redirect URI: it is the same
    /// URI, character by character. Only the port after `http://127.0.0.1` and `http://[::1]` may
    /// differ, because a native application cannot reserve one (RFC 8252, section 7.3).
    pub fn matches(&self, requested: &str) -> bool {
        let without_port = split_loopback_port(&self.text);
        self.text == requested
            || (without_port.is_some() && without_port == split_loopback_port(requested))
    }

    /// Returns scheme, host and port, for the content security policy of the consent page.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Returns the host, with the port if it is not that of the scheme.
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url
            .port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Returns the URI with these parameters added to its query string.
    pub fn with_params<'p>(&self, params: impl IntoIterator<Item = (&'p str, &'p str)>) -> String {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(params);
        url.into()
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Splits the `http` URI of a loopback address into the parts before and after its port. Returns
/// `None` for any other URI, and for other spellings of the address or the port.
fn split_loopback_port(uri: &str) -> Option<(&'static str, &str)> {
    let (address, rest) = LOOPBACK
        .iter()
        .find_map(|address| Some((*address, uri.strip_prefix(address)?)))?;
    let rest = match rest.strip_prefix(':') {
        Some(rest) => {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let port: u16 = rest[..end].parse().ok()?;
            (port > 0 && !rest.starts_with('0')).then(|| &rest[end..])?
        }
        None => rest,
    };
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((address, rest))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn https_and_loopback_can_be_registered() {
        for uri in [
            "https://app.example.net/cb",
            "https://app.example.net:8443/cb?x=1",
            "http://127.0.0.1/cb",
            "http://[::1]:80/",
            "http://localhost/cb",
        ] {
            assert!(RedirectUri::parse(uri).is_ok(), "{uri}");
        }
        for uri in [
            "",
            "/cb",
            "http://app.example.net/cb",
            "http://127.0.0.1.example.net/cb",
            "http://localhost.example.net/cb",
            "https://app.example.net/cb#x",
            "https://user@app.example.net/cb",
            "https://*.example.net/cb",
            "https://app.example.net\\@evil.example/cb",
            "https://app.example.net/c b",
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://app.example.net/",
            "urn:ietf:wg:oauth:2.0:oob",
        ] {
            assert!(RedirectUri::parse(uri).is_err(), "{uri}");
        }
        assert!(
            RedirectUri::parse(&format!("https://app.example.net/{}", "a".repeat(2000))).is_err()
        );
    }

    #[test]
    fn requested_uri_must_be_the_same() {
        let registered = RedirectUri::parse("https://app.example.net/cb").unwrap();
        assert!(registered.matches("https://app.example.net/cb"));
        for other in [
            "https://app.example.net/cb/",
            "https://app.example.net/cb?x=1",
            "https://app.example.net/cb/../evil",
            "https://APP.example.net/cb",
            "https://app.example.net:443/cb",
            "https://app.example.net:444/cb",
            "https://app.example.net@evil.example/cb",
            "https://evil.example/cb",
            "http://app.example.net/cb",
        ] {
            assert!(!registered.matches(other), "{other}");
        }
    }

    #[test]
    fn port_of_a_loopback_address_is_free() {
        let registered = RedirectUri::parse("http://127.0.0.1/cb").unwrap();
        assert!(
            registered.matches("http://127.0.0.1:49152/cb")
                && registered.matches("http://127.0.0.1/cb")
        );
        for other in [
            "http://127.0.0.1:49152/other",
            "http://[::1]:49152/cb",
            "http://localhost:1/cb",
            "https://127.0.0.1:1/cb",
            "http://127.0.0.1:1/cb#x",
            "http://u@127.0.0.1:1/cb",
        ] {
            assert!(!registered.matches(other), "{other}");
        }
        let secure = RedirectUri::parse("https://127.0.0.1/cb").unwrap();
        assert!(!secure.matches("https://127.0.0.1:49152/cb"));
        let six = RedirectUri::parse("http://[::1]:8000/cb?x=1").unwrap();
        assert!(six.matches("http://[::1]:49152/cb?x=1") && six.matches("http://[::1]/cb?x=1"));
        assert!(
            !six.matches("http://[::1]:49152/cb?x=2")
                && !six.matches("http://[0:0:0:0:0:0:0:1]:49152/cb?x=1")
        );
    }

    #[test]
    fn other_spellings_of_a_loopback_address_are_other_uris() {
        let registered = RedirectUri::parse("http://127.0.0.1:8000/cb").unwrap();
        for other in [
            "http://127.1/cb",
            "http://0x7f.1/cb",
            "http://0177.0.0.1/cb",
            "http://2130706433/cb",
            "http://127.0.0.1./cb",
            "http://127.0.0.2/cb",
            "http://[::ffff:127.0.0.1]/cb",
            "http://localhost/cb",
            "http://LOCALHOST:8000/cb",
            "HTTP://127.0.0.1:8000/cb",
            "http:127.0.0.1:8000/cb",
            "http:///127.0.0.1:8000/cb",
            "http://127.0.0.1:8000/CB",
            "http://127.0.0.1:8000/%63b",
            "http://127.0.0.1:8000/x/../cb",
            "http://127.0.0.1:8000/cb?",
            "http://127.0.0.1:/cb",
            "http://127.0.0.1:0/cb",
            "http://127.0.0.1:08000/cb",
            "http://127.0.0.1:65536/cb",
            "http://127.0.0.1:+80/cb",
            "http://127.0.0.1:80@evil.example/cb",
            "http://user@127.0.0.1:8000/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1:8000cb",
        ] {
            assert!(!registered.matches(other), "{other}");
        }
        let localhost = RedirectUri::parse("http://localhost:8000/cb").unwrap();
        assert!(localhost.matches("http://localhost:8000/cb"));
        for other in [
            "http://localhost:8001/cb",
            "http://localhost/cb",
            "http://localhost.:8000/cb",
            "http://Localhost:8000/cb",
        ] {
            assert!(
                !localhost.matches(other),
                "a name is no address (RFC 8252, section 8.3): {other}"
            );
        }
    }

    #[test]
    fn parameters_are_added_to_the_query_string() {
        let uri = RedirectUri::parse("https://app.example.net/cb?tenant=1").unwrap();
        assert_eq!(
            uri.with_params([("code", "a b"), ("state", "&")]),
            "https://app.example.net/cb?tenant=1&code=a+b&state=%26"
        );
        assert_eq!(uri.origin(), "https://app.example.net");
        assert_eq!(
            RedirectUri::parse("http://127.0.0.1:8080/cb")
                .unwrap()
                .host(),
            "127.0.0.1:8080"
        );
    }
}
