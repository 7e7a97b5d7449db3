//! The address of the client, and the URL at which the client reaches the service.
//!
//! Invariant: `Host`, `X-Forwarded-For` and `X-Forwarded-Proto` count only on a connection from a
//! trusted proxy, because any other client can forge them. `X-Forwarded-Host` never counts: a proxy
//! that does not set it passes on what the client wrote. (`cross_site` compares `Host` with
//! `Origin`: no page can choose either.)

use crate::server::connections::{LocalAddress, PeerAddress};
use crate::server::tls::OverTls;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};
use quarry_domain::values::trusted_proxies::TrustedProxies;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The other end of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// Whether the connection itself is encrypted.
    pub uses_tls: bool,
}

impl Peer {
    /// Returns the peer of a request; with the loopback address if it came over a Unix socket or
    /// without a connection.
    pub fn from_extensions(extensions: &Extensions) -> Peer {
        Peer {
            address: extensions
                .get::<PeerAddress>()
                .map_or(Ipv4Addr::LOCALHOST.into(), |peer| peer.0.to_canonical()),
            uses_tls: extensions.get::<OverTls>().is_some(),
        }
    }
}

/// Returns the address of the client: the peer, or the last address in `X-Forwarded-For` that no
/// trusted proxy has.
pub fn client_address(trusted: &TrustedProxies, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let mut address = peer.to_canonical();
    for hop in values(headers, "x-forwarded-for").rev() {
        if !trusted.contains(address) {
            break;
        }
        let Some(hop) = parse_hop(hop) else { break };
        address = hop;
    }
    address
}

/// Whether the client uses TLS: according to `X-Forwarded-Proto` of a trusted proxy if it sends that,
/// otherwise whether the connection does.
pub fn is_https(trusted: &TrustedProxies, peer: Peer, headers: &HeaderMap) -> bool {
    let forwarded = values(headers, "x-forwarded-proto").next_back();
    match forwarded.filter(|_| trusted.contains(peer.address)) {
        Some(scheme) => scheme.eq_ignore_ascii_case("https"),
        None => peer.uses_tls,
    }
}

/// Returns the URL of the service when no setting states it: the `Host` that a trusted proxy passes
/// on, otherwise the listen address.
pub fn base_url(trusted: &TrustedProxies, listen: &str, parts: &Parts) -> String {
    let peer = Peer::from_extensions(&parts.extensions);
    let headers = &parts.headers;
    let scheme = |is_https| if is_https { "https" } else { "http" };
    if trusted.contains(peer.address) {
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        if let Some(host) = host.filter(|host| is_host(host)) {
            let scheme = scheme(is_https(trusted, peer, headers));
            return format!("{scheme}://{host}");
        }
    }
    // What a proxy says of itself does not count for the own address.
    format!(
        "{}://{}",
        scheme(peer.uses_tls),
        own_address(listen, parts.extensions.get().copied())
    )
}

/// Returns the address at which the service can be reached locally.
fn own_address(listen: &str, local: Option<LocalAddress>) -> String {
    match (listen.parse::<SocketAddr>(), local) {
        (Ok(address), Some(LocalAddress(local)))
            if address.ip().is_unspecified() || address.port() == 0 =>
        {
            SocketAddr::new(local.ip().to_canonical(), local.port()).to_string()
        }
        (Ok(address), None) if address.ip().is_unspecified() => {
            format!("localhost:{}", address.port())
        }
        // A proxy has the usual port.
        _ if listen.starts_with("unix:") => "localhost".to_owned(),
        _ => listen.to_owned(),
    }
}

fn is_host(host: &str) -> bool {
    !host.is_empty()
        && host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".:-[]_".contains(&byte))
}

/// Stands for a value that is not text. It is neither an address, a scheme nor a host.
const NOT_TEXT: &str = "?";

/// Returns the values of a header that is a list, from all its lines. A value that is not text does not hide
/// the others: the last one is from the proxy, those before may be from the client.
fn values<'h>(headers: &'h HeaderMap, name: &str) -> impl DoubleEndedIterator<Item = &'h str> {
    let lines = headers.get_all(name).iter();
    let values: Vec<&str> = lines
        .flat_map(|line| line.as_bytes().split(|byte| *byte == b','))
        .map(|value| std::str::from_utf8(value).unwrap_or(NOT_TEXT).trim())
        .filter(|value| !value.is_empty())
        .collect();
    values.into_iter()
}

/// Parses an address, with or without a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let address = hop.parse::<SocketAddr>().map(|address| address.ip());
    let address = address.or_else(|_| hop.trim_matches(['[', ']']).parse::<IpAddr>());
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue, Request};

    const PROXY: &str = "10.0.0.1";
    const STRANGER: &str = "203.0.113.9";

    fn trusted() -> TrustedProxies {
        TrustedProxies::parse("10.0.0.0/8").unwrap()
    }

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    fn parts(peer: &str, lines: &[(&'static str, &'static str)]) -> Parts {
        let mut parts = Request::new(()).into_parts().0;
        parts.headers = headers(lines);
        parts.extensions.insert(PeerAddress(peer.parse().unwrap()));
        parts
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let client = |peer: &str, lines: &'static [&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", HeaderValue::from_static(line));
            }
            client_address(&trusted(), peer.parse().unwrap(), &headers).to_string()
        };
        assert_eq!(
            client(STRANGER, &["198.51.100.1"]),
            STRANGER,
            "anybody can send the header"
        );
        assert_eq!(client(PROXY, &[]), PROXY);
        assert_eq!(client(PROXY, &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("::ffff:10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            client(PROXY, &["1.1.1.1, 198.51.100.1, 10.2.2.2"]),
            "198.51.100.1",
            "the client wrote what stands before"
        );
        assert_eq!(
            client(PROXY, &["1.1.1.1", "198.51.100.1:4711"]),
            "198.51.100.1"
        );
        assert_eq!(client(PROXY, &["[2001:db8::1]:80"]), "2001:db8::1");
        assert_eq!(client(PROXY, &["198.51.100.1, unknown"]), PROXY);
        assert_eq!(client(PROXY, &["10.3.3.3"]), "10.3.3.3");
    }

    #[test]
    fn value_that_is_not_text_hides_no_address_of_a_proxy() {
        for (line, expected) in [
            (&b"\xff, 198.51.100.1"[..], "198.51.100.1"),
            (b"\xc3\xa9,198.51.100.1", "198.51.100.1"),
            (b"198.51.100.1, \xff", PROXY),
        ] {
            let mut headers = HeaderMap::new();
            headers.append("x-forwarded-for", HeaderValue::from_bytes(line).unwrap());
            let client = client_address(&trusted(), PROXY.parse().unwrap(), &headers);
            assert_eq!(client.to_string(), expected);
        }
    }

    #[test]
    fn forwarded_scheme_counts_only_from_trusted_proxies() {
        let forwarded = |address: &str, value: &'static str, uses_tls: bool| {
            let peer = Peer {
                address: address.parse().unwrap(),
                uses_tls,
            };
            is_https(&trusted(), peer, &headers(&[("x-forwarded-proto", value)]))
        };
        let https = |address, value| forwarded(address, value, false);
        assert!(forwarded(STRANGER, "http", true) && !forwarded(PROXY, "http", true));
        assert!(forwarded(PROXY, "", true));
        assert!(https(PROXY, "https") && https(PROXY, "http, HTTPS"));
        assert!(!https(STRANGER, "https") && !https(PROXY, "http") && !https(PROXY, "https, http"));
    }

    #[test]
    fn host_headers_count_only_from_trusted_proxies() {
        let url = |peer: &str, lines: &[(&'static str, &'static str)]| {
            base_url(&trusted(), "127.0.0.1:3000", &parts(peer, lines))
        };
        let evil = [
            ("host", "evil.example"),
            ("x-forwarded-host", "evil.example"),
            ("x-forwarded-proto", "https"),
        ];
        assert_eq!(url(STRANGER, &evil), "http://127.0.0.1:3000");
        assert_eq!(url(PROXY, &[("host", "example.net")]), "http://example.net");
        let forwarded = [
            ("host", "example.net:8443"),
            ("x-forwarded-host", "evil.example"),
            ("x-forwarded-proto", "https"),
        ];
        assert_eq!(
            url(PROXY, &forwarded),
            "https://example.net:8443",
            "a proxy passes on X-Forwarded-Host as the client wrote it"
        );
        assert_eq!(
            url(PROXY, &[("host", "a/b"), ("x-forwarded-proto", "https")]),
            "http://127.0.0.1:3000"
        );
    }

    #[test]
    fn wildcard_address_is_replaced_by_that_of_the_connection() {
        let mut request = parts(STRANGER, &[("host", "evil.example")]);
        assert_eq!(
            base_url(&trusted(), "0.0.0.0:3000", &request),
            "http://localhost:3000"
        );
        request
            .extensions
            .insert(LocalAddress("192.0.2.7:3000".parse().unwrap()));
        assert_eq!(
            base_url(&trusted(), "0.0.0.0:3000", &request),
            "http://192.0.2.7:3000"
        );
        assert_eq!(
            base_url(&trusted(), "[::]:3000", &request),
            "http://192.0.2.7:3000"
        );
        assert_eq!(
            base_url(&trusted(), "[::1]:3000", &request),
            "http://[::1]:3000"
        );
    }
}
