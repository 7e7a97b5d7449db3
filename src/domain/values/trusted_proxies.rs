//! Reverse proxies whose headers are trusted.

use ipnet::IpNet;
use std::net::IpAddr;

/// The addresses of reverse proxies in front of the service; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Parses IP addresses and CIDR ranges separated by commas; `None` if one of them is neither.
    pub fn parse(text: &str) -> Option<TrustedProxies> {
        let entries = text
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty());
        entries
            .map(parse_range)
            .collect::<Option<Vec<_>>>()
            .map(TrustedProxies)
    }

    /// Whether the address is that of a trusted proxy. An IPv4 address in IPv6 notation counts as
    /// the IPv4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|range| range.contains(&address))
    }
}

/// Parses a range of addresses, or a single address.
fn parse_range(entry: &str) -> Option<IpNet> {
    entry
        .parse::<IpNet>()
        .ok()
        .or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_ranges_are_understood() {
        let proxies = TrustedProxies::parse("127.0.0.1, 10.0.0.0/8,::1,fd00::/8").unwrap();
        for (address, trusted) in [
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("10.255.0.1", true),
            ("::ffff:10.0.0.1", true),
            ("::1", true),
            ("fd12::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(
                proxies.contains(address.parse().unwrap()),
                trusted,
                "{address}"
            );
        }
        assert_eq!(TrustedProxies::parse(""), Some(TrustedProxies::default()));
        assert_eq!(TrustedProxies::parse("10.0.0.0/33"), None);
        assert_eq!(TrustedProxies::parse("proxy.example.net"), None);
    }
}
