//! The clients that limits distinguish.

use quarry_domain::ids::UserId;
use std::net::{IpAddr, Ipv6Addr};

/// A client: a user, or all anonymous clients at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientId {
    /// A user, from any address.
    User(UserId),
    /// An address, see [`network_of`].
    Address(IpAddr),
}

impl ClientId {
    /// Returns the user, or the address for anonymous.
    pub fn new(user: Option<UserId>, address: IpAddr) -> ClientId {
        user.map_or(ClientId::Address(network_of(address)), ClientId::User)
    }
}

/// Returns the address, or the /64 network of an IPv6 address, because a subscriber usually has all
/// of it.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_clients_of_one_network_share_limits() {
        let network = |text: &str| network_of(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
    }
}
