//! URLs of mail servers: `scheme://user:password@host:port/path`.

use std::fmt;
use std::net::IpAddr;

/// The parts of a URL.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl {
    pub scheme: String,
    /// The user who logs in; `None` for no login.
    pub user: Option<String>,
    /// The password; `None` if it is empty.
    pub password: Option<String>,
    pub host: String,
    pub port: Option<u16>,
    /// What follows the first `/` after the port.
    pub path: String,
}

impl ServerUrl {
    /// Parses a URL. Percent-encoding is decoded in the user, the password and the path.
    pub fn parse(text: &str) -> Option<ServerUrl> {
        let (scheme, rest) = text.split_once("://")?;
        let (login, address) = match rest.rsplit_once('@') {
            Some((login, address)) => (Some(login), address),
            None => (None, rest),
        };
        let (address, path) = address.split_once('/').unwrap_or((address, ""));
        let login = login.map(|login| login.split_once(':').unwrap_or((login, "")));
        let (user, password) = match login {
            Some((user, password)) => (Some(decode(user)?), Some(decode(password)?)),
            None => (None, None),
        };
        if user.as_ref().is_some_and(String::is_empty) {
            return None;
        }
        let (host, port) = parse_address(address)?;
        Some(ServerUrl {
            scheme: scheme.to_owned(),
            user,
            password: password.filter(|password| !password.is_empty()),
            host,
            port,
            path: decode(path)?,
        })
    }

    /// Whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.host)
    }
}

/// Writes the URL of a server without a password.
pub fn write_server(
    formatter: &mut fmt::Formatter<'_>,
    scheme: &str,
    user: Option<&str>,
    host: &str,
    port: u16,
) -> fmt::Result {
    write!(formatter, "{scheme}://")?;
    if let Some(user) = user {
        write!(formatter, "{user}@")?;
    }
    if host.contains(':') {
        write!(formatter, "[{host}]:{port}")
    } else {
        write!(formatter, "{host}:{port}")
    }
}

/// Parses `host`, `host:port` or `[address]:port`.
fn parse_address(text: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match text.strip_prefix('[') {
        Some(text) => {
            let (host, port) = text.split_once(']')?;
            host.parse::<std::net::Ipv6Addr>().ok()?;
            (host, port)
        }
        None => {
            let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
            (!host.is_empty() && host.chars().all(is_name)).then_some(())?;
            (host, port)
        }
    };
    let port = match port.strip_prefix(':') {
        Some(port) => Some(port.parse().ok().filter(|port| *port > 0)?),
        None if port.is_empty() => None,
        None => return None,
    };
    Some((host.to_owned(), port))
}

/// Whether a host is this machine.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Decodes percent-encoding. Control characters are refused: a line break would end an SMTP command.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        match byte {
            b'%' => {
                let digits = std::str::from_utf8(after.get(..2)?).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &after[2..];
            }
            byte => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    let decoded = String::from_utf8(bytes).ok()?;
    (!decoded.chars().any(char::is_control)).then_some(decoded)
}
