//! Addresses at which the service listens.

/// Prefix of the address of a Unix socket.
pub const UNIX: &str = "unix:";

/// Parses an address and a port, or `unix:` and the absolute path of a socket.
pub fn parse_listen(value: &str) -> Option<String> {
    match value.strip_prefix(UNIX) {
        Some(path) => path.starts_with('/').then(|| value.to_owned()),
        None => parse_address(value),
    }
}

/// Parses an address and a port.
pub fn parse_address(value: &str) -> Option<String> {
    let (host, port) = value.rsplit_once(':')?;
    port.parse::<u16>().ok()?;
    (!host.is_empty()).then(|| value.to_owned())
}
